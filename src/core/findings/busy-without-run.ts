/** The page says it is working and no run is open on any connection. */
import { fail, inconclusive, isLast, isRoot, ms, pass, sighting } from './judgement';
import type { Rule } from './rule';
import { seenUntil } from './shown';

/** The request of the next run may be on its way, or answered late. */
const GRACE_MS = 5000;

export const busyWithoutRun: Rule = {
  id: 'busy-without-run',
  severity: 'moderate',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The page went back to working at {busyMs} ms ({cue}) and stayed so for {lastedMs} ms, and no run was open on any connection.',
    inconclusive:
      'The page looked busy from {busyMs} ms ({cue}) for {lastedMs} ms with no run open; it may have been busy with something else.',
  },
  judge(subject) {
    const { attempt, screen, others } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || settlement === null || settlement.outcome === 'waiting') return null;
    const rested = screen.presented.find((one) => one.as === 'final' && (one.untilSeq === null || one.untilSeq > settlement.seq));
    if (rested === undefined) return null;
    const stretch = screen.presented.find((one) => one.as === 'working' && one.fromSeq > settlement.seq && one.fromSeq > rested.fromSeq);
    if (stretch === undefined) return pass(settlement.at);
    const until = stretch.until ?? seenUntil(subject);
    const open = others.some({ openedUntil: until, settledFrom: stretch.from });
    if (until - stretch.from < GRACE_MS || open) return pass(settlement.at);
    const [cue] = stretch.cues;
    const facts = {
      until: stretch.until,
      evidence: cue === undefined ? [sighting(stretch.fromSeq)] : [sighting(cue.seq)],
      data: { busyMs: ms(stretch.from), lastedMs: ms(until - stretch.from), cue: stretch.cues.map((one) => one.text).join(', ') },
    };
    const ofTheComposer = stretch.cues.some((one) => one.kind === 'control' || one.kind === 'composer' || one.kind === 'outright');
    return ofTheComposer ? fail(stretch.from, facts) : inconclusive(stretch.from, facts);
  },
};
