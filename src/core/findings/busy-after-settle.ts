/** Settled, and the page still says it is working after a grace time. */
import type { PresentedCue } from '../screen/presented';
import { fail, inconclusive, isLast, isRoot, ms, pass, record, sighting } from './judgement';
import type { Case, Rule } from './rule';
import { seenUntil, writtenUntil } from './shown';

/** Pages fade, type out and tidy up; after this long nobody takes it for that. */
const GRACE_MS = 3000;
/** Each of these alone may be decoration. */
const DECORATIVE: ReadonlySet<PresentedCue['kind']> = new Set(['animation', 'class', 'words', 'caret']);

export const busyAfterSettle: Rule = {
  id: 'busy-after-settle',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The run was settled ({outcome}) at {settledMs} ms, and {lateMs} ms later the page still says it is working: {cue}.',
    inconclusive:
      'The run was settled ({outcome}) at {settledMs} ms, and {lateMs} ms later the page still looks busy ({cue}); another run is open beside it.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || settlement === null) return null;
    // Busy is right while something is awaited, and while nothing but a sentinel was said.
    if (settlement.strength !== 'reason' || settlement.outcome === 'waiting' || settlement.outcome === 'superseded') return null;
    const stretch = screen.presented.find(
      (one) => one.as === 'working' && one.fromSeq < settlement.seq && (one.untilSeq === null || one.untilSeq > settlement.seq),
    );
    if (stretch === undefined) return screen.presented.some((one) => one.as !== 'unknown') ? pass(settlement.at) : null;
    const until = stretch.until ?? seenUntil(subject);
    // The work is shown as long as its words are still being written.
    const over = writtenUntil(screen, settlement);
    if (until - over < GRACE_MS) return pass(settlement.at);
    // Something that only moves may be decoration; the controls, the composer, a state or words beside it must say so.
    const stands = (kind: PresentedCue['kind']): boolean =>
      stretch.cues.some((one) => one.kind === kind && (one.until ?? until) - over >= GRACE_MS);
    if (stretch.cues.every((one) => DECORATIVE.has(one.kind)) && !(stands('animation') && stands('words'))) return pass(settlement.at);
    // A page that says that it went wrong, or offers to try again, holds its composer back for that.
    const saysSo = screen.honestSigns.some(
      (sign) => (sign.alarming || sign.kind === 'retry') && sign.seq > settlement.seq && sign.untilSeq === null,
    );
    if (saysSo && settlement.outcome !== 'completed') return pass(settlement.at);
    const [cue] = stretch.cues;
    const facts = {
      until: stretch.until,
      evidence: [record(settlement.seq), ...(cue === undefined ? [] : [sighting(cue.seq)])],
      data: {
        outcome: settlement.outcome,
        settledMs: ms(settlement.at),
        lateMs: ms(until - settlement.at),
        cue: stretch.cues.map((one) => one.text).join(', '),
        connection: subject.flows.some((flow) => flow.end === null) ? 'open' : 'closed',
      },
    };
    return openBeside(subject, settlement.seq) ? inconclusive(settlement.at, facts) : fail(settlement.at, facts);
  },
};

/** Another run was open when this one was over: the page may be busy for that. */
const openBeside = ({ others }: Case, seq: number): boolean => others.some({ settledAfter: seq });
