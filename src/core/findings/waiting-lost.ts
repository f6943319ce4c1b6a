/** The question to the person is not shown, or gone, while it is still wanted. */

import type { PageTime } from '../model';
import { eventRef, excerpt, fail, inconclusive, isRoot, ms, pass, sighting } from './judgement';
import type { Case, Rule } from './rule';
import { seenUntil } from './shown';

/** A question may take this long to be drawn. */
const DRAWN_MS = 500;

/** On the clock of the page that is judged: one that was loaded anew had the question as soon as it came back to the run. */
const askedHere = ({ screen, attempt, flows }: Case, flow: string, at: PageTime): PageTime => {
  const here = flows.filter((one) => one.document === screen?.document && attempt.flows.includes(one.id));
  return here.some((one) => one.id === flow) || here.length === 0 ? at : Math.min(...here.map((one) => one.openedAt));
};

export const waitingLost: Rule = {
  id: 'waiting-lost',
  title: 'Question not shown',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The run asks “{excerpt}” since {askedMs} ms and still waits, and the page {how}.',
    inconclusive: 'The run asks “{excerpt}” since {askedMs} ms; whether the page shows it cannot be told: {why}.',
  },
  judge(subject) {
    const { screen, attempt, run } = subject;
    if (screen === null || !isRoot(subject)) return null;
    const wanted = attempt.asks.filter((ask) => ask.answeredAt === null && (ask.prompt ?? '').trim().length >= 8);
    // Anything later than the wait means that it was dealt with in some way that the stream does not tell.
    if (wanted.length === 0 || run.attempts.at(-1)?.key !== attempt.key) return null;
    if (attempt.settlement !== null && attempt.settlement.outcome !== 'waiting') return null;
    const judged = wanted.flatMap((ask) => {
      const prompt = ask.prompt!.trim();
      // Said in the answer's own text as well: whether that is shown is another rule's question.
      if (attempt.parts.some((part) => part.voice === 'assistant' && part.text.includes(prompt))) return [];
      const event = subject.events.find((one) => one.type === 'asked' && one.request === ask.request);
      if (event === undefined) return [];
      const since = askedHere(subject, event.flow, ask.askedAt);
      if (seenUntil(subject) - since < DRAWN_MS) return [];
      const key = `event:${event.flow}:${event.ordinal}`;
      const shown = screen.regions.filter((region) => region.matches.some((match) => match.part === key && match.share >= 0.3));
      const standing = shown.filter((region) => region.removedSeq === null && region.visible);
      if (standing.length > 0) return [pass(since)];
      // The page may ask in words of its own, with controls of its own.
      const own = screen.honestSigns.filter((sign) => sign.seq > ask.askedSeq && sign.untilSeq === null && sign.kind !== 'state');
      if (own.some((sign) => sign.kind === 'control' || sign.kind === 'question')) return [pass(since)];
      const gone = shown.find((region) => region.removedSeq !== null);
      const at = gone?.removedAt ?? since;
      const facts = {
        subject: ask.request,
        voice: 'interaction' as const,
        text: prompt,
        region: gone?.region.key ?? null,
        evidence: [eventRef(event), ...(gone?.removedSeq != null ? [sighting(gone.removedSeq)] : [])],
        data: {
          excerpt: excerpt(prompt),
          askedMs: ms(since),
          how: gone === undefined ? 'shows neither the question nor a way to answer it' : `took it away at ${ms(at)} ms`,
          why:
            own.length > 0
              ? `it shows “${excerpt(own[0]!.text, 40)}”, which may be the question in other words`
              : 'the page at rest was not seen',
        },
      };
      return [own.length > 0 || !screen.hasRest || !screen.readable ? inconclusive(at, facts) : fail(at, facts)];
    });
    return judged;
  },
};
