/** Stream and snapshot, or status and output, contradict each other. */
import { breachOf } from './breach-of';
import type { Rule } from './rule';

export const stateDisagree: Rule = {
  id: 'state-disagree',
  severity: 'minor',
  needs: ['wire'],
  message: {
    fail: 'The stream gives two accounts of one state at {atMs} ms ({raw}): {detail}.',
    inconclusive: 'The stream seems to give two accounts of one state at {atMs} ms ({raw}): {detail}; records are missing.',
  },
  judge: (subject) => breachOf(subject, 'state-disagree'),
};
