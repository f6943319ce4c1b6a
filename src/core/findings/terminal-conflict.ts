/** Two terminals disagree, or envelope and output status contradict beyond what the dialect allows. */
import { isAfter, placeOf } from '../order';
import { eventRef, fail, inconclusive, isUntimed, ms, pass } from './judgement';
import { landmarksOf } from './landmarks';
import type { Rule } from './rule';

export const terminalConflict: Rule = {
  id: 'terminal-conflict',
  severity: 'serious',
  needs: ['wire'],
  message: {
    fail: 'The run was settled as {first} and then as {second}: {detail}.',
    inconclusive: 'The run was settled as {first} and then again as {second}, in a way that may be meant: {detail}.',
  },
  judge({ attempt, events, flows }) {
    const { settlement } = attempt;
    if (settlement === null || settlement.finish === null) return null;
    const breach = landmarksOf(events).remarks.find(
      (event) => event.type === 'breach' && event.breach === 'terminal-conflict' && attempt.flows.includes(event.flow),
    );
    if (breach?.type === 'breach')
      return fail(breach.at, {
        voice: 'terminal',
        evidence: [eventRef(breach)],
        data: { first: settlement.outcome, second: 'something else', detail: breach.detail },
      });
    // An earlier one that the dialect lets be overridden stands before the settling one.
    const first = placeOf(settlement);
    const later = attempt.laterTerminals.find((terminal) => terminal.outcome !== settlement.outcome && isAfter(placeOf(terminal), first));
    if (later === undefined) return pass(settlement.at);
    const facts = {
      voice: 'terminal' as const,
      evidence: [...settlement.evidence, ...later.evidence],
      data: {
        first: settlement.outcome,
        second: later.outcome,
        detail: [settlement, later]
          .map(({ finish, outcome, at }) => `${finish?.raw ?? outcome}${isUntimed(flows) ? '' : ` at ${ms(at)} ms`}`)
          .join(', '),
      },
    };
    // After a failure or a cancel, many producers still say a polite goodbye; it says nothing new.
    const polite = (settlement.outcome === 'cancelled' && later.outcome === 'failed') || later.outcome === 'unattested';
    return polite ? inconclusive(later.at, facts) : fail(later.at, facts);
  },
};
