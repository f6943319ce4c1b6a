/** The page still asks for input that is no longer wanted. */
import { isAt, placeOf } from '../order';
import { eventRef, excerpt, fail, inconclusive, isRoot, ms, pass, sighting } from './judgement';
import type { Rule } from './rule';
import { seenUntil } from './shown';

/** Controls that came with a question came within this time of it. */
const CAME_WITH_MS = 1500;
/** A page has this long to take its question back. */
const GRACE_MS = 2000;

export const staleWaiting: Rule = {
  id: 'stale-waiting',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The page still offers “{control}” {lateMs} ms after “{excerpt}” was no longer wanted ({how}).',
    inconclusive:
      'The question “{excerpt}” still stands {lateMs} ms after it was no longer wanted ({how}); whether it can still be answered cannot be told.',
  },
  judge(subject) {
    const { screen, attempt, run } = subject;
    if (screen === null || !isRoot(subject) || attempt.asks.length === 0) return null;
    const over = run.settlement !== null && run.settlement.outcome !== 'waiting' ? run.settlement : null;
    return attempt.asks.flatMap((ask) => {
      const asked = subject.events.find((one) => one.type === 'asked' && one.request === ask.request);
      const answer = subject.events.find((one) => one.type === 'answered' && one.request === ask.request);
      const ending =
        over === null
          ? undefined
          : subject.events.find((one) => (one.type === 'finished' || one.type === 'failed') && isAt(one, placeOf(over)));
      const done = answer ?? ending;
      if (asked === undefined || done === undefined) return [];
      if (seenUntil(subject) - done.at < GRACE_MS) return [pass(done.at)];
      const controls = screen.honestSigns.filter(
        (sign) => sign.kind === 'control' && sign.seq > ask.askedSeq && sign.at - ask.askedAt <= CAME_WITH_MS,
      );
      const standing = controls.filter((sign) => sign.untilSeq === null);
      const key = `event:${asked.flow}:${asked.ordinal}`;
      const words = screen.regions.find(
        (region) => region.removedSeq === null && region.visible && region.matches.some((match) => match.part === key),
      );
      if (standing.length === 0 && (words === undefined || controls.length > 0 || screen.hasRest)) return [pass(done.at)];
      const [control] = standing;
      const facts = {
        subject: ask.request,
        voice: 'interaction' as const,
        text: ask.prompt ?? control?.text ?? '',
        region: words?.region.key ?? null,
        evidence: [eventRef(done), sighting(control?.seq ?? words!.appearedSeq)],
        data: {
          control: standing.map((sign) => sign.text).join(', '),
          lateMs: ms(seenUntil(subject) - done.at),
          excerpt: excerpt(ask.prompt ?? 'the question'),
          how:
            answer !== undefined
              ? `answered${answer.type === 'answered' && answer.how ? `: ${answer.how}` : ''}`
              : `the run was settled: ${over!.outcome}`,
        },
      };
      return [control === undefined ? inconclusive(done.at, facts) : fail(done.at, facts)];
    });
  },
};
