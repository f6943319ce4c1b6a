/** Saving: what, in which form, and how much of it may leave. Shows what would be taken out before anything is written. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FileForm, Prepared } from '../capture-file';
import { codeOf } from '../code';
import { usePanel } from '../context';
import { count } from '../format';
import { Button } from '../parts/button';
import { set } from '../parts/set';
import { Sheet } from '../parts/sheet';
import type { Privacy } from '../settings';
import { useStrings } from '../strings';
import { download, saving } from './capture-actions';
import { captureOf } from './capture-of';
import './save-sheet.css';

const ENDINGS: Readonly<Record<FileForm, string>> = { capture: 'unsettled.jsonl', 'capture-gzip': 'unsettled.jsonl.gz', har: 'har' };
/** Replacements listed before "and so on". */
const LISTED = 12;

const Choice = <T extends string>(props: {
  title: string;
  value: T;
  options: readonly (readonly [value: T, name: string, hint: string])[];
  onChange: (value: T) => void;
}) => (
  <fieldset class="choice">
    <legend>{props.title}</legend>
    {props.options.map(([value, name, hint]) => (
      <label key={value}>
        <input type="radio" name={props.title} checked={props.value === value} onChange={() => props.onChange(value)} />
        <span>
          {name}
          {hint === '' ? null : <span class="hint"> {hint}</span>}
        </span>
      </label>
    ))}
  </fieldset>
);

export const SaveSheet = ({ run }: { run: string | null }) => {
  const panel = usePanel();
  const t = useStrings();
  const here = panel.store.run.value;
  const asOf = panel.store.asOf.value;
  const what = useSignal<'run' | 'all' | 'until' | 'rows'>(run === null ? 'all' : 'run');
  const privacy = useSignal<Privacy>(panel.store.settings.privacy.peek());
  const form = useSignal<FileForm>('capture');
  const prepared = useSignal<Prepared | 'working' | 'stopped' | 'impossible'>('working');
  /** How much of the looking, or of the writing, is done. */
  const share = useSignal(0);
  const writing = useSignal(false);
  /** Ends what is under way; a new one begins when it is looked through again. */
  const stop = useRef(new AbortController());
  const round = useSignal(0);
  const chosen = what.value === 'all' || what.value === 'rows' ? null : (run ?? here?.key ?? null);
  const until = what.value === 'until' ? (asOf?.seq ?? null) : null;
  const pacing = (signal: AbortSignal) => ({
    progress(done: number | null) {
      if (done !== null && !signal.aborted) share.value = done;
    },
    signal,
  });

  /** What it is done with. Null: that does not come, so nothing can be saved, and the sheet gives way to the notice that says why. */
  const withDialects = async (every: boolean) => {
    const code = await codeOf(Promise.all([import('../capture-file'), every ? panel.store.everyDialect() : []]));
    if (code === null) saving.value = null;
    return code;
  };

  // Before anything else can be pressed: what is saved is never what was chosen before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` is what asks for another look.
  useLayoutEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    stop.current = controller;
    prepared.value = 'working';
    share.value = 0;
    const prepare = async (): Promise<void> => {
      // Only scrambling judges, before and after.
      const code = await withDialects(privacy.value === 'scramble');
      // The sheet is painted first: gathering a long capture takes a moment.
      await new Promise((resolve) => setTimeout(resolve, 30));
      if (code === null || signal.aborted) return;
      const [file, dialects] = code;
      try {
        const words = panel.store.settings.redactWords.peek();
        const done = await file.prepare(captureOf(panel, chosen, until), privacy.value, words, dialects, pacing(signal));
        if (done !== null && !signal.aborted) prepared.value = done;
      } catch {
        if (!signal.aborted) prepared.value = 'impossible';
      }
    };
    void prepare();
    return () => controller.abort();
  }, [panel, chosen, until, privacy.value, prepared, privacy, round.value]);
  const cancel = (): void => {
    stop.current.abort();
    writing.value = false;
    prepared.value = 'stopped';
  };

  const save = async (): Promise<void> => {
    if (typeof prepared.value === 'string' || writing.value) return;
    const stamp = new Date().toISOString().slice(0, 19).replace(/[:T]/gu, '-');
    const { capture } = prepared.value;
    const { signal } = stop.current;
    writing.value = true;
    const rows = what.value === 'rows';
    const code = await withDialects(rows);
    if (code === null || signal.aborted) return;
    const [{ eventsFile, fileOf }, dialects] = code;
    const file = rows
      ? await eventsFile(capture, panel.store.rows().passing(), dialects, pacing(signal))
      : await fileOf(capture, form.value, pacing(signal));
    if (file === null || signal.aborted) return;
    download(file, rows ? `events-${stamp}.jsonl` : `${chosen === null ? 'session' : 'run'}-${stamp}.${ENDINGS[form.value]}`);
    saving.value = null;
  };

  const ready = typeof prepared.value === 'string' ? null : prepared.value;
  const report = ready?.report ?? null;
  return (
    <Sheet title={t.save.title} onClose={() => set(saving, null)}>
      <div class="stack">
        <Choice
          title={t.save.what}
          value={what.value}
          options={[
            ...(here === null && run === null ? [] : [['run', t.save.run, ''] as const]),
            ...(here === null || asOf === null ? [] : [['until', t.save.until, t.save.untilHint] as const]),
            ['all', t.save.all, ''],
            ['rows', t.save.rows, t.save.rowsHint],
          ]}
          onChange={(value) => set(what, value)}
        />
        <Choice
          title={t.save.privacy}
          value={privacy.value}
          options={[
            ['standard', t.save.standard, t.save.standardHint],
            ['scramble', t.save.scramble, t.save.scrambleHint],
            ['none', t.save.none, t.save.noneHint],
          ]}
          onChange={(value) => set(privacy, value)}
        />
        {what.value === 'rows' ? null : (
          <Choice
            title={t.save.form}
            value={form.value}
            options={[
              ['capture', t.save.capture, '.unsettled.jsonl'],
              ['capture-gzip', t.save.gzip, '.gz'],
              ['har', 'HAR', t.save.harHint],
            ]}
            onChange={(value) => set(form, value)}
          />
        )}
        <section aria-live="polite" class="preview">
          {prepared.value === 'working' || writing.value ? (
            <p class="hint save-work">
              {writing.value ? t.save.writing : t.save.working}
              {writing.value ? null : <progress aria-label={t.save.working} max={1} value={share.value} />}
              <Button onClick={cancel}>{t.cancel}</Button>
            </p>
          ) : null}
          {prepared.value === 'stopped' ? (
            <p class="hint save-work">
              {t.save.stopped}
              <Button onClick={() => set(round, round.value + 1)}>{t.save.again}</Button>
            </p>
          ) : null}
          {prepared.value === 'impossible' ? <p class="warn">{t.save.impossible}</p> : null}
          {ready !== null && report === null ? <p class="warn">{t.save.nothingTaken}</p> : null}
          {report === null ? null : (
            <>
              <p>{report.replaced === 0 ? t.save.noSecrets : t.save.replaced(report.replaced)}</p>
              {report.replacements.length === 0 ? null : (
                <ul class="plain mono">
                  {report.replacements.slice(0, LISTED).map((each) => (
                    <li key={each.alias} class="wrap">
                      {each.kind} → {each.alias.length > 48 ? `${each.alias.slice(0, 47)}…` : each.alias} ×{count(each.count)}
                    </li>
                  ))}
                  {report.replacements.length > LISTED ? <li>… {count(report.replacements.length - LISTED)}</li> : null}
                </ul>
              )}
              {report.dropped === 0 ? null : <p>{t.save.dropped(report.dropped)}</p>}
            </>
          )}
        </section>
        <div class="buttons">
          <Button primary icon="save" disabled={ready === null || writing.value} onClick={() => void save()}>
            {t.save.button}
          </Button>
          <Button onClick={() => set(saving, null)}>{t.close}</Button>
        </div>
      </div>
    </Sheet>
  );
};
