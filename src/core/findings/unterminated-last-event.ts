/** The body ends inside a frame. */
import { fail, pass, record } from './judgement';
import type { Judgement, Rule } from './rule';

export const unterminatedLastEvent: Rule = {
  id: 'unterminated-last-event',
  severity: 'minor',
  needs: ['wire'],
  message: {
    fail: 'The body ended ({how}) at {endedMs} ms inside a frame: its last event was never finished, so it was never said.',
    inconclusive: 'The body seems to end ({how}) at {endedMs} ms inside a frame; records are missing.',
  },
  judge({ flows, attempt }) {
    const ended = flows.filter((flow) => flow.end !== null && flow.end.how !== 'aborted-by-page' && flow.end.how !== 'document-gone');
    if (ended.length === 0) return null;
    const found: Judgement[] = ended
      .filter((flow) => flow.unterminated)
      .map((flow) =>
        fail(flow.end!.at, {
          subject: flow.id,
          evidence: [record(flow.end!.seq)],
          data: { how: flow.end!.how, endedMs: Math.round(flow.end!.at) },
        }),
      );
    return found.length > 0 ? found : pass(attempt.openedAt);
  },
};
