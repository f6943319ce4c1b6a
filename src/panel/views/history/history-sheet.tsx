/** The sessions that are kept: whether any are, how much room they take, and opening, saving and deleting them. */
import { useSignal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import { usePanel } from '../../context';
import { count } from '../../format';
import type { Kept } from '../../history/archive';
import { historyFailure, historyOpen, openHistory, privateTab } from '../../history/history';
import { MEGA } from '../../history/keep';
import { Button } from '../../parts/button';
import { set } from '../../parts/set';
import { Sheet } from '../../parts/sheet';
import { useStrings } from '../../strings';
import { download, openBlob } from '../capture-actions';
import './history.css';

/** Megabytes that may be chosen. */
const LIMITS = [20, 50, 200, 500] as const;

const when = (time: number, language: string): string =>
  new Date(time).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
const megabytes = (chars: number): string => `${(chars / MEGA).toFixed(chars < 10 * MEGA ? 1 : 0)} MB`;

export const HistorySheet = () => {
  const panel = usePanel();
  const t = useStrings();
  const { settings } = panel.store;
  const kept = useSignal<readonly Kept[] | null>(null);
  const sure = useSignal(false);
  const on = settings.history.value;
  const refresh = useCallback(async (): Promise<void> => {
    try {
      kept.value = await (await openHistory()).list();
    } catch (error) {
      historyFailure.value = error instanceof Error ? error.message : String(error);
    }
  }, [kept]);
  // Sessions grow while the sheet is open.
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), 2_000);
    return () => clearInterval(timer);
  }, [refresh]);

  const nameOf = (each: Kept): string => `session-${new Date(each.startedAt).toISOString().slice(0, 19).replace(/[:T]/gu, '-')}`;
  const open = async (each: Kept): Promise<void> => {
    const blob = await (await openHistory()).read(each.id);
    if (blob === null) return refresh();
    historyOpen.value = false;
    await openBlob(panel, blob, when(each.startedAt, document.documentElement.lang));
  };
  const save = async (each: Kept): Promise<void> => {
    const blob = await (await openHistory()).read(each.id);
    if (blob !== null) download(blob, `${nameOf(each)}.unsettled.jsonl`);
  };
  const remove = async (id: string | null): Promise<void> => {
    const archive = await openHistory();
    await (id === null ? archive.removeAll() : archive.remove(id));
    sure.value = false;
    await refresh();
  };

  const list = kept.value ?? [];
  const used = list.reduce((sum, each) => sum + each.chars, 0);
  return (
    <Sheet title={t.history.title} onClose={() => set(historyOpen, false)}>
      <div class="stack settings">
        <label class="check">
          <input type="checkbox" checked={on} onChange={(event) => set(settings.history, event.currentTarget.checked)} />
          <span>{t.historySheet.keep}</span>
        </label>
        <p class="hint">{t.historySheet.keepHint}</p>
        {on && privateTab.value === true ? <p class="warn">{t.historySheet.private}</p> : null}
        <label>
          <span>{t.historySheet.limit}</span>
          <select value={settings.historyLimit.value} onChange={(event) => set(settings.historyLimit, Number(event.currentTarget.value))}>
            {LIMITS.map((limit) => (
              <option key={limit} value={limit}>
                {limit} MB
              </option>
            ))}
          </select>
        </label>
        {historyFailure.value === null ? null : (
          <p class="bad" role="alert">
            {t.historySheet.failed} {historyFailure.value}
          </p>
        )}
        <section>
          <h3>{t.historySheet.sessions}</h3>
          <p class="history-room">
            <meter
              min={0}
              max={settings.historyLimit.value * MEGA}
              value={used}
              aria-label={t.historySheet.used(megabytes(used), `${settings.historyLimit.value} MB`)}
            />
            <span class="tabular">{t.historySheet.used(megabytes(used), `${settings.historyLimit.value} MB`)}</span>
          </p>
          {list.length === 0 ? <p class="hint">{on ? t.historySheet.noneYet : t.historySheet.none}</p> : null}
          <ul class="plain history-list">
            {list.map((each) => (
              <li key={each.id}>
                <span class="history-what">
                  <strong>{when(each.startedAt, document.documentElement.lang)}</strong>
                  <span class="mono wrap">{each.url}</span>
                  <span class="soft">
                    {t.count.runs(each.runs)} · {t.count.findings(each.findings)} · {t.historySheet.records(count(each.entries))} ·{' '}
                    {megabytes(each.chars)}
                    {each.cut ? ` · ${t.historySheet.cut}` : ''}
                  </span>
                </span>
                <span class="buttons">
                  <Button onClick={() => void open(each)}>{t.history.open}</Button>
                  <Button onClick={() => void save(each)}>{t.historySheet.save}</Button>
                  <Button onClick={() => void remove(each.id)}>{t.historySheet.remove}</Button>
                </span>
              </li>
            ))}
          </ul>
        </section>
        <div class="buttons">
          {sure.value ? (
            <>
              <Button primary onClick={() => void remove(null)}>
                {t.historySheet.removeAllSure}
              </Button>
              <Button onClick={() => set(sure, false)}>{t.historySheet.keepThem}</Button>
            </>
          ) : (
            <Button disabled={list.length === 0} onClick={() => set(sure, true)}>
              {t.historySheet.removeAll}
            </Button>
          )}
          <Button onClick={() => set(historyOpen, false)}>{t.close}</Button>
        </div>
      </div>
    </Sheet>
  );
};
