/** Facts of a run that only a look at every event gives; each event is looked at once. */

import type { Session } from '../core/engine';
import type { AgentEvent, Run } from '../core/model';
import type { Feed } from './feed';

export interface RunFacts {
  readonly firstAnswer: AgentEvent | null;
  /** The longest time between two events that follow each other. */
  readonly longestGap: number;
}

interface Progress {
  taken: number;
  firstAnswer: AgentEvent | null;
  longestGap: number;
}

const known = new WeakMap<Session, Map<string, Progress>>();

export const factsOf = (session: Session, run: string): RunFacts => {
  let runs = known.get(session);
  if (runs === undefined) {
    runs = new Map();
    known.set(session, runs);
  }
  let facts = runs.get(run);
  if (facts === undefined) {
    facts = { taken: 0, firstAnswer: null, longestGap: 0 };
    runs.set(run, facts);
  }
  const events = session.eventsOf(run);
  for (; facts.taken < events.length; facts.taken++) {
    const event = events[facts.taken]!;
    if (event.voice === 'assistant' && event.type.startsWith('part.')) facts.firstAnswer ??= event;
    const before = events[facts.taken - 1];
    // Times of two documents are two clocks.
    if (before !== undefined && before.flow === event.flow) facts.longestGap = Math.max(facts.longestGap, event.at - before.at);
  }
  return facts;
};

/** What matters of a run's times, in milliseconds. Their zero is the run's opening, where the clock of table and timeline begins. */
export interface Timing {
  /** Of the settlement, or of the last thing heard; null: nothing was. */
  readonly duration: number | null;
  readonly firstAnswer: number | null;
  /** From the request to the run's opening; null: the request was not seen. */
  readonly wait: number | null;
  readonly longestGap: number;
}

export const timingOf = (feed: Feed, run: Run): Timing => {
  const { session, timeOf, timeOfFlow } = feed;
  const flow = session.flows.get(run.attempts[0]?.flows[0] ?? '');
  const zero = timeOf(run.openedSeq, run.openedAt);
  const { firstAnswer, longestGap } = factsOf(session, run.key);
  const end = run.settlement ?? session.eventsOf(run.key).at(-1);
  return {
    duration: end === undefined ? null : timeOf(end.seq, end.at) - zero,
    firstAnswer: firstAnswer === null ? null : timeOfFlow(firstAnswer.flow, firstAnswer.at) - zero,
    wait: flow === undefined ? null : zero - timeOfFlow(flow.id, flow.openedAt),
    longestGap,
  };
};
