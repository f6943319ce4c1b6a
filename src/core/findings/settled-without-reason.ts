/** A terminal or sentinel that carries no reason where the dialect requires one. */
import { isAt, placeOf } from '../order';
import { eventRef, fail, isLast, isRoot, pass } from './judgement';
import { landmarksOf } from './landmarks';
import type { Rule } from './rule';

export const settledWithoutReason: Rule = {
  id: 'settled-without-reason',
  severity: 'minor',
  needs: ['wire'],
  message: {
    fail: 'The stream ended with {what} at {settledMs} ms and never said how: not completed, not failed, just over.',
    inconclusive: 'The stream ended with {what} at {settledMs} ms and no reason was read; records are missing.',
  },
  judge(subject) {
    const { attempt, events, hasTerminalWord } = subject;
    const { settlement } = attempt;
    if (settlement === null || !hasTerminalWord) return null;
    const breach = landmarksOf(events).remarks.find(
      (event) => event.type === 'breach' && event.breach === 'settled-without-reason' && attempt.flows.includes(event.flow),
    );
    if (breach?.type === 'breach')
      return fail(breach.at, {
        voice: 'terminal',
        evidence: [eventRef(breach)],
        data: { what: breach.detail, settledMs: Math.round(breach.at) },
      });
    if (!isRoot(subject) || !isLast(subject) || settlement.endedBy !== 'producer') return null;
    if (settlement.strength !== 'sentinel') return pass(settlement.at);
    const mark = events.find((event) => event.type === 'sentinel' && isAt(event, placeOf(settlement)));
    // An idle signal or a bound of the log is no sentinel of the stream.
    if (mark === undefined) return null;
    return fail(settlement.at, {
      voice: 'terminal',
      evidence: [eventRef(mark)],
      data: { what: mark.raw, settledMs: Math.round(settlement.at) },
    });
  },
};
