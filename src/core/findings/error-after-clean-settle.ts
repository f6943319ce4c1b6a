/** Settled well, and the page shows an error for it. */
import { around, EVER } from '../overlap';
import { excerpt, fail, inconclusive, isLast, isRoot, ms, pass, record, sighting } from './judgement';
import type { Rule } from './rule';

/** An error that comes later than this has a cause of its own. */
const SOON_MS = 5000;

export const errorAfterCleanSettle: Rule = {
  id: 'error-after-clean-settle',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The run was settled well at {settledMs} ms, and {afterMs} ms later the page shows an error: “{excerpt}”.',
    inconclusive:
      'The run was settled well at {settledMs} ms, and {afterMs} ms later the page shows “{excerpt}”; whether that is about this run cannot be told.',
  },
  judge(subject) {
    const { attempt, screen, others } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || settlement?.outcome !== 'completed' || screen.regions.length === 0)
      return null;
    const sign = screen.honestSigns.find(
      (one) =>
        one.alarming && one.kind !== 'error' && one.seq > settlement.seq && one.at - settlement.at <= SOON_MS && one.untilSeq === null,
    );
    if (sign === undefined) return pass(settlement.at);
    const beside =
      others.some({ settledAfter: EVER }) ||
      others.some(around('settled', sign.at, SOON_MS), ({ settlement: end }) => end !== null && Math.abs(end.at - sign.at) <= SOON_MS);
    const failedTool = attempt.tools.some((tool) => tool.failed);
    const facts = {
      voice: null,
      text: sign.text,
      evidence: [record(settlement.seq), sighting(sign.seq)],
      data: { settledMs: ms(settlement.at), afterMs: ms(sign.at - settlement.at), excerpt: excerpt(sign.text) },
    };
    return beside || failedTool || sign.kind === 'state' ? inconclusive(sign.at, facts) : fail(sign.at, facts);
  },
};
