/** What the producer said, frame by frame, in words of no protocol. */
import type { FlowId, PageTime, Seq } from './record';

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
  /**
   * `stopping`: the page asked to stop, and nothing has answered that yet. It settles nothing. `working`, read from the flow's end:
   * this end is no break, the run goes on without the flow.
   */
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
