/** The question to the person is not shown, or gone, while it is still wanted. */

import type { Ask, PageTime, ToolCall } from '../model';
import type { RunScreen } from '../screen/screen';
import { eventRef, excerpt, fail, inconclusive, isRoot, ms, pass, sighting } from './judgement';
import type { Case, Rule } from './rule';
import { aftermath, seenUntil } from './shown';

/** A question may take this long to be drawn. */
const DRAWN_MS = 500;

const hasPrompt = ({ prompt }: Ask): boolean => (prompt ?? '').trim().length >= 8;
/** The call that waits for a person's word: the one that is open where a single one is. */
const toolOf = ({ attempt }: Case, { request }: Ask): ToolCall | null => {
  const open = attempt.tools.filter(({ returnedAt }) => returnedAt === null);
  return open.find(({ id }) => id === request) ?? (open.length === 1 ? open[0]! : null);
};
const isApproval = (subject: Case, ask: Ask): boolean => ask.kind === 'approval' && toolOf(subject, ask) !== null;

/** The page came to rest with the attempt, and nothing on it names the tool, shows its input, or is new beside the text. */
const restsWithout = ({ attempt, now }: Case, screen: RunScreen, { id, name }: ToolCall): boolean => {
  if (attempt.settlement === null) return false;
  const { as, signs } = aftermath(screen, now, attempt.settlement, 'question');
  return (
    as === 'final' &&
    signs.length === 0 &&
    !screen.toolRows.some(({ tool }) => tool === id) &&
    !screen.regions.some(({ visible, voice, text }) => visible && (voice === 'tool' || voice === 'interaction' || text.includes(name)))
  );
};

/** Of the region, the question must be so much; and most of the one must be in the other: a few words of it stand anywhere. */
const SHARE = 0.3;
const MOST = 0.6;

/** On the clock of the page that is judged: one that was loaded anew had the question as soon as it came back to the run. */
const askedHere = ({ screen, attempt, flows }: Case, flow: string, at: PageTime): PageTime => {
  const here = flows.filter((one) => one.document === screen?.document && attempt.flows.includes(one.id));
  return here.some((one) => one.id === flow) || here.length === 0 ? at : Math.min(...here.map((one) => one.openedAt));
};

export const waitingLost: Rule = {
  id: 'waiting-lost',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The run asks “{excerpt}” since {askedMs} ms and still waits, and the page {how}.',
    inconclusive: 'The run asks “{excerpt}” since {askedMs} ms; whether the page shows it cannot be told: {why}.',
  },
  judge(subject) {
    const { screen, attempt, run } = subject;
    if (screen === null || !isRoot(subject)) return null;
    const wanted = attempt.asks.filter((ask) => ask.answeredAt === null && (hasPrompt(ask) || isApproval(subject, ask)));
    // Anything later than the wait means that it was dealt with in some way that the stream does not tell.
    if (wanted.length === 0 || run.attempts.at(-1)?.key !== attempt.key) return null;
    if (attempt.settlement !== null && attempt.settlement.outcome !== 'waiting') return null;
    const judged = wanted.flatMap((ask) => {
      // Without words on the stream, an approval is asked for by the tool that it is for.
      const prompt = hasPrompt(ask) ? ask.prompt!.trim() : toolOf(subject, ask)!.name;
      // Said in the answer's own text as well: whether that is shown is another rule's question.
      if (attempt.parts.some((part) => part.voice === 'assistant' && part.text.includes(prompt))) return [];
      const event = subject.events.find((one) => one.type === 'asked' && one.request === ask.request);
      if (event === undefined) return [];
      const since = askedHere(subject, event.flow, ask.askedAt);
      if (seenUntil(subject) - since < DRAWN_MS) return [];
      const key = `event:${event.flow}:${event.ordinal}`;
      const shown = screen.regions.filter((region) =>
        region.matches.some((match) => match.part === key && match.share >= SHARE && Math.max(match.share, match.covered) >= MOST),
      );
      if (!hasPrompt(ask) && !restsWithout(subject, screen, toolOf(subject, ask)!)) return [pass(since)];
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
