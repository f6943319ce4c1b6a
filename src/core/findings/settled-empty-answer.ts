/** Clean settlement, no assistant text, and no reason why. */
import { fail, inconclusive, isLast, isRoot, pass, record } from './judgement';
import type { Rule } from './rule';

export const settledEmptyAnswer: Rule = {
  id: 'settled-empty-answer',
  severity: 'moderate',
  needs: ['wire'],
  message: {
    fail: 'The run was settled well ({raw}) at {settledMs} ms without one word from the assistant, and nothing says why.',
    inconclusive: 'The run was settled well ({raw}) at {settledMs} ms and no word from the assistant was read; {why}.',
  },
  judge(subject) {
    const { attempt, run } = subject;
    const { settlement } = attempt;
    if (settlement?.outcome !== 'completed' || !isRoot(subject) || !isLast(subject)) return null;
    const spoke = run.attempts.some((one) =>
      one.parts.some((part) => part.voice === 'assistant' && part.text.trim() !== '' && !part.withdrawn),
    );
    // Other things than words can be an answer: data, files, a call, a question.
    const answered = subject.events.some(
      (event) =>
        (event.voice === 'assistant' && event.type === 'note') ||
        event.voice === 'progress' ||
        event.type === 'asked' ||
        event.type === 'tool.called' ||
        event.type === 'tool.returned',
    );
    if (spoke || answered) return pass(settlement.at);
    // What is missing may have been the answer.
    const holes = subject.flows.some((flow) => flow.gaps.length > 0);
    const facts = {
      voice: 'assistant' as const,
      evidence: [record(settlement.seq)],
      data: {
        raw: settlement.finish?.raw ?? 'no reason',
        settledMs: Math.round(settlement.at),
        why: holes ? 'records are missing' : 'the stream has events that nothing understands',
      },
    };
    return holes || run.voices.unrecognised > 0 ? inconclusive(settlement.at, facts) : fail(settlement.at, facts);
  },
};
