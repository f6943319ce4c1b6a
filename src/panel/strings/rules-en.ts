/** What each rule says has gone wrong, and what to do about it. Ids are those of the rules; a rule not listed shows its id. */
export const rules = {
  'final-before-settle': {
    title: 'Shown as final before it was settled',
    fix: 'Keep the working state (spinner, stop button, disabled composer) until the settling event of the run arrives. The end of a text part, a pause, or an empty queue is not the end of the run.',
  },
  'final-never-settled': {
    title: 'Shown as final, and never settled',
    fix: 'When the stream ends without a settling event, do not leave the loop as if it had succeeded. Await the result, then reattach or query the run by its id; until then show the text as interrupted, or remove it.',
  },
  'reasoning-as-answer': {
    title: 'Reasoning shown as the answer',
    fix: 'Choose what to render by the voice of the event, not by what came last. Reasoning belongs in a labelled place of its own; the answer comes only from assistant text, or from the committed result.',
  },
  'progress-as-answer': {
    title: 'Progress, tool or log text shown as the answer',
    fix: 'Render progress, tool output and logs with their label, outside the message that holds the answer.',
  },
  'waiting-as-done': {
    title: 'Waiting, and shown as done',
    fix: 'Read the status of the output, not only the envelope: a completed attempt may be waiting. Show its question with a way to answer it, and keep the run visibly open.',
  },
  'waiting-lost': {
    title: 'The question was lost',
    fix: 'Restore open questions from the durable state after a reload, and keep them on the screen until they are answered or withdrawn.',
  },
  'stale-waiting': {
    title: 'Still asks for what is no longer wanted',
    fix: 'Remove or disable the question when it is answered, withdrawn, or when its run has settled.',
  },
  'duplicate-interaction': {
    title: 'One question shown more than once',
    fix: 'Key questions by their request id and update them in place.',
  },
  'unclean-finish-as-clean': {
    title: 'Cut short, and shown like a normal finish',
    fix: 'Say so where the finish reason is a length, a filter, a refusal or a step limit, and offer to go on.',
  },
  'error-as-done': {
    title: 'Failed, and shown as done',
    fix: 'Show the failure beside the partial text, or remove the text. Partial text of a failed run is no answer.',
  },
  'error-after-clean-settle': {
    title: 'Settled well, and shown with an error',
    fix: 'Once a run has settled, a closing connection is no error. Ignore transport errors after the settling event.',
  },
  'cancel-as-done': { title: 'Cancelled, and shown as complete', fix: 'Mark the text as stopped.' },
  'text-after-cancel': { title: 'Text of a cancelled attempt appeared', fix: 'After a stop, drop what still arrives for that attempt.' },
  'busy-after-settle': {
    title: 'Settled, and still shown as working',
    fix: 'Leave the working state on the settling event, not when the connection closes.',
  },
  'busy-after-close': {
    title: 'Connection gone, and still shown as working',
    fix: 'When the stream ends unsettled, say that the connection is lost, or reattach.',
  },
  'busy-without-run': {
    title: 'Shown as working with no run open',
    fix: 'Derive the working state from open runs, not from a flag that can be left set.',
  },
  'duplicate-text': {
    title: 'The same text shown twice',
    fix: 'De-duplicate by event id, or rebuild the message, when a stream is replayed or resumed.',
  },
  'provisional-not-replaced': {
    title: 'Provisional text kept over the committed one',
    fix: 'When the committed text arrives, show it in place of what was streamed.',
  },
  'provisional-discarded': {
    title: 'Shown text vanished without being committed',
    fix: 'Mark text of an attempt that is being retried, so that its going does not surprise.',
  },
  'committed-lost': { title: 'Committed text is not shown', fix: 'Render the committed result even where no delta came before it.' },
  'missing-head': {
    title: 'Shown from its middle on',
    fix: 'After a reload or a late attach, load what was said before and then continue.',
  },
  'tool-done-early': {
    title: 'A tool shown as done before its result',
    fix: 'Wait for the result of the call. A preliminary output, or the end of its arguments, is not its result.',
  },
  'tool-left-pending': {
    title: 'A tool still shown as running',
    fix: 'When the run settles, close what never returned, and say that it did not.',
  },
  'wrong-run': { title: 'Shown under another run', fix: 'Bind text to the run, attempt and agent that the event names.' },
  'decode-damage': {
    title: 'Characters damaged on the way to the screen',
    fix: 'Decode with one streaming decoder per response (`TextDecoder` with `stream: true`), not chunk by chunk.',
  },
  'severed-stream': {
    title: 'Ended, and nothing settled the run',
    fix: 'Find out what cut the stream (a proxy timeout, a crash). In the client, reattach or query the run by its id.',
  },
  'event-after-settle': {
    title: 'Events after the settling one',
    fix: 'End the attempt with its terminal event and send nothing for it afterwards.',
  },
  'terminal-conflict': {
    title: 'Two endings that disagree',
    fix: 'Send one terminal event per attempt, and let envelope and output say the same.',
  },
  'commit-differs': {
    title: 'Committed text is not what was streamed',
    fix: 'Show the committed text. If the difference is not intended, look at what rewrites the answer at the end.',
  },
  'settled-empty-answer': {
    title: 'Settled without an answer or a reason',
    fix: 'Say why there is no text, or show that the answer is empty.',
  },
  'settled-without-reason': {
    title: 'Ended without saying how',
    fix: 'Send the reason that the dialect requires with the terminal event.',
  },
  'state-disagree': {
    title: 'Stream and snapshot contradict each other',
    fix: 'Take the snapshot as the truth, and look at what lost the difference.',
  },
  'malformed-ending': {
    title: 'The deciding ending has no kind',
    fix: 'The last ending of the interval must carry a string kind. Until it does, this is a protocol error, not an outcome.',
  },
  'malformed-event': {
    title: 'A frame cannot be read',
    fix: 'Look at the frame under Raw: it does not have the form that its dialect requires.',
  },
  'unterminated-last-event': {
    title: 'The body ends inside a frame',
    fix: 'End every event with its blank line. What is cut off was never said.',
  },
  'out-of-order': { title: 'Out of order', fix: 'Look for events that were dropped, doubled or reordered between producer and page.' },
  'buffered-stream': {
    title: 'All events came at once at the end',
    fix: 'Switch off buffering between server and page: compression, a proxy (`X-Accel-Buffering: no`), or a framework that waits for the whole body.',
  },
  stalled: { title: 'Open, and silent', fix: 'Silence is no end. Send heartbeats, and let the client say that it waits.' },
  'unrecognised-event': {
    title: 'Types that the dialect does not know',
    fix: 'Harmless by itself. If it carries text, map it to a voice.',
  },
} as const;
