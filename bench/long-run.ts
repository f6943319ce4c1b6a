/**
 * One long run per dialect, for the benches: a recording of its fixtures up to a delta in its middle, and that delta many
 * times over, each with the next number or id where its producer counts. What comes out is a stream that the producer could
 * have sent: no duplicates, nothing after an end, nothing out of order.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDecoder } from '../src/core/decode.ts';
import type { AgentEvent, TapRecord } from '../src/core/model/index.ts';
import { createSession } from '../src/core/session.ts';
import { openCapture } from './recordings.ts';

type Chunk = TapRecord & { readonly type: 'flow.chunk' };

const FIXTURES = join(import.meta.dirname, '../src/core/dialects');

/** The recordings among a dialect's fixtures. */
export const recordingsOf = (dialect: string): (readonly TapRecord[])[] => {
  const dir = join(FIXTURES, `${dialect}.fixtures`);
  return readdirSync(dir)
    .filter((name) => /\.(?:jsonl|sse|ndjson)$/u.test(name) && name !== 'expected.jsonl')
    .map((name) => openCapture(readFileSync(join(dir, name))));
};

/** Gives a frame that is said again the next of every number and id that its dialect counts events by. */
const renumber = (frame: string, i: number): string =>
  frame
    .replace(/("(?:sequence_number|seq|sequence)":)(\d+)/gu, (_all, key: string, n: string) => `${key}${Number(n) + i}`)
    .replace(/("event_id":"?[^"\d]*)(\d+)/u, (_all, key: string, n: string) => `${key}${Number(n) + i}`)
    .replace(/^(id: (?:.*[:_])?)(\d+)$/mu, (_all, key: string, n: string) => `${key}${Number(n) + i}`)
    .replace(/("id":"[0-9a-f-]{36}:)(\d+)"/u, (_all, key: string, n: string) => `${key}${Number(n) + i}"`)
    .replace(
      /("(?:id|uuid)":"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3})[0-9a-f]{12}"/u,
      (_all, key: string) => `${key}${String(i).padStart(12, '0')}"`,
    )
    .replace(/("id":"evt_)[0-9A-Za-z]{12}/u, (_all, key: string) => `${key}${String(i).padStart(12, '0')}`);

/** Events that a long run of text has none of: what says them says more than a delta, or tells of a damaged stream. */
const SPOILT = new Set<AgentEvent['type']>(['breach', 'malformed', 'replay.started', 'unrecognised', 'failed']);

/** The best recording, and in it the frame to repeat: of those that say nothing but text, the last. */
const pick = (recordings: readonly (readonly TapRecord[])[], type: AgentEvent['type']) => {
  let best: { readonly records: readonly TapRecord[]; readonly flow: string; readonly frame: number; readonly count: number } | null = null;
  for (const records of recordings) {
    const session = createSession({ rules: [] });
    session.ingest(records);
    const said = new Map<string, AgentEvent[]>();
    for (const event of session.events) {
      const key = `${event.flow} ${event.frame}`;
      said.set(key, [...(said.get(key) ?? []), event]);
    }
    const plain = [...said.values()].filter((events) => events.every((event) => event.type === type && event.frame >= 0));
    const last = plain.at(-1)?.[0];
    const spoilt = session.events.some((event) => SPOILT.has(event.type));
    const count = spoilt ? plain.length / 1000 : plain.length;
    if (last !== undefined && count > (best?.count ?? 0)) best = { records, flow: last.flow, frame: last.frame, count };
  }
  return best;
};

/** The frames of a binary body, which begin with their own length (big-endian, itself included). */
const binaryFrames = (bytes: Buffer): Buffer[] => {
  const frames: Buffer[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (length === 0) break;
    frames.push(bytes.subarray(at, at + length));
    at += length;
  }
  return frames;
};

/** The recording with one binary frame a read, so that a frame can be picked like any other. */
const unpacked = (records: readonly TapRecord[]): readonly TapRecord[] => {
  const chunks = records.filter((record): record is Chunk => record.type === 'flow.chunk' && record.encoding === 'base64');
  const first = chunks[0];
  if (first === undefined) return records;
  const frames = binaryFrames(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk.text, 'base64'))));
  return records.flatMap((record) =>
    record === first
      ? frames.map((frame) => ({ ...first, text: frame.toString('base64') }))
      : chunks.includes(record as Chunk)
        ? []
        : [record],
  );
};

/** Text of about so many characters makes one read of a body. */
const READ = 4096;

/**
 * One long run: the recording with the most deltas up to the last of them, and that frame until there are n, in reads of
 * about 4 kB (a socket, and a body of bare text, has one message a read). Null where no recording has a delta.
 */
export const lengthen = (recordings: readonly (readonly TapRecord[])[], n: number): TapRecord[] | null => {
  const all = recordings.map(unpacked);
  const best = pick(all, 'part.delta') ?? pick(all, 'part.replaced');
  if (best === null) return null;
  const mine = best.records.filter((record) => 'flow' in record && record.flow === best.flow);
  const out: TapRecord[] = [];
  const push = (record: TapRecord): void => void out.push({ ...record, seq: out.length } as TapRecord);
  for (const record of mine) if (record.type === 'flow.opened' || record.type === 'flow.head') push(record);

  const frames: { readonly chunk: Chunk; readonly text: string }[] = [];
  const opened = mine.find((record) => record.type === 'flow.opened');
  const chunks = mine.filter((record): record is Chunk => record.type === 'flow.chunk');
  const socket = opened?.transport === 'websocket' || opened?.transport === 'datachannel' || opened?.transport === 'eventsource';
  const spans: (readonly [number, number])[] = [];
  let framing = '';
  const decoder = createDecoder({
    dialects: [],
    onFrame(frame) {
      spans.push([frame.start, frame.end]);
      framing = frame.framing;
    },
  });
  for (const record of mine) decoder.push(record);
  const binary = chunks[0]?.encoding === 'base64';
  if (socket || binary || framing === 'text') for (const chunk of chunks) frames.push({ chunk, text: chunk.text });
  else {
    const text = chunks.map((chunk) => chunk.text).join('');
    let at = 0;
    for (const [, end] of spans) {
      // NDJSON spans leave the line end out.
      const to = text[end] === '\n' && framing === 'ndjson' ? end + 1 : end;
      frames.push({ chunk: chunks[0]!, text: text.slice(at, to) });
      at = to;
    }
  }
  const again = frames[best.frame];
  if (again === undefined) return null;

  let read = '';
  const flush = (): void => {
    if (read !== '') push({ ...again.chunk, text: binary ? Buffer.from(read, 'latin1').toString('base64') : read });
    read = '';
  };
  const say = (chunk: Chunk, text: string): void => {
    if (socket || framing === 'text') {
      push({ ...chunk, text });
      return;
    }
    read += binary ? Buffer.from(text, 'base64').toString('latin1') : text;
    if (read.length > READ) flush();
  };
  for (const { chunk, text } of frames.slice(0, best.frame + 1)) say(chunk, text);
  for (let i = 1; i < n; i++) say(again.chunk, renumber(again.text, i));
  flush();
  return out;
};
