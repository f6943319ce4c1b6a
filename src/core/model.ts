/**
 * The central types. Types and doc comments only; imports nothing.
 *
 * Read top to bottom: record (what the tap saw) → frame → event (what the producer said) → run / attempt / part (what we
 * hold to be true) → sighting (what the screen showed) → finding (what we conclude).
 *
 * Terms follow the field: flow, frame, run, attempt, part, settlement, finish reason, usage, severity. Three words are
 * ours. **voice**: in whose role a piece of content speaks. **standing**: how far its producer stands by it.
 * **sighting**: what the screen showed, with no claim about truth.
 *
 * `null` means known to be absent. Optional properties occur only in `Identity`, where the wire may be silent.
 */

// Time and place.

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

// What the tap saw.

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

// What the producer said.

/** In whose role a piece of content speaks. */
export type Voice =
  | 'lifecycle' // run, attempt, step and connection state, heartbeats
  | 'assistant' // user-facing output
  | 'reasoning' // provider-returned, model-produced working material
  | 'progress' // deliberate runtime or agent message about committed work or next actions
  | 'tool' // execution boundaries: call, input, output, failure
  | 'log' // diagnostics, console, usage
  | 'interaction' // questions to a person (input, approval, auth) and their answers
  | 'terminal' // settles an attempt or a run
  | 'user'; // the person's own words, echoed on the stream
/** provisional: may still be revised. committed: the producer stands by it. settling: not content; says how the attempt ends. */
export type Standing = 'provisional' | 'committed' | 'settling';

/** Identifiers exactly as the wire gave them. Absent means the wire did not say. */
export interface Identity {
  readonly conversation?: string;
  /** Only an id that names the same run on another flow too: the ledger joins flows by it. */
  readonly run?: string;
  readonly parentRun?: string;
  readonly attempt?: string;
  readonly agent?: string;
  readonly step?: string;
  readonly message?: string;
  readonly part?: string;
  readonly toolCall?: string;
}

export interface FinishReason {
  readonly reason:
    | 'stop'
    | 'length'
    | 'tool-calls'
    | 'content-filter'
    | 'refusal'
    | 'waiting'
    | 'cancelled'
    | 'error'
    /** The producer says "ended" but not how (unknown, other, interrupted). */
    | 'other';
  /** The producer's own word; null where the dialect allows a terminal without one. */
  readonly raw: string | null;
}

export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
}

export type WaitKind = 'input' | 'approval' | 'auth' | 'tool' | 'other';

/** What an event does to the ledger. The discriminant is `type`; wire words never appear here. */
export type AgentEventBody =
  /** A run begins on this lane. `resumes`: ids (requests, interrupts, tool calls, runs) this run says it answers or continues. */
  | { readonly type: 'run.opened'; readonly resumes: readonly string[] }
  /** A new attempt of the current run begins. */
  | { readonly type: 'attempt.opened'; readonly model: string | null }
  /** The stream starts over what this run already said (no event ids to de-duplicate by): open parts are rebuilt. */
  | { readonly type: 'replay.started' }
  | { readonly type: 'step.opened' }
  | { readonly type: 'step.closed' }
  | { readonly type: 'part.opened' }
  | { readonly type: 'part.delta'; readonly text: string }
  | { readonly type: 'part.replaced'; readonly text: string }
  | { readonly type: 'part.withdrawn' }
  /** The part got its end mark. It is committed if `standing` is committed. `text`: the full text where the wire repeats it. */
  | { readonly type: 'part.closed'; readonly text: string | null }
  /** Withdraws every part of the open step (or the whole attempt) that is not kept. */
  | { readonly type: 'parts.withdrawn'; readonly scope: 'step' | 'attempt' | 'provisional' }
  /** Commits every part of the attempt that is still open and not withdrawn. */
  | { readonly type: 'parts.committed' }
  /** `owedBy`: who must deliver the result. A call the page owes makes a polite ending a wait. */
  | {
      readonly type: 'tool.called';
      readonly name: string;
      readonly input: string | null;
      readonly owedBy: 'page' | 'producer';
    }
  | { readonly type: 'tool.input'; readonly text: string }
  | { readonly type: 'tool.returned'; readonly output: string | null; readonly failed: boolean; readonly preliminary: boolean }
  /** A person (or the page) is asked. `blocking`: the run itself stands still until answered. */
  | {
      readonly type: 'asked';
      readonly request: string;
      readonly kind: WaitKind;
      readonly prompt: string | null;
      readonly blocking: boolean;
    }
  | { readonly type: 'answered'; readonly request: string; readonly how: string | null }
  /** `stopping`: the page asked to stop, and nothing has answered that yet. It settles nothing. */
  | { readonly type: 'status'; readonly state: 'working' | 'queued' | 'idle' | 'stopping'; readonly label: string | null }
  | { readonly type: 'note'; readonly text: string | null }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** Ends the attempt. `overrides`: may replace an earlier terminal of the same attempt (otherwise the first one wins). */
  | { readonly type: 'finished'; readonly finish: FinishReason; readonly waitingFor: WaitKind | null; readonly overrides: boolean }
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly code: string | null;
      readonly retryable: boolean | null;
      readonly overrides: boolean;
    }
  /** A bare end mark without an outcome (`[DONE]`). */
  | { readonly type: 'sentinel' }
  // Owned intervals (dialects with `runs: 'interval'`).
  /** The page submitted a message; `receipt` is the key by which the producer will confirm it. */
  | { readonly type: 'prompt.sent'; readonly receipt: string | null; readonly text: string | null }
  /**
   * The producer's durable receipt of submitted messages, and of messages taken out of its inbox again. `received`: keys of
   * what people submitted; `inserted`: how many messages came in, whoever sent them; `claimed`: how many went out.
   */
  | {
      readonly type: 'inbox.changed';
      readonly received: readonly string[];
      readonly inserted: number;
      readonly claimed: number;
      readonly cancelled: boolean;
    }
  /**
   * A terminal event of one turn. `kind` is null when the ending has no string kind; `reason` is how the dialect reads it;
   * `detail` is the producer's whole reason, or the frame's where that is malformed.
   */
  | {
      readonly type: 'turn.ended';
      readonly kind: string | null;
      readonly reason: FinishReason['reason'];
      readonly error: string | null;
      readonly detail: string | null;
    }
  /** The whole agent became running or idle. A provisional one is a snapshot that may be older than what is already known. */
  | { readonly type: 'agent.status'; readonly state: 'running' | 'idle' }
  // Judgements of a decoder about its own dialect's rules.
  /** A rule of the dialect is broken, and the frame was still understood. */
  | {
      readonly type: 'breach';
      readonly breach: 'out-of-order' | 'terminal-conflict' | 'state-disagree' | 'settled-without-reason' | 'commit-differs';
      readonly detail: string;
    }
  /** The frame cannot be read as the dialect requires. */
  | { readonly type: 'malformed'; readonly detail: string }
  /** Well-formed, and of a type the dialect does not know. Kept and shown. */
  | { readonly type: 'unrecognised' };

export interface AgentEventHead {
  /** The record its frame was completed by. Not unique; (flow, ordinal) is. */
  readonly seq: Seq;
  readonly at: PageTime;
  readonly flow: FlowId;
  /** 0-based index among the events of its flow. */
  readonly ordinal: number;
  /** Index of the WireFrame this was read from; -1 when it was read from the flow's end. */
  readonly frame: number;
  readonly dialect: string;
  /** The wire's own type name. */
  readonly raw: string;
  readonly voice: Voice | null;
  /** False when the voice was inferred from content (a think tag), not said by the wire. */
  readonly voiceBySaying: boolean;
  readonly standing: Standing;
  readonly identity: Identity;
  /** The decoder's own key for the run this belongs to, where one flow carries several. Null: the flow's current run. */
  readonly lane: string | null;
  /** The decoder's own key for the part, unique within an attempt. Null where the event has no part. */
  readonly part: string | null;
  /** The wire's own event id, by which replays are recognised. */
  readonly wireId: string | null;
  /** The producer's own position of this event in the conversation's log, where it has one. */
  readonly order: number | null;
}

export type AgentEvent = AgentEventHead & AgentEventBody;

// What we hold to be true.

/** Points at what a judgement rests on. `event` is the ordinal of the event within `flow`. */
export type EvidenceRef =
  | { readonly kind: 'record'; readonly seq: Seq }
  | { readonly kind: 'event'; readonly seq: Seq; readonly flow: FlowId; readonly event: number }
  | { readonly kind: 'sighting'; readonly seq: Seq };
export type Evidence = readonly EvidenceRef[];

export interface Part {
  readonly key: string;
  readonly voice: Voice;
  readonly voiceBySaying: boolean;
  readonly standing: 'provisional' | 'committed';
  readonly text: string;
  readonly identity: Identity;
  readonly openedAt: PageTime;
  readonly openedSeq: Seq;
  readonly lastAt: PageTime;
  readonly lastSeq: Seq;
  readonly closedAt: PageTime | null;
  readonly committedAt: PageTime | null;
  readonly committedSeq: Seq | null;
  readonly withdrawn: boolean;
  readonly withdrawnAt: PageTime | null;
  /** What had been streamed when different text was committed over it; null where they agree. */
  readonly streamedText: string | null;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly owedBy: 'page' | 'producer';
  readonly calledAt: PageTime;
  readonly returnedAt: PageTime | null;
  readonly failed: boolean;
}

export interface Ask {
  readonly request: string;
  readonly kind: WaitKind;
  readonly prompt: string | null;
  readonly blocking: boolean;
  readonly askedAt: PageTime;
  readonly askedSeq: Seq;
  readonly answeredAt: PageTime | null;
}

export type Outcome = 'completed' | 'waiting' | 'truncated' | 'refused' | 'failed' | 'cancelled' | 'severed' | 'unattested' | 'superseded';

export interface Settlement {
  readonly outcome: Outcome;
  /** How much the producer said: a settling event with an outcome, a bare sentinel, or nothing. */
  readonly strength: 'reason' | 'sentinel' | 'none';
  readonly waitingFor: WaitKind | null;
  readonly finish: FinishReason | null;
  readonly endedBy: 'producer' | 'transport' | 'page';
  /** The producer's error message, where it failed. */
  readonly error: string | null;
  readonly at: PageTime;
  readonly seq: Seq;
  readonly evidence: Evidence;
}

/** One exchange that tries to advance a run. */
export interface Attempt {
  readonly key: string;
  readonly run: string;
  /** 1-based. */
  readonly ordinal: number;
  /** The flows that carried it, in order of joining; more than one after a reattach. */
  readonly flows: readonly FlowId[];
  readonly dialect: string;
  readonly identity: Identity;
  readonly model: string | null;
  readonly openedAt: PageTime;
  readonly openedSeq: Seq;
  readonly firstAssistantAt: PageTime | null;
  readonly lastEventAt: PageTime;
  readonly parts: readonly Part[];
  readonly tools: readonly ToolCall[];
  readonly asks: readonly Ask[];
  readonly usage: Usage | null;
  /** Null while open. Never invented: no evidence, no settlement. */
  readonly settlement: Settlement | null;
  /** A later attempt started over what this one said (a replay without event ids): its text counts no more. */
  readonly replaced: boolean;
  /** Terminal events after the one that settled. */
  readonly laterTerminals: readonly Settlement[];
  /** Events of the attempt (not log or usage) that came after its terminal event. */
  readonly lateEvents: number;
}

export interface Ending {
  /** `none`: the interval held no ending. `protocol-error`: its last ending has no string kind. */
  readonly state: 'reported' | 'none' | 'protocol-error';
  readonly raw: string | null;
  readonly detail: string | null;
}

/** The unit of work the user asked for. */
export interface Run {
  readonly key: string;
  readonly parent: string | null;
  readonly dialect: string;
  readonly identity: Identity;
  readonly openedAt: PageTime;
  readonly openedSeq: Seq;
  readonly attempts: readonly Attempt[];
  /** The last attempt's settlement; null while that is open. */
  readonly settlement: Settlement | null;
  /** How the run (for an owned interval: the interval) ended, in the producer's own word. */
  readonly ending: Ending;
  /** Events of the run by voice; unrecognised events are under `unrecognised`. */
  readonly voices: Readonly<Record<Voice | 'unrecognised', number>>;
  /** Replayed events that were recognised as already seen and dropped. */
  readonly duplicates: number;
  /** True if the page came back to this run on a later flow. */
  readonly reattached: boolean;
  /** Bumped on every change of this run. */
  readonly revision: number;
}

/** A flow as decoded so far. */
export interface Flow {
  readonly id: FlowId;
  readonly document: string;
  readonly transport: Transport;
  readonly method: string;
  readonly url: string;
  readonly requestBody: string | null;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly openedAt: PageTime;
  readonly openedSeq: Seq;
  /** Null while unknown or not an agent stream. */
  readonly dialect: string | null;
  readonly frames: number;
  readonly events: number;
  readonly unrecognised: number;
  /** UTF-16 units of text received and sent. */
  readonly chars: number;
  /** When bytes last came (or went); null while none have. Comments and keep-alives count. */
  readonly lastChunkAt: PageTime | null;
  /** The flow ended inside a frame. */
  readonly unterminated: boolean;
  readonly end: { readonly how: FlowEnd; readonly at: PageTime; readonly seq: Seq; readonly detail: string | null } | null;
  /** Gaps noted on this flow. */
  readonly gaps: readonly { readonly reason: GapReason; readonly lost: number; readonly seq: Seq; readonly at: PageTime }[];
}

// What the screen showed.

/** A place on the page that holds text: the smallest block-level element that reads as one piece. */
export interface Region {
  readonly key: string;
  /** A short readable path, for people. Not a selector. */
  readonly path: string;
  readonly role: string | null;
  /** The nearest label: accessible name, heading, summary or data attribute of the region or a close ancestor. */
  readonly label: string | null;
  /** In a closed or open disclosure, a region named as thinking, a live status: from markup only. */
  readonly presentedAs: Voice | 'unknown';
}

/** What a cue is made of. Differences of these between rest and run say "working" or "final". */
export type CueKind =
  | 'control' // a button or link acting as one: enabled, disabled or gone
  | 'composer' // the text entry: enabled, disabled, readonly or gone
  | 'busy' // aria-busy, role=progressbar, <progress>
  | 'animation' // an endless animation
  | 'class' // a class token on a container
  | 'attribute' // a state attribute (data-*, aria-*) on a container
  | 'text' // short words that stood on the page at rest: a status line, the title
  | 'caret' // a typing caret glyph at the end of text
  | 'outright'; // data-unsettled, performance.mark: the page's own word

export type SightingBody =
  /**
   * `rest`: the picture of the page while no agent flow was open; every cue and candidate text that stood there follows,
   * with `rest` true (they may be delivered after the flow's opening; they still tell of the time before it).
   * `started`: from here on every change is reported. `stopped`: nothing is, until the next `rest` or `started`.
   */
  | { readonly type: 'sight.watch'; readonly state: 'rest' | 'started' | 'stopped'; readonly visible: boolean }
  /** Text of a region changed. `edit` is against the region's text before; on `appeared` that is empty. */
  | {
      readonly type: 'sight.text';
      readonly region: Region;
      readonly change: 'appeared' | 'changed' | 'rested' | 'removed';
      readonly edit: { readonly at: number; readonly removed: number; readonly inserted: string } | null;
      readonly length: number;
      readonly visible: boolean;
      /** True for text that was there before the flow opened. */
      readonly rest: boolean;
    }
  /**
   * A cue took a value. `value` null: it is gone. The key is stable across re-renders of the same thing.
   * Values: control and composer `enabled`, `disabled`, `readonly`; busy `true`; class its token; attribute its value;
   * animation and caret anything; outright `working` or `final`.
   */
  | {
      readonly type: 'sight.cue';
      readonly key: string;
      readonly kind: CueKind;
      /** The words on it, where it has any (accessible name, class token, attribute name). */
      readonly label: string | null;
      /** The region key it sits in or beside; null for page-wide cues. */
      readonly region: string | null;
      readonly value: string | null;
      readonly rest: boolean;
    };

export type Sighting = Stamped & { readonly document: string } & SightingBody;

/** How much of a region's text a part accounts for. Produced by align; the only inexact thing in the model. */
export interface Match {
  readonly part: string;
  readonly region: string;
  /** Share of the region's own text that the part explains, 0 to 1. */
  readonly share: number;
  /** Share of the part's text that the region shows, 0 to 1. */
  readonly covered: number;
}

// What we conclude.

export type Severity = 'critical' | 'serious' | 'moderate' | 'minor';
export type Verdict = 'fail' | 'inconclusive' | 'pass' | 'inapplicable';

export interface Finding {
  /** Stable within a session: rule, run and subject. */
  readonly key: string;
  readonly rule: string;
  readonly verdict: 'fail' | 'inconclusive';
  readonly severity: Severity;
  readonly run: string;
  readonly attempt: string | null;
  readonly voice: Voice | null;
  /** The offending words; '' where there are none. */
  readonly text: string;
  readonly region: string | null;
  readonly at: PageTime;
  readonly until: PageTime | null;
  /** Values the rule's message template is filled with, and further facts for the panel (leadMs, cue, …). */
  readonly data: Readonly<Record<string, string | number>>;
  readonly message: string;
  readonly evidence: Evidence;
}

// What we keep.

/** In memory. On disk: JSON Lines, one header line, then raw records and sightings in order of seq. */
export interface Capture {
  readonly format: 'unsettled-capture';
  readonly version: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly producer: { readonly name: string; readonly version: string; readonly browser: string | null };
  readonly documents: readonly SourceDocument[];
  readonly entries: readonly (TapRecord | Sighting)[];
  readonly redaction: { readonly policy: string; readonly replaced: number } | null;
}
