/** Facts of a run that only a look at every event gives; each event is looked at once. */
import type { AgentEvent } from '../core/model';
import type { Session } from '../core/session';

export interface RunFacts {
  readonly first: AgentEvent | null;
  readonly firstAnswer: AgentEvent | null;
  /** The longest time between two events that follow each other. */
  readonly longestGap: number;
}

interface Progress {
  taken: number;
  first: AgentEvent | null;
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
    facts = { taken: 0, first: null, firstAnswer: null, longestGap: 0 };
    runs.set(run, facts);
  }
  const events = session.eventsOf(run);
  for (; facts.taken < events.length; facts.taken++) {
    const event = events[facts.taken]!;
    facts.first ??= event;
    if (event.voice === 'assistant' && event.type.startsWith('part.')) facts.firstAnswer ??= event;
    const before = events[facts.taken - 1];
    // Times of two documents are two clocks.
    if (before !== undefined && before.flow === event.flow) facts.longestGap = Math.max(facts.longestGap, event.at - before.at);
  }
  return facts;
};
