/**
 * The run as of T: what its producer stood by and what might still have changed, by voice. Made by the same code that
 * judges the present, fed with what was known then; never by guessing backwards from the end.
 */
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { Session } from '../../../core/engine';
import type { Part, Run } from '../../../core/model';
import { useStore } from '../../context';
import { clock } from '../../format';
import { CopyButton } from '../../parts/button';
import { LongText } from '../../parts/long-text';
import { StandingMark, VoiceBadge } from '../../parts/voice';
import { useStrings } from '../../strings';
import { EndingWord } from '../run-row';

const PartText = ({ part }: { part: Part }) => {
  const t = useStrings();
  useStore().revision.value;
  return (
    <article class={`part${part.withdrawn ? ' withdrawn' : ''}`}>
      <header>
        <VoiceBadge lane={part.voice} standing={part.standing} said />
        <span>{t.voice[part.voice]}</span>
        <StandingMark standing={part.standing} said />
        <span class="soft">{part.withdrawn ? t.withdrawn : t.standing[part.standing]}</span>
        {part.voiceBySaying ? null : <span class="soft">· {t.voiceByInference}</span>}
      </header>
      <LongText text={part.text} lane={part.voice} provisional={part.standing === 'provisional'} />
      {part.streamedText === null ? null : (
        <details>
          <summary>{t.streamedOther}</summary>
          <LongText text={part.streamedText} lane={part.voice} provisional />
        </details>
      )}
    </article>
  );
};

/**
 * The run in a session that knows less. Keys count the runs of their session, so it is found by the record that opened it,
 * and by its id where one record opened several.
 */
const samePast = (session: Session, run: Run): Run | null => {
  const found = session.runs.filter((each) => each.openedSeq === run.openedSeq && (each.parent === null) === (run.parent === null));
  return found.find((each) => each.identity.run === run.identity.run) ?? found[0] ?? null;
};

/** Above this many entries the past is made after a pause in scrubbing, not on every move. */
const HEAVY = 20_000;

export const TranscriptTab = () => {
  const store = useStore();
  store.revision.value;
  const t = useStrings();
  const past = useSignal<Run | null>(null);
  const asOf = store.asOf.value;
  const key = useComputed(() => store.run.value?.key ?? null).value;
  useSignalEffect(() => {
    const until = store.asOf.value;
    const run = store.run.value;
    const feed = store.feed.value;
    if (until === null || run === null) {
      past.value = null;
      return;
    }
    const flows = [...new Set(run.attempts.flatMap((attempt) => attempt.flows))];
    const make = (): void => {
      past.value = samePast(feed.asOf(until.seq, flows), run);
    };
    if (feed.session.entries.length < HEAVY) {
      make();
      return;
    }
    const timer = setTimeout(make, 120);
    return () => clearTimeout(timer);
  });
  const now = store.run.value;
  if (key === null || now === null) return <p class="hint">{t.chooseRun}</p>;
  const shown = asOf === null ? now : past.value;
  const base = store.feed.value.timeOf(now.openedSeq, now.openedAt);
  const parts = shown?.attempts.flatMap((attempt) => attempt.parts) ?? [];
  const spoken = parts.filter((part) => part.text !== '');
  return (
    <div class="stack">
      <div class="transcript-head">
        <span class="tabular">{asOf === null ? t.asOfNow : t.asOfTime(clock(asOf.time - base))}</span>
        {shown === null ? null : <EndingWord settlement={shown.settlement} />}
        <CopyButton
          label={t.copyText}
          text={() =>
            spoken
              .map((part) => `[${t.voice[part.voice]}, ${part.withdrawn ? t.withdrawn : t.standing[part.standing]}]\n${part.text}`)
              .join('\n\n')
          }
        />
      </div>
      {spoken.length === 0 ? <p class="hint">{t.transcriptEmpty}</p> : null}
      {shown?.attempts.map((attempt) => (
        <section key={attempt.key} class="stack">
          {shown.attempts.length > 1 ? (
            <h3>
              {t.attempt(attempt.ordinal)} <EndingWord settlement={attempt.settlement} />
            </h3>
          ) : null}
          {attempt.parts.map((part) => (part.text === '' ? null : <PartText key={part.key} part={part} />))}
        </section>
      ))}
    </div>
  );
};
