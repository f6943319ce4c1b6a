/**
 * Decode and ledger against the least that any reader must do: eventsource-parser (or splitting lines) and JSON.parse on
 * the same bytes. Both sides take turns in one process, and the ratio is of the medians. Per dialect: one long run, made of
 * the recording with the most deltas in its fixtures.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import { createDecoder } from '../src/core/decode.ts';
import { DIALECTS } from '../src/core/dialects/index.ts';
import type { TapRecord } from '../src/core/model.ts';
import { createSession } from '../src/core/session.ts';
import { openCapture } from './recordings.ts';
import type { Measured } from './run.ts';

/** Deltas of the long run that each dialect reads. */
const DELTAS = 10_000;

const FIXTURES = join(import.meta.dirname, '../src/core/dialects');

/** Parses what came, frame by frame, and throws it away. Returns the number of frames, so that nothing is optimised away. */
const baseline = (records: readonly TapRecord[]): number => {
  let frames = 0;
  const take = (data: string): void => {
    frames++;
    try {
      JSON.parse(data);
    } catch {
      // [DONE], code lines, damage: looked at, as any reader must.
    }
  };
  const readers = new Map<string, (text: string) => void>();
  for (const record of records) {
    if (record.type === 'flow.opened') {
      const parser = createParser({ onEvent: ({ data }) => take(data) });
      const socket = record.transport === 'websocket' || record.transport === 'datachannel';
      let rest = '';
      readers.set(
        record.flow,
        socket
          ? take
          : (text) => {
              if (kind.get(record.flow) === 'sse') parser.feed(text);
              else {
                const lines = (rest + text).split('\n');
                rest = lines.pop() ?? '';
                for (const line of lines) take(line);
              }
            },
      );
    } else if (record.type === 'flow.head')
      kind.set(record.flow, (record.headers['content-type'] ?? '').startsWith('text/event-stream') ? 'sse' : 'lines');
    else if (record.type === 'flow.chunk' && record.encoding === 'text') readers.get(record.flow)?.(record.text);
  }
  return frames;
};
const kind = new Map<string, 'sse' | 'lines'>();

const ours = (records: readonly TapRecord[]): number => {
  const session = createSession({ rules: [] });
  session.ingest(records);
  return session.runs.length + session.counts.events;
};

const isDelimited = (records: readonly TapRecord[]): boolean => {
  const opened = records.find((record) => record.type === 'flow.opened');
  return opened?.type === 'flow.opened' && opened.transport !== 'fetch' && opened.transport !== 'xhr';
};

/** Gives a frame that is said again the next of every number and id that its dialect counts events by. */
const renumber = (frame: string, i: number): string =>
  frame
    .replace(/("(?:sequence_number|seq|sequence)":)(\d+)/gu, (_all, key: string, n: string) => `${key}${Number(n) + i}`)
    .replace(/("event_id":"?[^"\d]*)(\d+)/u, (_all, key: string, n: string) => `${key}${Number(n) + i}`)
    .replace(/^(id: (?:.*:)?)(\d+)$/mu, (_all, key: string, n: string) => `${key}${Number(n) + i}`)
    .replace(
      /("id":"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)[0-9a-f]{12}(","type")/u,
      (_all, key: string, rest: string) => `${key}${String(i).padStart(12, '0')}${rest}`,
    );

/**
 * One long run of a dialect: its recording with the most deltas up to one of them, and that frame n times, in reads of
 * about 4 kB (a socket has one message a read). Null where no recording has a delta.
 */
export const lengthen = (recordings: readonly (readonly TapRecord[])[], n: number): TapRecord[] | null => {
  let best: { records: readonly TapRecord[]; flow: string; frame: number; deltas: number } | null = null;
  for (const records of recordings) {
    const session = createSession({ rules: [] });
    session.ingest(records);
    const bare = session.events.filter((event) => event.type === 'part.delta');
    const deltas = bare.length > 0 ? bare : session.events.filter((event) => event.type === 'part.replaced');
    const last = deltas.at(-1);
    if (last !== undefined && deltas.length > (best?.deltas ?? 0))
      best = { records, flow: last.flow, frame: last.frame, deltas: deltas.length };
  }
  if (best === null) return null;
  const { flow, frame: wanted } = best;
  const mine = best.records.filter((record) => 'flow' in record && record.flow === flow);
  const out: TapRecord[] = [];
  const push = (record: TapRecord): void => void out.push({ ...record, seq: out.length } as TapRecord);
  for (const record of mine) if (record.type === 'flow.opened' || record.type === 'flow.head') push(record);
  const chunk = mine.find((record) => record.type === 'flow.chunk' && record.direction === 'received');
  if (chunk?.type !== 'flow.chunk') return null;
  if (isDelimited(mine)) {
    let index = -1;
    for (const record of mine) {
      if (record.type !== 'flow.chunk') continue;
      index++;
      push(record);
      if (index < wanted) continue;
      for (let i = 1; i < n; i++) push({ ...record, text: renumber(record.text, i) });
      return out;
    }
    return null;
  }
  const text = mine.flatMap((record) => (record.type === 'flow.chunk' && record.direction === 'received' ? [record.text] : [])).join('');
  const spans: (readonly [number, number])[] = [];
  const decoder = createDecoder({ dialects: [], onFrame: (frame) => void spans.push(frame.span) });
  for (const record of mine) decoder.push(record);
  const span = spans[wanted];
  if (span === undefined) return null;
  const again = text.slice(span[0], span[1]);
  const whole = again.endsWith('\n') ? again : `${again}\n`;
  push({ ...chunk, text: text.slice(0, span[0]) + whole });
  let read = '';
  for (let i = 1; i < n; i++) {
    read += renumber(whole, i);
    if (read.length > 4096 || i === n - 1) {
      push({ ...chunk, text: read });
      read = '';
    }
  }
  return out;
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

interface Pair {
  readonly ours: number;
  readonly theirs: number;
}
const measure = (records: readonly TapRecord[], rounds: number): Pair => {
  const a: number[] = [];
  const b: number[] = [];
  for (let round = 0; round < rounds + 2; round++) {
    const t0 = performance.now();
    ours(records);
    const t1 = performance.now();
    baseline(records);
    const t2 = performance.now();
    // The first two rounds warm the engine up.
    if (round >= 2) {
      a.push(t1 - t0);
      b.push(t2 - t1);
    }
  }
  return { ours: median(a), theirs: median(b) };
};

export const bench = async (): Promise<Measured> => {
  const lines: string[] = [];
  const row = (name: string, events: number, { ours, theirs }: Pair): void => {
    lines.push(
      `${name.padEnd(26)} ${Math.round((events / ours) * 1000)
        .toLocaleString('en')
        .padStart(11)} events/s   ratio ${(ours / theirs).toFixed(2)}`,
    );
  };
  const ratios: number[] = [];
  for (const { id } of DIALECTS) {
    const dir = join(FIXTURES, `${id}.fixtures`);
    const files = readdirSync(dir).filter((name) => /\.(?:jsonl|sse|ndjson)$/u.test(name) && name !== 'expected.jsonl');
    const records = lengthen(
      files.map((name) => openCapture(readFileSync(join(dir, name)))),
      DELTAS,
    );
    if (records === null) {
      lines.push(`${id.padEnd(26)} no deltas in its recordings`);
      continue;
    }
    const session = createSession({ rules: [] });
    session.ingest(records);
    const pair = measure(records, 5);
    ratios.push(pair.ours / pair.theirs);
    row(id, session.counts.events, pair);
  }
  lines.push(`median ratio ${median(ratios).toFixed(2)}, worst ${Math.max(...ratios).toFixed(2)} (at most 3)`);
  return { name: 'Decode and ledger against eventsource-parser + JSON.parse', lines };
};
