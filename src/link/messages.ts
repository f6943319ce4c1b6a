/**
 * Every message between contexts, its version and its validator. Nothing crosses a boundary unchecked: on mismatch the
 * receiver drops and counts. JSON-safe plain data only (Chromium serialises messages as JSON, Firefox as structured clone).
 *
 *   page world    tap ──TapBatch──▶ witness                      private MessagePort, handed over before page scripts
 *                 tap ◀─TapControl─ witness
 *   extension     relay ──PageMessage──▶ router ──▶ panel        runtime ports
 *                 relay ◀─PanelMessage── router ◀── panel
 *
 * Two counters, never mixed: `n` is per document and exists only here, for resuming after a lost port; `seq` is stamped
 * once by the receiving session.
 */
import * as v from 'valibot';
import type { SightingBody, SourceDocument, TapRecordBody, Voice } from '../core/model';

export const LINK_VERSION = 1;

/** A record before its session stamps `seq` on it. */
export type Unstamped = { readonly at: number } & (TapRecordBody | ({ readonly document: string } & SightingBody));

/**
 * Tap → witness, once, before any page script runs: the data of a `MessageEvent` of this name that the tap dispatches on the
 * window, with one end of a port. All of it happens at once: a witness that listens takes the port and says so by
 * `preventDefault`, so neither of the two can be waited out. It says `go` on the port; until then the tap's records wait in
 * its ring.
 */
export type TapOffer = 'unsettled:offer';
export interface TapGreeting {
  readonly link: typeof LINK_VERSION;
  /** The document's key, as in `flow.opened.document`. Flow ids begin with it. */
  readonly document: string;
}
/**
 * The event on the window by which a witness that began after the tap asks for the offer. The tap answers for as long as no
 * script of the page can have run, and nobody has taken its port; afterwards never.
 */
export type TapCall = 'unsettled:greet';
/** Chunks of one flow that follow one another in the record, in one piece: much cheaper to send than one by one. */
export interface TapChunks {
  readonly type: 'flow.chunks';
  readonly flow: string;
  readonly direction: 'sent' | 'received';
  readonly encoding: 'text' | 'base64';
  readonly text: string;
  /** When each came, and where in the text it ends. */
  readonly at: readonly number[];
  readonly ends: readonly number[];
}
/** Tap → witness: the records since the last batch, oldest first. `lost` counts, ever, the records dropped without a gap of their own. */
export interface TapBatch {
  readonly link: typeof LINK_VERSION;
  readonly records: readonly (TapChunks | ({ readonly at: number } & TapRecordBody))[];
  readonly lost: number;
  /**
   * The page's clock when the batch was sent: every record up to then is in this batch or an earlier one. By this the
   * witness puts what it saw behind the bytes that made the page show it. (Blobs still being read are the exception.)
   */
  readonly upTo: number;
}
/**
 * Witness → tap. `flush`: send a batch now, an empty one if nothing waits (stopped or not). `go`: send, and go on sending.
 * `stop`: record nothing until `go` (the wrappers stay and pass through).
 *
 * `bell`: the random name of an event that the tap dispatches on the window when it records something, at most once a
 * second. Batches come late; the event is heard at once, so the witness has begun to look before the page can show the
 * first word of a stream. Null where the control is not `go`.
 */
export interface TapControl {
  readonly link: typeof LINK_VERSION;
  readonly do: 'stop' | 'go' | 'flush';
  readonly bell: string | null;
}

/** Relay → router → panel. */
export type PageMessage =
  /** Sent on every connection and in answer to `who`: which numbers the relay can still deliver. */
  | {
      readonly link: typeof LINK_VERSION;
      readonly type: 'hello';
      readonly document: SourceDocument;
      /** The oldest entry still held and the number the next one will get. */
      readonly firstN: number;
      readonly nextN: number;
      readonly state: 'recording' | 'stopped';
    }
  /** Entries n, n+1, … of one document. */
  | {
      readonly link: typeof LINK_VERSION;
      readonly type: 'entries';
      readonly document: string;
      readonly n: number;
      readonly entries: readonly Unstamped[];
      /** Characters held by the relay's ring, and its bound. */
      readonly held: number;
      readonly bound: number;
    }
  /** The document goes away (or into the back/forward cache). */
  | { readonly link: typeof LINK_VERSION; readonly type: 'bye'; readonly document: string; readonly cached: boolean }
  /** Answers `place`: where the region stands now. */
  | ({ readonly link: typeof LINK_VERSION; readonly type: 'placed'; readonly document: string; readonly request: number } & Placed);

/** Where a region stands in the window of its tab, and when that was so. */
export interface Placed {
  readonly at: number;
  /** The document can be seen at all. */
  readonly visible: boolean;
  /** CSS pixels of the tab's window; null where the region is gone, out of view, or in a frame of another origin. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;
  /** The window's own size, in the same pixels. */
  readonly width: number;
  readonly height: number;
}

/** One region as it is to be outlined on the page. */
export interface OutlineMark {
  readonly region: string;
  readonly voice: Voice;
  readonly standing: 'provisional' | 'committed';
  /** The finding that stands there, in the reader's words; null where there is none. */
  readonly label: string | null;
}

/** Why there is no picture of the page. */
export type NoPicture = 'permission' | 'hidden' | 'busy' | 'failed';

/** Router → panel, never relayed: the router's own answer to `picture`. */
export type RouterMessage = {
  readonly link: typeof LINK_VERSION;
  readonly type: 'picture';
  readonly request: number;
  /** A JPEG as a data URL; null, and `why`, where none could be taken. */
  readonly image: string | null;
  readonly why: NoPicture | null;
};

/** Panel → router → relays of the tab. `document` null: all of them. */
export type PanelMessage =
  | { readonly link: typeof LINK_VERSION; readonly type: 'who'; readonly document: null }
  /** Deliver from this number on. Entries up to `n - 1` have been taken in. */
  | { readonly link: typeof LINK_VERSION; readonly type: 'resume'; readonly document: string; readonly n: number }
  /** Taken in up to and including n; the relay keeps at most a window of unacknowledged characters in flight. */
  | { readonly link: typeof LINK_VERSION; readonly type: 'taken'; readonly document: string; readonly n: number }
  | { readonly link: typeof LINK_VERSION; readonly type: 'record'; readonly document: null; readonly on: boolean }
  /** Outline a region on the page, or stop (null). */
  | { readonly link: typeof LINK_VERSION; readonly type: 'point'; readonly document: string; readonly region: string | null }
  /** Outline these and no others. Null: nothing at all, nor what `point` asked for. */
  | {
      readonly link: typeof LINK_VERSION;
      readonly type: 'draw';
      readonly document: string | null;
      readonly marks: readonly OutlineMark[] | null;
    }
  | {
      readonly link: typeof LINK_VERSION;
      readonly type: 'place';
      readonly document: string;
      readonly region: string | null;
      readonly request: number;
    }
  /** To the router itself: a picture of what the tab shows. */
  | { readonly link: typeof LINK_VERSION; readonly type: 'picture'; readonly document: null; readonly request: number };

/** Outlines that one message may carry. */
export const MARKS = 200;
/** Characters of a picture at most, and of a label. */
export const PICTURE_CHARS = 6_000_000;
export const LABEL_CHARS = 120;

const link = v.literal(LINK_VERSION);
const text = v.string();
const number = v.pipe(v.number(), v.finite());
const headers = v.record(v.string(), v.string());
const flow = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

const recordEntries = {
  opened: v.object({
    at: number,
    type: v.literal('flow.opened'),
    flow,
    document: text,
    transport: v.picklist(['fetch', 'eventsource', 'websocket', 'xhr', 'datachannel']),
    method: text,
    url: text,
    requestHeaders: headers,
    requestBody: v.nullable(text),
  }),
  head: v.object({ at: number, type: v.literal('flow.head'), flow, status: number, headers }),
  chunk: v.object({
    at: number,
    type: v.literal('flow.chunk'),
    flow,
    direction: v.picklist(['sent', 'received']),
    text,
    encoding: v.picklist(['text', 'base64']),
    event: v.nullable(text),
    id: v.nullable(text),
  }),
  ended: v.object({
    at: number,
    type: v.literal('flow.ended'),
    flow,
    how: v.picklist(['eof', 'network-error', 'aborted-by-page', 'closed-by-server', 'document-gone']),
    code: v.nullable(number),
    detail: v.nullable(text),
  }),
  gap: v.object({
    at: number,
    type: v.literal('gap'),
    flow: v.nullable(flow),
    reason: v.picklist(['over-budget', 'binary', 'read-natively', 'attached-late', 'relay-lost', 'redacted', 'fault', 'paused']),
    lost: number,
  }),
  tick: v.object({ at: number, type: v.literal('tick') }),
};

const spoken = v.picklist(['lifecycle', 'assistant', 'reasoning', 'progress', 'tool', 'log', 'interaction', 'terminal', 'user']);
const voice = v.picklist([...spoken.options, 'unknown']);
const region = v.object({
  key: text,
  path: text,
  role: v.nullable(text),
  label: v.nullable(text),
  presentedAs: voice,
});
const sightingEntries = {
  watch: v.object({
    at: number,
    document: text,
    type: v.literal('sight.watch'),
    state: v.picklist(['rest', 'started', 'stopped']),
    visible: v.boolean(),
  }),
  text: v.object({
    at: number,
    document: text,
    type: v.literal('sight.text'),
    region,
    change: v.picklist(['appeared', 'changed', 'rested', 'removed']),
    edit: v.nullable(v.object({ at: number, removed: number, inserted: text })),
    length: number,
    visible: v.boolean(),
    rest: v.boolean(),
  }),
  cue: v.object({
    at: number,
    document: text,
    type: v.literal('sight.cue'),
    key: text,
    kind: v.picklist(['control', 'composer', 'busy', 'animation', 'class', 'attribute', 'text', 'caret', 'outright']),
    label: v.nullable(text),
    region: v.nullable(text),
    value: v.nullable(text),
    rest: v.boolean(),
  }),
};

const tapRecords = [
  recordEntries.opened,
  recordEntries.head,
  recordEntries.chunk,
  recordEntries.ended,
  recordEntries.gap,
  recordEntries.tick,
] as const;
export const tapRecordSchema = v.variant('type', tapRecords);
export const entrySchema = v.variant('type', [...tapRecords, sightingEntries.watch, sightingEntries.text, sightingEntries.cue]);

const documentSchema = v.object({ key: text, url: text, topLevel: v.boolean(), timeOrigin: number });

export const tapControlSchema = v.object({ link, do: v.picklist(['stop', 'go', 'flush']), bell: v.nullable(text) });
/** The batch as a whole; its records are checked one by one, so that one bad record does not cost the others. */
export const tapBatchSchema = v.object({ link, records: v.array(v.unknown()), lost: number, upTo: v.optional(number, 0) });

export const pageMessageSchema = v.variant('type', [
  v.object({
    link,
    type: v.literal('hello'),
    document: documentSchema,
    firstN: number,
    nextN: number,
    state: v.picklist(['recording', 'stopped']),
  }),
  v.object({ link, type: v.literal('entries'), document: text, n: number, entries: v.array(v.unknown()), held: number, bound: number }),
  v.object({ link, type: v.literal('bye'), document: text, cached: v.boolean() }),
  v.object({
    link,
    type: v.literal('placed'),
    document: text,
    request: number,
    at: number,
    visible: v.boolean(),
    box: v.nullable(v.object({ x: number, y: number, width: number, height: number })),
    width: number,
    height: number,
  }),
]);

export const routerMessageSchema = v.object({
  link,
  type: v.literal('picture'),
  request: number,
  image: v.nullable(v.pipe(text, v.maxLength(PICTURE_CHARS), v.regex(/^data:image\/(?:jpeg|png);base64,[A-Za-z0-9+/=]+$/u))),
  why: v.nullable(v.picklist(['permission', 'hidden', 'busy', 'failed'])),
});

export const panelMessageSchema = v.variant('type', [
  v.object({ link, type: v.literal('who'), document: v.null() }),
  v.object({ link, type: v.literal('resume'), document: text, n: number }),
  v.object({ link, type: v.literal('taken'), document: text, n: number }),
  v.object({ link, type: v.literal('record'), document: v.null(), on: v.boolean() }),
  v.object({ link, type: v.literal('point'), document: text, region: v.nullable(text) }),
  v.object({
    link,
    type: v.literal('draw'),
    document: v.nullable(text),
    marks: v.nullable(
      v.pipe(
        v.array(
          v.object({
            region: text,
            voice: spoken,
            standing: v.picklist(['provisional', 'committed']),
            label: v.nullable(v.pipe(text, v.maxLength(LABEL_CHARS))),
          }),
        ),
        v.maxLength(MARKS),
      ),
    ),
  }),
  v.object({ link, type: v.literal('place'), document: text, region: v.nullable(text), request: number }),
  v.object({ link, type: v.literal('picture'), document: v.null(), request: number }),
]);

/** The value if it has the shape, else null. */
export const read = <S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | null => {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : null;
};
