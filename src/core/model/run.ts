/** What we hold to be true: runs, their attempts and parts, how they were settled, and the flows that carried them. */
import type { FinishReason, Identity, Usage, Voice, WaitKind } from './event';
import type { FlowEnd, FlowId, GapReason, PageTime, Seq, Transport } from './record';

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
  /** Of the event that opened it: its index in its flow. */
  readonly openedOrdinal: number;
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
  /** Of the event that opened it: its index in its flow. */
  readonly openedOrdinal: number;
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
  /** Of a piece of it nobody noted when it came: no times of it are to be told. */
  readonly untimed: boolean;
  /** The flow ended inside a frame. */
  readonly unterminated: boolean;
  readonly end: { readonly how: FlowEnd; readonly at: PageTime; readonly seq: Seq; readonly detail: string | null } | null;
  /** Gaps noted on this flow. */
  readonly gaps: readonly { readonly reason: GapReason; readonly lost: number; readonly seq: Seq; readonly at: PageTime }[];
}
