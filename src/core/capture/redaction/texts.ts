/**
 * All texts of a capture, as views that can be written over: each stream in each direction as one text however it was cut
 * into chunks, its JSON strings with their keys, every other field, and the texts of the page put together from their
 * edits. `rebuild` gives the entries with what was written, cut where they were cut before.
 */

import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { payloadsOf, withChecksums } from './checked-messages';
import { type Entry, type FieldKind, fieldsOf, withFields } from './fields';
import { jsonStrings, marksOf } from './json-strings';
import { createShown } from './shown';
import { joinedView, type Source, sliceView, sourceOf, stringView, type View } from './views';

/** A string of a stream: a JSON string value, or a line that is no JSON. */
export interface Leaf {
  readonly view: View;
  /** The nearest member name; '' for a line that is no JSON. */
  readonly key: string;
  /** Names where the same string of another frame continues this one. */
  readonly columns: readonly string[];
  /** Names of the members beside it. */
  readonly beside: readonly string[];
  /** Text outside JSON. */
  readonly bare: boolean;
  /** A JSON number that is a telephone's or a card's. */
  readonly number?: true;
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
  /** Calls back for every string in it, in order. */
  leaves(visit: (leaf: Leaf) => void): void;
}

export interface CaptureTexts {
  readonly streams: readonly StreamText[];
  readonly fields: readonly Field[];
  /** `rewrite` says what each text of the page becomes; it must keep the length. */
  rebuild(rewrite: (text: string) => string): readonly Entry[];
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
    return {
      view: stringView(view, leaf.start, leaf.end),
      key: leaf.key,
      columns: leaf.number ? NONE : [path, ...marksOf(leaf).map((mark) => `${path}|${mark}`)],
      beside: leaf.node.names,
      bare: false,
      ...(leaf.number ? { number: true as const } : {}),
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
export const lineLeaves = (source: Source, start: number, stop: number, visit: (leaf: Leaf) => void): void => {
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
        for (const leaf of all) visit(leaf);
        return;
      }
    }
  }
  let bareFrom = -1;
  const flushBare = (to: number): void => {
    if (bareFrom >= 0 && to > bareFrom) visit({ view: sliceView(source, bareFrom, to), key: '', columns: NONE, beside: NONE, bare: true });
    bareFrom = -1;
  };
  /** Data lines that may belong together; each with what it holds by itself. */
  let data: [number, number][] = [];
  const flushData = (): void => {
    const lines = data;
    data = [];
    const spread = lines.length > 1 ? spreadLeaves(source, lines) : null;
    if (spread) for (const leaf of spread) visit(leaf);
    else
      for (const [from, to] of lines) {
        const leaves = jsonLeaves(source, from, to, 'data');
        if (leaves) for (const leaf of leaves) visit(leaf);
        else
          visit({
            view: sliceView(source, from, to),
            key: '',
            columns: isLiteral(text.slice(from, to)) ? NONE : ['data'],
            beside: NONE,
            bare: true,
          });
      }
  };
  for (let at = start; at < stop; ) {
    let end = text.indexOf('\n', at);
    if (end < 0 || end > stop) end = stop;
    const line = text.slice(at, end);
    const [prefix, field, code] = LINE.exec(line) ?? [''];
    const from = at + (prefix ?? '').length;
    if (field === 'data') {
      flushBare(at);
      data.push([from, end]);
    } else {
      flushData();
      const leaves = /^\s*["[{]/u.test(text.slice(from, from + 8)) ? jsonLeaves(source, from, end, field ?? code ?? '') : null;
      if (leaves) {
        flushBare(at);
        for (const leaf of leaves) visit(leaf);
      } else if ((line.trim() !== '' || bareFrom >= 0) && bareFrom < 0) bareFrom = at;
    }
    at = end + 1;
  }
  flushData();
  flushBare(stop);
};

export const messageLeaves = (source: Source, spans: readonly (readonly [number, number])[], visit: (leaf: Leaf) => void): void => {
  for (const [start, end] of spans) {
    const leaves = jsonLeaves(source, start, end, '');
    if (leaves) for (const leaf of leaves) visit(leaf);
    // Some send an event stream in messages.
    else if (/^(?:data|event|id|retry)?:/u.test(source.text.slice(start, start + 6))) lineLeaves(source, start, end, visit);
    else if (end > start)
      visit({
        view: sliceView(source, start, end),
        key: '',
        columns: isLiteral(source.text.slice(start, end)) ? NONE : ['data'],
        beside: NONE,
        bare: true,
      });
  }
};

/** A number or word of JSON, which is no text that goes on. */
const isLiteral = (text: string): boolean => /^\s*(?:null|true|false|-?[0-9][0-9.eE+-]*)\s*$/u.test(text);

interface Stream {
  readonly flow: string;
  readonly binary: boolean;
  readonly messages: boolean;
  readonly parts: string[];
  readonly spans: [number, number][];
  readonly at: number[];
  length: number;
}

export const textsOf = (entries: readonly Entry[]): CaptureTexts => {
  const streams = new Map<string, Stream>();
  const transports = new Map<string, string>();
  const fields: Field[] = [];
  /** The fields of each entry, by their slots. */
  const written = new Map<number, Map<number, Source>>();

  entries.forEach((entry, index) => {
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
    stream.spans.push([stream.length, stream.length + text.length]);
    stream.length += text.length;
    stream.at.push(index);
  });

  const texts = [...streams.values()].map((stream) => {
    const source = sourceOf(stream.parts.join(''));
    return { stream, source, payloads: stream.binary ? payloadsOf(source.text) : null };
  });

  return {
    streams: texts.map(({ stream, source, payloads }) => ({
      flow: stream.flow,
      source,
      binary: stream.binary,
      leaves(visit) {
        if (payloads)
          for (const { from, to } of payloads) {
            const payload = sliceView(source, from, to);
            for (const leaf of jsonLeaves(payload, 0, payload.text.length, '') ?? []) visit(leaf);
          }
        else if (stream.binary) visit({ view: source, key: '', columns: NONE, beside: NONE, bare: true });
        else if (stream.messages) messageLeaves(source, stream.spans, visit);
        else lineLeaves(source, 0, source.text.length, visit);
      },
    })),
    fields,
    rebuild(rewrite) {
      const out = [...entries];
      for (const [index, own] of written) out[index] = withFields(out[index]!, (slot, text) => own.get(slot)?.result() ?? text);
      for (const { stream, source, payloads } of texts) {
        const now = source.result();
        if (now === source.text) continue;
        const result = payloads ? withChecksums(now, payloads) : now;
        stream.at.forEach((index, i) => {
          const [start, end] = stream.spans[i]!;
          const text = result.slice(start, end);
          out[index] = { ...(out[index] as Entry & { type: 'flow.chunk' }), text: stream.binary ? encodeBase64(bytesOf(text)) : text };
        });
      }
      const shown = createShown({
        rewrite,
        put: (index, edit) => {
          out[index] = { ...out[index], edit } as Entry;
        },
      });
      entries.forEach((entry, index) => {
        if (entry.type === 'sight.text') shown.take(index, entry);
      });
      shown.end();
      return out;
    },
  };
};
