/** Shown text vanished and was never committed. */
import { excerpt, fail, inconclusive, isRoot, ms, partOf, pass, sighting } from './judgement';
import type { Judgement, Rule } from './rule';

/** Shown for less than this, nobody read it. */
const READ_MS = 300;
const LEAST_CHARS = 12;

export const provisionalDiscarded: Rule = {
  id: 'provisional-discarded',
  severity: 'minor',
  needs: ['wire', 'screen'],
  message: {
    fail: '“{excerpt}” was shown for {shownForMs} ms, was never committed, and was taken away ({why}).',
    inconclusive: '“{excerpt}” was shown for {shownForMs} ms and taken away; whether it will be committed is still open.',
  },
  judge(subject) {
    const { attempt, screen, run } = subject;
    if (screen === null || !isRoot(subject)) return null;
    const removed = screen.regions.filter(
      (region) =>
        region.removedSeq !== null && region.removedAt! - region.appearedAt >= READ_MS && region.text.trim().length >= LEAST_CHARS,
    );
    const mine = removed.filter((region) => partOf(attempt, region.owner)?.voice === 'assistant');
    if (mine.length === 0)
      return screen.regions.some((region) => partOf(attempt, region.owner)?.voice === 'assistant') ? pass(attempt.openedAt) : null;
    const found: Judgement[] = [];
    for (const region of mine) {
      const part = partOf(attempt, region.owner)!;
      if (part.standing === 'committed') continue;
      // It went on elsewhere on the page.
      if (screen.regions.some((other) => other !== region && other.owner === region.owner && other.removedSeq === null)) continue;
      const why = part.withdrawn
        ? 'the producer withdrew it'
        : run.attempts.at(-1)?.key !== attempt.key
          ? 'another attempt took its place'
          : null;
      // A page that takes the whole turn away when it fails shows nothing untrue.
      if (why === null && attempt.settlement !== null) continue;
      const facts = {
        subject: region.region.key,
        voice: part.voice,
        text: region.text,
        region: region.region.key,
        until: region.removedAt,
        evidence: [sighting(region.appearedSeq), sighting(region.removedSeq!)],
        data: { excerpt: excerpt(region.text), shownForMs: ms(region.removedAt! - region.appearedAt), why: why ?? '' },
      };
      found.push(why === null ? inconclusive(region.removedAt!, facts) : fail(region.removedAt!, facts));
    }
    return found.length > 0 ? found : pass(attempt.openedAt);
  },
};
