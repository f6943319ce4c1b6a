/**
 * Decides when the page is watched: from the moment a flow that is (or may be) an agent stream is open until `lingerMs`
 * after the last one was busy. A request is busy until it ends. A socket or a subscription outlives its runs, so it is busy
 * from the first word of a run to its settling word, and, while nothing understands it, for a while after every chunk. One
 * that looks like an agent's counts as busy until the decoders have said what it is.
 */
import type { AgentEvent, FlowId } from '../core/model';
import type { FlowListener } from './gate';

/** Pages change late: fades, retries, notices after a timeout. */
const LINGER_MS = 10_000;

export interface ActivityOptions {
  readonly later: (what: () => void, ms: number) => () => void;
  /** Something began while nothing else was busy: what is on the page now was there before. */
  readonly began: () => void;
  /** The page is to be watched, or no longer. */
  readonly watch: (on: boolean) => void;
  /** Something ended or settled: what the page shows right now matters. */
  readonly settled: () => void;
  readonly lingerMs?: number;
}

export interface Activity extends FlowListener {
  /** While paused nothing is watched; flows go on being counted. */
  pause(on: boolean): void;
  stop(): void;
}

interface FlowUse {
  readonly socket: boolean;
  /** Runs come and go on it, and its dialect says when. */
  followed: boolean;
  busy: boolean;
}

const opens = (event: AgentEvent): boolean => {
  switch (event.type) {
    case 'run.opened':
    case 'attempt.opened':
    case 'step.opened':
    case 'part.opened':
    case 'part.delta':
    case 'tool.called':
    case 'asked':
    case 'prompt.sent':
      return true;
    case 'status':
      return event.state !== 'idle';
    case 'agent.status':
      return event.state === 'running';
    default:
      return false;
  }
};

const closes = (event: AgentEvent): boolean =>
  event.type === 'finished' ||
  event.type === 'failed' ||
  event.type === 'sentinel' ||
  event.type === 'turn.ended' ||
  (event.type === 'agent.status' && event.state === 'idle') ||
  (event.type === 'status' && event.state === 'idle');

export const createActivity = ({ later, began, watch, settled, lingerMs = LINGER_MS }: ActivityOptions): Activity => {
  const uses = new Map<FlowId, FlowUse>();
  let watching = false;
  let paused = false;
  let callOff: (() => void) | null = null;

  const anyBusy = (): boolean => {
    for (const use of uses.values()) if (use.busy) return true;
    return false;
  };

  const linger = (): void => {
    callOff?.();
    callOff = null;
    if (!watching || anyBusy()) return;
    callOff = later(() => {
      callOff = null;
      watching = false;
      watch(false);
    }, lingerMs);
  };

  const busy = (use: FlowUse, is: boolean): void => {
    if (is && !anyBusy()) began();
    use.busy = is;
    if (is && !watching && !paused) {
      watching = true;
      watch(true);
    }
    linger();
  };

  /** From the first word of a run to its settling word. `was`: a run was on before these events. */
  const follow = (use: FlowUse, events: readonly AgentEvent[], was: boolean): void => {
    let is = was;
    let ended = false;
    for (const event of events) {
      if (opens(event)) is = true;
      else if (closes(event)) {
        is = false;
        ended = true;
      }
    }
    if (is !== use.busy || ended) busy(use, is);
    if (ended) settled();
  };

  return {
    kept(flow, { socket }) {
      const use: FlowUse = { socket, followed: false, busy: false };
      uses.set(flow, use);
      if (!socket) busy(use, true);
    },
    unclear(flow) {
      const use = uses.get(flow);
      // Whether a run is on will be known in a moment: until then it counts as one.
      if (use !== undefined) busy(use, true);
    },
    unread(flow) {
      const use = uses.get(flow);
      if (use !== undefined) busy(use, !use.socket);
    },
    recognised(flow, { perRun, events }) {
      const use = uses.get(flow);
      if (use === undefined) return;
      use.followed = !perRun;
      if (perRun) busy(use, true);
      else follow(use, events, false);
    },
    chunk(flow) {
      const use = uses.get(flow);
      if (use === undefined || use.busy || use.followed) return;
      // Not understood: watched for as long as it says something.
      busy(use, true);
      busy(use, false);
    },
    events(flow, events) {
      const use = uses.get(flow);
      if (use !== undefined) follow(use, events, use.busy);
    },
    ended(flow) {
      if (!uses.delete(flow)) return;
      settled();
      linger();
    },
    pause(on) {
      paused = on;
      const busyStill = anyBusy();
      callOff?.();
      callOff = null;
      if (watching !== (busyStill && !on)) {
        watching = busyStill && !on;
        watch(watching);
      }
    },
    stop() {
      callOff?.();
      callOff = null;
      uses.clear();
      if (watching) watch(false);
      watching = false;
    },
  };
};
