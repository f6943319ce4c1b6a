/** The page keeps provisional text that differs from the committed text. */
import { EVER } from '../overlap';
import type { RunScreen } from '../screen/screen';
import { excerpt, fail, inconclusive, isLast, isRoot, ms, pass, record, sighting } from './judgement';
import type { Case, Judgement, Rule } from './rule';
import { isSetApart, seenUntil, shownNow, signsDuring } from './shown';

/** A page has this long to put the committed text in. */
const GRACE_MS = 1000;
/** The streamed text must explain this much more of the region than the committed one does. */
const MARGIN = 0.05;
/** Shorter answers may stand on a page by chance, or be missed on it. */
const LEAST_CHARS = 12;
/** So much of a region must be explained by one text for it to be that text's region. */
const OWN_SHARE = 0.8;

export const provisionalNotReplaced: Rule = {
  id: 'provisional-not-replaced',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'At {committedMs} ms the producer committed “{committed}”; {afterMs} ms later the page still shows the provisional “{excerpt}”.',
    inconclusive:
      'At {committedMs} ms the producer committed “{committed}”; whether the page still shows the provisional “{excerpt}” cannot be told yet.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    if (screen === null || !isRoot(subject) || attempt.replaced) return null;
    const found: Judgement[] = [];
    let applies = false;
    for (const part of attempt.parts) {
      if (part.streamedText === null || part.committedSeq === null || part.voice !== 'assistant' || part.withdrawn) continue;
      if (fold(part.streamedText) === fold(part.text)) continue;
      for (const region of shownNow(screen)) {
        const streamed = region.matches.find((match) => match.part === `${part.key}#streamed`);
        const committed = region.matches.find((match) => match.part === part.key);
        if (streamed === undefined && committed === undefined) continue;
        applies = true;
        if (streamed === undefined || streamed.share < (committed?.share ?? 0) + MARGIN || streamed.weak) continue;
        const after = seenUntil(subject) - (part.committedAt ?? seenUntil(subject));
        const facts = {
          subject: `${part.key}|${region.region.key}`,
          voice: part.voice,
          text: region.text,
          region: region.region.key,
          evidence: [record(part.committedSeq), sighting(region.appearedSeq)],
          data: {
            committedMs: ms(part.committedAt ?? 0),
            afterMs: ms(after),
            committed: excerpt(part.text),
            excerpt: excerpt(region.text),
          },
        };
        found.push(
          after >= GRACE_MS && (region.rested || after >= GRACE_MS * 2)
            ? fail(part.committedAt ?? region.lastChangeAt, facts)
            : inconclusive(part.committedAt ?? region.lastChangeAt, facts),
        );
      }
    }
    const instead = inItsPlace(subject, screen);
    if (instead !== null) found.push(instead);
    return found.length > 0 ? found : applies ? pass(attempt.openedAt) : null;
  },
};

/** The committed answer is nowhere, and words that were only said on the way to it stand where it should. */
const inItsPlace = (subject: Case, screen: RunScreen): Judgement | null => {
  const { attempt, others } = subject;
  const { settlement } = attempt;
  const last = screen.presented.at(-1);
  if (settlement === null || !isLast(subject) || last?.as !== 'final' || !last.sure) return null;
  const after = seenUntil(subject) - Math.max(settlement.at, last.from);
  if (after < GRACE_MS || others.some({ settledAfter: EVER })) return null;
  const shown = shownNow(screen);
  const answer = attempt.parts.findLast(
    (part) => part.voice === 'assistant' && part.committedSeq !== null && !part.withdrawn && part.text.trim().length >= LEAST_CHARS,
  );
  if (answer === undefined || answer.streamedText !== null) return null;
  if (shown.some((region) => region.voice === 'assistant' || region.matches.some((match) => match.part === answer.key))) return null;
  if (signsDuring(screen, { seq: last.fromSeq, at: last.from }, last.untilSeq).length > 0) return null;
  const region = shown.find((one) => {
    if (isSetApart(one) || (one.voice !== 'progress' && one.voice !== 'reasoning') || one.appearedSeq > answer.committedSeq!) return false;
    return one.matches.some((match) => match.part === one.owner && match.share >= OWN_SHARE && !match.weak);
  });
  if (region === undefined) return null;
  return fail(Math.max(answer.committedAt ?? settlement.at, last.from), {
    subject: `${answer.key}|${region.region.key}`,
    voice: region.voice,
    text: region.text,
    region: region.region.key,
    evidence: [record(answer.committedSeq!), sighting(region.appearedSeq)],
    data: {
      committedMs: ms(answer.committedAt ?? settlement.at),
      afterMs: ms(after),
      committed: excerpt(answer.text),
      excerpt: excerpt(region.text),
    },
  });
};

const fold = (text: string): string => text.replace(/\s+/gu, '');
