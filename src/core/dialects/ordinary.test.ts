/**
 * What is no agent stream is left alone: every recording in `ordinary.fixtures/` (APIs, feeds, sockets, downloads, hot
 * reload, exports) goes through the decoder with all dialects and comes out with no dialect, no events and no run. A false
 * hit costs more than a miss: the panel would show a run where there is none.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { IMPORTERS } from '../capture/importers';
import type { TapRecord, TapRecordBody } from '../model';
import { createDecoder, createSession } from '../session';

const DIR = join(dirname(fileURLToPath(import.meta.url)), 'ordinary.fixtures');
const files = readdirSync(DIR).filter((name) => name.endsWith('.jsonl'));

const load = (file: string): TapRecord[] => {
  const bytes = readFileSync(join(DIR, file));
  const importer = IMPORTERS.find((one) => one.recognise({ bytes, text: bytes.toString('utf8'), whole: true }));
  if (importer?.reads !== 'text') throw new Error(`no importer reads ${file}`);
  const records: TapRecord[] = [];
  const reading = importer.open({
    document: () => {},
    record: (record: { readonly at: number } & TapRecordBody) => records.push({ ...record, seq: records.length } as TapRecord),
    damaged: (line, detail) => {
      throw new Error(`${file}:${line}: ${detail}`);
    },
    skipped: (line, detail) => {
      throw new Error(`${file}:${line}: ${detail}`);
    },
  });
  reading.push(bytes.toString('utf8'));
  reading.end();
  return records;
};

/** The dialects that claim a flow of these records, and how many events and runs come of it. */
const outcome = (records: readonly TapRecord[]) => {
  const decoder = createDecoder();
  const events = records.flatMap((record) => decoder.push(record));
  const session = createSession();
  session.ingest(records);
  return {
    flows: decoder.flows.size,
    frames: [...decoder.flows.values()].reduce((sum, flow) => sum + flow.frames, 0),
    claimedBy: [...decoder.flows.values()].flatMap((flow) => (flow.dialect === null ? [] : [flow.dialect])),
    events: events.length,
    runs: session.runs.length,
    faults: [...decoder.faults],
  };
};
const LEFT_ALONE = { claimedBy: [], events: 0, runs: 0, faults: [] };

/** Every response that is still open ends cleanly, which is when a weak claim would be made good. */
const closed = (records: readonly TapRecord[]): TapRecord[] => {
  const open = new Set(records.flatMap((record) => (record.type === 'flow.opened' ? [record.flow] : [])));
  for (const record of records) if (record.type === 'flow.ended') open.delete(record.flow);
  const rest = [...open].map((flow): TapRecord => {
    return { type: 'flow.ended', seq: records.length, at: 1e6, flow, how: 'eof', code: null, detail: null };
  });
  return [...records, ...rest];
};

/** The same body with the type a careless server gives it. */
const typed = (records: readonly TapRecord[], type: string | null): TapRecord[] =>
  records.map((record) => (record.type === 'flow.head' ? { ...record, headers: type === null ? {} : { 'content-type': type } } : record));

/** The same events as the page gets them from an EventSource, which shows no head and no body. */
const asEventSource = (records: readonly TapRecord[]): TapRecord[] => {
  const out: TapRecord[] = records
    .filter((record) => record.type === 'flow.opened')
    .map((record) => ({ ...record, transport: 'eventsource' }));
  const flow = out[0]?.type === 'flow.opened' ? out[0].flow : '';
  const decoder = createDecoder({
    dialects: [],
    onFrame: ({ framing, kind, data, event, id }) => {
      if (framing === 'sse' && kind === 'data')
        out.push({
          type: 'flow.chunk',
          seq: out.length,
          at: out.length,
          flow,
          direction: 'received',
          text: data,
          encoding: 'text',
          event,
          id,
        });
    },
  });
  for (const record of records) decoder.push(record);
  return out;
};

test('there are enough of them', () => {
  expect(files.length).toBeGreaterThanOrEqual(100);
});

test('an agent stream would be noticed', () => {
  const [opened, ...rest] = load('import-progress.jsonl');
  const chunk = rest.find((record) => record.type === 'flow.chunk');
  if (opened?.type !== 'flow.opened' || chunk?.type !== 'flow.chunk') throw new Error('not the recording it was');
  const text =
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}\n\n';
  expect(outcome(closed([opened, { ...chunk, text }]))).toMatchObject({ claimedBy: ['anthropic-messages'], runs: 1 });
});

describe.each(files)('%s', (file) => {
  const records = load(file);

  test('is left alone', () => {
    const found = outcome(closed(records));
    expect(found).toMatchObject(LEFT_ALONE);
    expect(found.flows).toBe(1);
    expect(found.frames).toBeGreaterThan(0);
  });

  test('is left alone however little of it has come', () => {
    for (let length = 1; length < records.length; length++) expect(outcome(closed(records.slice(0, length)))).toMatchObject(LEFT_ALONE);
  });

  test('is left alone when it comes character by character', () => {
    const socket = records.some((record) => record.type === 'flow.opened' && record.transport === 'websocket');
    const cut = records.flatMap((record) =>
      record.type !== 'flow.chunk' || record.encoding !== 'text' || socket
        ? [record]
        : [...record.text].map((text) => ({ ...record, text })),
    );
    expect(outcome(closed(cut))).toMatchObject(LEFT_ALONE);
  });

  test('is left alone without its content type', () => {
    for (const type of [null, 'text/plain', 'application/octet-stream'])
      expect(outcome(closed(typed(records, type)))).toMatchObject(LEFT_ALONE);
  });
});

const feeds = files.map((file) => [file, asEventSource(load(file))] as const).filter(([, records]) => records.length > 1);
describe.each(feeds)('%s', (_file, records) => {
  test('is left alone when it comes by EventSource', () => {
    expect(outcome(closed(records))).toMatchObject(LEFT_ALONE);
  });
});
