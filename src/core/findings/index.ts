/** The rules. Adding one: its file, its doc, its fixture folder, its title, its line here. Ids are for ever. */
import { bufferedStream } from './buffered-stream';
import { busyAfterClose } from './busy-after-close';
import { busyAfterSettle } from './busy-after-settle';
import { busyWithoutRun } from './busy-without-run';
import { cancelAsDone } from './cancel-as-done';
import { commitDiffers } from './commit-differs';
import { committedLost } from './committed-lost';
import { decodeDamage } from './decode-damage';
import { duplicateInteraction } from './duplicate-interaction';
import { duplicateText } from './duplicate-text';
import { errorAfterCleanSettle } from './error-after-clean-settle';
import { errorAsDone } from './error-as-done';
import { eventAfterSettle } from './event-after-settle';
import { finalBeforeSettle } from './final-before-settle';
import { finalNeverSettled } from './final-never-settled';
import { malformedEnding } from './malformed-ending';
import { malformedEvent } from './malformed-event';
import { missingHead } from './missing-head';
import { outOfOrder } from './out-of-order';
import { progressAsAnswer } from './progress-as-answer';
import { provisionalDiscarded } from './provisional-discarded';
import { provisionalNotReplaced } from './provisional-not-replaced';
import { reasoningAsAnswer } from './reasoning-as-answer';
import type { Rule } from './rule';
import { settledEmptyAnswer } from './settled-empty-answer';
import { settledWithoutReason } from './settled-without-reason';
import { severedStream } from './severed-stream';
import { staleWaiting } from './stale-waiting';
import { stalled } from './stalled';
import { stateDisagree } from './state-disagree';
import { terminalConflict } from './terminal-conflict';
import { textAfterCancel } from './text-after-cancel';
import { toolDoneEarly } from './tool-done-early';
import { toolLeftPending } from './tool-left-pending';
import { uncleanFinishAsClean } from './unclean-finish-as-clean';
import { unrecognisedEvent } from './unrecognised-event';
import { unterminatedLastEvent } from './unterminated-last-event';
import { waitingAsDone } from './waiting-as-done';
import { waitingLost } from './waiting-lost';
import { wrongRun } from './wrong-run';

export const RULES: readonly Rule[] = [
  // Shown against said.
  finalBeforeSettle,
  finalNeverSettled,
  reasoningAsAnswer,
  progressAsAnswer,
  waitingAsDone,
  waitingLost,
  staleWaiting,
  duplicateInteraction,
  uncleanFinishAsClean,
  errorAsDone,
  errorAfterCleanSettle,
  cancelAsDone,
  textAfterCancel,
  busyAfterSettle,
  busyAfterClose,
  busyWithoutRun,
  duplicateText,
  provisionalNotReplaced,
  provisionalDiscarded,
  committedLost,
  missingHead,
  toolDoneEarly,
  toolLeftPending,
  wrongRun,
  decodeDamage,
  // On the wire alone.
  severedStream,
  eventAfterSettle,
  terminalConflict,
  commitDiffers,
  settledEmptyAnswer,
  settledWithoutReason,
  stateDisagree,
  malformedEnding,
  malformedEvent,
  unterminatedLastEvent,
  outOfOrder,
  bufferedStream,
  stalled,
  unrecognisedEvent,
];
