/** The page keeps provisional text that differs from the committed text. */
import { excerpt, fail, inconclusive, isRoot, ms, pass, record, sighting } from './judgement';
import type { Judgement, Rule } from './rule';
import { seenUntil, shownNow } from './shown';

/** A page has this long to put the committed text in. */
const GRACE_MS = 1000;
/** The streamed text must explain this much more of the region than the committed one does. */
const MARGIN = 0.05;

export const provisionalNotReplaced: Rule = {
  id: 'provisional-not-replaced',
  title: 'Provisional text kept after other text was committed',
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
    return found.length > 0 ? found : applies ? pass(attempt.openedAt) : null;
  },
};

const fold = (text: string): string => text.replace(/\s+/gu, '');
