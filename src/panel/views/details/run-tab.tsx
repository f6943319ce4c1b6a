/** One run: how it ended and who said so, its ids, its times, its attempts, and where it came from. */
import type { Attempt, Identity, Run } from '../../../core/model';
import { useStore } from '../../context';
import { clock, count, duration } from '../../format';
import { endingOf, isSettled, reasonOf, TONE } from '../../outcome';
import { Field, Fields } from '../../parts/fields';
import { Icon } from '../../parts/icons';
import { VoiceBadge } from '../../parts/voice';
import { timingOf } from '../../run-facts';
import { useStrings } from '../../strings';
import { LANES } from '../../voices';
import { EndingWord } from '../run-row';
import { AllRuns } from './all-runs';

const IDS: readonly (keyof Identity)[] = ['run', 'conversation', 'parentRun', 'attempt', 'agent', 'step', 'message'];

const Timing = ({ run }: { run: Run }) => {
  const store = useStore();
  store.revision.value;
  const t = useStrings();
  const timing = timingOf(store.feed.value, run);
  return (
    <>
      <Field name={t.field.duration}>{timing.duration === null ? '–' : duration(timing.duration)}</Field>
      <Field name={t.field.firstText}>{timing.firstAnswer === null ? t.never : duration(timing.firstAnswer)}</Field>
      <Field name={t.field.longestGap}>{duration(timing.longestGap)}</Field>
      <Field name={t.field.zero}>
        {t.firstEvent}
        {timing.wait === null ? '' : ` · ${t.afterRequest(duration(timing.wait))}`}
      </Field>
    </>
  );
};

const Verdict = ({ run }: { run: Run }) => {
  const t = useStrings();
  useStore().revision.value;
  const { settlement } = run;
  const ending = endingOf(settlement);
  return (
    <div class={`verdict tone-${TONE[ending]}`}>
      <EndingWord settlement={run.settlement} />
      <p>{t.outcomeMeans[ending]}</p>
      {settlement?.error == null ? null : <p class="quote mono">{settlement.error}</p>}
    </div>
  );
};

const AttemptFacts = ({ attempt }: { attempt: Attempt }) => {
  const t = useStrings();
  const store = useStore();
  store.revision.value;
  const { usage } = attempt;
  const tokens =
    usage === null
      ? null
      : [
          usage.inputTokens === null ? null : t.tokensIn(count(usage.inputTokens)),
          usage.outputTokens === null ? null : t.tokensOut(count(usage.outputTokens)),
          usage.reasoningTokens === null ? null : t.tokensReasoning(count(usage.reasoningTokens)),
        ]
          .filter((part) => part !== null)
          .join(' · ');
  return (
    <section class="card">
      <h3>
        <span>{t.attempt(attempt.ordinal)}</span>
        <EndingWord settlement={attempt.settlement} />
      </h3>
      <Fields>
        {attempt.model === null ? null : <Field name={t.field.model}>{attempt.model}</Field>}
        {tokens === null ? null : <Field name={t.field.usage}>{tokens}</Field>}
        <Field name={t.field.flows}>
          {attempt.flows.map((id) => {
            const flow = store.session().flows.get(id);
            return (
              <span key={id} class="flow-line mono">
                {flow === undefined
                  ? id
                  : `${flow.transport} ${flow.status ?? ''} · ${flow.end === null ? t.flowOpen : t.flowEnd[flow.end.how]}`}
              </span>
            );
          })}
        </Field>
        {attempt.tools.length === 0 ? null : (
          <Field name={t.field.tools}>
            {attempt.tools.map((tool) => (
              <span key={tool.id} class="flow-line mono">
                {tool.name} ·{' '}
                {tool.returnedAt === null ? t.toolOpen : tool.failed ? t.toolFailed : duration(tool.returnedAt - tool.calledAt)}
              </span>
            ))}
          </Field>
        )}
        {attempt.asks.length === 0 ? null : (
          <Field name={t.field.asks}>
            {attempt.asks.map((ask) => (
              <span key={ask.request} class="flow-line">
                {t.waitKind[ask.kind]}: {ask.prompt ?? ask.request} ·{' '}
                {ask.answeredAt === null ? t.unanswered : t.answeredAfter(duration(ask.answeredAt - ask.askedAt))}
              </span>
            ))}
          </Field>
        )}
        {attempt.lateEvents === 0 ? null : <Field name={t.field.late}>{count(attempt.lateEvents)}</Field>}
        {attempt.laterTerminals.length === 0 ? null : (
          <Field name={t.field.laterTerminals}>{attempt.laterTerminals.map((each) => t.outcome[each.outcome]).join(', ')}</Field>
        )}
        {attempt.replaced ? <Field name={t.field.replaced}>{t.yes}</Field> : null}
      </Fields>
    </section>
  );
};

export const RunTab = () => {
  const store = useStore();
  store.revision.value;
  const t = useStrings();
  const run = store.run.value;
  if (run === null) return <AllRuns />;
  const { session } = store.feed.value;
  const flow = session.flows.get(run.attempts[0]?.flows[0] ?? '');
  const { settlement } = run;
  const reason = reasonOf(run);
  const base = store.feed.value.timeOf(run.openedSeq, run.openedAt);
  return (
    <div class="stack">
      <Verdict run={run} />
      <Fields>
        <Field name={t.field.finish} {...(reason === null ? {} : { copy: reason })} mono={reason !== null}>
          {run.ending.state === 'protocol-error' ? t.endingProtocolError : (reason ?? t.endingNone)}
        </Field>
        {run.ending.detail === null ? null : <Field name={t.field.finishDetail}>{run.ending.detail}</Field>}
        {settlement === null ? null : (
          <>
            <Field name={t.field.settledAt}>
              {isSettled(settlement)
                ? `${clock(store.feed.value.timeOf(settlement.seq, settlement.at) - base)} s`
                : t.neverSettled(clock(store.feed.value.timeOf(settlement.seq, settlement.at) - base))}
            </Field>
            <Field name={t.field.strength}>
              {t.strength[settlement.strength]} · {t.endedBy[settlement.endedBy]}
            </Field>
          </>
        )}
        <Timing run={run} />
      </Fields>
      <section class="card">
        <h3>{t.identity}</h3>
        <Fields>
          {IDS.map((key) => {
            const value = run.identity[key];
            return value === undefined ? null : (
              <Field key={key} name={t.identityField[key]} copy={value} mono>
                {value}
              </Field>
            );
          })}
          {Object.keys(run.identity).length === 0 ? <Field name={t.identityField.run}>{t.noIdentity}</Field> : null}
          <Field name={t.field.reattached}>{run.reattached ? t.reattachedYes(count(run.duplicates)) : t.reattachedNo}</Field>
        </Fields>
      </section>
      <section class="card">
        <h3>{t.origin}</h3>
        <Fields>
          {flow === undefined ? null : (
            <Field name="URL" copy={flow.url} mono>
              {flow.method} {flow.url}
            </Field>
          )}
          {flow?.status == null ? null : <Field name={t.field.status}>{flow.status}</Field>}
          <Field name={t.field.dialect}>{run.dialect}</Field>
          <Field name={t.field.page} mono>
            {store.documentOf(run)?.url ?? '–'}
          </Field>
          {flow === undefined || Object.keys(flow.headers).length === 0 ? null : (
            <Field name={t.field.headers} mono>
              {Object.entries(flow.headers).map(([name, value]) => (
                <span key={name} class="flow-line">
                  {name}: {value}
                </span>
              ))}
            </Field>
          )}
          {flow?.requestBody == null ? null : (
            <Field name={t.field.request} mono copy={flow.requestBody}>
              {flow.requestBody.length > 2000 ? `${flow.requestBody.slice(0, 2000)}…` : flow.requestBody}
            </Field>
          )}
        </Fields>
      </section>
      <section class="card">
        <h3>{t.voices}</h3>
        <div class="voice-counts">
          {LANES.map((lane) =>
            run.voices[lane] === 0 ? null : (
              <span key={lane} class="voice-count">
                <VoiceBadge lane={lane} standing={null} said /> {t.voice[lane]} <span class="tabular">{count(run.voices[lane])}</span>
              </span>
            ),
          )}
        </div>
      </section>
      {run.attempts.map((attempt) => (
        <AttemptFacts key={attempt.key} attempt={attempt} />
      ))}
      {run.parent === null ? null : (
        <p class="hint">
          <Icon name="runs" size={13} /> {t.childOf}
        </p>
      )}
    </div>
  );
};
