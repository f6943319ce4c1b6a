/**
 * Each stream in each direction as text, however it was cut into chunks, handed on in stretches that can be read by
 * themselves: after a whole event, line or message. What cannot be told apart yet is held, up to a limit.
 */
import { decodeBase64 } from '../../bytes/base64';
import type { TapRecord, Transport } from '../../model';
import { payloadsOf, preludeAt } from './checked-messages';
import { jsonStrings } from './json-strings';
import { jsonLeaves, type Leaf, latin1, lineLeaves, messageLeaves } from './texts';
import { type Source, sliceView } from './views';

export interface SegmentLimits {
  /** Characters of one value (a body that is one piece of JSON, an event) that are held to be read as one. */
  readonly value: number;
  /** Characters of a text without any form that are looked through at once. */
  readonly bare: number;
}

/** Writes over the decoded text of a chunk. */
export type PutChunk = (entry: number, at: number, unit: number) => void;

export interface Segments {
  opened(flow: string, transport: Transport): void;
  chunk(entry: number, chunk: TapRecord & { type: 'flow.chunk' }): void;
  /** The flow, or with null every flow, brings no more. */
  close(flow: string | null): void;
}

/** What a text without form repeats of itself, so that nothing is cut in two. */
const OVERLAP = 4096;
/** Lines looked back over for a place to cut. */
const LOOK_BACK = 200;

const FIELD = /^(?:data|event|id|retry|)(?::|\r?$)/u;
const CODED = /^(?:[0-9a-z][0-9a-z-]{0,40}:|\u001e)?\s*[[{"]/u;

/** Where the text may be cut so that no line that belongs to another is parted from it; 0: nowhere. */
const cutOf = (text: string): number => {
  let end = text.lastIndexOf('\n');
  let blank = -1;
  for (let i = 0; i < LOOK_BACK && end >= 0; i++) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + 80));
    if (line.trim() === '') blank = end + 1;
    else if (FIELD.test(line)) {
      // Data lines up to the next blank one are one value.
      if (blank > 0) return blank;
    } else if (CODED.test(line)) return blank > 0 ? blank : end + 1;
    else blank = -1;
    end = start - 1;
  }
  return 0;
};

const isFormed = (text: string): boolean => {
  const start = /^\s*(.{0,80})/u.exec(text)![1]!;
  return FIELD.test(start) || CODED.test(start);
};

/** A value that goes over several lines, as far as its first line tells. */
const isSpread = (text: string): boolean => {
  const first = /\S/u.exec(text)?.index ?? 0;
  if (!/[[{]/u.test(text[first] ?? '')) return false;
  const cut = text.indexOf('\n', first);
  return cut < 0 || jsonStrings(text, first, cut)?.whole !== true;
};

interface Stream {
  readonly flow: string;
  readonly key: string;
  readonly binary: boolean;
  readonly messages: boolean;
  /** What is held: pieces of chunks. */
  held: { readonly entry: number; readonly from: number; readonly text: string }[];
  length: number;
  /** Not looked at again before it is this long. */
  due: number;
  /** Of a binary stream: its messages are checked ones. */
  checked: boolean | null;
}

export const createSegments = (
  limits: SegmentLimits,
  put: PutChunk,
  visit: (stream: string, leaf: Leaf) => void,
  closed: (stream: string) => void,
): Segments => {
  const transports = new Map<string, Transport>();
  const streams = new Map<string, Stream>();

  const sourceOfHeld = (held: Stream['held'], text: string): Source => {
    const starts: number[] = [];
    let at = 0;
    for (const piece of held) {
      starts.push(at);
      at += piece.text.length;
    }
    return {
      text,
      result: () => text,
      put(place, unit) {
        let low = 0;
        let high = starts.length - 1;
        while (low < high) {
          const middle = (low + high + 1) >> 1;
          if (starts[middle]! <= place) low = middle;
          else high = middle - 1;
        }
        const { entry, from } = held[low]!;
        put(entry, from + place - starts[low]!, unit);
      },
    };
  };

  /** What is left of the held pieces after so many characters. */
  const rest = (held: Stream['held'], from: number): Stream['held'] => {
    const left: Stream['held'] = [];
    let at = 0;
    for (const piece of held) {
      const end = at + piece.text.length;
      if (end > from)
        left.push(at >= from ? piece : { entry: piece.entry, from: piece.from + from - at, text: piece.text.slice(from - at) });
      at = end;
    }
    return left;
  };

  const release = (stream: Stream, cut: number, keepFrom: number, read: (source: Source) => void): void => {
    const { held } = stream;
    const text = held.length === 1 ? held[0]!.text : held.map((piece) => piece.text).join('');
    read(sourceOfHeld(held, cut === text.length ? text : text.slice(0, cut)));
    stream.held = rest(held, keepFrom);
    stream.length = text.length - keepFrom;
    stream.due = 0;
  };

  const bareLeaf = (source: Source): Leaf => ({ view: source, key: '', columns: [], beside: [], bare: true });

  const takeBytes = (stream: Stream, text: string, final: boolean): void => {
    if (stream.checked === null) {
      const total = preludeAt(text, 0);
      if (total === undefined && !final) return;
      stream.checked = typeof total === 'number';
    }
    if (stream.checked) {
      const payloads = payloadsOf(text);
      if (payloads !== null) {
        const end = payloads.at(-1)!.to + 4;
        release(stream, end, end, (source) => {
          for (const { from, to } of payloads) {
            const payload = sliceView(source, from, to);
            for (const leaf of jsonLeaves(payload, 0, payload.text.length, '') ?? []) visit(stream.key, leaf);
          }
        });
        return;
      }
      // What follows the last whole message is left alone; so is a message beyond all measure.
      if (text.length > limits.value) release(stream, text.length, text.length, () => {});
      return;
    }
    takeBare(stream, text, final);
  };

  const takeBare = (stream: Stream, text: string, final: boolean): void => {
    if (final) release(stream, text.length, text.length, (source) => visit(stream.key, bareLeaf(source)));
    else if (text.length >= limits.bare)
      release(stream, text.length, text.length - OVERLAP, (source) => visit(stream.key, bareLeaf(source)));
    else stream.due = limits.bare;
  };

  const takeText = (stream: Stream, text: string, final: boolean): void => {
    const lines = (source: Source): void => {
      for (const leaf of lineLeaves(source, 0, source.text.length)) visit(stream.key, leaf);
    };
    if (final) {
      release(stream, text.length, text.length, lines);
      return;
    }
    const cut = isSpread(text) ? 0 : cutOf(text);
    if (cut > 0) {
      release(stream, cut, cut, lines);
      return;
    }
    const formed = isFormed(text);
    const limit = formed ? limits.value : limits.bare;
    if (text.length < limit) {
      stream.due = Math.min(limit, text.length * 2);
      return;
    }
    // Too long to wait: cut where no secret goes on, and what has no form is looked through once more from before the cut.
    const line = text.lastIndexOf('\n') + 1;
    const space = Math.max(text.lastIndexOf(',') + 1, text.lastIndexOf(' ') + 1);
    const at = line > text.length / 2 ? line : space > text.length - 65_536 ? space : text.length;
    const again = text.lastIndexOf('\n', at - OVERLAP) + 1;
    release(stream, at, formed || again < at / 2 ? at : again, lines);
  };

  const take = (stream: Stream, final: boolean): void => {
    if (stream.length === 0) return;
    const text = stream.held.length === 1 ? stream.held[0]!.text : stream.held.map((piece) => piece.text).join('');
    if (stream.binary) takeBytes(stream, text, final);
    else takeText(stream, text, final);
  };

  const finish = (stream: Stream): void => {
    take(stream, true);
    streams.delete(stream.key);
    closed(stream.key);
  };

  return {
    opened: (flow, transport) => void transports.set(flow, transport),
    chunk(entry, chunk) {
      const binary = chunk.encoding === 'base64';
      const key = `${chunk.flow}\n${chunk.direction}\n${chunk.encoding}`;
      let stream = streams.get(key);
      if (!stream) {
        const transport = transports.get(chunk.flow);
        const messages = transport === 'websocket' || transport === 'datachannel' || transport === 'eventsource';
        stream = { flow: chunk.flow, key, binary, messages, held: [], length: 0, due: 0, checked: null };
        streams.set(key, stream);
      }
      const text = binary ? latin1(decodeBase64(chunk.text) ?? new Uint8Array()) : chunk.text;
      if (text === '') return;
      const piece = { entry, from: 0, text };
      if (stream.messages && !binary) {
        const source = sourceOfHeld([piece], text);
        for (const leaf of messageLeaves(source, [[0, text.length]])) visit(key, leaf);
        return;
      }
      stream.held.push(piece);
      stream.length += text.length;
      if (stream.length >= stream.due) take(stream, false);
    },
    close(flow) {
      for (const stream of [...streams.values()]) if (flow === null || stream.flow === flow) finish(stream);
      if (flow === null) transports.clear();
      else transports.delete(flow);
    },
  };
};
