/** Settled well, and the page shows an error for it. */
import type { PageTime, Settlement } from '../model';
import { around, EVER } from '../overlap';
import type { HonestSign, RunScreen } from '../screen/screen';
import { excerpt, fail, inconclusive, isLast, isRoot, ms, pass, record, sighting } from './judgement';
import type { Case, Judgement, Rule } from './rule';
import { isBeside } from './shown';

/** An error that comes later than this has a cause of its own. */
const SOON_MS = 5000;
/** What a page makes of the end of a stream, it shows this soon after it. */
const AT_ONCE_MS = 1000;
/** What is drawn at once is told within this time. */
const RENDER_MS = 50;

export const errorAfterCleanSettle: Rule = {
  id: 'error-after-clean-settle',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The run was settled well at {settledMs} ms, and {afterMs} ms later the page shows an error: “{excerpt}”.',
    inconclusive:
      'The run was settled well at {settledMs} ms, and {afterMs} ms later the page shows “{excerpt}”; whether that is about this run cannot be told.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || settlement?.outcome !== 'completed' || screen.regions.length === 0)
      return null;
    const signs = screen.honestSigns.filter(
      (one) =>
        one.alarming && one.kind !== 'error' && one.seq > settlement.seq && one.at - settlement.at <= SOON_MS && one.untilSeq === null,
    );
    const judged = signs.flatMap((sign) => ofSign(subject, screen, settlement, sign) ?? []);
    return judged.find(({ verdict }) => verdict === 'fail') ?? judged[0] ?? pass(settlement.at);
  },
};

/** Null: it is not about this run. */
const ofSign = (subject: Case, screen: RunScreen, settlement: Settlement, sign: HonestSign): Judgement | null => {
  if (isOfNewer(screen, settlement, sign)) return null;
  const { attempt, others } = subject;
  const atOnce = momentsOf(subject, settlement.at).some((at) => sign.at >= at && sign.at - at <= AT_ONCE_MS);
  const near = sign.place !== null && isBeside(screen, sign.place);
  // Elsewhere on the page, and with nothing of the run's to set it off: it is about something else.
  if (!near && !atOnce) return null;
  const beside =
    others.some({ settledAfter: EVER }) ||
    others.some(around('settled', sign.at, SOON_MS), ({ settlement: end }) => end !== null && Math.abs(end.at - sign.at) <= SOON_MS);
  const failedTool = attempt.tools.some((tool) => tool.failed);
  const facts = {
    voice: null,
    text: sign.text,
    evidence: [record(settlement.seq), sighting(sign.seq)],
    data: { settledMs: ms(settlement.at), afterMs: ms(sign.at - settlement.at), excerpt: excerpt(sign.text) },
  };
  const doubtful = beside || failedTool || !near;
  return doubtful ? inconclusive(sign.at, facts) : fail(sign.at, facts);
};

/** Something newer can own it: another message of the person's, or work that the page took up since. */
const isOfNewer = ({ askedOn, presented }: RunScreen, settled: Settlement, sign: HonestSign): boolean =>
  (askedOn !== null && askedOn <= sign.at) ||
  presented.some(
    ({ as, fromSeq, from, until }) =>
      as === 'working' &&
      fromSeq > settled.seq &&
      from <= sign.at &&
      // A page that goes out of order as it shows the error does so for the error.
      (sign.at - from > RENDER_MS || (until !== null && until <= sign.at)),
  );

/** When something of the run happened that could set off an error: its end, and that of a connection. */
const momentsOf = ({ flows }: Case, settledAt: PageTime): readonly PageTime[] => [settledAt, ...flows.flatMap(({ end }) => end?.at ?? [])];
