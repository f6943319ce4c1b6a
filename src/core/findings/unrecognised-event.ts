/** Event types that the dialect does not know. */
import { eventRef, fail, pass } from './judgement';
import { landmarksOf } from './landmarks';
import type { Rule } from './rule';

const MOST = 10;

export const unrecognisedEvent: Rule = {
  id: 'unrecognised-event',
  severity: 'minor',
  needs: ['wire'],
  message: {
    fail: '{events} of the type {raw}, which {dialect} does not know: kept and shown, and without meaning for any verdict.',
    inconclusive: '{events} of the type {raw}, which {dialect} does not know; records are missing, so this may be part of others.',
  },
  judge({ attempt, events, run }) {
    // Told once per run.
    if (run.attempts[0]?.key !== attempt.key) return null;
    const byType = new Map<string, { first: (typeof events)[number]; count: number }>();
    for (const event of landmarksOf(events).remarks) {
      if (event.type !== 'unrecognised') continue;
      const known = byType.get(event.raw);
      if (known === undefined) byType.set(event.raw, { first: event, count: 1 });
      else known.count++;
    }
    if (byType.size === 0) return events.length === 0 ? null : pass(attempt.openedAt);
    return [...byType].slice(0, MOST).map(([raw, { first, count }]) =>
      fail(first.at, {
        subject: raw,
        evidence: [eventRef(first)],
        data: { raw: raw === '' ? '(none)' : raw, count, events: count === 1 ? '1 event' : `${count} events`, dialect: first.dialect },
      }),
    );
  },
};
