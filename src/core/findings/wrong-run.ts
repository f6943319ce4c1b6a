/** Text is shown under another run. */
import { excerpt, fail, isRoot, ms, partOf, pass, sighting } from './judgement';
import type { Judgement, Rule } from './rule';

const LEAST_CHARS = 12;

export const wrongRun: Rule = {
  id: 'wrong-run',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: '“{excerpt}” belongs to this run and is shown in the place of an earlier one, after its “{before}”.',
    inconclusive:
      '“{excerpt}” belongs to this run and is shown in one place with an earlier one’s “{before}”; some of what the page showed was not seen.',
  },
  judge(subject) {
    const { attempt, screen, others, run } = subject;
    if (screen === null || !isRoot(subject)) return null;
    const mine = screen.regions.filter((region) => region.visible && partOf(attempt, region.matches[0]?.part ?? null) !== null);
    if (mine.length === 0 || !others.some({ openedBefore: run.openedSeq })) return null;
    const found: Judgement[] = [];
    for (const region of mine) {
      if (region.carriedOver.length < LEAST_CHARS || region.region.role === 'log' || region.region.role === 'textbox') continue;
      const first = region.changes().find((seq) => seq > run.openedSeq) ?? region.lastChangeSeq;
      const text = region.text.replace(region.carriedOver, '').trim();
      const facts = {
        subject: region.region.key,
        voice: partOf(attempt, region.matches[0]!.part)?.voice ?? null,
        text,
        region: region.region.key,
        evidence: [sighting(first)],
        data: { excerpt: excerpt(text), before: excerpt(region.carriedOver, 40), shownMs: ms(region.lastChangeAt) },
      };
      // A page that shows all runs in one place means to.
      if (screen.separatesRuns) found.push(fail(region.lastChangeAt, facts));
    }
    return found.length > 0 ? found : pass(attempt.openedAt);
  },
};
