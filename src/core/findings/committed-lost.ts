/** Committed assistant text is not shown. */
import { excerpt, fail, inconclusive, isLast, isRoot, ms, pass, record, sighting } from './judgement';
import type { Case, Judgement, Rule } from './rule';
import { seenUntil } from './shown';

/** Time to draw it: smoothing may take a while. */
const GRACE_MS = 1000;
const LEAST_CHARS = 12;
/** Less than this of a text on the screen is as good as nothing; more than the upper bound is as good as all. */
const LOST = 0.1;
const SHOWN = 0.6;

export const committedLost: Rule = {
  id: 'committed-lost',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The committed answer “{excerpt}” is not shown: {afterMs} ms after it was committed the page is at rest without it.',
    inconclusive: 'Only {percent} % of the committed answer “{excerpt}” was found on the page: {why}.',
  },
  judge(subject) {
    const { attempt, screen, others, run } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || attempt.replaced || settlement === null) return null;
    // A page that takes the turn of a failed run away is honest about it: `error-as-done` judges what it shows instead.
    if (settlement.outcome === 'failed') return null;
    const parts = attempt.parts.filter(
      (part) => part.voice === 'assistant' && part.committedSeq !== null && !part.withdrawn && part.text.trim().length >= LEAST_CHARS,
    );
    if (parts.length === 0) return null;
    // The page must have had to do with this run: many calls are not meant for the screen.
    const last = screen.presented.at(-1);
    const final = screen.presented.findLast((one) => one.as === 'final');
    const tookPart = screen.regions.length > 0 || screen.presented.some((one) => one.as === 'working');
    if (!tookPart) return null;
    const at = final === undefined || final.from < settlement.at ? settlement.at : final.from;
    if (last?.as === 'working' || seenUntil(subject) - at < GRACE_MS) return null;
    // What stood at rest for a while was shown: that it goes later (a new chat, a second try) is not this run's loss.
    const rested = screen.presented.find((one) => one.as === 'final' && (one.untilSeq === null || one.untilSeq > settlement.seq));
    const from = Math.max(settlement.at, rested?.from ?? 0);
    const stood = screen.regions.filter(
      ({ visible, removedAt, text }) => visible && (removedAt === null || removedAt - from > GRACE_MS) && text.trim() !== '',
    );
    const found: Judgement[] = [];
    for (const part of parts) {
      const covered = Math.min(
        1,
        stood.reduce((sum, region) => sum + (region.matches.find((match) => match.part === part.key)?.covered ?? 0), 0),
      );
      if (covered >= SHOWN) continue;
      const facts = {
        subject: part.key,
        voice: part.voice,
        text: part.text,
        evidence: [record(part.committedSeq!), ...(final === undefined ? [] : final.cues.slice(0, 1).map((cue) => sighting(cue.seq)))],
        data: {
          excerpt: excerpt(part.text),
          afterMs: ms(seenUntil(subject) - (part.committedAt ?? settlement.at)),
          percent: Math.round(covered * 100),
          why:
            covered >= LOST
              ? 'it may be folded, shortened or drawn in a way that is not text'
              : 'the page may not have been meant to show it',
        },
      };
      // Text in a frame or a picture of another's cannot be read: then nothing at all was.
      const alone = screen.readable && !others.some({ openedBefore: settlement.seq + 1, settledAfter: run.openedSeq - 1 });
      found.push(
        covered < LOST && alone && (final?.sure ?? false) && !saysInOtherWays(subject) ? fail(at, facts) : inconclusive(at, facts),
      );
    }
    return found.length > 0 ? found : pass(settlement.at);
  },
};

/** The page shows the turn as failed or interrupted: it does not claim to show the answer. */
const saysInOtherWays = ({ screen }: Case): boolean => screen?.honestSigns.some((sign) => sign.strong && sign.untilSeq === null) ?? false;
