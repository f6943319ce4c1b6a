/** Progress, tool, log or lifecycle text is presented as the answer. */
import { asAnswer } from './as-answer';
import type { Rule } from './rule';

export const progressAsAnswer: Rule = {
  id: 'progress-as-answer',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The {voice} text “{excerpt}” is shown as the assistant’s answer: {because}.',
    inconclusive: 'The {voice} text “{excerpt}” is shown, and whether as the answer cannot be told: {because}.',
  },
  judge: (subject) => asAnswer(subject, ['progress', 'tool', 'log', 'lifecycle']),
};
