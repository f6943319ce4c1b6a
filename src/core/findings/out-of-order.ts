/** A delta without its start, a gap or a repeat in the dialect's sequence, an end without a begin. */
import { breachOf } from './breach-of';
import type { Rule } from './rule';

export const outOfOrder: Rule = {
  id: 'out-of-order',
  severity: 'moderate',
  needs: ['wire'],
  message: {
    fail: 'Out of order at {atMs} ms ({raw}): {detail}.',
    inconclusive:
      'Out of order at {atMs} ms ({raw}): {detail}. Records are missing, so what should have come before may just not have been seen.',
  },
  judge: (subject) => breachOf(subject, 'out-of-order'),
};
