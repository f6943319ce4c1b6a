/** The page's text has replacement characters that the bytes do not have. */
import { excerpt, fail, inconclusive, ms, partOf, pass, sighting } from './judgement';
import type { Judgement, Rule } from './rule';

const DAMAGE = '\uFFFD';

export const decodeDamage: Rule = {
  id: 'decode-damage',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The page shows {count} replacement characters that the stream does not have: “{excerpt}”. Bytes were decoded piece by piece without keeping the rest.',
    inconclusive: 'The page shows {count} replacement characters in a text that could not be matched for sure: “{excerpt}”.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    if (screen === null || screen.regions.length === 0) return null;
    const found: Judgement[] = [];
    let applies = false;
    for (const region of screen.regions) {
      const part = partOf(attempt, region.owner);
      if (part === null || !region.visible) continue;
      applies = true;
      // The stream itself was damaged: not the page's doing.
      if (!region.text.includes(DAMAGE) || part.text.includes(DAMAGE)) continue;
      const at = region.text.indexOf(DAMAGE);
      const first = region.changes().find((seq) => (region.textAt(seq) ?? '').includes(DAMAGE)) ?? region.lastChangeSeq;
      const facts = {
        subject: region.region.key,
        voice: part.voice,
        text: region.text,
        region: region.region.key,
        evidence: [sighting(first)],
        data: {
          count: region.text.split(DAMAGE).length - 1,
          excerpt: excerpt(region.text.slice(Math.max(0, at - 30), at + 30)),
          shownMs: ms(region.lastChangeAt),
        },
      };
      found.push((region.matches[0]?.share ?? 0) >= 0.7 ? fail(region.lastChangeAt, facts) : inconclusive(region.lastChangeAt, facts));
    }
    return found.length > 0 ? found : applies ? pass(attempt.openedAt) : null;
  },
};
