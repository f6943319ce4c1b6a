/** What the page showed around the run: how it presented it and by which signs, and every region that carried its text. */
import { useComputed } from '@preact/signals';
import { usePanel, useStore } from '../../context';
import type { Screen } from '../../feed';
import { clock, duration } from '../../format';
import { Button } from '../../parts/button';
import { Field, Fields } from '../../parts/fields';
import { LongText } from '../../parts/long-text';
import { VoiceBadge } from '../../parts/voice';
import { phraseOf, useStrings } from '../../strings';
import { PointButton } from '../point-button';

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Moments before the first cue say nothing. */
const worthTelling = (piece: Screen['presented'][number]): boolean =>
  piece.as !== 'unknown' || piece.until === null || piece.until - piece.from > 50;

export const ShownTab = () => {
  const store = useStore();
  const { shell } = usePanel();
  const t = useStrings();
  const screen = useComputed<Screen | null>(() => {
    const feed = store.feed.value;
    feed.judged.value;
    const run = store.run.value;
    return run === null ? null : feed.screenOf(run.key);
  }).value;
  const run = store.run.value;
  if (run === null) return <p class="hint">{t.chooseRun}</p>;
  if (screen === null) return <p class="hint">{t.notWatchedLong}</p>;
  const base = store.feed.value.timeOf(run.openedSeq, run.openedAt);
  const at = (time: number): string => `${clock(store.feed.value.timeIn(screen.document, time) - base)} s`;
  const live = store.feed.value.kind === 'live' && shell.hasTab;
  return (
    <div class="stack">
      {screen.noCue ? <p class="warn">{t.noCue}</p> : null}
      <section>
        <h3>{t.presentedHeading}</h3>
        {screen.presented.length === 0 ? <p class="hint">{t.presentedNothing}</p> : null}
        <ol class="plain steps">
          {screen.presented.filter(worthTelling).map((piece) => (
            <li key={piece.fromSeq} class={`presented ${piece.as}`}>
              <span class="mono tabular">{at(piece.from)}</span>
              <strong>{t.presented[piece.as]}</strong>
              <span class="soft">
                {piece.until === null ? t.stillSo : duration(piece.until - piece.from)}
                {piece.cues.length === 0 ? '' : ` · ${piece.cues.map((cue) => phraseOf(t, cue.text)).join(', ')}`}
              </span>
            </li>
          ))}
        </ol>
      </section>
      {screen.honestSigns.length === 0 ? null : (
        <section>
          <h3>{t.honestSigns}</h3>
          <ul class="plain">
            {screen.honestSigns.map((sign) => (
              <li key={sign.seq}>
                <span class="mono tabular">{at(sign.at)}</span> {sign.text}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="stack">
        <h3>{t.regions(screen.regions.length)}</h3>
        {screen.regions.map((region) => (
          <section key={region.region.key} class="card">
            <h4>
              {region.voice === null ? null : <VoiceBadge lane={region.voice} standing={null} said />}
              <span class="wrap">{region.region.label ?? region.region.role ?? region.region.path}</span>
            </h4>
            <LongText text={region.text} {...(region.voice === null ? {} : { lane: region.voice })} />
            <Fields>
              <Field name={t.field.where} mono>
                {region.region.path}
              </Field>
              <Field name={t.field.says}>
                {region.voice === null ? t.unmatched : t.voice[region.voice]}
                {region.region.presentedAs === 'unknown' ? '' : ` · ${t.presentedAs(t.voice[region.region.presentedAs])}`}
              </Field>
              <Field name={t.field.appeared}>
                {at(region.appearedAt)}
                {region.removedAt === null ? '' : ` – ${at(region.removedAt)} (${t.removed})`}
              </Field>
              <Field name={t.field.changed}>{at(region.lastChangeAt)}</Field>
              {region.matches.map((match) => (
                <Field key={match.part} name={t.field.match}>
                  {t.matchOf(percent(match.share), percent(match.covered))}
                </Field>
              ))}
              {region.visible ? null : <Field name={t.field.visible}>{t.no}</Field>}
            </Fields>
            {live ? (
              <div class="buttons">
                <PointButton document={screen.document} region={region.region.key} />
                {shell.canReveal ? (
                  <Button icon="inspect" onClick={() => shell.reveal(region.region.key)}>
                    {t.reveal}
                  </Button>
                ) : null}
              </div>
            ) : null}
          </section>
        ))}
      </section>
    </div>
  );
};
