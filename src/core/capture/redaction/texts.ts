/**
 * All texts of a capture, as views that can be written over: each stream in each direction as one text however it was cut
 * into chunks, its JSON strings with their keys and the names of its members, every other field, and the texts of the page put together from their
 * edits. `rebuild` gives the entries with what was written, cut where they were cut before.
 */

import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { type Payload, payloadsOf, withChecksums } from './checked-messages';
import { type Entry, type FieldKind, fieldsOf, withFields } from './fields';
import { calledOf, jsonStrings, marksOf } from './json-strings';
import type { Names } from './names';
import { createShown } from './shown';
import { joinedView, type Source, sliceView, sourceOf, stringView, type View } from './views';

/** A string of a stream: a JSON string value, or a line that is no JSON. */
export interface Leaf {
  readonly view: View;
  /** The nearest member name; '' for a line that is no JSON. */
  readonly key: string;
  /** Names where the same string of another frame continues this one. */
  readonly columns: readonly string[];
  /** What it is called by a name that stands beside it, as in lists of headers and variables. */
  readonly called?: string;
  /** That name stands before it in a list. */
  readonly listed?: boolean;
  /** The member that its object stands under. */
  readonly under?: string;
  /** Names of the members beside it. */
  readonly beside: readonly string[];
  /** Text outside JSON. */
  readonly bare: boolean;
  /** A JSON number that is a telephone's or a card's. */
  readonly number?: true;
  /** The name of a member. */
  readonly name?: true;
}

export interface Field {
  readonly kind: FieldKind;
  /** Header name, or what it is. */
  readonly name: string;
  readonly source: Source;
}

/** One stream in one direction. */
export interface StreamText {
  readonly flow: string;
  readonly source: Source;
  /** Characters are bytes. */
  readonly binary: boolean;
  /** Every string in it, in order, found as it is asked for. */
  leaves(): Iterable<Leaf>;
}

export interface CaptureTexts {
  readonly streams: readonly StreamText[];
  readonly fields: readonly Field[];
  /** `rewrite` says what each text of the page becomes; it must keep the length. `names`: what the names of places become. */
  rebuild(rewrite: (text: string) => string, names: Names): Generator<void, readonly Entry[]>;
}

export const latin1 = (bytes: Uint8Array): string => {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192)
    parts.push(String.fromCharCode.apply(null, bytes.subarray(at, at + 8192) as unknown as number[]));
  return parts.join('');
};

export const bytesOf = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
};

const NONE: readonly string[] = [];

/** JSON strings of a view; null if it is not JSON. */
export const jsonLeaves = (view: View, from: number, to: number, prefix: string): readonly Leaf[] | null => {
  const found = jsonStrings(view.text, from, to);
  if (found === null) return null;
  return found.leaves.map((leaf) => {
    const path = prefix + leaf.path;
    const called = leaf.name ? null : calledOf(leaf);
    return {
      view: stringView(view, leaf.start, leaf.end),
      key: leaf.key,
      columns: leaf.number || leaf.name ? NONE : [path, ...marksOf(leaf).map((mark) => `${path}|${mark}`)],
      beside: leaf.node.names,
      bare: false,
      under: leaf.node.under,
      ...(called === null ? {} : { called, listed: leaf.before === called }),
      ...(leaf.number ? { number: true as const } : {}),
      ...(leaf.name ? { name: true as const } : {}),
    };
  });
};

/** `data: …`, `0:…`, or a bare line: what comes before the value, and where the value begins. */
const LINE = /^(?:(data|event|id|retry|)(?::[ ]?|$)|([0-9a-z][0-9a-z-]{0,40}):(?=[[{"\dtfn-])|\u001e)?/u;

/** Lines that together are one value: an event whose data is written over several lines. */
const spreadLeaves = (source: Source, lines: readonly (readonly [number, number])[]): readonly Leaf[] | null => {
  const pieces = lines.flatMap(([from, to]) => [sliceView(source, from, to), LINE_END]);
  const joined = joinedView(pieces);
  return jsonLeaves(joined, 0, joined.text.length, 'data');
};
const LINE_END: View = { text: '\n', put: () => {} };

/** Leaves of a stretch of text that is cut at line ends. */
export function* lineLeaves(source: Source, start: number, stop: number): Generator<Leaf, void> {
  const { text } = source;
  // A body that is one JSON value over many lines.
  let first = start;
  while (first < stop && /\s/u.test(text[first]!)) first++;
  if (first < stop && /[[{]/u.test(text[first]!)) {
    const cut = text.indexOf('\n', first);
    const line = cut < 0 || cut >= stop ? null : jsonStrings(text, first, cut);
    if (line === null || !line.whole) {
      const all = jsonLeaves(source, first, stop, '');
      if (all) {
        yield* all;
        return;
      }
    }
  }
  let bareFrom = -1;
  function* flushBare(to: number): Generator<Leaf, void> {
    if (bareFrom >= 0 && to > bareFrom) yield { view: sliceView(source, bareFrom, to), key: '', columns: NONE, beside: NONE, bare: true };
    bareFrom = -1;
  }
  /** Data lines that may belong together; each with what it holds by itself. */
  let data: [number, number][] = [];
  function* flushData(): Generator<Leaf, void> {
    if (data.length === 0) return;
    const lines = data;
    data = [];
    const spread = lines.length > 1 ? spreadLeaves(source, lines) : null;
    if (spread) yield* spread;
    else
      for (const [from, to] of lines) {
        const leaves = jsonLeaves(source, from, to, 'data');
        if (leaves) yield* leaves;
        else
          yield {
            view: sliceView(source, from, to),
            key: '',
            columns: isLiteral(text.slice(from, to)) ? NONE : ['data'],
            beside: NONE,
            bare: true,
          };
      }
  }
  for (let at = start; at < stop; ) {
    let end = text.indexOf('\n', at);
    if (end < 0 || end > stop) end = stop;
    const line = text.slice(at, end);
    const [prefix, field, code] = LINE.exec(line) ?? [''];
    const from = at + (prefix ?? '').length;
    if (field === 'data') {
      yield* flushBare(at);
      data.push([from, end]);
    } else {
      yield* flushData();
      const leaves = /^\s*["[{]/u.test(text.slice(from, from + 8)) ? jsonLeaves(source, from, end, field ?? code ?? '') : null;
      if (leaves) {
        yield* flushBare(at);
        yield* leaves;
      } else if ((line.trim() !== '' || bareFrom >= 0) && bareFrom < 0) bareFrom = at;
    }
    at = end + 1;
  }
  yield* flushData();
  yield* flushBare(stop);
}

export function* messageLeaves(source: Source, spans: readonly (readonly [number, number])[]): Generator<Leaf, void> {
  for (const [start, end] of spans) {
    const leaves = jsonLeaves(source, start, end, '');
    if (leaves) yield* leaves;
    // Some send an event stream in messages.
    else if (/^(?:data|event|id|retry)?:/u.test(source.text.slice(start, start + 6))) yield* lineLeaves(source, start, end);
    else if (end > start)
      yield {
        view: sliceView(source, start, end),
        key: '',
        columns: isLiteral(source.text.slice(start, end)) ? NONE : ['data'],
        beside: NONE,
        bare: true,
      };
  }
}

/** A number or word of JSON, which is no text that goes on. */
const isLiteral = (text: string): boolean => /^\s*(?:null|true|false|-?[0-9][0-9.eE+-]*)\s*$/u.test(text);

function* payloadLeaves(source: Source, payloads: readonly Payload[]): Generator<Leaf, void> {
  for (const { from, to } of payloads) {
    const payload = sliceView(source, from, to);
    yield* jsonLeaves(payload, 0, payload.text.length, '') ?? [];
  }
}

/** Entries that are put in their place between two yields. */
const AT_A_TIME = 256;

interface Stream {
  readonly flow: string;
  readonly binary: boolean;
  readonly messages: boolean;
  parts: string[];
  readonly spans: [number, number][];
  readonly at: number[];
  length: number;
}

/** Yields where it may be interrupted, and so do the readings that it gives. */
export function* textsInSteps(entries: readonly Entry[]): Generator<void, CaptureTexts> {
  const streams = new Map<string, Stream>();
  const transports = new Map<string, string>();
  const fields: Field[] = [];
  /** The fields of each entry, by their slots. */
  const written = new Map<number, Map<number, Source>>();

  const take = (entry: Entry, index: number): void => {
    for (const { kind, name, text, slot } of fieldsOf(entry)) {
      const source = sourceOf(text);
      fields.push({ kind, name, source });
      const own = written.get(index) ?? new Map<number, Source>();
      written.set(index, own.set(slot, source));
    }
    if (entry.type === 'flow.opened') transports.set(entry.flow, entry.transport);
    if (entry.type !== 'flow.chunk') return;
    const binary = entry.encoding === 'base64';
    const key = `${entry.flow}\n${entry.direction}\n${entry.encoding}`;
    let stream = streams.get(key);
    if (!stream) {
      const transport = transports.get(entry.flow);
      stream = {
        flow: entry.flow,
        binary,
        messages: transport === 'websocket' || transport === 'datachannel' || transport === 'eventsource',
        parts: [],
        spans: [],
        at: [],
        length: 0,
      };
      streams.set(key, stream);
    }
    const text = binary ? latin1(decodeBase64(entry.text) ?? new Uint8Array()) : entry.text;
    stream.parts.push(text);
    // Joined as they come: a million pieces at once would take their time.
    if (stream.parts.length >= 16_384) stream.parts = [stream.parts.join('')];
    stream.spans.push([stream.length, stream.length + text.length]);
    stream.length += text.length;
    stream.at.push(index);
  };
  for (let index = 0; index < entries.length; index++) {
    take(entries[index]!, index);
    if (index % AT_A_TIME === 0) yield;
  }

  const texts = [...streams.values()].map((stream) => {
    const source = sourceOf(stream.parts.join(''));
    return { stream, source, payloads: stream.binary ? payloadsOf(source.text) : null };
  });

  return {
    streams: texts.map(({ stream, source, payloads }) => ({
      flow: stream.flow,
      source,
      binary: stream.binary,
      leaves() {
        if (payloads) return payloadLeaves(source, payloads);
        if (stream.binary) return [{ view: source, key: '', columns: NONE, beside: NONE, bare: true }];
        return stream.messages ? messageLeaves(source, stream.spans) : lineLeaves(source, 0, source.text.length);
      },
    })),
    fields,
    *rebuild(rewrite, names) {
      const out = [...entries];
      let work = 0;
      for (const [index, own] of written) {
        out[index] = withFields(out[index]!, {
          text: (slot, text) => own.get(slot)?.result() ?? text,
          name: (name, kind) => (kind === 'place' ? names.now(name) : name),
        });
        if (++work % AT_A_TIME === 0) yield;
      }
      for (const { stream, source, payloads } of texts) {
        if (!source.written) continue;
        const checked = payloads ? withChecksums(source.result(), payloads) : null;
        for (const [i, index] of stream.at.entries()) {
          const [start, end] = stream.spans[i]!;
          const text = checked === null ? source.between(start, end) : checked.slice(start, end);
          out[index] = { ...(out[index] as Entry & { type: 'flow.chunk' }), text: stream.binary ? encodeBase64(bytesOf(text)) : text };
          if (++work % AT_A_TIME === 0) yield;
        }
      }
      const shown = createShown({
        rewrite,
        put: (index, edit) => {
          out[index] = { ...out[index], edit } as Entry;
        },
      });
      for (const [index, entry] of entries.entries()) {
        if (entry.type !== 'sight.text') continue;
        shown.take(index, entry);
        yield;
      }
      shown.end();
      return out;
    },
  };
}
