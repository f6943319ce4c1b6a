/** The transport ended unsettled and the page still says it is working, with no reattach under way. */
import { fail, inconclusive, isLast, isRoot, ms, pass, record, sighting } from './judgement';
import type { Rule } from './rule';
import { seenUntil, writtenUntil } from './shown';

/** Time to notice, wait and reconnect. */
const GRACE_MS = 5000;

export const busyAfterClose: Rule = {
  id: 'busy-after-close',
  severity: 'moderate',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The connection ended ({how}) at {endedMs} ms with the run unsettled, and {lateMs} ms later the page still says it is working ({cue}), with nothing reattached.',
    inconclusive:
      'The connection ended ({how}) at {endedMs} ms with the run unsettled, and {lateMs} ms later the page still looks busy ({cue}); another run is open.',
  },
  judge(subject) {
    const { attempt, screen, flows, others } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || settlement?.outcome !== 'severed') return null;
    const end = flows.map((flow) => flow.end).findLast((one) => one !== null);
    const stretch = screen.presented.find(
      (one) => one.as === 'working' && one.fromSeq < settlement.seq && (one.untilSeq === null || one.untilSeq > settlement.seq),
    );
    if (stretch === undefined) return screen.presented.some((one) => one.as !== 'unknown') ? pass(settlement.at) : null;
    const until = stretch.until ?? seenUntil(subject);
    // A page that says it is reconnecting is doing so for all we can see.
    const moves = stretch.cues.every(
      (one) => one.kind === 'animation' || one.kind === 'class' || one.kind === 'words' || one.kind === 'caret',
    );
    const saysSo = screen.honestSigns.some((sign) => sign.seq > settlement.seq && (sign.untilSeq === null || sign.strong));
    if (until - writtenUntil(screen, settlement) < GRACE_MS || saysSo || moves) return pass(settlement.at);
    const [cue] = stretch.cues;
    const facts = {
      until: stretch.until,
      evidence: [record(settlement.seq), ...(cue === undefined ? [] : [sighting(cue.seq)])],
      data: {
        how: end?.how ?? 'eof',
        endedMs: ms(settlement.at),
        lateMs: ms(until - settlement.at),
        cue: stretch.cues.map((one) => one.text).join(', '),
      },
    };
    const beside = others.some({ settledAfter: settlement.seq });
    return beside ? inconclusive(settlement.at, facts) : fail(settlement.at, facts);
  },
};
