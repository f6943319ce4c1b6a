/** Rules that only pass on what a decoder found to break its own dialect's order: one finding per run, the first breach. */
import type { AgentEvent } from '../model';
import { eventRef, fail, pass } from './judgement';
import { landmarksOf } from './landmarks';
import type { Case, Judgement } from './rule';

type Breach = (AgentEvent & { type: 'breach' })['breach'];

export const breachOf = ({ attempt, events, run }: Case, kind: Breach): Judgement | readonly Judgement[] | null => {
  const own = landmarksOf(events).remarks.filter((event) => attempt.flows.includes(event.flow));
  // Each attempt of a run on one flow would tell of the same breaches: the one they fall into does.
  const next = run.attempts[run.attempts.indexOf(attempt) + 1]?.openedSeq ?? Number.POSITIVE_INFINITY;
  const first = attempt.ordinal === 1 ? -1 : attempt.openedSeq;
  const breaches = own.filter(
    (event): event is AgentEvent & { type: 'breach' } =>
      event.type === 'breach' && event.breach === kind && event.seq >= first && event.seq < next,
  );
  if (breaches.length === 0) return events.length === 0 ? null : pass(attempt.openedAt);
  return breaches.slice(0, MOST).map((breach) =>
    fail(breach.at, {
      subject: `${breach.flow}:${breach.seq}`,
      voice: breach.voice,
      evidence: [eventRef(breach)],
      data: { detail: breach.detail, raw: breach.raw, atMs: Math.round(breach.at), count: breaches.length },
    }),
  );
};

/** More of one kind say nothing new. */
const MOST = 10;
