/**
 * Owned intervals: runs of dialects whose log belongs to a conversation, not to a flow (`runs: 'interval'`). An interval
 * runs from the durable receipt of a submitted message to the next whole-agent idle; how it ended is the last ending of the
 * conversation's own turns in it (docs/finish-reason.md). Children have logs and intervals of their own and never count.
 *
 * Promises: the same runs however the flows interleave and whatever came late or twice. The log is kept sorted by the
 * producer's own order; what comes at its end is folded at once, and what fills a hole has it folded again from scratch.
 */
import type { Dialect } from '../dialects/dialect';
import type { AgentEvent, FlowId, PageTime } from '../model';
import { type Conversation, current, type Entry, insert, intervalsOf, markOf, newConversation, type Owned } from './interval-conversation';
import { createStanding } from './interval-standing';
import { createTrack, place, quiet } from './interval-track';
import type { AttemptState, RunState } from './run-state';

/** What the ledger lends to the intervals. */
export interface IntervalHost {
  /** Opens the run with this key, or starts the one that has it over (the log is folded again). A new one stands before `before`. */
  openRun(event: AgentEvent, parentKey: string | null, key: string, before: string | null): RunState;
  dropRun(key: string): void;
  openAttempt(run: RunState, event: AgentEvent, dialect: Dialect): AttemptState;
  carry(run: RunState, attempt: AttemptState, flow: FlowId): void;
  apply(run: RunState, attempt: AttemptState, event: AgentEvent): void;
  touch(run: RunState): void;
  hasEnded(flow: FlowId): boolean;
}

export interface Intervals {
  /** As `Ledger.event`. An event that fills a hole is filed by the next `flush`. */
  event(event: AgentEvent, dialect: Dialect): string | null;
  flowEnded(flow: FlowId): void;
  tick(at: PageTime): void;
  /** Folds again what has holes filled. Must be called before runs are read. */
  flush(): void;
  /** Events whose run was found, or changed, after `event` answered. */
  takeMoved(): readonly (readonly [AgentEvent, string])[];
}

/** Most entries have no copies, and one list for all of those costs nothing. */
const NONE: readonly FlowId[] = [];

export const createIntervals = (host: IntervalHost): Intervals => {
  const conversations = new Map<string, Conversation>();
  const stale = new Set<Conversation>();
  const standing = createStanding(host);
  const { setOver, hold, assess, reassess } = standing;
  let moved: (readonly [AgentEvent, string])[] = [];
  let opened = 0;

  let lastOne: Conversation | null = null;
  const conversationOf = (dialect: string, id: string): Conversation => {
    if (lastOne !== null && lastOne.id === id && lastOne.dialect === dialect) return lastOne;
    const key = `${dialect}\n${id}`;
    let conversation = conversations.get(key);
    if (!conversation) {
      conversation = newConversation(dialect, id);
      conversations.set(key, conversation);
    }
    lastOne = conversation;
    return conversation;
  };

  const parentKeyOf = ({ parent }: Conversation): string | null => (parent === null ? null : (current(parent)?.run.key ?? null));

  // The fold.

  const open = (conversation: Conversation, entry: Entry, event: AgentEvent, key: string | undefined, before: string | null): void => {
    const run = host.openRun(event, parentKeyOf(conversation), key ?? `${conversation.dialect}:${conversation.id}#${++opened}`, before);
    run.interval = { over: null, held: false };
    const attempt = host.openAttempt(run, event, entry.dialect);
    for (const flow of conversation.carriers) if (!host.hasEnded(flow)) host.carry(run, attempt, flow);
    run.reattached = false;
    const owned: Owned = {
      run,
      from: entry.order,
      to: entry.order,
      attempt,
      pristine: true,
      last: event,
      cancelled: false,
      unsaid: false,
    };
    conversation.runs.push(owned);
    // It holds up another run of the parent than the one before did.
    standing.release(conversation);
  };

  /** Files one event at the end of the folded log; answers the run's key, '' for none. */
  const fold = (conversation: Conversation, entry: Entry, event: AgentEvent, key?: string, before: string | null = null): string => {
    const { track } = conversation;
    const was = current(conversation);
    const rested = quiet(track);
    const where = place(track, event);
    if (where.over === 'shown' && was) setOver(conversation, was, was.run.interval!.over ?? markOf(was.last));
    if (event.order !== null) conversation.carriers.add(event.flow);
    if (where.run === 'none') return '';
    if (where.run === 'opens') {
      open(conversation, entry, event, key, before);
      // What ended before this interval is not its ending.
      track.ending = null;
    }
    const owned = current(conversation)!;
    if (where.attempt) {
      if (!owned.pristine) {
        owned.attempt = host.openAttempt(owned.run, event, entry.dialect);
        for (const flow of conversation.carriers) if (!host.hasEnded(flow)) host.carry(owned.run, owned.attempt, flow);
      }
      owned.pristine = !where.turn;
    }
    const { run, attempt } = owned;
    if (event.order !== null) host.carry(run, attempt, event.flow);
    host.apply(run, attempt, event);
    if (!entry.beside) owned.to = entry.order;
    if (!rested || !quiet(track)) owned.last = event;
    if (event.type === 'turn.ended') {
      owned.pristine = false;
      endTurn(attempt, event);
    }
    // A new step means that nothing of the old one is waited for any more, whether or not its answer was seen.
    if (event.type === 'step.opened') for (const ask of attempt.asks) ask.answeredAt ??= event.at;
    if (event.type === 'inbox.changed') {
      if (event.cancelled) owned.cancelled = true;
      for (const receipt of event.received) receive(conversation, receipt, run.key);
    }
    if (where.over === 'said') setOver(conversation, owned, markOf(event));
    return run.key;
  };

  const receive = (conversation: Conversation, receipt: string, key: string): void => {
    const prompt = conversation.prompts.get(receipt);
    if (prompt) moved.push([prompt, key]);
  };

  const endTurn = (attempt: AttemptState, event: AgentEvent & { type: 'turn.ended' }): void => {
    const mark = markOf(event);
    for (const ask of attempt.asks) ask.answeredAt ??= event.at;
    if (event.kind === null) attempt.sentinel = mark;
    else
      attempt.terminal = {
        finish: { reason: event.reason, raw: event.kind },
        error: event.error,
        waitingFor: null,
        openAsks: [],
        openTools: 0,
        ...mark,
      };
  };

  const refold = (conversation: Conversation): void => {
    conversation.stale = false;
    const found = intervalsOf(conversation);
    const free = conversation.runs.map(({ run, from }) => ({ key: run.key, from }));
    const take = (fits: (from: number) => boolean): string | undefined => {
      const i = free.findIndex(({ from }) => fits(from));
      return i < 0 ? undefined : free.splice(i, 1)[0]!.key;
    };
    // A run keeps its key where its interval begins as before, or else where it was begun inside the one that is there now.
    const keys = found.map(({ from }) => take((f) => f === from));
    found.forEach(({ from, to }, i) => {
      keys[i] ??= take((f) => f >= from && f <= to);
    });
    for (const { key } of free) host.dropRun(key);
    /** The key that the nearest later run already had. */
    const next: (string | null)[] = [];
    for (let i = keys.length - 1; i > 0; i--) next[i - 1] = keys[i] ?? next[i] ?? null;

    conversation.runs = [];
    conversation.carriers.clear();
    const { track } = conversation;
    conversation.track = { ...createTrack(), ordered: track.ordered };
    let n = 0;
    for (const entry of conversation.log) {
      for (const [i, event] of entry.events.entries()) {
        const runs = conversation.runs.length;
        const key = fold(conversation, entry, event, keys[n], next[n] ?? null);
        if (conversation.runs.length > runs) n++;
        if (key === entry.keys[i]) continue;
        entry.keys[i] = key;
        moved.push([event, key]);
      }
      for (const flow of entry.copies) copied(conversation, entry, flow);
      if (!entry.beside && conversation.parked.has(entry.order) && conversation.track.turn === null) conversation.track.parked = true;
    }
    assess(conversation);
    const there = new Set(conversation.runs.map(({ run }) => run.key));
    for (const child of conversation.children)
      for (const { run } of child.runs) {
        if (run.parent !== null && there.has(run.parent)) continue;
        run.parent = parentKeyOf(child);
        host.touch(run);
      }
    hold(conversation);
  };

  /** The event came a second time, by another road: that road leads to its run too. */
  const copied = (conversation: Conversation, entry: Entry, flow: FlowId): void => {
    const owned = conversation.runs.findLast(({ from }) => from <= entry.order);
    if (owned === undefined || entry.order > owned.to) return;
    owned.run.duplicates++;
    host.carry(owned.run, owned.attempt, flow);
    host.touch(owned.run);
  };

  const flush = (): void => {
    if (stale.size === 0) return;
    for (const conversation of [...stale]) refold(conversation);
    stale.clear();
  };

  // What comes in.

  const adopt = (conversation: Conversation, parentId: string): void => {
    const parent = conversationOf(conversation.dialect, parentId);
    if (conversation.parent === parent) return;
    for (let up: Conversation | null = parent; up !== null; up = up.parent) if (up === conversation) return;
    conversation.parent?.children.delete(conversation);
    conversation.parent = parent;
    parent.children.add(conversation);
    const key = parentKeyOf(conversation);
    for (const { run } of conversation.runs) {
      run.parent ??= key;
      host.touch(run);
    }
    hold(parent);
  };

  const log = (conversation: Conversation, event: AgentEvent, dialect: Dialect): string | null => {
    const known = event.wireId === null ? undefined : conversation.byWireId.get(event.wireId);
    if (known && (known.frame !== event.frame || known.flow !== event.flow)) {
      // One event has many utterances; the copy is counted once.
      if (!known.copies.includes(event.flow)) {
        known.copies = [...known.copies, event.flow];
        if (!conversation.stale) copied(conversation, known, event.flow);
      }
      return null;
    }
    const beside = event.wireId === null || event.order === null;
    let entry = known;
    let last = entry !== undefined && conversation.log.at(-1) === entry;
    if (entry === undefined) {
      const order = beside ? (conversation.log.at(-1)?.order ?? -1) : event.order!;
      entry = { order, beside, dialect, flow: event.flow, frame: event.frame, events: [event], keys: [''], copies: NONE };
      if (event.wireId !== null) conversation.byWireId.set(event.wireId, entry);
      last = insert(conversation, entry);
    } else {
      entry.events.push(event);
      entry.keys.push('');
    }
    if (!last || conversation.stale) {
      conversation.stale = true;
      stale.add(conversation);
      return '';
    }
    const key = fold(conversation, entry, event);
    entry.keys[entry.keys.length - 1] = key;
    assess(conversation);
    return key;
  };

  return {
    event(event, dialect) {
      standing.at(event.at);
      const { conversation: id, parentRun } = event.identity;
      if (id === undefined) {
        reassess();
        return '';
      }
      const conversation = conversationOf(dialect.id, id);
      if (parentRun !== undefined) adopt(conversation, parentRun);
      let key: string | null = '';
      if (event.type === 'prompt.sent') {
        if (event.receipt !== null) conversation.prompts.set(event.receipt, event);
      } else if (event.type === 'agent.status' && event.order === null) {
        // A snapshot may be older than what the socket has said since: it only tells what nobody has told.
        const snapshot = event.standing === 'provisional';
        const news = conversation.status?.state !== event.state && (!snapshot || event.state === 'idle' || conversation.status === null);
        if (news) conversation.status = { state: event.state, mark: markOf(event) };
        if (!conversation.stale) assess(conversation);
        key = conversation.track.open ? (current(conversation)?.run.key ?? '') : '';
      } else key = log(conversation, event, dialect);
      reassess();
      return key;
    },
    flowEnded(flow) {
      flush();
      for (const conversation of conversations.values()) if (conversation.carriers.has(flow)) assess(conversation);
    },
    tick(at) {
      standing.at(at);
      flush();
      reassess(true);
    },
    flush,
    takeMoved() {
      flush();
      const list = moved;
      if (list.length > 0) moved = [];
      return list;
    },
  };
};
