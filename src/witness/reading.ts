/**
 * Reads flows, lightly first: framing alone, and the table of what tells on an agent's stream. When one tells, the decoders
 * are asked for; until they are here its records wait, and are read from its beginning then. Most pages never come that far.
 *
 * Mapping files say in their own words what tells; they come out of storage, so a flow that told nothing is in doubt until
 * it is known which there are.
 *
 * Who has to pay much for the decoders can say which streams carry one run and end with it, whoever reads them (`oneRun`): of
 * these nothing more has to be known here, and nothing is loaded.
 */
import type { StreamDecoder } from '../core/decode';
import { type Dialect, type FlowOpening, mediaType, RECOGNISE_WITHIN } from '../core/dialects/dialect';
import { mayBeAgent } from '../core/dialects/telltale';
import { type Framer, pickFramer, type RawFrame } from '../core/framing/framing';
import { rawFrame, stampFrame } from '../core/framing/raw-frame';
import type { AgentEvent, TapRecord, WireFrame } from '../core/model';
import type { Decoders, LoadDecoders } from './decoders';
import type { TapEntry } from './intake';
import { streams } from './streams';

type Opened = TapEntry & { readonly type: 'flow.opened' };

export interface FlowReading {
  /** Reads on. Events once the flow is understood. */
  push(entry: TapEntry): readonly AgentEvent[];
  readonly framing: WireFrame['framing'] | null;
  /** Data frames so far. */
  readonly frames: number;
  readonly dialect: Dialect | null;
  /** light: nothing told so far. asked: waiting for the decoders. reading: they read. over: no more is to be learned. */
  readonly state: 'light' | 'asked' | 'reading' | 'over';
  /** Whether it is an agent's will only be known later. */
  readonly doubtful: boolean;
  /** It told, and nobody could be had to read it. */
  readonly refused: boolean;
  close(): void;
}

export interface ReadingOptions {
  readonly load: LoadDecoders;
  /** The user's mapping files, as text. */
  readonly mappings: () => readonly string[] | Promise<readonly string[]>;
  /** Whether a stream that tells carries one run, and ends with it, whoever may read it. Without: that is left to the decoders. */
  readonly oneRun?: (opening: FlowOpening) => boolean;
}

export interface Reading {
  /** `changed` is called when more became known of the flow without a record of its own. */
  open(opened: Opened, changed: (events: readonly AgentEvent[]) => void): FlowReading;
  /** The mapping files are others now. Flows that are being read go on as they were. */
  learn(mappings: readonly string[]): void;
}

/** What waits for the decoders at most, in UTF-16 units and in records. */
const WAITING_CHARS = 4_000_000;
const WAITING_RECORDS = 20_000;

/** The members by which a mapping recognises its protocol, quoted as they stand in JSON. Null: none, or no mapping. */
const wordsOf = (text: string): readonly string[] | null => {
  try {
    const { where } = (JSON.parse(text) as { recognise: { where: readonly { path: string }[] } }).recognise;
    const names = where.flatMap(({ path }) => path.split('.').filter((name) => name !== '$event' && !/^\d+$/u.test(name)));
    return names.length === 0 ? null : names.map((name) => JSON.stringify(name));
  } catch {
    return null;
  }
};

export const createReading = ({ load, mappings, oneRun }: ReadingOptions): Reading => {
  let texts: readonly string[] | null = null;
  let words: readonly (readonly string[])[] = [];
  let decoder: StreamDecoder | null = null;
  const frames = new Map<string, (frame: WireFrame) => void>();
  /** Called once it is known which mappings there are. */
  let doubts: (() => void)[] = [];

  const known = (list: readonly string[]): void => {
    texts = list;
    decoder = null;
    words = list.map(wordsOf).filter((row) => row !== null);
    const waiting = doubts;
    doubts = [];
    for (const settle of waiting) settle();
  };
  let asked = false;
  const learn = (): void => {
    if (asked) return;
    asked = true;
    const list = mappings();
    if (list instanceof Promise)
      list.then(
        (found) => texts ?? known(found),
        () => texts ?? known([]),
      );
    else known(list);
  };
  const decoderOf = (decoders: Decoders): StreamDecoder => {
    decoder ??= decoders.open(texts ?? [], (frame) => frames.get(frame.flow)?.(frame));
    return decoder;
  };
  const mapped = (data: string): boolean => words.some((row) => row.every((word) => data.includes(word)));

  return {
    learn: known,
    open(opened, changed) {
      learn();
      const { flow, transport } = opened;
      const delimited = transport === 'websocket' || transport === 'datachannel' || transport === 'eventsource';
      let headers: Readonly<Record<string, string>> = {};
      let status: number | null = null;
      let waiting: TapRecord[] = [];
      let chars = 0;
      /** What it said without telling, for as long as the mappings are not known. */
      let untold: string[] = [];
      let framer: Framer | null = null;
      let head: (TapEntry & { readonly type: 'flow.chunk' })[] = [];
      let reader: StreamDecoder | null = null;

      const state = {
        framing: null as WireFrame['framing'] | null,
        frames: 0,
        dialect: null as Dialect | null,
        state: 'light' as FlowReading['state'],
        refused: false,
      };

      const frame = (each: Pick<WireFrame, 'framing' | 'kind' | 'encoding' | 'data'>): void => {
        if (each.kind !== 'data') return;
        state.framing = each.framing;
        state.frames++;
      };
      const over = (): void => {
        state.state = 'over';
        waiting = [];
        untold = [];
        head = [];
        framer = null;
        frames.delete(flow);
        reader?.forget(flow);
      };
      const refuse = (): void => {
        state.refused = true;
        over();
      };

      /** Whether the end of the flow is already in. */
      let ended = false;
      const follow = (events: readonly AgentEvent[]): readonly AgentEvent[] => {
        state.dialect = reader?.dialectOf(flow) ?? null;
        if (state.dialect === null && (state.frames >= RECOGNISE_WITHIN || ended)) over();
        return events;
      };
      const begin = (decoders: Decoders): readonly AgentEvent[] => {
        const records = waiting;
        waiting = [];
        untold = [];
        head = [];
        framer = null;
        state.state = 'reading';
        state.frames = 0;
        reader = decoderOf(decoders);
        frames.set(flow, frame);
        const events: AgentEvent[] = [];
        for (const record of records) for (const event of reader.push(record)) events.push(event);
        return follow(events);
      };

      const arrived = (decoders: Decoders | null): void => {
        if (state.state !== 'asked') return;
        if (decoders !== null) changed(begin(decoders));
        else {
          refuse();
          changed([]);
        }
      };
      /** Events at once where the decoders are here already. */
      const ask = (): readonly AgentEvent[] => {
        // With mappings in front of the dialects it must be known which there are.
        if (texts === null) {
          state.state = 'asked';
          doubts.push(() => {
            const got = load();
            if (got instanceof Promise) got.then(arrived, () => arrived(null));
            else arrived(got);
          });
          return [];
        }
        const got = load();
        if (got instanceof Promise) {
          state.state = 'asked';
          got.then(arrived, () => arrived(null));
          return [];
        }
        if (got !== null) return begin(got);
        refuse();
        return [];
      };

      /** The frames by which a decoder would recognise it, and whether one of them told. */
      const first: WireFrame[] = [];
      let telling = false;
      /** Whether it takes decoders to know what a flow that told is about. A mapping's word goes first, and only they know it. */
      const needed = (): boolean => {
        if (oneRun === undefined || delimited || texts === null || texts.length > 0) return true;
        const last = ended || first.length >= RECOGNISE_WITHIN;
        if (!oneRun({ ...opened, status, headers, frames: first, last })) return true;
        // A whole answer is kept only where a dialect knows it; what could be one is, if it ends like this.
        return !streams(mediaType(headers), state.framing, state.frames) && (ended || state.framing !== 'ndjson');
      };

      /** True: it told, and has to be understood. */
      const look = (list: readonly RawFrame[]): boolean => {
        for (const each of list) {
          frame(each);
          if (each.kind !== 'data' || !each.complete) continue;
          if (oneRun !== undefined && !delimited) {
            // No decoder looks further: what it is was told by then.
            if (telling && first.length >= RECOGNISE_WITHIN) continue;
            if (first.length < RECOGNISE_WITHIN) first.push(stampFrame(each, flow, first.length, 0, 0, 'received'));
          }
          const { method, requestHeaders, requestBody } = opened;
          if (telling || mayBeAgent({ transport, method, requestHeaders, requestBody, headers, frame: each })) {
            telling = true;
            if (needed()) return true;
            continue;
          }
          if (texts === null) untold.push(each.data);
          else if (mapped(each.data)) return true;
        }
        return false;
      };
      const framed = (entry: TapEntry & { readonly type: 'flow.chunk' }): readonly RawFrame[] => {
        const type = mediaType(headers);
        if (framer !== null) return framer.push(entry.text, entry);
        head.push(entry);
        framer = pickFramer(transport, type, head.map((each) => each.text).join(''), entry.encoding);
        const from = framer === null ? [] : head.splice(0);
        return from.flatMap((each) => framer!.push(each.text, each));
      };
      const last = (how: (TapEntry & { readonly type: 'flow.ended' })['how']): readonly RawFrame[] => {
        if (framer === null && head.length > 0)
          framer = pickFramer(transport, mediaType(headers), `${head.map((each) => each.text).join('')}\n        `, 'text');
        return framer === null ? [] : [...head.flatMap((each) => framer!.push(each.text, each)), ...framer.end(how)];
      };
      const told = (entry: TapEntry): boolean => {
        switch (entry.type) {
          case 'flow.head':
            headers = entry.headers;
            status = entry.status;
            return false;
          case 'flow.chunk': {
            chars += entry.text.length;
            if (!delimited) return look(framed(entry));
            const framing = transport === 'eventsource' ? 'sse' : 'message';
            return look([rawFrame(framing, entry.text, 0, entry.text.length, true, null, null, 'data', entry.encoding)]);
          }
          case 'flow.ended': {
            ended = true;
            if (delimited) return false;
            const { method, requestHeaders, requestBody } = opened;
            if (look(last(entry.how)) || (telling && needed())) return true;
            return state.frames === 0 && mayBeAgent({ transport, method, requestHeaders, requestBody, headers, frame: null });
          }
          default:
            return false;
        }
      };

      const settle = (): void => {
        if (state.state !== 'light') return;
        const said = untold;
        untold = [];
        const events = said.some(mapped) ? ask() : [];
        if (state.state === 'light' && (ended || state.frames >= RECOGNISE_WITHIN)) over();
        changed(events);
      };
      if (texts === null) doubts.push(settle);

      return {
        get framing() {
          return state.framing;
        },
        get frames() {
          return state.frames;
        },
        get dialect() {
          return state.dialect;
        },
        get state() {
          return state.state;
        },
        get refused() {
          return state.refused;
        },
        get doubtful() {
          return state.state === 'asked' || (state.state === 'light' && texts === null);
        },
        push(entry) {
          if (state.state === 'over') return [];
          const record: TapRecord = { ...entry, seq: 0 };
          if (reader !== null) {
            if (entry.type === 'flow.ended') ended = true;
            return follow(reader.push(record));
          }
          waiting.push(record);
          if (state.state === 'asked') {
            if (entry.type === 'flow.chunk') chars += entry.text.length;
            if (entry.type === 'flow.ended') ended = true;
          } else if (told(entry)) return ask();
          else if (texts !== null && (ended || state.frames >= RECOGNISE_WITHIN)) over();
          if (chars > WAITING_CHARS || waiting.length > WAITING_RECORDS) {
            if (state.state === 'asked') refuse();
            else over();
          }
          return [];
        },
        close: over,
      };
    },
  };
};
