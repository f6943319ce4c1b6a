/** A frame cannot be read as its dialect requires; the frame is shown. */
import { eventRef, fail, pass } from './judgement';
import { remarksIn } from './landmarks';
import type { Rule } from './rule';

/** More of them say nothing new. */
const MOST = 10;

export const malformedEvent: Rule = {
  id: 'malformed-event',
  severity: 'moderate',
  needs: ['wire'],
  message: {
    fail: 'Frame {frame} at {atMs} ms cannot be read as the protocol requires: {detail}.',
    inconclusive:
      'Frame {frame} at {atMs} ms cannot be read as the protocol requires: {detail}. Records are missing, so the fault may be in the record.',
  },
  judge(subject) {
    const { attempt, events } = subject;
    const malformed = remarksIn(subject).filter((event) => event.type === 'malformed');
    if (malformed.length === 0) return events.length === 0 ? null : pass(attempt.openedAt);
    return malformed.slice(0, MOST).map((event) =>
      fail(event.at, {
        subject: `${event.flow}:${event.ordinal}`,
        voice: event.voice,
        evidence: [eventRef(event)],
        data: { frame: event.frame, atMs: Math.round(event.at), detail: event.detail, count: malformed.length },
      }),
    );
  },
};
