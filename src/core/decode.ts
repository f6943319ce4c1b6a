/**
 * Bytes to typed events: framing, then the dialect that recognises the flow. Pure, incremental, callable alone, so the
 * content script, the panel, the command line and the importers all run this very code.
 *
 * Promises: the same events for the same bytes however they were chunked; a decoder that throws harms its own frame only;
 * frames that nothing understands stay available raw.
 */
import {
  type Decoder,
  type Dialect,
  type FlowOpening,
  mediaType,
  RECOGNISE_WITHIN,
  RECOGNISE_WITHIN_BYTES,
  type Utterance,
} from './dialects/dialect';
import { type Framer, pickFramer } from './framing/framing';
import { type RawFrame, stampFrame } from './framing/raw-frame';
import type { AgentEvent, Direction, Flow, FlowEnd, FlowId, Identity, TapRecord, WireFrame } from './model';
import { TextEvent, type WholeText } from './text-event';

/** A dialect's code threw. Reported, isolated, never fatal. */
export interface DecodeFault {
  readonly flow: FlowId;
  readonly dialect: string;
  readonly frame: number;
  readonly message: string;
}

export interface StreamDecoder {
  /** Feeds one record in order of seq. Synchronous; never throws. */
  push(record: TapRecord): readonly AgentEvent[];
  readonly flows: ReadonlyMap<FlowId, Flow>;
  dialectOf(flow: FlowId): Dialect | null;
  /** Forgets a flow's state, e.g. one that proved to be no agent stream. */
  forget(flow: FlowId): void;
  readonly faults: readonly DecodeFault[];
}

/**
 * In order of precedence; user mappings stand in front of the built-in ones. A function where the list grows: it is asked
 * anew for each flow that is not recognised yet.
 */
export type Dialects = readonly Dialect[] | (() => readonly Dialect[]);

export interface DecoderOptions {
  readonly dialects: Dialects;
  /** Sees every frame, comments and unfinished tails included, before it is decoded. */
  readonly onFrame?: (frame: WireFrame) => void;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface FlowState {
  readonly view: Mutable<Flow> & { gaps: Flow['gaps'][number][] };
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly framers: { [K in Direction]: Framer | null };
  /** Text per direction that came before its framer could be picked. */
  readonly unframed: { [K in Direction]: { text: string; event: string | null; id: string | null }[] };
  /** Data frames held back until the flow is recognised; null once decided. */
  held: WireFrame[] | null;
  dialect: Dialect | null;
  decoder: Decoder | null;
  /** Of what was said before: what may be shared with it, the utterance itself, and the identity that its decoder gave it. */
  last: Pick<AgentEvent, 'raw' | 'part' | 'identity'> | null;
  said: Utterance | null;
  given: Identity | null;
  /** The piece of text that those after it share their head with, as long as pieces of one text come one after the other. */
  writing: WholeText | null;
}

/**
 * Neighbouring events mostly have the same type, part and identity, made anew for each by the decoder. Kept once, a long run
 * takes half the memory, and who reads the events can tell by the object alone that nothing has changed.
 */
const share = (state: FlowState, event: Mutable<Pick<AgentEvent, 'raw' | 'part' | 'identity'>>): void => {
  const { last, given } = state;
  const { identity } = event;
  state.last = event;
  state.given = identity;
  if (last === null) return;
  if (event.raw === last.raw) event.raw = last.raw;
  if (event.part === last.part) event.part = last.part;
  // A decoder that gives the same object again need not be asked what is in it.
  if (identity !== last.identity && (identity === given || sameMembers(identity, last.identity))) event.identity = last.identity;
};

type TextUtterance = Extract<Utterance, { readonly type: WholeText['type'] }>;
const isText = <T extends Utterance>(said: T): said is T & TextUtterance =>
  (said.type === 'part.delta' || said.type === 'tool.input') && said.order === null;

/** Whether a piece of text goes on with the one that is being written: all but its words and its id are the same. */
const goesOn = (state: FlowState, writing: WholeText, utterance: TextUtterance): boolean => {
  // `writing.ts` says one object again and again, each time with other words.
  if (utterance === state.said) return true;
  const { identity } = utterance;
  if (
    utterance.raw !== writing.raw ||
    utterance.part !== writing.part ||
    utterance.lane !== writing.lane ||
    utterance.type !== writing.type ||
    utterance.voice !== writing.voice ||
    utterance.standing !== writing.standing ||
    utterance.voiceBySaying !== writing.voiceBySaying ||
    !(identity === state.given || sameMembers(identity, writing.identity))
  )
    return false;
  state.said = utterance;
  state.given = identity;
  return true;
};

/** The head of an event that is a copy: its members stand first in that, too. */
const HEAD = { seq: 0, at: 0, flow: '', ordinal: 0, frame: 0, dialect: '' } as const;

/** What most records say: nothing yet. Never written to. */
const SILENCE: AgentEvent[] = [];

/** The same members, in the same order: what is shown of an event must not depend on the one before. */
const sameMembers = (a: Identity, b: Identity): boolean => {
  const keys = Object.keys(a) as (keyof Identity)[];
  const others = Object.keys(b);
  return keys.length === others.length && keys.every((key, i) => key === others[i] && a[key] === b[key]);
};

export const createDecoder = (options: DecoderOptions): StreamDecoder => {
  const listed = options.dialects;
  const dialects = typeof listed === 'function' ? listed : (): readonly Dialect[] => listed;
  const states = new Map<FlowId, FlowState>();
  const flows = new Map<FlowId, Flow>();
  const faults: DecodeFault[] = [];
  /** The flow that was asked for last: records of one flow come many in a row. */
  let recent: FlowState | undefined;
  const stateOf = (flow: FlowId): FlowState | undefined => {
    if (recent === undefined || recent.view.id !== flow) recent = states.get(flow);
    return recent;
  };

  const opening = (state: FlowState, frames: readonly WireFrame[], last: boolean): FlowOpening => ({
    transport: state.view.transport,
    method: state.view.method,
    url: state.view.url,
    requestBody: state.view.requestBody,
    requestHeaders: state.requestHeaders,
    status: state.view.status,
    headers: state.view.headers,
    frames,
    last,
  });

  const fault = (state: FlowState, dialect: Dialect, frame: number, error: unknown): void => {
    faults.push({ flow: state.view.id, dialect: dialect.id, frame, message: error instanceof Error ? error.message : String(error) });
  };

  const recognise = (state: FlowState, last: boolean): void => {
    const held = state.held;
    if (held === null) return;
    const subject = opening(state, held, last);
    let plausible: Dialect | null = null;
    let found: Dialect | null = null;
    for (const dialect of dialects()) {
      let answer: ReturnType<Dialect['recognise']> = 'no';
      try {
        answer = dialect.recognise(subject);
      } catch (error) {
        fault(state, dialect, -1, error);
      }
      if (answer === 'certain') {
        found = dialect;
        break;
      }
      if (answer === 'plausible') plausible ??= dialect;
    }
    found ??= last ? plausible : null;
    if (found === null) {
      if (last) state.held = null;
      return;
    }
    state.held = null;
    state.dialect = found;
    state.view.dialect = found.id;
    try {
      state.decoder = found.open(subject);
    } catch (error) {
      fault(state, found, -1, error);
    }
  };

  const whole = (state: FlowState, dialect: Dialect, utterance: Utterance, seq: number, at: number, frame: number): AgentEvent => {
    // `utter` left room for the head: filling it in place saves a copy of every event. A decoder that says the same object
    // twice, or made its own, gets a copy.
    const room = utterance as Utterance & { flow?: string | null };
    const event = (room.flow === null ? utterance : { ...HEAD, ...utterance }) as Mutable<AgentEvent>;
    event.seq = seq;
    event.at = at;
    event.flow = state.view.id;
    event.ordinal = state.view.events++;
    event.frame = frame;
    event.dialect = dialect.id;
    share(state, event);
    state.said = null;
    state.writing = isText(event) ? event : null;
    return event;
  };

  /** What the record at hand has said so far. */
  let out = SILENCE;
  const stamp = (state: FlowState, dialect: Dialect, utterances: readonly Utterance[], seq: number, at: number, frame: number): void => {
    for (let i = 0; i < utterances.length; i++) {
      const utterance = utterances[i]!;
      if (utterance.type === 'unrecognised') state.view.unrecognised++;
      const { writing } = state;
      const event =
        writing !== null && isText(utterance) && goesOn(state, writing, utterance)
          ? new TextEvent(writing, seq, at, state.view.events++, frame, utterance.wireId, utterance.text)
          : whole(state, dialect, utterance, seq, at, frame);
      // A list made with its first entry has room for that one; an empty one that grows takes room for seventeen.
      if (out.length === 0) out = [event];
      else out.push(event);
    }
  };

  const read = (state: FlowState, frame: WireFrame): void => {
    const { dialect, decoder } = state;
    if (dialect === null || decoder === null) return;
    let utterances: readonly Utterance[];
    try {
      utterances = decoder.frame(frame);
    } catch (error) {
      fault(state, dialect, frame.index, error);
      utterances = [UNREAD];
    }
    stamp(state, dialect, utterances, frame.seq, frame.at, frame.index);
  };

  const accept = (state: FlowState, raw: RawFrame, direction: Direction, seq: number, at: number): void => {
    const frame = stampFrame(raw, state.view.id, state.view.frames++, seq, at, direction);
    options.onFrame?.(frame);
    if (!frame.complete) state.view.unterminated = true;
    // Comments say nothing; an event that was cut off was never said.
    if (frame.kind === 'comment' || !frame.complete) return;
    if (state.held === null) {
      read(state, frame);
      return;
    }
    state.held.push(frame);
    const held = state.held;
    // A read of bytes is no frame: one message may be spread over many. They are looked at again whenever they have doubled.
    const few = frame.encoding === 'base64' && state.view.chars < RECOGNISE_WITHIN_BYTES;
    if (few && held.length > RECOGNISE_WITHIN && (held.length & (held.length - 1)) !== 0) return;
    recognise(state, !few && held.length >= RECOGNISE_WITHIN);
    if (state.dialect !== null) for (const earlier of held) read(state, earlier);
  };

  const chunk = (state: FlowState, record: TapRecord & { type: 'flow.chunk' }): void => {
    const { direction } = record;
    state.view.chars += record.text.length;
    state.view.lastChunkAt = record.at;
    if (record.untimed === true) state.view.untimed = true;
    let framer = state.framers[direction];
    if (framer === null) {
      const waiting = state.unframed[direction];
      waiting.push({ text: record.text, event: record.event, id: record.id });
      const head = waiting.length === 1 ? record.text : waiting.map((w) => w.text).join('');
      framer = pickFramer(state.view.transport, mediaType(state.view.headers), head, record.encoding);
      if (framer === null) return;
      state.framers[direction] = framer;
      for (const { text, event, id } of waiting.splice(0))
        for (const raw of framer.push(text, { event, id })) accept(state, raw, direction, record.seq, record.at);
      return;
    }
    const frames = framer.push(record.text, record);
    for (let i = 0; i < frames.length; i++) accept(state, frames[i]!, direction, record.seq, record.at);
  };

  const ended = (state: FlowState, how: FlowEnd, detail: string | null, seq: number, at: number): void => {
    if (state.view.end !== null) return;
    for (const direction of ['received', 'sent'] as const) {
      let framer = state.framers[direction];
      const waiting = state.unframed[direction].splice(0);
      if (framer === null && waiting.length > 0) {
        const head = `${waiting.map((w) => w.text).join('')}\n`;
        framer = pickFramer(state.view.transport, mediaType(state.view.headers), `${head}        `, 'text');
        for (const { text, event, id } of waiting)
          for (const raw of framer?.push(text, { event, id }) ?? []) accept(state, raw, direction, seq, at);
      }
      for (const raw of framer?.end(how) ?? []) accept(state, raw, direction, seq, at);
    }
    if (state.held !== null) {
      const held = state.held;
      recognise(state, true);
      for (const earlier of held) read(state, earlier);
    }
    state.view.end = { how, at, seq, detail };
    const { dialect, decoder } = state;
    if (dialect === null || decoder === null) return;
    try {
      // A body that ends within a frame did not end cleanly, however its transport did: it settles nothing by its end.
      const ending = how === 'eof' && state.view.unterminated ? 'network-error' : how;
      stamp(state, dialect, decoder.end(ending), seq, at, -1);
    } catch (error) {
      fault(state, dialect, -1, error);
    }
  };

  return {
    flows,
    faults,
    dialectOf: (flow) => stateOf(flow)?.dialect ?? null,
    forget(flow) {
      recent = undefined;
      states.delete(flow);
      flows.delete(flow);
    },
    push(record) {
      out = SILENCE;
      switch (record.type) {
        case 'flow.opened': {
          if (states.has(record.flow)) return out;
          const view: FlowState['view'] = {
            id: record.flow,
            document: record.document,
            transport: record.transport,
            method: record.method,
            url: record.url,
            requestBody: record.requestBody,
            status: null,
            headers: {},
            openedAt: record.at,
            openedSeq: record.seq,
            dialect: null,
            frames: 0,
            events: 0,
            unrecognised: 0,
            chars: 0,
            lastChunkAt: null,
            untimed: false,
            unterminated: false,
            end: null,
            gaps: [],
          };
          flows.set(record.flow, view);
          states.set(record.flow, {
            view,
            requestHeaders: record.requestHeaders,
            framers: { received: null, sent: null },
            unframed: { received: [], sent: [] },
            held: [],
            dialect: null,
            decoder: null,
            last: null,
            said: null,
            given: null,
            writing: null,
          });
          return out;
        }
        case 'flow.head': {
          const state = stateOf(record.flow);
          if (state) {
            state.view.status = record.status;
            state.view.headers = record.headers;
          }
          return out;
        }
        case 'flow.chunk': {
          const state = stateOf(record.flow);
          if (state && state.view.end === null) chunk(state, record);
          return out;
        }
        case 'flow.ended': {
          const state = stateOf(record.flow);
          if (state) ended(state, record.how, record.detail, record.seq, record.at);
          return out;
        }
        case 'gap': {
          const state = record.flow === null ? undefined : states.get(record.flow);
          state?.view.gaps.push({ reason: record.reason, lost: record.lost, seq: record.seq, at: record.at });
          return out;
        }
        case 'tick':
          return out;
      }
    },
  };
};

/** What stands for a frame whose decoder threw: kept, counted, shown raw. */
const UNREAD: Utterance = {
  type: 'unrecognised',
  raw: '(unread)',
  voice: null,
  voiceBySaying: true,
  standing: 'provisional',
  identity: {},
  lane: null,
  part: null,
  wireId: null,
  order: null,
};

/** Frames of one flow from its raw records, for showing them. Same framing as decoding. */
export const framesOf = (records: readonly TapRecord[], flow: FlowId): readonly WireFrame[] => {
  const frames: WireFrame[] = [];
  const decoder = createDecoder({ dialects: [], onFrame: (frame) => frames.push(frame) });
  for (const record of records) if ('flow' in record && record.flow === flow) decoder.push(record);
  return frames;
};
