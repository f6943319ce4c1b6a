/**
 * Decides which flows are kept, and keeps entries in the order in which they happened.
 *
 * A flow is kept as soon as a dialect recognises it or it proves to stream (SSE, NDJSON, socket, EventSource, plain text
 * in pieces); kept flows are shown raw even if nothing understands them. A single JSON answer that no dialect recognises is
 * no agent traffic and is dropped, for privacy and memory. Until a flow is decided its entries wait, and what came after
 * them waits with them, but not longer than `patienceMs`: after that only the undecided flow waits on.
 *
 * Where the decoders are wanted and cannot be had, nothing is dropped for it: what would have waited for them is kept, and a
 * gap says that the page may have been watched at the wrong times.
 */
import { mediaType } from '../core/dialects/dialect';
import type { AgentEvent, FlowId } from '../core/model';
import type { Unstamped } from '../link/messages';
import type { TapEntry } from './intake';
import type { FlowReading, Reading } from './reading';
import { streams } from './streams';

/** How long an undecided flow may hold up what came after it. */
const PATIENCE_MS = 400;
/** An undecided body longer than this is no agent stream: dialects decide on their first frames. */
const UNDECIDED_CHARS = 4_000_000;

/** What the gate says about flows that are kept, for whoever decides when the page is watched. */
export interface FlowListener {
  kept(flow: FlowId, how: { readonly socket: boolean }): void;
  chunk(flow: FlowId): void;
  /** It looks like an agent's, and whether a run is on will be known in a moment. */
  unclear(flow: FlowId): void;
  /** Nobody understands it after all. */
  unread(flow: FlowId): void;
  /** The flow was recognised. `perRun`: it carries one run and ends with it. `events`: what it said up to now. */
  recognised(flow: FlowId, how: { readonly perRun: boolean; readonly events: readonly AgentEvent[] }): void;
  /** Further events of flows that outlive their runs (dialects with `runs` other than `flow`). */
  events(flow: FlowId, events: readonly AgentEvent[]): void;
  ended(flow: FlowId): void;
}

export interface GateOptions {
  readonly emit: (entry: Unstamped) => void;
  readonly flows: FlowListener;
  readonly reading: Reading;
  /** Calls back after a while; returns a way to call it off. */
  readonly later: (what: () => void, ms: number) => () => void;
  readonly patienceMs?: number;
}

export interface Gate {
  record(entry: TapEntry): void;
  sighting(entry: Unstamped): void;
  /** The document goes: every open flow has ended, as far as can be seen. What the tap says of it comes too late to be heard. */
  leave(at: number): void;
}

interface FlowHold {
  readonly socket: boolean;
  readonly reading: FlowReading;
  state: 'undecided' | 'kept';
  type: string;
  chars: number;
  recognised: boolean;
  unclear: boolean;
  /** The gap for decoders that could not be had was written. */
  told: boolean;
  ended: boolean;
  /** Time of its newest record. */
  at: number;
  /** Its entries once the others no longer wait for it. */
  aside: Unstamped[] | null;
}

export const createGate = ({ emit, flows, reading, later, patienceMs = PATIENCE_MS }: GateOptions): Gate => {
  const holds = new Map<FlowId, FlowHold>();
  const dropped = new Set<FlowId>();
  /** Ended because the document went, and not yet by the tap's own word, which comes if the document is back. */
  const left = new Set<FlowId>();
  let queue: { readonly flow: FlowId | null; readonly entry: Unstamped }[] = [];
  let callOff: (() => void) | null = null;

  const isStream = ({ socket, type, reading: { framing, frames } }: FlowHold): boolean => socket || streams(type, framing, frames);

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

  const drop = (flow: FlowId, hold: FlowHold): void => {
    holds.delete(flow);
    if (!hold.ended) dropped.add(flow);
    queue = queue.filter((waiting) => waiting.flow !== flow);
    hold.reading.close();
  };

  /** What follows from what the flow said last, or from what became known of it. */
  const decide = (flow: FlowId, hold: FlowHold, events: readonly AgentEvent[]): void => {
    const { dialect, refused, doubtful } = hold.reading;
    const fresh = dialect !== null && !hold.recognised;
    if (fresh) hold.recognised = true;
    if (hold.state === 'undecided') {
      if (fresh || refused || isStream(hold)) keep(flow, hold);
      else if (hold.chars > UNDECIDED_CHARS || (hold.ended && !doubtful)) drop(flow, hold);
    }
    if (hold.state === 'undecided' || !holds.has(flow)) return;
    if (refused && !hold.told) {
      hold.told = true;
      queue.push({ flow, entry: { at: hold.at, type: 'gap', flow, reason: 'fault', lost: 0 } });
    }
    if (fresh) {
      const perRun = dialect.runs === 'flow';
      flows.recognised(flow, { perRun, events });
      // A flow that carries one run needs no more reading: the run ends with it.
      if (perRun) hold.reading.close();
    } else if (hold.recognised && events.length > 0) flows.events(flow, events);
    const unclear = hold.reading.state === 'asked';
    if (unclear && !hold.unclear) flows.unclear(flow);
    if (hold.unclear && !unclear && !fresh) flows.unread(flow);
    hold.unclear = unclear;
  };

  const finish = (flow: FlowId, hold: FlowHold): void => {
    // Whether it was an agent's is still to be told.
    if (!hold.ended || hold.state === 'undecided') return;
    if (!holds.delete(flow)) return;
    flows.ended(flow);
    hold.reading.close();
  };

  const open = (entry: TapEntry & { readonly type: 'flow.opened' }): void => {
    const { flow } = entry;
    const hold: FlowHold = {
      socket: entry.transport !== 'fetch' && entry.transport !== 'xhr',
      reading: reading.open(entry, (events) => {
        if (holds.get(flow) !== hold) return;
        decide(flow, hold, events);
        drain(false);
        finish(flow, hold);
      }),
      state: 'undecided',
      type: '',
      chars: 0,
      recognised: false,
      unclear: false,
      told: false,
      ended: false,
      at: entry.at,
      aside: null,
    };
    holds.set(flow, hold);
  };

  const record = (entry: TapEntry): void => {
    const flow = 'flow' in entry ? entry.flow : null;
    if (flow !== null && entry.type === 'flow.ended' && left.delete(flow)) return;
    if (flow !== null && dropped.has(flow)) {
      if (entry.type === 'flow.ended') dropped.delete(flow);
      return;
    }
    if (entry.type === 'flow.opened' && !holds.has(entry.flow)) open(entry);
    queue.push({ flow, entry });
    const hold = flow === null ? undefined : holds.get(flow);
    if (flow !== null && hold !== undefined) {
      hold.at = entry.at;
      if (entry.type === 'flow.head') hold.type = mediaType(entry.headers);
      if (entry.type === 'flow.chunk') hold.chars += entry.text.length;
      if (entry.type === 'flow.ended') hold.ended = true;
      decide(flow, hold, hold.reading.push(entry));
      if (entry.type === 'flow.chunk' && hold.state === 'kept') flows.chunk(flow);
    }
    drain(false);
    if (flow !== null && hold !== undefined) finish(flow, hold);
  };

  return {
    record,
    sighting(entry) {
      queue.push({ flow: null, entry });
      drain(false);
    },
    leave(at) {
      for (const [flow, hold] of [...holds]) {
        if (hold.ended) continue;
        record({ at, type: 'flow.ended', flow, how: 'document-gone', code: null, detail: null });
        left.add(flow);
      }
      drain(true);
    },
  };
};
