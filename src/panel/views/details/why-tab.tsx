/** The findings of the run, each with what was said, what was shown, both times, and what to do about it. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Finding } from '../../../core/model';
import { usePanel, useStore } from '../../context';
import { clock, duration } from '../../format';
import { isSettled } from '../../outcome';
import { Button } from '../../parts/button';
import { Field, Fields } from '../../parts/fields';
import { Icon } from '../../parts/icons';
import { flip, set } from '../../parts/set';
import { VoiceBadge } from '../../parts/voice';
import { messageOf, phraseOf, useStrings } from '../../strings';
import { saving } from '../capture-actions';
import { PointButton } from '../point-button';
import { FixPart } from './fix-part';
import { PicturePart } from './picture';

/** Facts that have a row of their own here, or only fill the rule's sentence. */
const TOLD: ReadonlySet<string> = new Set([
  ...['text', 'excerpt', 'message', 'voice', 'cue', 'because', 'bySaying', 'how', 'why', 'settled', 'share'],
  ...['leadMs', 'shownMs', 'settledMs', 'endedMs'],
]);
/** Rules whose time is when the page began to present something as final. */
const FINAL = /^(?:final-|waiting-as-done|error-as-done|cancel-as-done|unclean-finish)/u;

const FindingCard = ({ finding }: { finding: Finding }) => {
  const panel = usePanel();
  const { store, shell } = panel;
  const t = useStrings();
  store.revision.value;
  const card = useRef<HTMLElement>(null);
  const fix = useSignal(false);
  const chosen = store.selectedFinding.value === finding.key;
  useEffect(() => {
    if (chosen) card.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const feed = store.feed.value;
  const run = feed.session.run(finding.run);
  const base = run === undefined ? 0 : feed.timeOf(run.openedSeq, run.openedAt);
  const offset = run === undefined ? 0 : feed.timeOf(run.openedSeq, run.openedAt) - run.openedAt;
  const at = (time: number): string => (finding.untimed ? '—' : `${clock(time + offset - base)} s`);
  const rule = t.rules[finding.rule];
  const settlement = run?.settlement ?? null;
  const screen = feed.screenOf(finding.run);
  const region = screen?.regions.find((each) => each.region.key === finding.region);
  const lead = typeof finding.data.leadMs === 'number' ? finding.data.leadMs : null;
  const cue = finding.data.cue;
  const facts = Object.entries(finding.data).filter(([name]) => !TOLD.has(name));
  const unsure = finding.verdict === 'inconclusive';
  return (
    <article class={`finding severity-${finding.severity}${unsure ? ' unsure' : ''}${chosen ? ' chosen' : ''}`} ref={card}>
      <h3>
        <Icon name={unsure ? 'unattested' : 'alarm'} size={14} />
        <span class="finding-name">{rule?.title ?? finding.rule}</span>
        <span class="severity">{unsure ? t.unsure : t.severity[finding.severity]}</span>
      </h3>
      <div class="finding-body">
        <p class="sentence">{messageOf(t, finding, at)}</p>
        <Fields>
          {finding.text === '' ? null : (
            <Field name={t.field.shown}>
              <span class={`quote${finding.voice === null ? '' : ` v-${finding.voice}`}`}>
                {finding.text.length > 400 ? `…${finding.text.slice(-400)}` : finding.text}
              </span>
            </Field>
          )}
          {finding.voice === null ? null : (
            <Field name={t.field.voice}>
              <VoiceBadge lane={finding.voice} standing={null} said /> {t.voice[finding.voice]}
              {typeof finding.data.bySaying === 'string' && finding.data.bySaying.startsWith('by inference') ? (
                <span class="soft"> · {t.voiceByInference}</span>
              ) : null}
            </Field>
          )}
          <Field name={FINAL.test(finding.rule) ? t.field.since : t.field.shownAt}>
            <strong class="tabular">{at(finding.at)}</strong>
            {finding.until === null ? '' : ` – ${at(finding.until)}`}
            {cue === undefined ? '' : ` · ${cue}`}
          </Field>
          <Field name={t.field.settled}>
            {settlement !== null && isSettled(settlement) ? (
              `${at(settlement.at)} · ${t.outcome[settlement.outcome]}`
            ) : (
              <span>
                <strong class="bad">{t.never}</strong> {settlement === null ? t.stillOpen : t.endAt(at(settlement.at))}
              </span>
            )}
          </Field>
          {finding.data.because === undefined ? null : <Field name={t.field.because}>{phraseOf(t, finding.data.because)}</Field>}
          {unsure && finding.data.why !== undefined ? <Field name={t.field.because}>{phraseOf(t, finding.data.why)}</Field> : null}
          {lead === null ? null : (
            <Field name={t.field.lead}>
              <span class="tabular">{t.tooEarly(duration(lead))}</span>
            </Field>
          )}
          {region === undefined ? null : (
            <Field name={t.field.where} mono>
              {region.region.label === null ? '' : `${region.region.label} · `}
              {region.region.path}
            </Field>
          )}
          {panel.pictures.all.value.has(finding.key) && feed.kind === 'live' ? (
            <Field name={t.picture.title}>
              <PicturePart finding={finding} />
            </Field>
          ) : null}
          {facts.map(([name, value]) => (
            <Field key={name} name={name} mono>
              {String(value)}
            </Field>
          ))}
          {finding.evidence.length === 0 ? null : (
            <Field name={t.field.evidence}>
              {finding.evidence.slice(0, 8).map((ref, index) => (
                <button
                  type="button"
                  class="link-button"
                  // biome-ignore lint/suspicious/noArrayIndexKey: evidence is a fixed list.
                  key={index}
                  onClick={() => {
                    if (ref.kind === 'event') store.revealEvent(ref.flow, ref.event);
                    else store.revealSeq(ref.seq);
                  }}
                >
                  {t.evidenceRef[ref.kind]} {ref.kind === 'event' ? `#${ref.event}` : at(feed.entryOf(ref.seq)?.at ?? finding.at)}
                </button>
              ))}
            </Field>
          )}
        </Fields>
        <div class="buttons">
          <Button
            icon="timeline"
            onClick={() => {
              const when = finding.at + offset;
              store.setAsOf(when, store.seqAt(when));
            }}
          >
            {t.showMoment}
          </Button>
          {finding.region !== null && screen !== null && feed.kind === 'live' && shell.hasTab ? (
            <>
              {shell.canReveal ? (
                <Button icon="inspect" onClick={() => shell.reveal(finding.region!)}>
                  {t.reveal}
                </Button>
              ) : null}
              <PointButton document={screen.document} region={finding.region} />
            </>
          ) : null}
          <Button icon="save" onClick={() => set(saving, { run: finding.run })}>
            {t.saveRepro}
          </Button>
          <Button icon="help" onClick={() => flip(fix)}>
            {t.howToFix}
          </Button>
          <Button icon="mute" onClick={() => store.mute(finding, true)} title={t.muteHint(store.originOfRun(finding.run))}>
            {t.mute}
          </Button>
        </div>
        {fix.value ? <FixPart rule={finding.rule} /> : null}
        <p class="soft mono">{finding.rule}</p>
      </div>
    </article>
  );
};

export const WhyTab = () => {
  const store = useStore();
  const t = useStrings();
  const run = store.run.value;
  const list = run === null ? store.findings.value : store.findingsOf(run.key);
  const muted = store.mutedFindings.value.filter((finding) => run === null || finding.run === run.key);
  return (
    <div class="stack">
      {list.length === 0 ? (
        <div class="no-findings">
          <p>
            <Icon name="done" size={14} /> {t.noFindings}
          </p>
          <p class="hint">{run !== null && store.feed.value.screenOf(run.key) === null ? t.noFindingsUnwatched : t.noFindingsMeans}</p>
        </div>
      ) : (
        list.map((finding) => <FindingCard key={finding.key} finding={finding} />)
      )}
      {muted.length === 0 ? null : (
        <p class="hint">
          {t.mutedCount(muted.length)}{' '}
          <button
            type="button"
            class="link-button"
            onClick={() => {
              for (const finding of muted) store.mute(finding, false);
            }}
          >
            {t.unmute}
          </button>
        </p>
      )}
    </div>
  );
};
