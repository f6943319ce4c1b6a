/** What the tap saw: when and where, record by record, and the frames that the text of a stream is cut into. */

/** Milliseconds after the document's time origin, on the page's monotonic clock. For display and durations only. */
export type PageTime = number;
/** Session-wide arrival order of records and sightings. All ordering is by this, never by time. */
export type Seq = number;
/** One request/response stream or one socket. Unique in a session. */
export type FlowId = string;

export interface SourceDocument {
  readonly key: string;
  readonly url: string;
  readonly topLevel: boolean;
  /** Epoch milliseconds; the only wall-clock value in the model. */
  readonly timeOrigin: number;
}

export type Transport = 'fetch' | 'eventsource' | 'websocket' | 'xhr' | 'datachannel';
export type Direction = 'sent' | 'received';
/** Who brought a flow to its end, and how. */
export type FlowEnd = 'eof' | 'network-error' | 'aborted-by-page' | 'closed-by-server' | 'document-gone';
/** Why something that happened is not in the record. */
export type GapReason = 'over-budget' | 'binary' | 'read-natively' | 'attached-late' | 'relay-lost' | 'redacted' | 'fault' | 'paused';

export interface Stamped {
  readonly seq: Seq;
  readonly at: PageTime;
}

export type TapRecordBody =
  | {
      readonly type: 'flow.opened';
      readonly flow: FlowId;
      readonly document: string;
      readonly transport: Transport;
      readonly method: string;
      readonly url: string;
      /** Allow-listed request headers, lower-case names. Never cookies or authorization. */
      readonly requestHeaders: Readonly<Record<string, string>>;
      /** The request body where it was a string, at most 64 kB of it; null otherwise. */
      readonly requestBody: string | null;
    }
  | {
      readonly type: 'flow.head';
      readonly flow: FlowId;
      readonly status: number;
      /** Allow-listed response headers, lower-case names. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'flow.chunk';
      readonly flow: FlowId;
      readonly direction: Direction;
      /** Decoded text, or base64 of the bytes where `encoding` says so. */
      readonly text: string;
      readonly encoding: 'text' | 'base64';
      /** EventSource only: the event's name and last event id. Null elsewhere. */
      readonly event: string | null;
      readonly id: string | null;
      /** Nobody noted when it came: its time is for order only. From files that hold a body and no more. */
      readonly untimed?: boolean;
    }
  | {
      readonly type: 'flow.ended';
      readonly flow: FlowId;
      readonly how: FlowEnd;
      /** Socket close code. */
      readonly code: number | null;
      readonly detail: string | null;
    }
  | {
      readonly type: 'gap';
      readonly flow: FlowId | null;
      readonly reason: GapReason;
      /** How many records (or, for `binary` and `over-budget`, UTF-16 units or bytes) are missing; 0 if not known. */
      readonly lost: number;
    }
  /** Time passed and nothing happened. Written by the shell, at most once a second while a flow is open. */
  | { readonly type: 'tick' };

export type TapRecord = Stamped & TapRecordBody;

/** One unit as delimited by the framing: an SSE event, an NDJSON line, a socket message, a whole body. */
export interface WireFrame {
  readonly flow: FlowId;
  /** 0-based index in its flow, comments included. */
  readonly index: number;
  /** The record that completed it. */
  readonly seq: Seq;
  readonly at: PageTime;
  readonly direction: Direction;
  readonly framing: 'sse' | 'ndjson' | 'message' | 'body' | 'text';
  readonly kind: 'data' | 'comment';
  readonly event: string | null;
  readonly id: string | null;
  readonly data: string;
  readonly encoding: 'text' | 'base64';
  /** Offsets into the flow's text in this direction, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** False when the stream ended inside the frame. */
  readonly complete: boolean;
}
