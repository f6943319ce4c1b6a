/** The events of a stream all arrived at once at its end: something between server and page buffers. */
import { eventRef, fail, inconclusive, isRoot, ms, pass, record } from './judgement';
import type { Rule } from './rule';

/** A stream that is not held back shows its first event sooner than this. */
const WAITED_MS = 1500;
const AT_ONCE_MS = 100;
/** So many deltas were made one after another, not at once. */
const DELTAS = 8;

export const bufferedStream: Rule = {
  id: 'buffered-stream',
  severity: 'moderate',
  needs: ['wire'],
  message: {
    fail: 'Nothing came for {waitedMs} ms, then all {count} events within {spreadMs} ms, and the end with them: something between server and page buffers the stream.',
    inconclusive:
      'Nothing came for {waitedMs} ms, then {count} events within {spreadMs} ms; the stream goes on, so it may have been slow to start.',
  },
  judge(subject) {
    const { attempt, flows, run } = subject;
    const [flow] = flows;
    if (flow === undefined || flow.untimed || flows.length > 1 || !isRoot(subject) || flow.transport !== 'fetch') return null;
    // What is read back from a log comes at once, and rightly so.
    if (flow.method === 'GET' || run.duplicates > 0 || run.reattached || run.attempts.length > 1) return null;
    // Most streams begin at once, and need no closer look.
    const begun = subject.events[0];
    if (begun !== undefined && begun.at - flow.openedAt < WAITED_MS && subject.events.length > DELTAS) return pass(attempt.openedAt);
    const events = subject.events.filter((event) => event.flow === flow.id);
    const deltas = events.filter((event) => event.type === 'part.delta');
    const [first] = events;
    const last = events.at(-1);
    if (first === undefined || last === undefined || deltas.length < DELTAS) return null;
    const waited = first.at - flow.openedAt;
    const spread = last.at - first.at;
    if (waited < WAITED_MS || spread > AT_ONCE_MS || waited < spread * 10) return pass(attempt.openedAt);
    const data = { waitedMs: ms(waited), spreadMs: ms(spread), count: events.length };
    if (flow.end === null || flow.end.at - last.at > AT_ONCE_MS)
      return inconclusive(first.at, { evidence: [eventRef(first), eventRef(last)], data });
    return fail(first.at, { until: flow.end.at, evidence: [record(flow.end.seq), record(flow.openedSeq)], data });
  },
};
