/** One event, or the deltas folded into one row: what it means, whose it is, and all its words. */
import type { AgentEvent } from '../../../core/model';
import { membersOf } from '../../../core/text-event';
import { useStore } from '../../context';
import { clock, count, duration } from '../../format';
import { CopyButton } from '../../parts/button';
import { Field, Fields } from '../../parts/fields';
import { JsonTree } from '../../parts/json-tree';
import { LongText } from '../../parts/long-text';
import { StandingMark, VoiceBadge } from '../../parts/voice';
import { useStrings } from '../../strings';
import { textOf } from '../../summary';
import { laneOf } from '../../voices';
import { eventsIn, framesFor, requestOf } from '../copy';
import { MarkDetails } from './mark-details';

const HEAD: ReadonlySet<string> = new Set([
  'seq',
  'at',
  'flow',
  'ordinal',
  'frame',
  'dialect',
  'raw',
  'voice',
  'voiceBySaying',
  'standing',
  'identity',
  'lane',
  'part',
  'wireId',
  'order',
  'type',
]);

/** What the event says beyond its head and its text, for the tree. */
const bodyOf = (event: AgentEvent): Record<string, unknown> | null => {
  const body: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(membersOf(event))) if (!HEAD.has(key) && key !== 'text') body[key] = value;
  return Object.keys(body).length === 0 ? null : body;
};

export const EventTab = () => {
  const store = useStore();
  const t = useStrings();
  const selected = store.selected.value;
  if (selected === null) return <p class="hint">{t.chooseEvent}</p>;
  if (selected.kind === 'mark') return <MarkDetails mark={selected.mark} />;
  const { event, fold, index } = selected;
  const rows = store.rows();
  store.rowsVersion.value;
  const unit = rows.unitOf(index);
  if (unit === null) return <p class="hint">{t.chooseEvent}</p>;
  const text = fold ? rows.text(unit) : textOf(event);
  const whole = unit.count > 1 && !fold ? rows.text(unit) : null;
  const last = fold ? eventsIn(store, { index, fold, unit }).at(-1) : undefined;
  const { feed } = store;
  const run = store.run.value;
  const base = run === null ? 0 : feed.value.timeOf(run.openedSeq, run.openedAt);
  const lane = laneOf(event);
  const body = bodyOf(event);
  return (
    <div class="stack">
      <div class="event-title">
        <VoiceBadge lane={lane} standing={event.standing} said />
        <span class="mono">{event.raw}</span>
        {fold ? <span class="times">×{count(unit.count)}</span> : null}
      </div>
      {text === '' ? null : <LongText text={text} lane={lane} provisional={event.standing === 'provisional'} />}
      <div class="buttons">
        {text === '' ? null : <CopyButton label={t.copyText} text={() => text} />}
        <CopyButton label={t.copyJson} text={() => JSON.stringify(fold ? eventsIn(store, { index, fold, unit }) : event, null, 2)} />
        <CopyButton
          label={t.copyRaw}
          text={() =>
            framesFor(store, fold ? eventsIn(store, { index, fold, unit }) : [event])
              .map((frame) => frame.data)
              .join('\n')
          }
        />
        <CopyButton label={t.copyCurl} text={() => requestOf(store, last ?? event, 'curl')} />
        <CopyButton label={t.copyTest} text={() => requestOf(store, last ?? event, 'test')} />
      </div>
      <Fields>
        <Field name={t.field.meaning}>{t.eventLabel[event.type]}</Field>
        <Field name={t.field.voice}>
          {t.voice[lane]}
          <span class="soft"> · {event.voice === null ? t.voiceUnknown : event.voiceBySaying ? t.voiceBySaying : t.voiceByInference}</span>
        </Field>
        <Field name={t.field.standing}>
          <StandingMark standing={event.standing} said /> {t.standing[event.standing]}
          <span class="soft"> · {t.standingMeans[event.standing]}</span>
        </Field>
        <Field name={t.field.time}>
          <span class="tabular">
            {clock(feed.value.timeOfFlow(event.flow, event.at) - base)} s
            {last === undefined ? '' : ` – ${clock(feed.value.timeOfFlow(last.flow, last.at) - base)} s (${duration(last.at - event.at)})`}
          </span>
        </Field>
        {index > 0 ? <Field name={t.field.gap}>{duration(rows.gapBefore(index))}</Field> : null}
        {Object.entries(event.identity).map(([key, value]) => (
          <Field key={key} name={t.identityField[key as keyof typeof t.identityField]} copy={value} mono>
            {value}
          </Field>
        ))}
        {event.wireId === null ? null : (
          <Field name={t.field.wireId} copy={event.wireId} mono>
            {event.wireId}
          </Field>
        )}
        {event.order === null ? null : <Field name={t.field.order}>{event.order}</Field>}
        {event.part === null ? null : (
          <Field name={t.field.part} mono>
            {event.part}
          </Field>
        )}
        <Field name={t.field.place} mono>
          {event.dialect === '' ? '' : `${event.dialect} · `}
          {event.flow} · {t.eventNumber(event.ordinal)}
          {event.frame < 0 ? '' : ` · ${t.frameNumber(event.frame)}`}
        </Field>
      </Fields>
      {body === null ? null : <JsonTree value={body} label={t.eventBody} />}
      {whole === null ? null : (
        <section>
          <h3>{t.joined(unit.count)}</h3>
          <LongText text={whole} lane={lane} provisional={event.standing === 'provisional'} />
        </section>
      )}
    </div>
  );
};
