/**
 * One conversation's log, kept sorted by the producer's own order, and the runs that were made of it. State and pure
 * questions only; what follows from them is interval.ts.
 */
import type { Dialect } from '../dialects/dialect';
import type { AgentEvent, FlowId } from '../model';
import { isAfter, placeOf } from '../order';
import { evidenceOf } from './apply';
import { createTrack, place, type Track } from './interval-track';
import type { AttemptState, RunState } from './run-state';
import type { Mark } from './settle';

/** One event of the log, or one beside it (no number of its own) where it came. */
export interface Entry {
  readonly order: number;
  readonly beside: boolean;
  readonly dialect: Dialect;
  /** The flow and frame that brought it; the same event in another frame is a copy. */
  readonly flow: FlowId;
  readonly frame: number;
  readonly events: AgentEvent[];
  readonly keys: string[];
  copies: readonly FlowId[];
}

/** A run, with what its interval needs to know. */
export interface Owned {
  readonly run: RunState;
  readonly from: number;
  to: number;
  attempt: AttemptState;
  /** The attempt was opened with the run and has no turn yet. */
  pristine: boolean;
  /** The last event that kept the agent from rest, or brought it there. */
  last: AgentEvent;
  /** A queued message was taken back. */
  cancelled: boolean;
  /** A sentinel or terminal that stands for "over, and no turn said how"; taken back if it goes on. */
  unsaid: boolean;
}

export interface Conversation {
  readonly id: string;
  readonly dialect: string;
  readonly log: Entry[];
  readonly byWireId: Map<string, Entry>;
  readonly carriers: Set<FlowId>;
  readonly prompts: Map<string, AgentEvent>;
  /** Positions in the log after which the agent was idle with something queued. */
  readonly parked: Set<number>;
  parent: Conversation | null;
  readonly children: Set<Conversation>;
  status: { readonly state: 'running' | 'idle'; readonly mark: Mark } | null;
  track: Track;
  /** Runs so far, oldest first; the last one may be open. */
  runs: Owned[];
  stale: boolean;
}

export const markOf = (event: AgentEvent): Mark => ({
  at: event.at,
  seq: event.seq,
  evidence: evidenceOf(event),
});
export const later = (a: Mark, b: Mark): Mark => (isAfter(placeOf(a), placeOf(b)) ? a : b);

/** The run that is at work, or was last. */
export const current = (conversation: Conversation): Owned | undefined => conversation.runs.at(-1);

export const newConversation = (dialect: string, id: string): Conversation => ({
  id,
  dialect,
  log: [],
  byWireId: new Map(),
  carriers: new Set(),
  prompts: new Map(),
  parked: new Set(),
  parent: null,
  children: new Set(),
  status: null,
  track: createTrack(),
  runs: [],
  stale: false,
});

/** Puts the entry where it belongs; true if that is the end. */
export const insert = ({ log }: Conversation, entry: Entry): boolean => {
  let low = log.length;
  if (!entry.beside && low > 0 && log[low - 1]!.order > entry.order) {
    // The first that stands later in the log.
    low = 0;
    for (let high = log.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (log[middle]!.order > entry.order) high = middle;
      else low = middle + 1;
    }
  }
  const last = low === log.length;
  if (last) log.push(entry);
  else log.splice(low, 0, entry);
  return last;
};

/** Where the intervals of the whole log begin and end, without touching a run. */
export const intervalsOf = (conversation: Conversation): { from: number; to: number }[] => {
  const track: Track = { ...createTrack(), ordered: conversation.track.ordered };
  const found: { from: number; to: number }[] = [];
  for (const entry of conversation.log) {
    for (const event of entry.events) {
      const where = place(track, event);
      if (where.run === 'opens') found.push({ from: entry.order, to: entry.order });
      else if (where.run === 'in' && !entry.beside) found.at(-1)!.to = entry.order;
    }
    if (!entry.beside && conversation.parked.has(entry.order) && track.turn === null) track.parked = true;
  }
  return found;
};
