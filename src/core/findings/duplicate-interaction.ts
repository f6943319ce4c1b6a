/** One question is shown more than once. */
import { excerpt, fail, inconclusive, isRoot, ms, pass, sighting } from './judgement';
import type { Rule } from './rule';
import { samePlace, seenUntil } from './shown';

/** Two that stand together for less than this are one giving way to the other. */
const TOGETHER_MS = 1000;

export const duplicateInteraction: Rule = {
  id: 'duplicate-interaction',
  severity: 'moderate',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The question “{excerpt}” was asked once and is shown {times} times.',
    inconclusive:
      'The question “{excerpt}” was asked once and is shown {times} times; whether one of them is an announcement cannot be told.',
  },
  judge(subject) {
    const { screen, attempt } = subject;
    if (screen === null || !isRoot(subject)) return null;
    return attempt.asks.flatMap((ask) => {
      const asked = subject.events.find((one) => one.type === 'asked' && one.request === ask.request);
      if (asked === undefined || (ask.prompt ?? '').trim().length < 8) return [];
      const key = `event:${asked.flow}:${asked.ordinal}`;
      const shown = screen.regions.filter(
        (region) =>
          region.visible &&
          region.removedSeq === null &&
          region.matches.some((match) => match.part === key && match.covered >= 0.9 && match.share >= 0.5),
      );
      const [first, second] = shown;
      if (first === undefined) return [];
      if (second === undefined || seenUntil(subject) - second.appearedAt < TOGETHER_MS) return [pass(ask.askedAt)];
      const alike = shown.some((a, i) => shown.some((b, j) => i < j && samePlace(a, b)));
      // A live region repeats for ears what stands elsewhere for eyes.
      const announced = shown.some((region) => region.region.role === 'status' || region.region.role === 'log');
      if (announced) return [pass(ask.askedAt)];
      const facts = {
        subject: ask.request,
        voice: 'interaction' as const,
        text: ask.prompt!,
        region: second.region.key,
        evidence: [sighting(first.appearedSeq), sighting(second.appearedSeq)],
        data: { excerpt: excerpt(ask.prompt!), times: shown.length, shownMs: ms(second.appearedAt) },
      };
      return [alike ? fail(second.appearedAt, facts) : inconclusive(second.appearedAt, facts)];
    });
  },
};
