/** The rules. Adding one: its file, its doc, its fixture folder, its line here. Ids are for ever. */
import { errorAsDone } from './error-as-done';
import { finalBeforeSettle } from './final-before-settle';
import { finalNeverSettled } from './final-never-settled';
import { malformedEnding } from './malformed-ending';
import { reasoningAsAnswer } from './reasoning-as-answer';
import type { Rule } from './rule';
import { severedStream } from './severed-stream';
import { waitingAsDone } from './waiting-as-done';

export const RULES: readonly Rule[] = [
  // Shown against said.
  finalBeforeSettle,
  finalNeverSettled,
  reasoningAsAnswer,
  waitingAsDone,
  errorAsDone,
  // On the wire alone.
  severedStream,
  malformedEnding,
];
