/**
 * Where the runs of a conversation stand: whether the last one is over, by what shows it, and which of them a child's work
 * holds up. The one place of owned intervals where time counts. The log and its folding are `interval.ts`.
 */
import type { PageTime } from '../model';
import { isAt, placeOf } from '../order';
import type { IntervalHost } from './interval';
import { type Conversation, current, later, markOf, type Owned } from './interval-conversation';
import { quiet } from './interval-track';
import type { Mark } from './settle';

/**
 * How long a signal may be ahead of the log it speaks of (the two come over different sockets) before what it says is
 * taken as it stands. Only for what the log itself cannot tell: a queue that never drains, an agent whose state is unknown.
 */
const GRACE_MS = 2000;

export interface Standing {
  /** The time is `at` now. */
  at(at: PageTime): void;
  /** The run is over by this mark, or open again (null). */
  setOver(conversation: Conversation, owned: Owned, over: Mark | null): void;
  /** Decides anew which runs of the conversation its children hold up. */
  hold(conversation: Conversation): void;
  /** Decides anew whether the conversation's last run is over. */
  assess(conversation: Conversation): void;
  /** Asks time alone; `surely`, even if it was asked a moment ago. */
  reassess(surely?: boolean): void;
  /** The conversation's last run holds up no run of its parent any more. */
  release(conversation: Conversation): void;
}

export const createStanding = (host: IntervalHost): Standing => {
  /** Conversations on which time alone may still change something. */
  const waiting = new Set<Conversation>();
  /** Children whose runs hold up those of their parents. */
  const holders = new Set<Conversation>();
  let now: PageTime = 0;
  let assessedAt: PageTime = Number.NEGATIVE_INFINITY;

  const setOver = (conversation: Conversation, owned: Owned, over: Mark | null): void => {
    const { run } = owned;
    const state = run.interval!;
    if (over === null ? state.over === null : state.over !== null && isAt(placeOf(state.over), placeOf(over))) return;
    state.over = over;
    const { ending } = conversation.track;
    const { attempt } = owned;
    if (over === null) {
      run.ending = { state: 'none', raw: null, detail: null };
      if (owned.unsaid) {
        attempt.terminal = null;
        attempt.sentinel = null;
        owned.unsaid = false;
      }
    } else {
      run.ending =
        ending === null
          ? { state: 'none', raw: null, detail: null }
          : { state: ending.kind === null ? 'protocol-error' : 'reported', raw: ending.kind, detail: ending.detail };
      for (const ask of attempt.asks) ask.answeredAt ??= over.at;
      if (attempt.terminal === null && attempt.sentinel === null) {
        owned.unsaid = true;
        if (owned.pristine && owned.cancelled)
          attempt.terminal = {
            finish: { reason: 'cancelled', raw: null },
            error: null,
            waitingFor: null,
            openAsks: [],
            openTools: 0,
            ...over,
          };
        else attempt.sentinel = over;
      }
    }
    host.touch(run);
  };

  /** A child that is idle and whose ending does not come holds nobody up for ever. */
  const isSpent = ({ status }: Conversation, { last }: Owned): boolean =>
    status?.state === 'idle' && now - Math.max(status.mark.at, last.at) >= GRACE_MS;

  /** The work of a run is not done while a child that it started is. */
  const hold = (conversation: Conversation): void => {
    const holding = new Set<string | null>();
    for (const child of conversation.children) {
      holders.delete(child);
      const last = current(child);
      if (last === undefined || last.run.interval!.over !== null || isSpent(child, last)) continue;
      holding.add(last.run.parent);
      holders.add(child);
    }
    for (const { run } of conversation.runs) {
      const held = holding.has(run.key);
      if (run.interval!.held === held) continue;
      run.interval!.held = held;
      host.touch(run);
    }
  };

  /** What shows that the conversation's last run is over, as far as is known now; null while it is open. */
  const overOf = (conversation: Conversation, owned: Owned): Mark | null => {
    const { track, status } = conversation;
    if (!track.open) return owned.run.interval!.over ?? markOf(owned.last);
    if (track.ordered) return null;
    if (quiet(track)) {
      if (status !== null) return status.state === 'idle' ? later(status.mark, markOf(owned.last)) : null;
      // Nobody says whether the agent runs: a log that has come to rest and stays so is all there will be.
      if (now - owned.last.at >= GRACE_MS || [...conversation.carriers].every((flow) => host.hasEnded(flow))) return markOf(owned.last);
      waiting.add(conversation);
      return null;
    }
    if (track.turn !== null || status?.state !== 'idle') return null;
    // Idle, and something is still queued: its turn is on the way on the other socket, or it stays where it is.
    if (track.parked || now - Math.max(status.mark.at, owned.last.at) >= GRACE_MS) {
      track.parked = true;
      conversation.parked.add(owned.to);
      return later(status.mark, markOf(owned.last));
    }
    waiting.add(conversation);
    return null;
  };

  /** Decides anew whether the conversation's last run is over. */
  const assess = (conversation: Conversation): void => {
    waiting.delete(conversation);
    const owned = current(conversation);
    if (owned === undefined) return;
    setOver(conversation, owned, overOf(conversation, owned));
    if (conversation.parent && holders.has(conversation) === (owned.run.interval!.over !== null)) hold(conversation.parent);
  };

  /** Only time is asked here, so a fraction of the grace is often enough. */
  const reassess = (surely = false): void => {
    if (waiting.size === 0 && holders.size === 0) return;
    if (!surely && Math.abs(now - assessedAt) < GRACE_MS / 20) return;
    assessedAt = now;
    for (const conversation of [...waiting]) if (!conversation.stale) assess(conversation);
    for (const child of [...holders]) {
      const last = current(child);
      if (child.parent && last && isSpent(child, last)) hold(child.parent);
    }
  };

  return {
    at(at) {
      now = at;
    },
    setOver,
    hold,
    assess,
    reassess,
    release: (conversation) => void holders.delete(conversation),
  };
};
