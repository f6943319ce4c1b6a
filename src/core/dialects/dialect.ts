/**
 * The contract of a dialect: how one producer family's frames are recognised and read.
 *
 * A dialect knows wire words and nothing else does. It never looks at a clock, a page or another flow; it says what a
 * frame means, and the ledger decides what follows from that. `utter()` builds an utterance with the usual defaults, and
 * `asRecord()` and friends read JSON without trusting it.
 */

import { asObject, type JsonObject, parseJson } from '../json/json';
import type {
  AgentEventBody,
  AgentEventHead,
  FinishReason,
  FlowEnd,
  Identity,
  Standing,
  Transport,
  Voice,
  WaitKind,
  WireFrame,
} from '../model';

/**
 * What is known of a flow while it is being recognised. `frames` are the first data frames, at most `RECOGNISE_WITHIN`; of bytes the first
 * reads, for as long as they are short.
 */
export interface FlowOpening {
  readonly transport: Transport;
  readonly method: string;
  readonly url: string;
  readonly requestBody: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly frames: readonly WireFrame[];
  /** True once no further frame can come before the decision: the flow ended or the limit is reached. */
  readonly last: boolean;
}

/** Data frames that are held back for recognition at most. */
export const RECOGNISE_WITHIN = 8;
/** Of bytes, at least as many base64 digits. */
export const RECOGNISE_WITHIN_BYTES = 4096;

/** An AgentEvent less what the engine stamps: seq, at, flow, ordinal, frame, dialect. */
export type Utterance = Omit<AgentEventHead, 'seq' | 'at' | 'flow' | 'ordinal' | 'frame' | 'dialect'> & AgentEventBody;

export interface Decoder {
  /**
   * Reads one data frame (comments are not passed). Total: never throws on any input. What it said is taken out of the list
   * before the next frame is read: the list may be used again, and so may a piece of text in it.
   */
  frame(frame: WireFrame): readonly Utterance[];
  /** The transport ended; never `eof` within a frame. Only dialects whose end of stream has a meaning of its own answer here. */
  end(how: FlowEnd): readonly Utterance[];
}

export interface Dialect {
  /** For ever. */
  readonly id: string;
  readonly title: string;
  readonly framings: readonly WireFrame['framing'][];
  /**
   * True if the dialect has a word of its own that ends a run. Where it has none, a clean end of the body is all there
   * ever is: `unattested`, and no fault.
   */
  readonly hasTerminalWord: boolean;
  /** True if a clean end of the body, after what the dialect requires, is itself how a run settles. Default false. */
  readonly endSettles?: boolean;
  /**
   * flow: a flow carries one run at a time, joined across flows only by `identity.run`.
   * socket: a flow outlives its runs and may carry several at once (by `identity.run` or `lane`).
   * interval: runs are owned intervals of a conversation's log (`identity.conversation`), whatever flow brought the events.
   *   An event of the log has `wireId` and `order`. One with `order` alone says that its flow carries the log from there on;
   *   on an `agent.status` it gives idle its place in the log. `identity.parentRun` names the parent's conversation.
   */
  readonly runs: 'flow' | 'socket' | 'interval';
  /**
   * Pure, by exact keys. `certain` binds at once; `plausible` only if nothing else is certain within the first frames.
   * Must be `no` for streams that are not this dialect: a false hit is worse than a miss.
   */
  recognise(opening: FlowOpening): 'certain' | 'plausible' | 'no';
  /** Fresh state per flow. */
  open(opening: FlowOpening): Decoder;
}

/** Builds an utterance: `voice`, `standing` and the wire's own type name first, then what it does, then the exceptions. */
export const utter = (
  raw: string,
  voice: Voice | null,
  standing: Standing,
  body: AgentEventBody,
  more: Partial<Pick<AgentEventHead, 'identity' | 'lane' | 'part' | 'wireId' | 'order' | 'voiceBySaying'>> = {},
): Utterance => {
  // Nearly all events of a long run carry one text. A literal is made many times faster than a copy of unknown shape.
  if (body.type === 'part.delta' || body.type === 'tool.input')
    return {
      seq: 0,
      at: 0,
      flow: null,
      ordinal: 0,
      frame: 0,
      dialect: '',
      raw,
      voice,
      voiceBySaying: more.voiceBySaying ?? true,
      standing,
      identity: more.identity ?? NO_IDENTITY,
      lane: more.lane ?? null,
      part: more.part ?? null,
      wireId: more.wireId ?? null,
      order: more.order ?? null,
      type: body.type,
      text: body.text,
    } as Utterance;
  const made = {
    // Room for the engine to write the head of the event in; `flow` is null until then.
    seq: 0,
    at: 0,
    flow: null,
    ordinal: 0,
    frame: 0,
    dialect: '',
    raw,
    voice,
    voiceBySaying: more.voiceBySaying ?? true,
    standing,
    identity: more.identity ?? NO_IDENTITY,
    lane: more.lane ?? null,
    part: more.part ?? null,
    wireId: more.wireId ?? null,
    order: more.order ?? null,
    ...body,
  };
  return made;
};

type More = Parameters<typeof utter>[4];

/** The attempt failed, as most producers say it: without a word on another try, and only if nothing settled it before. */
export const utterFailed = (raw: string, message: string, code: string | null, more?: More): Utterance =>
  utter(raw, 'terminal', 'settling', { type: 'failed', message, code, retryable: null, overrides: false }, more);

/** The attempt ended, as most producers say it: only if nothing settled it before. */
export const utterFinished = (raw: string, finish: FinishReason, waitingFor: WaitKind | null, more?: More): Utterance =>
  utter(raw, 'terminal', 'settling', { type: 'finished', finish, waitingFor, overrides: false }, more);

/** What is not to be read, and why. */
export const malformed = (raw: string, detail: string, more?: More): Utterance =>
  utter(raw, null, 'provisional', { type: 'malformed', detail }, more);
export const notJson = (): readonly Utterance[] => [malformed('(not JSON)', 'the data is not a JSON object')];
/** A word that the dialect does not know. */
export const unrecognised = (raw: string, more?: More): Utterance => utter(raw, null, 'provisional', { type: 'unrecognised' }, more);

/** What an utterance is about, less its number on the wire: kept by decoders for the part that a text goes on with. */
export type About = Partial<Pick<AgentEventHead, 'identity' | 'lane' | 'part'>>;

/**
 * One more piece of a text: `utter` with a `part.delta`, for the events that nearly all of a long run consists of. Where a
 * decoder keeps `about` for the part that is being written, such an event costs one object.
 */
export const delta = (
  raw: string,
  voice: Voice,
  text: string,
  about: About,
  wireId: string | null = null,
  order: number | null = null,
  standing: Standing = 'provisional',
): Utterance =>
  ({
    seq: 0,
    at: 0,
    flow: null,
    ordinal: 0,
    frame: 0,
    dialect: '',
    raw,
    voice,
    voiceBySaying: true,
    standing,
    identity: about.identity ?? NO_IDENTITY,
    lane: about.lane ?? null,
    part: about.part ?? null,
    wireId,
    order,
    type: 'part.delta',
    text,
  }) as Utterance;

const NO_IDENTITY: Identity = Object.freeze({});

/** A table that is looked up by words from the wire: it has its own members and no others (`constructor` is in every object). */
export const table = <T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.freeze(Object.assign(Object.create(null) as Record<string, T>, rows));

// Reading JSON without trusting it.

export * from '../json/json';

/** The object in a frame's data, or null. */
export const frameObject = (frame: WireFrame): JsonObject | null => asObject(parseJson(frame.data));

/** The object that was sent with the request, or null. */
export const requestOf = ({ requestBody }: Pick<FlowOpening, 'requestBody'>): JsonObject | null => asObject(parseJson(requestBody ?? ''));

/** Identity without the members that are absent: `identityOf({ run: maybe, message: other })`. */
export const identityOf = (parts: { readonly [K in keyof Identity]: unknown }): Identity => {
  const identity: Record<string, string> = {};
  for (const key in parts) {
    const value = parts[key as keyof Identity];
    if (typeof value === 'string') {
      if (value !== '') identity[key] = value;
    } else if (typeof value === 'number') identity[key] = String(value);
  }
  return identity;
};

/** `text/event-stream` of `text/event-stream; charset=utf-8`, lower-case; '' if there is none. */
export const mediaType = (headers: Readonly<Record<string, string>>): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
