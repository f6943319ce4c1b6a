/**
 * Folds events and flow ends into runs, attempts and parts. Decides which run an event belongs to, joins flows that carry
 * the same run, and drops replayed events. How an attempt ended is `settle.ts`; owned intervals are `interval.ts`.
 *
 * Keys are ours, ids are theirs: a run's key is derived from the flow that opened it and never changes, `identity` holds
 * only what the wire said. Incremental: an event costs the same however long the run is.
 */
import type { Dialect } from '../dialects/dialect';
import type { AgentEvent, Flow, FlowId, PageTime, Run } from '../model';
import { apply } from './apply';
import { createIntervals } from './interval';
import { type AttemptState, lastOf, newAttempt, newRun, type RunState, refresh } from './run-state';

export interface Ledger {
  /** Files the event and returns the key of its run; '' for an event that belongs to no run, null for a dropped duplicate. */
  event(event: AgentEvent, dialect: Dialect): string | null;
  flowEnded(flow: Flow): void;
  /** Something is missing from the flow (null: from all open flows). */
  gap(flow: FlowId | null): void;
  tick(at: PageTime): void;
  /** Events whose run was found, or changed, after `event` answered; '' for none. Only logs that fill holes have them. */
  takeMoved(): readonly (readonly [AgentEvent, string])[];
  /** In order of opening. (No accessor: see `Asked` in engine.ts.) */
  runs(): readonly Run[];
  run(key: string): Run | undefined;
  /** Runs that changed since the last call. */
  takeChanged(): readonly Run[];
  /** Runs that are none since the last call: what filled a hole in their log made others of them. */
  takeDropped(): readonly string[];
}

/** Events that open no run, even where they name one. */
const ASIDE = new Set<AgentEvent['type']>(['note', 'usage', 'answered', 'unrecognised', 'malformed', 'breach']);
/** Events that open no run where they name none. */
const OUTSIDE = new Set<AgentEvent['type']>(['status', 'sentinel', 'step.closed', 'agent.status', 'prompt.sent']);

export const createLedger = (): Ledger => {
  const runs: RunState[] = [];
  const byKey = new Map<string, RunState>();
  const byWireId = new Map<string, RunState>();
  /** Which run asked a question, or was named by an id that a later run may say it continues. */
  const resumable = new Map<string, RunState>();
  /** The current run of each lane of each flow. */
  const lanes = new Map<FlowId, Map<string, RunState>>();
  const attemptsByFlow = new Map<FlowId, Set<AttemptState>>();
  const runOf = new Map<AttemptState, RunState>();
  const endedFlows = new Map<FlowId, Flow>();
  let changed = new Set<RunState>();
  const dropped: string[] = [];
  /** The run that was added to `changed` last by an event: events come many in a row. */
  let lastChanged: RunState | null = null;
  let opened = 0;

  const wireKey = (dialect: string, id: string): string => `${dialect}\n${id}`;

  const openRun = (event: AgentEvent, parent: RunState | null): RunState => {
    const run = newRun(`${event.flow}#${++opened}`, parent?.key ?? null, event);
    runs.push(run);
    byKey.set(run.key, run);
    return run;
  };

  const carry = (run: RunState, attempt: AttemptState, flow: FlowId): void => {
    if (attempt.carriedBy === flow) return;
    attempt.carriedBy = flow;
    runOf.set(attempt, run);
    let carried = attemptsByFlow.get(flow);
    if (!carried) {
      carried = new Set();
      attemptsByFlow.set(flow, carried);
    }
    if (carried.has(attempt)) return;
    carried.add(attempt);
    if (!attempt.flows.includes(flow)) {
      attempt.flows.push(flow);
      run.reattached = true;
    }
    if (!endedFlows.has(flow)) attempt.end = null;
  };

  const openAttempt = (run: RunState, event: AgentEvent, dialect: Dialect): AttemptState => {
    const attempt = newAttempt(run, event, dialect.hasTerminalWord);
    // Another try: how the one before it ended is not how the run did.
    run.ending = { state: 'none', raw: null, detail: null };
    carry(run, attempt, event.flow);
    return attempt;
  };

  /** The lanes of the flow that was asked for last. */
  let lastLane: { readonly flow: FlowId; readonly lane: Map<string, RunState> } | null = null;
  const laneOf = (event: AgentEvent): Map<string, RunState> => {
    if (lastLane !== null && lastLane.flow === event.flow) return lastLane.lane;
    let lane = lanes.get(event.flow);
    if (!lane) {
      lane = new Map();
      lanes.set(event.flow, lane);
    }
    lastLane = { flow: event.flow, lane };
    return lane;
  };

  const isOver = (run: RunState): boolean => lastOf(run.attempts)?.terminal != null;
  const isEmpty = (run: RunState): boolean => run.attempts.every((attempt) => attempt.parts.length === 0 && attempt.terminal === null);

  const resumed = (event: AgentEvent): RunState | undefined => {
    if (event.type !== 'run.opened') return undefined;
    for (const id of event.resumes) {
      const run = resumable.get(wireKey(event.dialect, id)) ?? byWireId.get(wireKey(event.dialect, id));
      if (run) return run;
    }
    return undefined;
  };

  /** The run an event belongs to, opened if need be. */
  const resolve = (event: AgentEvent): RunState => {
    const lane = laneOf(event);
    const laneKey = event.lane ?? '';
    const current = lane.get(laneKey);
    const { run: id, parentRun } = event.identity;

    if (id !== undefined) {
      if (parentRun === undefined && current !== undefined && current.identity.run === id) return current;
      const key = wireKey(event.dialect, id);
      const known = byWireId.get(key);
      if (known) {
        if (parentRun === undefined) lane.set(laneKey, known);
        return known;
      }
      if (parentRun !== undefined) {
        const parent = byWireId.get(wireKey(event.dialect, parentRun)) ?? current ?? lane.get('') ?? null;
        const child = openRun(event, parent);
        byWireId.set(key, child);
        return child;
      }
      const continued = resumed(event);
      // A run that was opened before the wire named it takes the name.
      const run = continued ?? (current && current.identity.run === undefined && !isOver(current) ? current : openRun(event, null));
      byWireId.set(key, run);
      lane.set(laneKey, run);
      return run;
    }

    if (event.type === 'run.opened') {
      const continued = resumed(event);
      const run = continued ?? (current === undefined || isOver(current) || !isEmpty(current) ? openRun(event, null) : current);
      lane.set(laneKey, run);
      return run;
    }
    if (current) return current;
    const run = openRun(event, null);
    lane.set(laneKey, run);
    return run;
  };

  /** The attempt an event belongs to, opened if need be; null if the event repeats what is already there. */
  const attemptFor = (run: RunState, event: AgentEvent, dialect: Dialect): AttemptState | null => {
    const last = lastOf(run.attempts);
    if (last === undefined) return openAttempt(run, event, dialect);
    if (last.carriedBy === event.flow || attemptsByFlow.get(event.flow)?.has(last)) {
      if (event.type === 'replay.started') return replace(run, last, event, dialect);
      if (event.type === 'attempt.opened' && (last.terminal !== null || last.parts.length > 0 || last.tools.length > 0))
        return openAttempt(run, event, dialect);
      // The same flow goes on with a run that had settled as a wait.
      if (event.type === 'run.opened' && last.terminal !== null) return openAttempt(run, event, dialect);
      return last;
    }
    // Another flow brings events of this run.
    const waits = last.terminal !== null && isWait(last);
    if (event.type === 'run.opened' && event.resumes.length > 0) return openAttempt(run, event, dialect);
    if (event.type === 'replay.started') return replace(run, last, event, dialect);
    if (event.wireId !== null) {
      if (waits) return openAttempt(run, event, dialect);
      carry(run, last, event.flow);
      return last;
    }
    if (waits) return openAttempt(run, event, dialect);
    // No event ids to tell new from old: the flow starts the run over.
    return replace(run, last, event, dialect);
  };

  const replace = (run: RunState, last: AttemptState, event: AgentEvent, dialect: Dialect): AttemptState => {
    last.replaced = true;
    run.reattached = true;
    return openAttempt(run, event, dialect);
  };

  const isWait = (attempt: AttemptState): boolean => {
    const { terminal } = attempt;
    if (terminal === null) return false;
    const { reason } = terminal.finish;
    if (reason === 'waiting') return true;
    return (
      (reason === 'stop' || reason === 'tool-calls') &&
      (terminal.openAsks.length > 0 || terminal.openTools > 0 || terminal.waitingFor !== null)
    );
  };

  /** Ids are compared within the wire's own run, of which a joined run may have several. An event without a name is of the last. */
  const turnTo = (run: RunState, name: string): void => {
    if (run.seenOf !== undefined) {
      run.seenOfOthers ??= new Map();
      run.seenOfOthers.set(run.seenOf, run.seen);
      run.seen = run.seenOfOthers.get(name) ?? new Set();
      run.lastFlow = null;
    }
    run.seenOf = name;
  };

  const isReplayed = (run: RunState, { wireId, frame, flow, identity }: AgentEvent): boolean => {
    if (wireId === null) return false;
    if (identity.run !== run.seenOf && identity.run !== undefined) turnTo(run, identity.run);
    // The events of one frame come one after the other.
    if (run.lastFrame !== frame || run.lastFlow !== flow) {
      run.lastFrame = frame;
      run.lastFlow = flow;
      run.firstOfFrame = null;
      run.othersOfFrame = null;
    } else if (wireId === run.firstOfFrame || run.othersOfFrame?.has(wireId)) return false;
    const known = run.seen.size;
    run.seen.add(wireId);
    if (run.seen.size === known) return true;
    if (run.firstOfFrame === null) run.firstOfFrame = wireId;
    else run.othersOfFrame = (run.othersOfFrame ?? new Set()).add(wireId);
    return false;
  };

  const count = (run: RunState, event: AgentEvent): void => {
    // By its name, a member is found without looking: these two are nearly all there is.
    if (event.voice === 'assistant') run.voices.assistant++;
    else if (event.voice === 'reasoning') run.voices.reasoning++;
    else run.voices[event.voice ?? 'unrecognised']++;
  };

  const noteChanged = (run: RunState): void => {
    if (run === lastChanged) return;
    changed.add(run);
    lastChanged = run;
  };

  const file = (run: RunState, event: AgentEvent, dialect: Dialect): string | null => {
    noteChanged(run);
    if (isReplayed(run, event)) {
      run.duplicates++;
      run.dirty = true;
      // The flow does carry this run now, even if all it brought so far was known.
      const last = run.attempts.at(-1);
      if (last) carry(run, last, event.flow);
      return null;
    }
    const attempt = attemptFor(run, event, dialect);
    if (attempt === null) return null;
    carry(run, attempt, event.flow);
    count(run, event);
    apply(run, attempt, event);
    if (event.type === 'asked') {
      resumable.set(wireKey(event.dialect, event.request), run);
      // Some answers name only the conversation: they go to what it asked last.
      if (event.identity.conversation !== undefined)
        resumable.set(wireKey(event.dialect, `conversation:${event.identity.conversation}`), run);
    }
    if (event.type === 'tool.called' && event.identity.toolCall !== undefined)
      resumable.set(wireKey(event.dialect, event.identity.toolCall), run);
    if (attempt.terminal !== null && attempt.terminal.seq === event.seq)
      run.ending = {
        state: attempt.terminal.finish.raw === null ? 'none' : 'reported',
        raw: attempt.terminal.finish.raw,
        detail: attempt.terminal.error,
      };
    return run.key;
  };

  const endMark = (end: NonNullable<Flow['end']>) => ({
    how: end.how,
    at: end.at,
    seq: end.seq,
    evidence: [{ kind: 'record' as const, seq: end.seq }],
  });

  /** Lets go of a run that another takes the place of. */
  const release = (run: RunState): void => {
    changed.delete(run);
    if (lastChanged === run) lastChanged = null;
    for (const attempt of run.attempts) {
      runOf.delete(attempt);
      for (const flow of attempt.flows) attemptsByFlow.get(flow)?.delete(attempt);
    }
  };

  const intervals = createIntervals({
    openRun(event, parentKey, key, before) {
      const run = newRun(key, parentKey, event);
      const known = byKey.get(key);
      const next = before === null ? undefined : byKey.get(before);
      if (known) {
        // Folded again from its log: the key and the place in the list stay.
        runs[runs.indexOf(known)] = run;
        release(known);
        run.revision = known.revision;
      } else if (next) runs.splice(runs.indexOf(next), 0, run);
      else runs.push(run);
      byKey.set(key, run);
      return run;
    },
    dropRun(key) {
      const run = byKey.get(key);
      if (!run) return;
      runs.splice(runs.indexOf(run), 1);
      byKey.delete(key);
      release(run);
      dropped.push(key);
    },
    openAttempt,
    carry(run, attempt, flow) {
      if (attempt.carriedBy === flow && !endedFlows.has(flow)) return;
      carry(run, attempt, flow);
      // In a log that is folded again all its flows may have ended long ago.
      const ends = attempt.flows.flatMap((id) => endedFlows.get(id)?.end ?? []);
      if (attempt.end === null && ends.length === attempt.flows.length)
        attempt.end = endMark(ends.reduce((a, b) => (b.seq > a.seq ? b : a)));
    },
    hasEnded: (flow) => endedFlows.has(flow),
    apply(run, attempt, event) {
      count(run, event);
      apply(run, attempt, event);
      noteChanged(run);
    },
    touch(run) {
      run.dirty = true;
      noteChanged(run);
    },
  });

  /** Whether the event can be said outside any run: it then opens none by itself. */
  const isBystander = (event: AgentEvent): boolean => {
    if (event.type === 'part.delta') return false;
    const { run } = event.identity;
    if (run !== undefined) return ASIDE.has(event.type) && !byWireId.has(wireKey(event.dialect, run));
    if (!ASIDE.has(event.type) && !OUTSIDE.has(event.type)) return false;
    return !lanes.get(event.flow)?.has(event.lane ?? '');
  };

  /** An answer that goes its own way, on a flow that carries no run: it is to the run that asked. */
  const answeredElsewhere = (event: Extract<AgentEvent, { readonly type: 'answered' }>): string => {
    const run = resumable.get(wireKey(event.dialect, event.request));
    const last = run && lastOf(run.attempts);
    if (!last) return '';
    noteChanged(run);
    count(run, event);
    apply(run, last, event);
    return run.key;
  };

  /** The event that was filed last, and its run. */
  let lastFiled: AgentEvent | null = null;
  let lastRun: RunState | null = null;

  return {
    event(event, dialect) {
      if (dialect.runs === 'interval') return intervals.event(event, dialect);
      // One more piece of text of the same flow, lane and identity is of the same run as the event before.
      const goesOn =
        lastFiled !== null &&
        event.type === 'part.delta' &&
        event.identity === lastFiled.identity &&
        event.lane === lastFiled.lane &&
        event.flow === lastFiled.flow;
      if (!goesOn) {
        if (isBystander(event)) return event.type === 'answered' ? answeredElsewhere(event) : '';
        lastRun = resolve(event);
      }
      lastFiled = event;
      return file(lastRun!, event, dialect);
    },
    flowEnded(flow) {
      endedFlows.set(flow.id, flow);
      const end = flow.end;
      if (end === null) return;
      for (const attempt of attemptsByFlow.get(flow.id) ?? []) {
        if (!attempt.flows.every((id) => endedFlows.has(id))) continue;
        attempt.end = endMark(end);
        const run = runOf.get(attempt)!;
        run.dirty = true;
        changed.add(run);
      }
      lanes.delete(flow.id);
      lastLane = null;
      lastFiled = null;
      intervals.flowEnded(flow.id);
    },
    gap(flow) {
      for (const [id, attempts] of attemptsByFlow) {
        if (flow !== null && id !== flow) continue;
        if (endedFlows.has(id)) continue;
        for (const attempt of attempts) {
          attempt.gapAtTail = true;
          const run = runOf.get(attempt)!;
          run.dirty = true;
          changed.add(run);
        }
      }
    },
    tick: (at) => intervals.tick(at),
    takeMoved: () => intervals.takeMoved(),
    runs() {
      intervals.flush();
      for (const run of changed) refresh(run);
      for (const run of runs) if (run.dirty) refresh(run);
      return runs;
    },
    run(key) {
      intervals.flush();
      const run = byKey.get(key);
      if (run) refresh(run);
      return run;
    },
    takeChanged() {
      intervals.flush();
      const list = [...changed].filter((run) => byKey.get(run.key) === run);
      changed = new Set();
      lastChanged = null;
      for (const run of list) refresh(run);
      return list;
    },
    takeDropped: () => {
      intervals.flush();
      return dropped.splice(0);
    },
  };
};
