/** The attempt settled as waiting, and the page presents the run as done. */

import type { RunScreen } from '../screen/screen';
import { excerpt, fail, inconclusive, isLast, isRoot, leftStanding, ms, pass } from './judgement';
import type { Case, Rule } from './rule';
import { aftermath, cueWords, seenUntil } from './shown';

/** A page that answers a tool call by itself does so in this time, or shows that it is at it. */
const ANSWERS_MS = 3000;

export const waitingAsDone: Rule = {
  id: 'waiting-as-done',
  severity: 'critical',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The run waits for {waitingFor} since {settledMs} ms, yet the page presents it as done ({cue}) and shows no question. It shows “{excerpt}”.',
    inconclusive: 'The run waits for {waitingFor} since {settledMs} ms; whether the page presents it as done cannot be told: {why}.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || settlement?.outcome !== 'waiting') return null;
    const after = aftermath(screen, subject.now, settlement, 'question');
    // The page may ask in the words of the answer that was committed: then the question is on the screen.
    const asked = attempt.parts.filter((part) => part.voice === 'interaction' || isQuestion(part.text, attempt.asks));
    const waitingFor = settlement.waitingFor ?? 'other';
    const shownAsked = after.shown.some(
      (region) =>
        region.matches.some((match) => asked.some((part) => part.key === match.part)) ||
        // Words of the call that is owed, put before the person: that is how such a call asks.
        (waitingFor === 'tool' && region.voice === 'tool'),
    );
    if (after.signs.length > 0 || after.as === 'working' || shownAsked || asksItself(subject, screen)) return pass(settlement.at);
    if (after.stretch === null && screen.regions.length === 0) return null;
    const left = leftStanding(subject, after, settlement.seq);
    const facts = {
      ...left,
      data: {
        waitingFor: WAITS[waitingFor],
        settledMs: ms(settlement.at),
        shownMs: ms(after.from.at),
        cue: cueWords(after),
        excerpt: excerpt(left.text),
        why:
          waitingFor === 'tool' ? 'the page may still be working on the tool call it owes' : 'nothing on the page tells working from final',
      },
    };
    // The page may be answering the call: by itself, at once; or it shows the call in a way of its own.
    const answers =
      waitingFor === 'tool' &&
      (seenUntil(subject) - after.from.at < ANSWERS_MS ||
        subject.others.some({ openedAfter: settlement.seq }) ||
        screen.toolRows.some((row) => row.removedSeq === null));
    // At rest, with nothing of the run left on the screen, it is presented as done all the same.
    const atRest = after.as === 'final' || (after.as === 'none' && after.stretch?.sure === true && screen.regions.length > 0);
    if (!atRest || answers) return inconclusive(after.from.at, facts);
    return fail(after.from.at, facts);
  },
};

/** Words or buttons of the page's own that came with the question (or the call), well before the end, and still stand. */
const asksItself = ({ attempt, events }: Case, screen: RunScreen): boolean => {
  const since = Math.min(
    ...attempt.asks.filter((ask) => ask.answeredAt === null).map((ask) => ask.askedAt),
    ...attempt.tools.filter((tool) => tool.owedBy === 'page' && tool.returnedAt === null).map((tool) => tool.calledAt),
  );
  const first = events.find((event) => (event.type === 'asked' || event.type === 'tool.called') && event.at >= since);
  return first !== undefined && screen.honestSigns.some((sign) => sign.kind !== 'state' && sign.seq > first.seq && sign.untilSeq === null);
};

const WAITS = {
  input: 'the person’s answer',
  approval: 'an approval',
  auth: 'a sign-in',
  tool: 'a tool result from the page',
  other: 'something',
} as const;

const isQuestion = (text: string, asks: readonly { readonly prompt: string | null; readonly answeredAt: number | null }[]): boolean =>
  asks.some((ask) => ask.answeredAt === null && ask.prompt !== null && ask.prompt.trim() !== '' && text.includes(ask.prompt.trim()));
