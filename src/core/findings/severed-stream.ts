/** The connection ended and nothing settled the run, and nothing reattached. */
import { excerpt, fail, inconclusive, isLast, isRoot, ms, pass, record } from './judgement';
import type { Rule } from './rule';

export const severedStream: Rule = {
  id: 'severed-stream',
  severity: 'serious',
  needs: ['wire'],
  message: {
    fail: 'The connection ended ({how}) at {endedMs} ms, {silentMs} ms after the last event ({last}), and nothing on it settled the run.',
    inconclusive: 'The connection ended ({how}) at {endedMs} ms and nothing seen settled the run; {why}.',
  },
  judge(subject) {
    const { attempt, flows, hasTerminalWord } = subject;
    // Where the dialect has no word for the end, its absence says nothing; a delegated run may end with its parent.
    if (!hasTerminalWord || !isRoot(subject) || attempt.replaced) return null;
    const ends = flows.map((flow) => flow.end);
    if (ends.length === 0 || ends.some((end) => end === null)) return null;
    const ended = ends.reduce((a, b) => (b!.seq > a!.seq ? b : a))!;
    if (ended.how === 'aborted-by-page' || ended.how === 'document-gone') return null;
    // A later attempt took the run up again.
    if (!isLast(subject)) return null;
    const { settlement } = attempt;
    const last = subject.events.findLast((event) => event.seq <= ended.seq && attempt.flows.includes(event.flow));
    // An empty body: whoever joined something that was over already got nothing, and nothing was cut.
    if (!subject.events.some((event) => event.frame !== -1 && attempt.flows.includes(event.flow))) return null;
    const data = {
      how: ended.how,
      endedMs: ms(ended.at),
      silentMs: ms(ended.at - (last?.at ?? ended.at)),
      last: last?.raw ?? 'none',
      lastVoice: last?.voice ?? 'none',
      why: '',
    };
    const spoken = [...attempt.parts].reverse().find((part) => part.text !== '' && !part.withdrawn);
    const facts = {
      voice: spoken?.voice ?? last?.voice ?? null,
      text: spoken === undefined ? '' : excerpt(spoken.text, 400),
      evidence: [record(ended.seq)],
    };
    if (settlement === null)
      return flows.some((flow) => flow.gaps.length > 0)
        ? inconclusive(ended.at, { ...facts, data: { ...data, why: 'records are missing before the end' } })
        : null;
    if (settlement.outcome !== 'severed') return pass(ended.at);
    // A log that was read back up to a bound ends cleanly: that is the end of the reading, not of the run.
    const replayed = subject.run.duplicates > 0 || subject.events.some((event) => event.type === 'replay.started');
    if (replayed && ended.how === 'eof')
      return inconclusive(ended.at, {
        ...facts,
        data: { ...data, why: 'the last connection replayed what was known, so its end may only be the end of the replay' },
      });
    return fail(ended.at, { ...facts, data });
  },
};
