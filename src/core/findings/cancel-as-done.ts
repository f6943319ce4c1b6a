/** Cancelled, and the partial text is shown as complete. */
import { around } from '../overlap';
import { excerpt, fail, inconclusive, isLast, isRoot, leftStanding, ms, pass } from './judgement';
import type { Rule } from './rule';
import { aftermath } from './shown';

/** A run that begins so soon is the next question. */
const SOON_MS = 1000;

export const cancelAsDone: Rule = {
  id: 'cancel-as-done',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The run was cancelled at {settledMs} ms (by the {by}), and the page shows the partial text “{excerpt}” like a complete answer.',
    inconclusive: 'The run was cancelled at {settledMs} ms (by the {by}); whether the page shows “{excerpt}” as complete cannot be told.',
  },
  judge(subject) {
    const { attempt, screen, flows, others } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || settlement?.outcome !== 'cancelled') return null;
    // The page itself went away, or went on to the next question at once: nothing was left to be taken for complete.
    if (flows.some((flow) => flow.end?.how === 'document-gone')) return null;
    if (
      others.some(
        { openedAfter: settlement.seq, openedUntil: around('opened', settlement.at, SOON_MS).openedUntil },
        ({ openedAt }) => openedAt - settlement.at < SOON_MS,
      )
    )
      return null;
    const after = aftermath(screen, subject.now, settlement);
    if (after.shown.length === 0) return null;
    if (after.signs.length > 0 || after.as === 'working') return pass(settlement.at);
    const left = leftStanding(subject, after, settlement.seq);
    const facts = {
      ...left,
      data: { settledMs: ms(settlement.at), shownMs: ms(after.from.at), by: settlement.endedBy, excerpt: excerpt(left.text) },
    };
    // Without a cue there was no button to stop with: who cancelled is not clear, nor what they were shown.
    return after.as === 'final' && after.stretch !== null ? fail(after.from.at, facts) : inconclusive(after.from.at, facts);
  },
};
