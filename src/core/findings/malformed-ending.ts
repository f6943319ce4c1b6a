/** The ending that decides the finish reason has no string kind: a protocol error, and no finish reason at all. */
import { eventRef, fail, pass } from './judgement';
import type { Rule } from './rule';

export const malformedEnding: Rule = {
  id: 'malformed-ending',
  severity: 'serious',
  needs: ['wire'],
  message: {
    fail: 'The ending that decides the finish reason has no string kind ({detail}). This is a protocol error; it must not be shown as a finish reason.',
    inconclusive: 'The last ending that was seen has no string kind ({detail}), but records are missing: a later ending may have decided.',
  },
  judge(subject) {
    const { run, attempt } = subject;
    if (run.attempts.at(-1)?.key !== attempt.key || run.ending.state === 'none') return null;
    const at = attempt.settlement?.at ?? attempt.lastEventAt;
    if (run.ending.state === 'reported') return pass(at);
    const ending =
      subject.events.findLast((event) => event.type === 'turn.ended' && event.kind === null) ??
      subject.events.findLast((event) => event.type === 'malformed');
    return fail(ending?.at ?? at, {
      voice: 'terminal',
      text: run.ending.detail ?? '',
      evidence: ending === undefined ? [] : [eventRef(ending)],
      data: { detail: run.ending.detail ?? 'no detail' },
    });
  },
};
