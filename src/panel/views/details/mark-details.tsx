/** The end of a flow, or a gap in what could be seen. */
import { useStore } from '../../context';
import { clock, count } from '../../format';
import { Field, Fields } from '../../parts/fields';
import type { Mark } from '../../row';
import { useStrings } from '../../strings';
import { EndingWord } from '../run-row';

export const MarkDetails = ({ mark }: { mark: Mark }) => {
  const store = useStore();
  const t = useStrings();
  const run = store.run.value;
  const base = run === null ? 0 : store.feed.value.timeOf(run.openedSeq, run.openedAt);
  const { flow } = mark;
  return (
    <div class="stack">
      <h3>{mark.kind === 'end' ? t.flowEnd[flow.end!.how] : t.gap}</h3>
      <p>{mark.kind === 'end' ? t.endMeans : t.gapMeans}</p>
      <Fields>
        <Field name={t.field.time}>
          <span class="tabular">{clock(store.feed.value.timeOfFlow(flow.id, mark.at) - base)} s</span>
        </Field>
        {mark.kind === 'gap' ? (
          <>
            <Field name={t.field.reason}>{t.gapReason[mark.gap.reason]}</Field>
            <Field name={t.field.lost}>{mark.gap.lost === 0 ? t.unknownCount : count(mark.gap.lost)}</Field>
          </>
        ) : (
          <>
            {flow.end!.detail === null ? null : <Field name={t.field.detail}>{flow.end!.detail}</Field>}
            {run === null ? null : (
              <Field name={t.field.settlement}>
                <EndingWord settlement={run.settlement} />
              </Field>
            )}
            <Field name={t.field.frames}>{count(flow.frames)}</Field>
            {flow.unterminated ? <Field name={t.field.unterminated}>{t.unterminated}</Field> : null}
          </>
        )}
        <Field name="URL" mono copy={flow.url}>
          {flow.url}
        </Field>
      </Fields>
    </div>
  );
};
