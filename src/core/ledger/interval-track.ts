/**
 * Where an event of a conversation's log stands: outside any interval, opening one, or inside; and whether it begins a turn.
 * Decided by the log alone, so it is the same for any arrival order.
 *
 * Where idle has a place in the log (one channel for both), it alone ends an interval. Where it has none, the log says where
 * idle can only have been: after a turn's end with nothing queued. What is received there begins the next interval.
 */
import type { AgentEvent } from '../model';

export interface Track {
  /** Idle has a place in this log. */
  ordered: boolean;
  open: boolean;
  /** The turn that is open; null between turns. */
  turn: string | null;
  readonly ended: Set<string>;
  /** Messages received and not yet claimed. */
  queued: number;
  /** So many of them stay queued while the agent is idle. */
  ignored: number;
  /** A person's message was received in this interval. */
  prompted: boolean;
  /** The current turn (or what stands for it) has its ending. */
  done: boolean;
  /** The agent is idle and something stays queued: the next receipt begins an interval, a turn still belongs to this one. */
  parked: boolean;
  ending: { readonly kind: string | null; readonly detail: string | null } | null;
}

export interface Place {
  readonly run: 'none' | 'opens' | 'in';
  /** An attempt begins with this event. */
  readonly attempt: boolean;
  /** It is a turn of the producer's, not a place kept for one. */
  readonly turn: boolean;
  /** The interval before this event is over: idle said so, or the log does. */
  readonly over: 'said' | 'shown' | null;
}

export const createTrack = (): Track => ({
  ordered: false,
  open: false,
  turn: null,
  ended: new Set(),
  queued: 0,
  ignored: 0,
  prompted: false,
  done: false,
  parked: false,
  ending: null,
});

/** No turn is open and nothing waits for one. */
export const quiet = (track: Track): boolean => track.turn === null && track.queued <= track.ignored;

const plain = (run: Place['run']): Place => Object.freeze({ run, attempt: false, turn: false, over: null });
/** Where nearly all events stand. */
const PLAIN: Readonly<Record<Place['run'], Place>> = { none: plain('none'), opens: plain('opens'), in: plain('in') };
const at = (run: Place['run'], more?: Partial<Place>): Place => (more === undefined ? PLAIN[run] : { ...PLAIN[run], ...more });

/** Takes the event in and says where it stands. */
export const place = (track: Track, event: AgentEvent): Place => {
  const turn = event.identity.attempt ?? null;
  switch (event.type) {
    case 'agent.status':
      track.ordered = true;
      if (!track.open) return at('none');
      if (event.state === 'running') return at('in');
      track.open = false;
      track.turn = null;
      return at('in', { over: 'said' });

    case 'inbox.changed': {
      const rests = track.open && !track.ordered && quiet(track);
      const parked = track.open && track.parked && track.turn === null;
      const receives = event.received.length > 0;
      count(track, event.inserted, event.claimed);
      if (receives && (!track.open || rests || parked)) {
        begin(track, true);
        return at('opens', { over: rests || parked ? 'shown' : null });
      }
      if (rests && event.inserted > 0) {
        // Something new wakes the agent: the next turn is a run of its own, and nobody asked for it.
        track.open = false;
        return at('none', { over: 'shown' });
      }
      if (!track.open) return at('none');
      const first = receives && !track.prompted;
      if (first) {
        // What ended before the first receipt is left over from what nobody here asked for.
        track.prompted = true;
        track.ending = null;
      }
      return at('in', { attempt: first && track.done && track.turn === null });
    }

    case 'attempt.opened':
      if (turn === null || turn === track.turn) return at(track.open ? 'in' : 'none');
      return beginTurn(track, turn);

    case 'turn.ended': {
      if (!track.open) return at('none');
      // An ending without a turn, after everything had come to rest, is not of this interval.
      if (track.turn === null && !track.ordered && quiet(track)) return at('none');
      const again = track.done && track.turn === null;
      const ended = turn ?? track.turn;
      if (ended !== null) track.ended.add(ended);
      track.turn = null;
      track.done = true;
      track.parked = false;
      track.ending = { kind: event.kind, detail: event.detail };
      // A cancelled turn leaves what is queued behind it where it is.
      if (event.reason === 'cancelled') track.ignored = track.queued;
      return at('in', { attempt: again, turn: true });
    }

    default: {
      const content = event.type.startsWith('part') || event.type.startsWith('tool.') || event.type === 'step.opened';
      if (!content) return at(track.open ? 'in' : 'none');
      if (turn !== null && turn !== track.turn && !track.ended.has(turn)) return beginTurn(track, turn);
      // Content outside turns (a compaction, a slash command) belongs to no interval.
      if (track.turn === null && turn === null && track.done) return at('none');
      return at(track.open ? 'in' : 'none');
    }
  }
};

/** A turn begins, said so or seen by its content where its start was missed. */
const beginTurn = (track: Track, turn: string): Place => {
  const rests = track.open && !track.ordered && quiet(track);
  const opens = !track.open || rests;
  if (opens) begin(track, false);
  // Turns are one after the other: whatever was open before has ended, seen or not.
  if (track.turn !== null) track.ended.add(track.turn);
  track.turn = turn;
  track.done = false;
  track.parked = false;
  return at(opens ? 'opens' : 'in', { attempt: true, turn: true, over: rests ? 'shown' : null });
};

const begin = (track: Track, prompted: boolean): void => {
  track.open = true;
  track.prompted = prompted;
  // Awake again, the agent takes up what was left lying too.
  track.ignored = 0;
  track.done = false;
  track.parked = false;
};

const count = (track: Track, inserted: number, claimed: number): void => {
  track.queued = Math.max(0, track.queued + inserted - claimed);
  track.ignored = Math.min(track.ignored, track.queued);
};
