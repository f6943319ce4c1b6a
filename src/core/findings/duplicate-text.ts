/** Text that was said once is shown twice. */
import { excerpt, fail, inconclusive, isRoot, ms, partOf, pass, sighting } from './judgement';
import type { Judgement, Rule } from './rule';
import { samePlace, shownNow } from './shown';

/** Fewer folded characters than this may well stand twice on a page. */
const LEAST_CHARS = 16;
/** Regions before one in the said text that may show the same stretch. */
const NEIGHBOURS = 8;

export const duplicateText: Rule = {
  id: 'duplicate-text',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: '“{excerpt}” was said once and is shown twice{because}.',
    inconclusive: '“{excerpt}” was said once and is shown twice{because}; the page may mean to show it in both places.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    if (screen === null || !isRoot(subject) || attempt.replaced) return null;
    const shown = shownNow(screen).filter((region) => partOf(attempt, region.owner)?.voice === 'assistant');
    if (shown.length === 0) return null;
    const replayed = subject.run.attempts.length > 1 || subject.run.reattached || subject.run.duplicates > 0;
    const because = replayed ? ', and the stream was replayed' : '';
    // Text may still be on its way from one place to another.
    if (!shown.every((region) => region.rested) && attempt.settlement === null) return pass(attempt.openedAt);
    const found: Judgement[] = [];
    for (const region of shown) {
      const words = region.repeated(region.owner!);
      if (words === '') continue;
      found.push(
        fail(region.lastChangeAt, {
          subject: region.region.key,
          voice: 'assistant',
          text: words,
          region: region.region.key,
          evidence: [sighting(region.lastChangeSeq)],
          data: { excerpt: excerpt(words), because, shownMs: ms(region.lastChangeAt) },
        }),
      );
    }
    // Only neighbours in the said text can show the same stretch of it.
    const placed = shown
      .flatMap((region) => {
        const [match] = region.matches;
        return match === undefined || match.weak || match.share < 0.8 ? [] : [{ region, match }];
      })
      .sort((a, b) => a.match.from - b.match.from || a.region.appearedSeq - b.region.appearedSeq);
    for (let i = 0; i < placed.length; i++)
      for (let j = i - 1; j >= Math.max(0, i - NEIGHBOURS); j--) {
        const { region: a, match: one } = placed[j]!;
        const { region: b, match: two } = placed[i]!;
        if (a.owner !== b.owner || a.region.key === b.region.key) continue;
        const overlap = Math.min(one.to, two.to) - Math.max(one.from, two.from);
        if (overlap < LEAST_CHARS || overlap < 0.9 * Math.min(one.to - one.from, two.to - two.from)) continue;
        // The text itself says it more than once.
        if (a.saidAgain(a.owner!) || b.saidAgain(b.owner!)) continue;
        // A live region repeats for ears what stands elsewhere for eyes.
        if ([a, b].some((region) => region.region.role === 'status' || region.region.role === 'log' || region.region.role === 'alert'))
          continue;
        const facts = {
          subject: b.region.key,
          voice: 'assistant' as const,
          text: b.text,
          region: b.region.key,
          evidence: [sighting(a.appearedSeq), sighting(b.appearedSeq)],
          data: { excerpt: excerpt(b.text), because, shownMs: ms(b.appearedAt) },
        };
        if (found.every((judged) => judged.subject !== b.region.key))
          found.push(samePlace(a, b) ? fail(b.appearedAt, facts) : inconclusive(b.appearedAt, facts));
      }
    return found.length > 0 ? found : pass(attempt.openedAt);
  },
};
