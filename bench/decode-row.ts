/**
 * One row of the decode bench, in a process of its own (`decode.ts` starts it): a page speaks one protocol, and what the
 * engine learned from another would slow this one down by an amount that depends on the order of the rows.
 *
 * Both sides read the same bytes in the same reads and take turns. What is counted is processor time of the whole process,
 * collection of garbage included, because the clock on the wall measures the other programs of the machine too.
 */
import { readFileSync } from 'node:fs';
import { createParser } from 'eventsource-parser';
import type { TapRecord } from '../src/core/model/index.ts';
import { createSession } from '../src/core/session.ts';

export interface Row {
  readonly events: number;
  /** Processor time of the quickest round, and of all rounds, in microseconds. */
  readonly ours: { readonly quickest: number; readonly all: number };
  readonly theirs: { readonly quickest: number; readonly all: number };
}

const WARM_UP = 8;
const ROUNDS = 20;

const ours = (records: readonly TapRecord[]): number => {
  const session = createSession({ rules: [] });
  session.ingest(records);
  return session.runs.length + session.counts.events;
};

/** Members that hold JSON as a string, which every reader of the protocol has to parse as well. */
const INNER: Readonly<Record<string, string>> = { 'cloudflare-ai-chat': 'body' };

/** What any reader of the protocol has to do at least: cut the frames and parse each. */
const baseline = (records: readonly TapRecord[], inner: string | undefined): number => {
  let frames = 0;
  let sse = false;
  let rest = '';
  let bytes = Buffer.alloc(0);
  const take = (data: string): void => {
    frames++;
    try {
      const value = JSON.parse(data);
      if (inner !== undefined && typeof value[inner] === 'string' && value[inner] !== '') JSON.parse(value[inner]);
    } catch {
      // [DONE] and the like: looked at, as any reader must.
    }
  };
  const parser = createParser({ onEvent: ({ data }) => take(data) });
  let read = take;
  for (const record of records) {
    if (record.type === 'flow.opened') {
      if (record.transport === 'fetch' || record.transport === 'xhr')
        read = (text) => {
          if (sse) {
            parser.feed(text);
            return;
          }
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          // `code:json` lines.
          for (const line of lines) take(line.startsWith('{') ? line : line.slice(line.indexOf(':') + 1));
        };
    } else if (record.type === 'flow.head') sse = (record.headers['content-type'] ?? '').startsWith('text/event-stream');
    else if (record.type === 'flow.chunk' && record.encoding === 'base64') {
      bytes = Buffer.concat([bytes, Buffer.from(record.text, 'base64')]);
      let at = 0;
      for (; at + 12 <= bytes.length && at + bytes.readUInt32BE(at) <= bytes.length; at += bytes.readUInt32BE(at))
        take(bytes.toString('utf8', at + 12 + bytes.readUInt32BE(at + 4), at + bytes.readUInt32BE(at) - 4));
      bytes = bytes.subarray(at);
    } else if (record.type === 'flow.chunk') read(record.text);
  }
  return frames;
};

const measure = (dialect: string, records: readonly TapRecord[], deltas: number): Row => {
  const session = createSession({ rules: [] });
  session.ingest(records);
  const { events } = session.counts;
  // A run that was not read, or read as repetitions of one event, measures nothing.
  if (events < deltas || session.runs.some((run) => run.duplicates > 0))
    throw new Error(`the long run of ${dialect} is not read as ${deltas} deltas, but as ${events} events`);
  const spent = (work: () => unknown): number => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const a: number[] = [];
  const b: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const mine = spent(() => ours(records));
    const other = spent(() => baseline(records, INNER[dialect]));
    if (round < WARM_UP) continue;
    a.push(mine);
    b.push(other);
  }
  const of = (times: readonly number[]) => ({ quickest: Math.min(...times), all: times.reduce((sum, one) => sum + one, 0) });
  return { events, ours: of(a), theirs: of(b) };
};

const [dialect = '', file = '', deltas = ''] = process.argv.slice(2);
process.send?.(measure(dialect, JSON.parse(readFileSync(file, 'utf8')), Number(deltas)));
