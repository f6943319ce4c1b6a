/** Provider reasoning is presented as the assistant's answer. */

import { asAnswer } from './as-answer';
import type { Case, Judgement, Rule } from './rule';

export const reasoningAsAnswer: Rule = {
  id: 'reasoning-as-answer',
  severity: 'critical',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The provider’s reasoning “{excerpt}” is shown as the assistant’s answer ({because}). It was said {bySaying}.',
    inconclusive: 'The provider’s reasoning “{excerpt}” is shown, and whether as the answer cannot be told: {because}.',
  },
  judge: (subject: Case): Judgement | null => asAnswer(subject, ['reasoning']),
};
