/** Settled by length, filter, refusal or step limit, and shown like a normal finish. */
import { excerpt, fail, inconclusive, isLast, isRoot, leftStanding, ms, pass } from './judgement';
import type { Case, Rule } from './rule';
import { aftermath, cueWords } from './shown';

export const uncleanFinishAsClean: Rule = {
  id: 'unclean-finish-as-clean',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The answer was cut short ({reason}) at {settledMs} ms, and the page shows it like a normal finish, with no sign of it.',
    inconclusive: 'The answer was cut short ({reason}) at {settledMs} ms; whether the page says so cannot be told.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || settlement === null) return null;
    const why = cutShort(subject);
    if (why === null) return null;
    const after = aftermath(screen, subject.now, settlement);
    if (after.signs.length > 0 || after.as === 'working') return pass(settlement.at);
    // Nothing shown at all: the page had no answer to present.
    if (after.shown.length === 0) return null;
    const left = leftStanding(subject, after, settlement.seq);
    const facts = {
      ...left,
      data: {
        reason: why,
        settledMs: ms(settlement.at),
        shownMs: ms(after.from.at),
        excerpt: excerpt(left.text),
        cue: cueWords(after),
      },
    };
    return after.as === 'final' ? fail(after.from.at, facts) : inconclusive(after.from.at, facts);
  },
};

/** Why the answer is not whole, in the producer's own word; null if it is. */
const cutShort = ({ attempt }: Case): string | null => {
  const { settlement } = attempt;
  const raw = settlement?.finish?.raw ?? null;
  switch (settlement?.outcome) {
    case 'truncated':
      return `length${raw === null ? '' : `: ${raw}`}`;
    case 'refused':
      return `refused${raw === null ? '' : `: ${raw}`}`;
    case 'completed':
      // Calls were answered and the model was not asked again: the limit of steps.
      return settlement.finish?.reason === 'tool-calls' ? `step limit: ${raw ?? 'tool calls'}` : null;
    default:
      return null;
  }
};
