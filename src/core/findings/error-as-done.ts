/** The run failed, and the partial text is shown as final with no error. */
import { excerpt, fail, inconclusive, isLast, isRoot, leftStanding, ms, pass, saidAndShown } from './judgement';
import type { Rule } from './rule';
import { aftermath, cueWords } from './shown';

export const errorAsDone: Rule = {
  id: 'error-as-done',
  severity: 'critical',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The run failed at {settledMs} ms (“{error}”), yet the page shows the partial text “{excerpt}” as final, with no sign of the failure: {cue}.',
    inconclusive: 'The run failed at {settledMs} ms (“{error}”); whether the page shows “{excerpt}” as final cannot be told.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || settlement?.outcome !== 'failed') return null;
    const after = aftermath(screen, subject.now, settlement);
    if (after.shown.length === 0) return screen.regions.length === 0 ? null : pass(settlement.at);
    if (after.signs.length > 0 || after.as === 'working') return pass(settlement.at);
    const left = leftStanding(subject, after, settlement.seq);
    const facts = {
      ...left,
      evidence: [...left.evidence, ...saidAndShown(subject, after)],
      data: {
        settledMs: ms(settlement.at),
        shownMs: ms(after.from.at),
        error: excerpt(settlement.error ?? settlement.finish?.raw ?? 'no message'),
        cue: cueWords(after),
        excerpt: excerpt(left.text),
      },
    };
    return after.as === 'final' ? fail(after.from.at, facts) : inconclusive(after.from.at, facts);
  },
};
