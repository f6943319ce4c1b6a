/** Events of an attempt arrive after its terminal event. */
import { isAfter, placeOf } from '../order';
import { eventRef, excerpt, fail, pass } from './judgement';
import type { Rule } from './rule';

const CONTENT = /^(part\.(opened|delta|replaced|closed)|tool\.(called|returned)|asked)$/u;

export const eventAfterSettle: Rule = {
  id: 'event-after-settle',
  severity: 'moderate',
  needs: ['wire'],
  message: {
    fail: '{count} content events came after the run was settled ({outcome}); the first is {raw}, {afterMs} ms later.',
    inconclusive:
      '{count} content events seem to have come after the run was settled ({outcome}); records are missing, so they may belong to another attempt.',
  },
  judge({ attempt, events }) {
    const { settlement } = attempt;
    if (settlement === null || settlement.strength !== 'reason' || settlement.endedBy !== 'producer' || settlement.finish === null)
      return null;
    if (attempt.lateEvents === 0) return pass(settlement.at);
    const end = placeOf(settlement);
    const late = events.filter((event) => isAfter(event, end) && CONTENT.test(event.type) && attempt.flows.includes(event.flow));
    const [first] = late;
    if (first === undefined) return pass(settlement.at);
    // Tidying up after a failure or a cancel: parts are closed, or given once more as they stand.
    const unclean = settlement.outcome === 'failed' || settlement.outcome === 'cancelled';
    if (unclean && late.every((event) => event.type === 'part.closed' || event.type === 'part.replaced')) return pass(settlement.at);
    const text = late.map((event) => (event.type === 'part.delta' || event.type === 'part.replaced' ? event.text : '')).join('');
    return fail(first.at, {
      voice: first.voice,
      text: excerpt(text, 400),
      evidence: [...settlement.evidence, eventRef(first)],
      data: { count: attempt.lateEvents, outcome: settlement.outcome, raw: first.raw, afterMs: Math.round(first.at - settlement.at) },
    });
  },
};
