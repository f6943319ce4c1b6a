/**
 * Decides which flows are kept, and keeps entries in the order in which they happened.
 *
 * A flow is kept as soon as a dialect recognises it or it proves to stream (SSE, NDJSON, socket, EventSource, plain text
 * in pieces); kept flows are shown raw even if nothing understands them. A single JSON answer that no dialect recognises is
 * no agent traffic and is dropped, for privacy and memory. Until a flow is decided its entries wait, and what came after
 * them waits with them, but not longer than `patienceMs`: after that only the undecided flow waits on.
 */
import { createDecoder } from '../core/decode';
import { mediaType, RECOGNISE_WITHIN } from '../core/dialects/dialect';
import type { AgentEvent, FlowId, TapRecord, WireFrame } from '../core/model';
import type { Unstamped } from '../link/messages';
import type { TapEntry } from './intake';

/** How long an undecided flow may hold up what came after it. */
const PATIENCE_MS = 400;
/** An undecided body longer than this is no agent stream: dialects decide on their first frames. */
const UNDECIDED_CHARS = 4_000_000;

/** What the gate says about flows that are kept, for whoever decides when the page is watched. */
export interface FlowListener {
  kept(flow: FlowId, how: { readonly socket: boolean }): void;
  chunk(flow: FlowId): void;
  /** Events of flows that outlive their runs (dialects with `runs` other than `flow`). */
  events(flow: FlowId, events: readonly AgentEvent[]): void;
  /** The flow was recognised. `perRun`: it carries one run and ends with it. */
  recognised(flow: FlowId, how: { readonly perRun: boolean }): void;
  ended(flow: FlowId): void;
}

export interface GateOptions {
  readonly emit: (entry: Unstamped) => void;
  readonly flows: FlowListener;
  /** Calls back after a while; returns a way to call it off. */
  readonly later: (what: () => void, ms: number) => () => void;
  readonly patienceMs?: number;
}

export interface Gate {
  record(entry: TapEntry): void;
  sighting(entry: Unstamped): void;
}

interface FlowHold {
  readonly socket: boolean;
  state: 'undecided' | 'kept';
  type: string;
  framing: WireFrame['framing'] | null;
  frames: number;
  chars: number;
  recognised: boolean;
  /** Its frames are still read: it is not recognised yet, or its runs come and go while it stays open. */
  read: boolean;
  /** Its entries once the others no longer wait for it. */
  aside: Unstamped[] | null;
}

const STREAM_TYPES = /event-stream|ndjson|jsonl|json-?lines|json-seq|stream\+json|\.event\+|eventstream/u;

export const createGate = ({ emit, flows, later, patienceMs = PATIENCE_MS }: GateOptions): Gate => {
  const holds = new Map<FlowId, FlowHold>();
  const dropped = new Set<FlowId>();
  let queue: { readonly flow: FlowId | null; readonly entry: Unstamped }[] = [];
  let callOff: (() => void) | null = null;

  const decoder = createDecoder({
    onFrame: (frame) => {
      const hold = holds.get(frame.flow);
      if (!hold || frame.kind !== 'data') return;
      hold.framing = frame.framing;
      hold.frames++;
    },
  });

  /** Whether the flow streams for all we know by now, whatever it says. */
  const streams = (hold: FlowHold): boolean => {
    if (hold.socket || STREAM_TYPES.test(hold.type)) return true;
    switch (hold.framing) {
      case 'sse':
      case 'message':
        return true;
      case 'text':
        return hold.type !== 'application/json';
      case 'ndjson':
        return hold.frames > 1;
      default:
        return false;
    }
  };

  const undecided = (flow: FlowId | null): FlowHold | null => {
    const hold = flow === null ? undefined : holds.get(flow);
    return hold?.state === 'undecided' ? hold : null;
  };

  const drain = (impatient: boolean): void => {
    let i = 0;
    for (; i < queue.length; i++) {
      const { flow, entry } = queue[i]!;
      const hold = undecided(flow);
      if (hold === null) emit(entry);
      else if (impatient || hold.aside !== null) {
        hold.aside ??= [];
        hold.aside.push(entry);
      } else break;
    }
    queue = queue.slice(i);
    if (queue.length === 0) {
      callOff?.();
      callOff = null;
    } else
      callOff ??= later(() => {
        callOff = null;
        drain(true);
      }, patienceMs);
  };

  const keep = (flow: FlowId, hold: FlowHold): void => {
    hold.state = 'kept';
    flows.kept(flow, { socket: hold.socket });
    for (const entry of hold.aside ?? []) emit(entry);
    hold.aside = null;
  };

  const drop = (flow: FlowId): void => {
    holds.delete(flow);
    dropped.add(flow);
    queue = queue.filter((waiting) => waiting.flow !== flow);
    decoder.forget(flow);
  };

  const follow = (flow: FlowId, hold: FlowHold): void => {
    if (hold.recognised) return;
    const dialect = decoder.dialectOf(flow);
    if (dialect !== null) {
      hold.recognised = true;
      // A flow that carries one run needs no more reading: the run ends with it.
      hold.read = dialect.runs !== 'flow';
      if (hold.state === 'undecided') keep(flow, hold);
      flows.recognised(flow, { perRun: !hold.read });
    } else if (hold.frames >= RECOGNISE_WITHIN) hold.read = false;
    if (!hold.read) decoder.forget(flow);
  };

  const decide = (flow: FlowId, hold: FlowHold, last: boolean): void => {
    follow(flow, hold);
    if (hold.state === 'undecided') {
      if (streams(hold)) keep(flow, hold);
      else if (last || hold.chars > UNDECIDED_CHARS) drop(flow);
    }
  };

  return {
    record(entry) {
      const flow = 'flow' in entry ? entry.flow : null;
      if (flow === null) {
        queue.push({ flow, entry });
        drain(false);
        return;
      }
      if (dropped.has(flow)) {
        if (entry.type === 'flow.ended') dropped.delete(flow);
        return;
      }
      if (entry.type === 'flow.opened' && !holds.has(flow)) {
        const socket = entry.transport !== 'fetch' && entry.transport !== 'xhr';
        holds.set(flow, {
          socket,
          state: 'undecided',
          type: '',
          framing: null,
          frames: 0,
          chars: 0,
          recognised: false,
          read: true,
          aside: null,
        });
      }
      const hold = holds.get(flow);
      if (hold !== undefined) {
        if (entry.type === 'flow.head') hold.type = mediaType(entry.headers);
        if (entry.type === 'flow.chunk') hold.chars += entry.text.length;
      }
      queue.push({ flow, entry });
      if (hold !== undefined) {
        const record: TapRecord = { ...entry, seq: 0 };
        const events = hold.read ? decoder.push(record) : [];
        decide(flow, hold, entry.type === 'flow.ended');
        if (hold.state === 'kept') {
          if (entry.type === 'flow.chunk') flows.chunk(flow);
          if (hold.recognised && hold.read && events.length > 0) flows.events(flow, events);
        }
      }
      drain(false);
      if (entry.type === 'flow.ended' && hold !== undefined) {
        if (hold.state === 'kept') flows.ended(flow);
        holds.delete(flow);
        dropped.delete(flow);
        decoder.forget(flow);
      }
    },
    sighting(entry) {
      queue.push({ flow: null, entry });
      drain(false);
    },
  };
};
