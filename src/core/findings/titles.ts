/**
 * What each rule is called in lists and reports, in English; the heading of its doc. Apart from the rules, since the panel has names of
 * its own in each language and must not load these.
 */
import { RULES } from '.';
import type { Rule } from './rule';

export const TITLES: Readonly<Record<string, string>> = {
  'buffered-stream': 'Stream held back until its end',
  'busy-after-close': 'Still busy after the connection ended',
  'busy-after-settle': 'Still busy after the run was settled',
  'busy-without-run': 'Busy with no run open',
  'cancel-as-done': 'Cancelled, and shown as complete',
  'commit-differs': 'Committed text differs from the streamed text',
  'committed-lost': 'Committed text not shown',
  'decode-damage': 'Characters damaged between wire and page',
  'duplicate-interaction': 'Question shown twice',
  'duplicate-text': 'Text shown twice',
  'error-after-clean-settle': 'Error shown after a clean finish',
  'error-as-done': 'Failed, and shown as done',
  'event-after-settle': 'Events after the settling event',
  'final-before-settle': 'Shown as final before the run was settled',
  'final-never-settled': 'Shown as final, but never settled',
  'malformed-ending': 'Ending without a kind',
  'malformed-event': 'Malformed event',
  'missing-head': 'Beginning of the text missing',
  'out-of-order': 'Events out of order',
  'progress-as-answer': 'Progress shown as the answer',
  'provisional-discarded': 'Shown text was taken back',
  'provisional-not-replaced': 'Provisional text kept after other text was committed',
  'reasoning-as-answer': 'Reasoning shown as the answer',
  'settled-empty-answer': 'Settled without an answer',
  'settled-without-reason': 'Settled without a reason',
  'severed-stream': 'Connection ended before the run was settled',
  'stale-waiting': 'Still asking after the answer',
  stalled: 'Silent stream',
  'state-disagree': 'Two accounts of one state',
  'terminal-conflict': 'Contradicting ends',
  'text-after-cancel': 'Text appears after it was stopped',
  'tool-done-early': 'Tool call shown as done too early',
  'tool-left-pending': 'Tool call left running',
  'unclean-finish-as-clean': 'Cut short, and shown like a normal finish',
  'unrecognised-event': 'Unknown event type',
  'unterminated-last-event': 'Last event cut off',
  'waiting-as-done': 'Waiting, and shown as done',
  'waiting-lost': 'Question not shown',
  'wrong-run': 'Text shown under another run',
};

export interface TitledRule extends Rule {
  readonly title: string;
}

/** The rules with what they are called. */
export const titled: readonly TitledRule[] = RULES.map((rule) => ({ ...rule, title: TITLES[rule.id]! }));
