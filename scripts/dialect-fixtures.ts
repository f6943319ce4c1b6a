/**
 * What the driver of the dialects does to recordings: reads them by the importers, cuts their bytes anew, and finds where their
 * frames end. Here and not in the core, which knows no files.
 */
import { readFileSync } from 'node:fs';
import { IMPORTERS } from '../src/core/capture/importers';
import type { FileHead } from '../src/core/capture/importers/importer';
import { createDecoder } from '../src/core/decode';
import { type FlowOpening, RECOGNISE_WITHIN } from '../src/core/dialects/dialect';
import type { TapRecord, TapRecordBody } from '../src/core/model';
import { createSession, type Session } from '../src/core/session';

export const load = (path: string): TapRecord[] => {
  const bytes = readFileSync(path);
  const head: FileHead = { bytes, text: bytes.toString('utf8'), whole: true };
  const importer = IMPORTERS.find((one) => one.recognise(head));
  if (importer === undefined) throw new Error(`no importer reads ${path}`);
  const records: TapRecord[] = [];
  const sink = {
    document: () => {},
    record: (record: { readonly at: number } & TapRecordBody) => records.push({ ...record, seq: records.length } as TapRecord),
    damaged: (line: number | null, detail: string) => {
      throw new Error(`${path}:${line}: ${detail}`);
    },
    skipped: () => {},
  };
  if (importer.reads === 'text') {
    const reading = importer.open(sink);
    reading.push(head.text);
    reading.end();
  } else {
    const reading = importer.open(sink);
    reading.push(bytes);
    reading.end();
  }
  return records;
};

export const sessionOf = (records: readonly TapRecord[]): Session => {
  const session = createSession();
  session.ingest(records);
  return session;
};

/** Chunks of text flows cut anew, and stamped anew; sockets and EventSource delimit by themselves and stay as they are. */
export const rechunk = (records: readonly TapRecord[], cut: (text: string) => readonly string[]): TapRecord[] => {
  const delimited = new Set(
    records.flatMap((r) =>
      r.type === 'flow.opened' && (r.transport === 'websocket' || r.transport === 'eventsource' || r.transport === 'datachannel')
        ? [r.flow]
        : [],
    ),
  );
  return records
    .flatMap((record) =>
      record.type !== 'flow.chunk' || record.encoding !== 'text' || delimited.has(record.flow)
        ? [record]
        : cut(record.text).map((text) => ({ ...record, text })),
    )
    .map((record, seq) => ({ ...record, seq }));
};
/** Neighbouring chunks of one flow made one. */
export const merged = (records: readonly TapRecord[]): TapRecord[] => {
  const out: TapRecord[] = [];
  const delimited = new Set(
    records.flatMap((r) => (r.type === 'flow.opened' && r.transport !== 'fetch' && r.transport !== 'xhr' ? [r.flow] : [])),
  );
  for (const record of records) {
    const last = out.at(-1);
    if (
      record.type === 'flow.chunk' &&
      last?.type === 'flow.chunk' &&
      last.flow === record.flow &&
      last.direction === record.direction &&
      record.encoding === 'text' &&
      !delimited.has(record.flow)
    )
      out[out.length - 1] = { ...last, text: last.text + record.text };
    else out.push(record);
  }
  return out;
};

/** Chunks cut anew so that each ends with a frame; stamped anew too. */
export const perFrame = (records: readonly TapRecord[]): TapRecord[] => {
  const joined = merged(records);
  const ends = new Map<string, number[]>();
  const decoder = createDecoder({
    dialects: [],
    onFrame: (frame) => {
      const key = `${frame.flow}:${frame.direction}`;
      ends.set(key, [...(ends.get(key) ?? []), frame.end]);
    },
  });
  for (const record of joined) decoder.push(record);
  const offset = new Map<string, number>();
  const delimited = new Set(
    records.flatMap((r) => (r.type === 'flow.opened' && r.transport !== 'fetch' && r.transport !== 'xhr' ? [r.flow] : [])),
  );
  const out: TapRecord[] = [];
  for (const record of joined) {
    if (record.type !== 'flow.chunk' || record.encoding !== 'text' || delimited.has(record.flow)) {
      out.push({ ...record, seq: out.length });
      continue;
    }
    const key = `${record.flow}:${record.direction}`;
    const from = offset.get(key) ?? 0;
    offset.set(key, from + record.text.length);
    let at = 0;
    for (const end of [
      ...(ends.get(key) ?? []).filter((end) => end > from && end < from + record.text.length),
      from + record.text.length,
    ]) {
      if (end - from > at) out.push({ ...record, seq: out.length, text: record.text.slice(at, end - from) });
      at = end - from;
    }
  }
  return out;
};

export const openingOf = (records: readonly TapRecord[], flow: string): FlowOpening | null => {
  const frames: FlowOpening['frames'][number][] = [];
  const decoder = createDecoder({
    dialects: [],
    onFrame: (frame) => frame.flow === flow && frame.kind === 'data' && frame.complete && frames.push(frame),
  });
  for (const record of records) decoder.push(record);
  const view = decoder.flows.get(flow);
  const opened = records.find((record) => record.type === 'flow.opened' && record.flow === flow);
  if (view === undefined || opened?.type !== 'flow.opened') return null;
  return {
    transport: view.transport,
    method: view.method,
    url: view.url,
    requestBody: view.requestBody,
    requestHeaders: opened.requestHeaders,
    status: view.status,
    headers: view.headers,
    frames: frames.slice(0, RECOGNISE_WITHIN),
    last: true,
  };
};

/** Whether the chunk holds exactly one frame, so that half of it holds none. */
export const frameIsWhole = (records: readonly TapRecord[], seq: number): boolean => {
  let frames = 0;
  const decoder = createDecoder({ dialects: [], onFrame: (frame) => frame.seq === seq && frames++ });
  for (const record of records) decoder.push(record);
  return frames <= 1;
};

/** The chunks after which the flow stands at a frame boundary. */
export const frameEnds = (records: readonly TapRecord[]): ReadonlySet<number> => {
  const length = new Map<string, number>();
  const ends = new Map<string, number>();
  const at = new Set<number>();
  const decoder = createDecoder({ dialects: [], onFrame: (frame) => ends.set(`${frame.flow}:${frame.direction}`, frame.end) });
  for (const record of records) {
    decoder.push(record);
    if (record.type !== 'flow.chunk' || record.encoding !== 'text') continue;
    const key = `${record.flow}:${record.direction}`;
    length.set(key, (length.get(key) ?? 0) + record.text.length);
    if (ends.get(key) === length.get(key)) at.add(record.seq);
  }
  return at;
};

/** Frames that mean nothing, in the framing of the flow. None where garbage could not be told from text. */
export const garbageFor = (records: readonly TapRecord[], flow: string): readonly string[] => {
  let framing: string | null = null;
  const decoder = createDecoder({
    dialects: [],
    onFrame: (frame) => {
      if (frame.flow === flow && frame.direction === 'received') framing = framing ?? frame.framing;
    },
  });
  for (const record of records) decoder.push(record);
  const transport = records.find((record) => record.type === 'flow.opened' && record.flow === flow);
  if (transport?.type === 'flow.opened' && transport.transport === 'eventsource') return ['{"cut":', 'null'];
  if (framing === 'sse') return ['data: {"cut":\n\n', 'data: [1,\n\n', 'event: nonsense\ndata: null\n\n'];
  if (framing === 'ndjson') return ['{"cut":\n', '!!\n'];
  if (framing === 'message') return ['{"cut":', 'null', '[]'];
  return [];
};
