/**
 * Everything the tap saw, on its way to the witness: stamped with the page's clock, held in a bounded ring, sent in batches
 * of one message every twentieth of a second, and one more in a task of its own after each 64 kB; a witness that must know sooner
 * asks. What does not fit goes oldest first, and each loss becomes a gap with its exact size in the place of what was lost. No
 * timer runs while there is nothing to send.
 *
 * Knows nothing of the platform but the clock and the ways to send and to wait that it is given.
 */
import type { Direction, FlowEnd, GapReason, TapRecordBody, Transport } from '../core/model';
import type { TapBatch, TapChunks } from '../link/messages';
import { type List, list, slice, table } from './language';

type Queued = { readonly at: number } & TapRecordBody;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** While it is being put together: its lists have no methods. */
type Run = { -readonly [K in keyof TapChunks]: TapChunks[K] extends readonly number[] ? List<number> : TapChunks[K] };
type Gap = { at: number; type: 'gap'; flow: string | null; reason: GapReason; lost: number };

export interface OutboxOptions {
  readonly document: string;
  readonly now: () => number;
  /** Runs the callback at the next good moment. Called only while something waits. */
  readonly later: (run: () => void) => void;
  /** Runs the callback in a task of its own: the page waits for what it does with a chunk, and not for our sending. */
  readonly soon: (run: () => void) => void;
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
  chunk(direction: Direction, text: string, encoding?: 'text' | 'base64', event?: string | null, id?: string | null): void;
  gap(reason: GapReason, lost: number): void;
  end(how: FlowEnd, code?: number | null, detail?: string | null): void;
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
/** The witness stays awake for three times this once it was rung up. */
const RING_MS = 1_000;
/** What a record costs beside its text. */
const RECORD_CHARS = 64;

type Chunk = Queued & { readonly type: 'flow.chunk' };
/** Where a flow's chunks stand in the ring, oldest first, and the gap in place of those that had to go. */
interface FlowQueue {
  slots: List<number>;
  first: number;
  chars: number;
  hole: Gap | null;
}

/** What a record counts for. */
const charsOf = (record: Queued): number =>
  RECORD_CHARS +
  (record.type === 'flow.chunk' ? record.text.length : record.type === 'flow.opened' ? (record.requestBody?.length ?? 0) : 0);

export const createOutbox = ({ document, now, later, soon }: OutboxOptions): Outbox => {
  /** What waits, oldest first, and beside each chunk the queue that it is in. Null: dropped. */
  let records = list<Queued | null>();
  let owners = list<FlowQueue | null>();
  /** Records before `first` are gone; before `oldest` there is no chunk. */
  let first = 0;
  let oldest = 0;
  let held = 0;
  let lost = 0;
  let send: ((batch: TapBatch) => void) | null = null;
  let scheduled = false;
  let hurried = false;
  let recording = true;
  let flows = 0;
  let ring: () => void = () => {};
  let rang = Number.NEGATIVE_INFINITY;
  /** How each open flow ends when the document goes. */
  const open = table<() => void>();
  /** Ends that came while nothing was recorded. */
  let unsaid = list<() => void>();

  /** `asked`: the witness waits for a batch, be it empty. */
  const flush = (asked: boolean): void => {
    hurried = false;
    if (send === null || (records.length === 0 && !asked)) return;
    const packed = list<Run | Queued>();
    let run: Run | null = null;
    for (let i = first; i < records.length; i++) {
      const record = records[i]!;
      const queue = owners[i]!;
      if (queue !== null) {
        queue.slots = list();
        queue.first = queue.chars = 0;
        queue.hole = null;
      }
      if (record === null) continue;
      if (record.type !== 'flow.chunk' || record.event !== null) {
        run = null;
        packed[packed.length] = record;
        continue;
      }
      const { at, flow, direction, text, encoding } = record;
      if (run === null || run.flow !== flow || run.direction !== direction || run.encoding !== encoding)
        packed[packed.length] = run = { type: 'flow.chunks', flow, direction, encoding, text: '', at: list(), ends: list() };
      run.text += text;
      run.at[run.at.length] = at;
      run.ends[run.ends.length] = run.text.length;
    }
    records = list();
    owners = list();
    first = oldest = held = 0;
    send({ link: 1, records: packed as unknown as TapBatch['records'], lost, upTo: now() });
  };

  const sendDue = (): void => {
    scheduled = false;
    flush(false);
  };

  /** Takes a flow's oldest chunk out of the ring; its gap stands in its place, or joins the gap before it. */
  const drop = (queue: FlowQueue): void => {
    const i = queue.slots[queue.first++]!;
    const chunk = records[i] as Chunk;
    const { at, flow, text } = chunk;
    const chars = charsOf(chunk);
    queue.chars -= chars;
    held -= chars;
    if (queue.hole === null) records[i] = queue.hole = { at, type: 'gap', flow, reason: 'over-budget', lost: text.length };
    else {
      queue.hole.lost += text.length;
      records[i] = null;
    }
  };

  const dropOldest = (): void => {
    for (; oldest < records.length; oldest++)
      if (records[oldest]?.type === 'flow.chunk') {
        drop(owners[oldest]!);
        return;
      }
    // Nothing but openings and ends is left: a page that opens flows by the thousand and reads none.
    const record = records[first]!;
    const queue = owners[first]!;
    records[first++] = null;
    if (record === null) return;
    if (queue !== null) queue.hole = null;
    else held -= charsOf(record);
    lost++;
  };

  /** `queue`: of its flow, for chunks. */
  const put = (record: Queued, queue: FlowQueue | null): void => {
    const i = records.length;
    const chars = charsOf(record);
    records[i] = record;
    owners[i] = queue;
    held += chars;
    if (queue !== null) {
      queue.slots[queue.slots.length] = i;
      queue.chars += chars;
      while (queue.chars > FLOW_CHARS) drop(queue);
    }
    while (held > DOCUMENT_CHARS) dropOldest();
    if (send === null) return;
    if (record.at - rang >= RING_MS) {
      rang = record.at;
      ring();
    }
    // A beginning and an end do not wait: the witness looks by them.
    if ((held >= MESSAGE_CHARS || (queue === null && record.type !== 'gap')) && !hurried) {
      hurried = true;
      soon(() => flush(false));
    }
    if (!scheduled) {
      scheduled = true;
      later(sendDue);
    }
  };

  const openFlow = (opening: Opening, openedAt = now()): Flow => {
    const queue: FlowQueue = { slots: list(), first: 0, chars: 0, hole: null };
    let id = '';
    let announced = false;
    let ended = false;
    let gone = false;
    let missed = 0;
    let late = false;
    let knownHead: Queued | null = null;
    /** What must wait its turn behind a chunk that is still being read. */
    let waiting = list<{ run: (() => void) | null }>();
    /** Of these, whose turn it is. */
    let turn = 0;
    let draining = false;

    const drain = (): void => {
      draining = true;
      for (let next = waiting[turn]; next !== undefined && next.run !== null; next = waiting[++turn]) next.run();
      if (turn === waiting.length) {
        waiting = list();
        turn = 0;
      }
      draining = false;
    };
    const inTurn = (run: () => void): void => {
      if (waiting.length === 0 || draining) run();
      else waiting[waiting.length] = { run };
    };

    const leave = (): void => {
      flow.end('document-gone');
      gone = ended;
    };
    const say = (record: Queued): void => put({ ...record, flow: id } as Queued, null);
    const announce = (): void => {
      if (announced) return;
      announced = true;
      id = `${document}.${++flows}`;
      open[id] = leave;
      const requestBody = opening.requestBody === null ? null : slice(opening.requestBody, 0, REQUEST_CHARS);
      say({ at: openedAt, type: 'flow.opened', flow: '', document, ...opening, requestBody });
      if (late) say({ at: now(), type: 'gap', flow: '', reason: 'attached-late', lost: 0 });
      if (knownHead !== null) say(knownHead);
    };
    const admit = (at: number): void => {
      if (missed > 0) say({ at, type: 'gap', flow: '', reason: 'paused', lost: missed });
      missed = 0;
    };

    /** Puts one record in, or counts it where nothing is recorded. Its flow is filled in: it has no name before. */
    const place = (record: Mutable<Queued>): void => {
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
      admit(record.at);
      (record as Mutable<Chunk>).flow = id;
      if (record.type !== 'gap') {
        put(record, record.type === 'flow.chunk' ? queue : null);
        return;
      }
      // What is left out goes on and on: one gap for all of it that waits.
      const last = records[records.length - 1];
      if (last?.type === 'gap' && last.flow === id && last.reason === record.reason) (last as Gap).lost += record.lost;
      else put(record, null);
    };
    /** The same in its turn. Nearly always that is now, thousands of times a second: no closure is made for it. */
    const emit = (record: Queued): void => {
      if (waiting.length === 0 || draining) place(record);
      else inTurn(() => place(record));
    };
    const gap = (at: number, reason: GapReason, count: number): void => emit({ at, type: 'gap', flow: '', reason, lost: count });

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
        const head: Queued = { at: now(), type: 'flow.head', flow: '', status, headers };
        if (announced) emit(head);
        knownHead = head;
        if (recording) announce();
      },
      chunk(direction, text, encoding = 'text', event = null, eventId = null) {
        emit({ at: now(), type: 'flow.chunk', flow: '', direction, text, encoding, event, id: eventId });
      },
      later(direction) {
        const at = now();
        const slot: { run: (() => void) | null } = { run: null };
        waiting[waiting.length] = slot;
        return (text, lost) => {
          slot.run = () => {
            if (text === null) gap(at, 'binary', lost);
            else emit({ at, type: 'flow.chunk', flow: '', direction, text, encoding: 'base64', event: null, id: null });
          };
          if (waiting[turn] === slot) drain();
        };
      },
      gap(reason, count) {
        gap(now(), reason, count);
      },
      end(how, code = null, detail = null) {
        if (ended) return;
        const at = now();
        inTurn(() => {
          if (ended) return;
          ended = true;
          delete open[id];
          if (!announced) return;
          const tell = (): void => {
            admit(at);
            say({ at, type: 'flow.ended', flow: '', how, code, detail });
          };
          if (recording) tell();
          else unsaid[unsaid.length] = tell;
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
      put({ at: now(), type: 'gap', flow: null, reason: 'fault', lost: 1 }, null);
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
        unsaid = list();
        for (let i = 0; i < ends.length; i++) ends[i]!();
      } else flush(false);
    },
    leave() {
      for (const id in open) open[id]!();
      flush(false);
    },
    flush,
  };
};
