/** The transport ended, nothing settled the run, and the page presents what it has as final. */
import { excerpt, fail, inconclusive, isLast, isRoot, leftStanding, ms, pass, saidAndShown } from './judgement';
import type { Rule } from './rule';
import { aftermath, cueWords, type Moment } from './shown';

/** What a page adds of its own is shorter than what an answer goes on with. */
const MORE_CHARS = 12;

export const finalNeverSettled: Rule = {
  id: 'final-never-settled',
  severity: 'critical',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The connection ended ({how}) at {endedMs} ms and nothing on it settled the run, yet the page shows “{excerpt}” as final: {cue}.',
    inconclusive:
      'The connection ended ({how}) at {endedMs} ms and nothing settled the run; whether the page shows “{excerpt}” as final cannot be told: {why}.',
  },
  judge(subject) {
    const { attempt, screen, flows } = subject;
    if (screen === null || !isRoot(subject) || !isLast(subject) || attempt.replaced) return null;
    const { settlement } = attempt;
    const ends = flows.map((flow) => flow.end);
    const ended = ends.length > 0 && ends.every((end) => end !== null) ? ends.reduce((a, b) => (b!.seq > a!.seq ? b : a))! : null;
    // Records are missing before the end, so nobody knows whether it was settled.
    const unknown = settlement === null && ended !== null && subject.hasTerminalWord && flows.some((flow) => flow.gaps.length > 0);
    if (settlement?.outcome !== 'severed' && !unknown) return null;
    const over: Moment = settlement ?? ended!;
    const after = aftermath(screen, subject.now, over);
    if (after.shown.length === 0) return null;
    if (after.signs.length > 0 || after.as === 'working') return pass(over.at);
    // It went on to show what no tapped stream said: the page may have learnt the rest, and the end, elsewhere.
    const elsewhere = after.shown.some(
      (one) =>
        one.lastChangeSeq > over.seq &&
        one.matches.reduce((sum, match) => sum + match.share, 0) < 0.9 &&
        one.text.length - sharedHead(one.text, one.textAt(over.seq) ?? '') > MORE_CHARS,
    );
    const left = leftStanding(subject, after, over.seq);
    const facts = {
      ...left,
      evidence: [...left.evidence, ...saidAndShown(subject, after)],
      data: {
        how: ended?.how ?? 'eof',
        endedMs: ms(over.at),
        shownMs: ms(after.from.at),
        cue: cueWords(after),
        excerpt: excerpt(left.text),
        why: unknown
          ? 'records are missing before the end'
          : elsewhere
            ? 'the page shows more than the stream said, so it may know the end from elsewhere'
            : 'nothing on the page told the run apart from the page after it',
      },
    };
    return after.as === 'final' && !unknown && !elsewhere ? fail(after.from.at, facts) : inconclusive(after.from.at, facts);
  },
};

/** How many characters two texts share at their beginning. */
const sharedHead = (a: string, b: string): number => {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
};
