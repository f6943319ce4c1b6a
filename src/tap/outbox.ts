/**
 * Everything the tap saw, on its way to the witness: stamped with the page's clock, held in a bounded ring, sent in batches
 * of at most one message per animation frame or 64 kB. What does not fit goes oldest first, and each loss becomes a gap
 * with its exact size in the place of what was lost. No timer runs while there is nothing to send.
 *
 * Knows nothing of the platform but the clock and the ways to send and to wait that it is given.
 */
import type { Direction, FlowEnd, GapReason, TapRecordBody, Transport } from '../core/model';
import type { TapBatch } from '../link/messages';
import { Bag } from './bag';

type Queued = TapBatch['records'][number];
type Gap = { at: number; type: 'gap'; flow: string | null; reason: GapReason; lost: number };

export interface OutboxOptions {
  readonly document: string;
  readonly now: () => number;
  /** Runs the callback at the next good moment. Called only while something waits. */
  readonly later: (run: () => void) => void;
}

export interface Opening {
  readonly transport: Transport;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
}

/** One request/response stream or one socket, as its transport reports it. Holds strings and numbers only. */
export interface Flow {
  readonly announced: boolean;
  readonly ended: boolean;
  /** Says that the flow exists, before anything else is known of it. Otherwise its first record does. */
  announce(): void;
  head(status: number, headers: Readonly<Record<string, string>>): void;
  chunk(direction: Direction, text: string, encoding: 'text' | 'base64', event: string | null, id: string | null): void;
  gap(reason: GapReason, lost: number): void;
  end(how: FlowEnd, code: number | null, detail: string | null): void;
  /**
   * A binary chunk that can only be read later (a Blob). It keeps its place and time; the flow's records wait behind it
   * until the returned function is called with its base64, or with null and the number of bytes left out.
   */
  later(direction: Direction): (text: string | null, lost: number) => void;
}

export interface Outbox {
  /** False while switched off: transports then watch nothing new. */
  readonly recording: boolean;
  /** `at`: when it was opened, where that was earlier than now. */
  open(opening: Opening, at?: number): Flow;
  /** A fault of our own. */
  fault(): void;
  /** From now on batches are sent. `ring` tells the witness at once, before the page goes on, that something is recorded. */
  connect(send: (batch: TapBatch) => void, ring: () => void): void;
  record(on: boolean): void;
  /** The document goes away: every open flow has ended, as far as can be seen. */
  leave(): void;
  /** Sends what waits; when asked for, an empty batch if nothing does. */
  flush(asked: boolean): void;
}

/** Bounds in UTF-16 units. Per document, per flow, per message, and per request body. */
export const DOCUMENT_CHARS = 8_000_000;
export const FLOW_CHARS = 2_000_000;
export const MESSAGE_CHARS = 64_000;
export const REQUEST_CHARS = 64_000;
/** The witness stays awake for longer than this once it was rung up. */
const RING_MS = 250;
/** What a record costs beside its text. */
const RECORD_CHARS = 64;

interface Slot {
  record: Queued | null;
  readonly chars: number;
  readonly queue: FlowQueue | null;
}
/** A flow's chunks in the ring, oldest first, and the gap that stands for those that had to go. */
interface FlowQueue {
  slots: Slot[];
  first: number;
  chars: number;
  hole: Gap | null;
}

const EMPTY: Slot = { record: null, chars: 0, queue: null };

export const createOutbox = ({ document, now, later }: OutboxOptions): Outbox => {
  let slots: Slot[] = [];
  /** Slots before `first` are gone; slots before `oldest` hold no chunk. */
  let first = 0;
  let oldest = 0;
  let held = 0;
  let lost = 0;
  let send: ((batch: TapBatch) => void) | null = null;
  let scheduled = false;
  let recording = true;
  let flows = 0;
  let ring: () => void = () => {};
  let rang = Number.NEGATIVE_INFINITY;
  const open = new Bag<() => void>();
  /** Ends that came while nothing was recorded. */
  let unsaid: (() => void)[] = [];
  /** Queues that have chunks in the ring; emptied with it. */
  let queues: FlowQueue[] = [];

  /** `asked`: the witness waits for a batch, be it empty. */
  const flush = (asked: boolean): void => {
    if (send === null || (slots.length === 0 && !asked)) return;
    const records: Queued[] = [];
    for (let i = first; i < slots.length; i++) {
      const record = slots[i]!.record;
      if (record !== null) records[records.length] = record;
    }
    for (let i = 0; i < queues.length; i++) {
      const queue = queues[i]!;
      queue.slots = [];
      queue.first = 0;
      queue.chars = 0;
      queue.hole = null;
    }
    queues = [];
    slots = [];
    first = 0;
    oldest = 0;
    held = 0;
    send({ link: 1, records, lost, upTo: now() });
  };

  /** Takes the oldest chunk of a flow out of the ring; its gap stands in its place, or joins the gap before it. */
  const drop = (queue: FlowQueue): void => {
    const slot = queue.slots[queue.first++]!;
    const record = slot.record as Queued & { type: 'flow.chunk' };
    queue.chars -= slot.chars;
    held -= slot.chars;
    if (queue.hole === null) {
      queue.hole = { at: record.at, type: 'gap', flow: record.flow, reason: 'over-budget', lost: record.text.length };
      slot.record = queue.hole;
    } else {
      queue.hole.lost += record.text.length;
      slot.record = null;
    }
  };

  const dropOldest = (): void => {
    for (; oldest < slots.length; oldest++) {
      const slot = slots[oldest]!;
      if (slot.queue !== null && slot.record !== null && slot.record.type === 'flow.chunk') {
        drop(slot.queue);
        return;
      }
    }
    // Nothing but openings and ends is left: a page that opens flows by the thousand and reads none.
    const slot = slots[first]!;
    slots[first++] = EMPTY;
    held -= slot.chars;
    if (slot.record !== null) lost++;
  };

  const put = (record: Queued, chars: number, queue: FlowQueue | null): void => {
    const slot: Slot = { record, chars: chars + RECORD_CHARS, queue };
    slots[slots.length] = slot;
    held += slot.chars;
    if (queue !== null) {
      if (queue.slots.length === 0) queues[queues.length] = queue;
      queue.slots[queue.slots.length] = slot;
      queue.chars += slot.chars;
      while (queue.chars > FLOW_CHARS) drop(queue);
    }
    while (held > DOCUMENT_CHARS) dropOldest();
    if (send === null) return;
    const at = now();
    if (at - rang >= RING_MS) {
      rang = at;
      ring();
    }
    if (held >= MESSAGE_CHARS) flush(false);
    else if (!scheduled) {
      scheduled = true;
      later(() => {
        scheduled = false;
        flush(false);
      });
    }
  };

  const openFlow = (opening: Opening, openedAt = now()): Flow => {
    const queue: FlowQueue = { slots: [], first: 0, chars: 0, hole: null };
    let id = '';
    let announced = false;
    let ended = false;
    let gone = false;
    let missed = 0;
    let late = false;
    let knownHead: { readonly at: number; readonly status: number; readonly headers: Readonly<Record<string, string>> } | null = null;
    /** What must wait its turn behind a chunk that is still being read. */
    let waiting: { run: (() => void) | null }[] = [];
    let draining = false;

    const drain = (): void => {
      draining = true;
      let i = 0;
      for (; i < waiting.length && waiting[i]!.run !== null; i++) waiting[i]!.run!();
      waiting = waiting.slice(i);
      draining = false;
    };
    const inTurn = (run: () => void): void => {
      if (waiting.length === 0 || draining) run();
      else waiting[waiting.length] = { run };
    };

    const leave = (): void => {
      flow.end('document-gone', null, null);
      gone = ended;
    };

    const announce = (): void => {
      if (announced) return;
      announced = true;
      id = `${document}.${++flows}`;
      open.add(leave);
      const requestBody = opening.requestBody === null ? null : opening.requestBody.slice(0, REQUEST_CHARS);
      put({ at: openedAt, type: 'flow.opened', flow: id, document, ...opening, requestBody }, requestBody?.length ?? 0, null);
      if (late) put({ at: now(), type: 'gap', flow: id, reason: 'attached-late', lost: 0 }, 0, null);
      if (knownHead !== null)
        put({ at: knownHead.at, type: 'flow.head', flow: id, status: knownHead.status, headers: knownHead.headers }, 0, null);
    };

    /** Puts one record in, in its place, or counts it where nothing is recorded. */
    const emit = (at: number, make: (flow: string) => TapRecordBody, chunkChars: number | null): void =>
      inTurn(() => {
        if (!recording) {
          missed++;
          return;
        }
        if (ended) {
          if (!gone) return;
          // Back from the back/forward cache with the flow still alive: a flow that ended cannot go on, so it is a new one.
          gone = ended = announced = false;
          late = true;
        }
        announce();
        if (missed > 0) {
          put({ at, type: 'gap', flow: id, reason: 'paused', lost: missed }, 0, null);
          missed = 0;
        }
        put({ at, ...make(id) }, chunkChars ?? 0, chunkChars === null ? null : queue);
      });

    const gap = (at: number, reason: GapReason, count: number): void =>
      emit(at, (f) => ({ type: 'gap', flow: f, reason, lost: count }), null);

    const flow: Flow = {
      get announced() {
        return announced;
      },
      get ended() {
        return ended;
      },
      announce() {
        if (recording) announce();
      },
      head(status, headers) {
        const at = now();
        if (announced) emit(at, (f) => ({ type: 'flow.head', flow: f, status, headers }), null);
        knownHead = { at, status, headers };
        if (recording) announce();
      },
      chunk(direction, text, encoding, event, id) {
        emit(now(), (f) => ({ type: 'flow.chunk', flow: f, direction, text, encoding, event, id }), text.length);
      },
      later(direction) {
        const at = now();
        const place: (typeof waiting)[number] = { run: null };
        waiting[waiting.length] = place;
        return (text, lost) => {
          place.run = () => {
            if (text === null) gap(at, 'binary', lost);
            else
              emit(at, (f) => ({ type: 'flow.chunk', flow: f, direction, text, encoding: 'base64', event: null, id: null }), text.length);
          };
          if (waiting[0] === place) drain();
        };
      },
      gap(reason, count) {
        gap(now(), reason, count);
      },
      end(how, code, detail) {
        if (ended) return;
        const at = now();
        inTurn(() => {
          if (ended) return;
          ended = true;
          open.delete(leave);
          if (!announced) return;
          const say = (): void => {
            if (missed > 0) put({ at, type: 'gap', flow: id, reason: 'paused', lost: missed }, 0, null);
            missed = 0;
            put({ at, type: 'flow.ended', flow: id, how, code, detail }, 0, null);
          };
          if (recording) say();
          else unsaid[unsaid.length] = say;
        });
      },
    };
    return flow;
  };

  return {
    get recording() {
      return recording;
    },
    open: openFlow,
    fault() {
      put({ at: now(), type: 'gap', flow: null, reason: 'fault', lost: 1 }, 0, null);
    },
    connect(to, bell) {
      send = to;
      ring = bell;
      flush(false);
    },
    record(on) {
      recording = on;
      if (on) {
        const ends = unsaid;
        unsaid = [];
        for (let i = 0; i < ends.length; i++) ends[i]!();
      } else flush(false);
    },
    leave() {
      open.each((end) => end());
      flush(false);
    },
    flush,
  };
};
