/** Rules that only pass on what a decoder found to break its own dialect's order: one finding per run, the first breach. */
import type { AgentEvent } from '../model';
import { eventRef, fail, pass } from './judgement';
import { remarksIn } from './landmarks';
import type { Case, Judgement } from './rule';

type Breach = (AgentEvent & { type: 'breach' })['breach'];

export const breachOf = (subject: Case, kind: Breach): Judgement | readonly Judgement[] | null => {
  const { attempt, events } = subject;
  const breaches = remarksIn(subject).filter(
    (event): event is AgentEvent & { type: 'breach' } => event.type === 'breach' && event.breach === kind,
  );
  if (breaches.length === 0) return events.length === 0 ? null : pass(attempt.openedAt);
  return breaches.slice(0, MOST).map((breach) =>
    fail(breach.at, {
      subject: `${breach.flow}:${breach.ordinal}`,
      voice: breach.voice,
      evidence: [eventRef(breach)],
      data: { detail: breach.detail, raw: breach.raw, atMs: Math.round(breach.at), count: breaches.length },
    }),
  );
};

/** More of one kind say nothing new. */
const MOST = 10;
