/** Text is shown from its middle on, after a reload or a late attach. */
import { excerpt, fail, inconclusive, isLast, isRoot, ms, pass, sighting } from './judgement';
import type { Judgement, Rule } from './rule';
import { seenUntil, shownNow } from './shown';

/** So much must be missing (folded characters) to be told from a heading drawn elsewhere. */
const LEAST_CHARS = 24;
const GRACE_MS = 1000;

export const missingHead: Rule = {
  id: 'missing-head',
  severity: 'moderate',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The page came back to this run and shows its text from the middle on: the first {missing} characters, “{excerpt}”, are not on the page.',
    inconclusive:
      'The first {missing} characters of the text, “{excerpt}”, were not found on the page; they may be drawn in a way that is not text.',
  },
  judge(subject) {
    const { attempt, screen, run } = subject;
    if (screen === null || !isRoot(subject) || !isLast(subject) || attempt.replaced) return null;
    const shown = shownNow(screen);
    const found: Judgement[] = [];
    let applies = false;
    for (const part of attempt.parts) {
      if (part.voice !== 'assistant' || part.withdrawn) continue;
      const matches = shown.flatMap((region) =>
        region.matches.filter((match) => match.part === part.key && !match.weak && match.share >= 0.5).map((match) => ({ region, match })),
      );
      if (matches.length === 0) continue;
      applies = true;
      const first = matches.reduce((a, b) => (b.match.from < a.match.from ? b : a));
      const { from, saidLength } = first.match;
      const tail = Math.max(...matches.map(({ match }) => match.to));
      if (from < LEAST_CHARS || from < saidLength * 0.15 || tail < saidLength * 0.9) continue;
      // It may still be on its way.
      if (seenUntil(subject) - Math.max(...shown.map((region) => region.lastChangeAt)) < GRACE_MS && !first.region.rested) continue;
      const head = part.text.slice(0, Math.min(200, from));
      const back = run.reattached || attempt.flows.length > 1 || run.attempts.length > 1;
      const facts = {
        subject: part.key,
        voice: part.voice,
        text: head,
        region: first.region.region.key,
        evidence: [sighting(first.region.appearedSeq)],
        data: { missing: from, excerpt: excerpt(head), shownMs: ms(first.region.appearedAt) },
      };
      found.push(back ? fail(first.region.appearedAt, facts) : inconclusive(first.region.appearedAt, facts));
    }
    return found.length > 0 ? found : applies ? pass(attempt.openedAt) : null;
  },
};
