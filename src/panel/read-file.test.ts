/** A packed file that is cut, goes on after its end or is of several members opens as on the command line, and says the same. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test, vi } from 'vitest';
import { judgeFile } from '../cli/judge';
import { serialiseCapture } from '../core/capture/capture';
import { createSession } from '../core/session';
import { type FileSummary, type ReadFailure, readInto } from './capture-file';
import type { Feed } from './feed';
import { largeSample } from './sample';
import { sheet } from './strings/en-sheet';

/** Pieces that the slow unpacker gave, over all files. */
const slow = vi.hoisted(() => ({ pieces: 0 }));
vi.mock(import('../core/capture/gunzip'), async (original) => {
  const { gunzip } = await original();
  return {
    *gunzip(bytes: Uint8Array) {
      const pieces = gunzip(bytes);
      for (let piece = pieces.next(); ; piece = pieces.next()) {
        if (piece.done) return piece.value;
        slow.pieces++;
        yield piece.value;
      }
    },
  };
});

const dir = mkdtempSync(join(tmpdir(), 'unsettled-read-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const text = [...serialiseCapture(largeSample(3_000))].join('');
const whole = gzipSync(text);
const spoiled = Buffer.from(whole);
spoiled[whole.length - 8]! ^= 0x55;
const small = gzipSync([...serialiseCapture(largeSample(20))].join(''));
const body = gzipSync(
  Array.from({ length: 200 }, (_, i) => `data: ${JSON.stringify({ type: 'text-delta', id: '0', delta: `${Math.sin(i)}` })}\n\n`).join(''),
);
const middle = text.indexOf('\n', text.length >> 1) + 1;

interface Said {
  readonly runs: unknown;
  /** What is said of the packing. */
  readonly packing: readonly string[];
  readonly opened: boolean;
}

const setUp = () => {
  const session = createSession();
  const feed = {
    document: session.document,
    replay: session.ingest,
    waiting: { peek: () => 0 },
    paused: { peek: () => false },
  } as unknown as Feed;
  const stop = new AbortController();
  return { session, feed, stop, reading: { begun() {}, progress() {}, signal: stop.signal } };
};

const inPanel = async (bytes: Uint8Array): Promise<Said> => {
  const { session, feed, reading } = setUp();
  const result: FileSummary | ReadFailure | null = await readInto(feed, new Blob([new Uint8Array(bytes)]), reading);
  if (result === null) throw new Error('given up');
  const packing =
    'reason' in result
      ? [result.reason === 'packed' ? sheet.packedDamaged(result.detail) : result.detail]
      : [
          ...(result.packing.fault === null ? [] : [sheet.packedDamaged(result.packing.fault)]),
          ...(result.packing.ignored === 0 ? [] : [sheet.packedIgnored(result.packing.ignored)]),
        ];
  return { runs: session.runs.map((run) => [run.key, run.settlement?.outcome ?? null]), packing, opened: !('reason' in result) };
};

const onCommandLine = async (bytes: Uint8Array): Promise<Said> => {
  const path = join(dir, 'capture.gz');
  writeFileSync(path, bytes);
  const report = await judgeFile(path, { muted: [], mappings: [], allowEmpty: false }, async function* () {});
  return {
    runs: report.runs.map((run) => [run.key, run.outcome]),
    // The command line also says that the rest was read; the panel shows it.
    packing: report.faults.map((fault) => fault.message.replace(' What came before was read; the rest was not.', '')),
    opened: report.source !== null || report.runs.length > 0,
  };
};

test.each([
  ['whole', whole, 0],
  ['in two members', Buffer.concat([gzipSync(text.slice(0, middle)), gzipSync(text.slice(middle))]), 0],
  ['padded with zeros', Buffer.concat([whole, Buffer.alloc(512)]), 0],
  ['with a line behind it', Buffer.concat([whole, Buffer.from('\n')]), 1],
  ['with another file behind it', Buffer.concat([whole, Buffer.from('left behind')]), 1],
  ['cut in its middle', whole.subarray(0, whole.length >> 1), 1],
  ['cut in its last bytes', whole.subarray(0, whole.length - 3), 1],
  ['with a wrong checksum', spoiled, 1],
  ['small, and cut in its last bytes', small.subarray(0, small.length - 9), 1],
  ['small, and cut in its middle', small.subarray(0, small.length >> 1), 1],
  ['a body, cut in its middle', body.subarray(0, body.length >> 1), 1],
  ['cut before anything could be read', whole.subarray(0, 60), 1],
] as const)('packed, %s', async (_, bytes, faults) => {
  const there = await onCommandLine(bytes);
  expect(there.packing).toHaveLength(faults);
  expect(await inPanel(bytes)).toEqual(there);
});

test('it is given up at once while the slow unpacker goes through what was read before', async () => {
  const { feed, stop, reading } = setUp();
  const blob = new Blob([new Uint8Array(spoiled)]);
  // The browser's own unpacker has given up by then: it reads the file as a stream.
  blob.arrayBuffer = () => {
    stop.abort();
    slow.pieces = 0;
    return Blob.prototype.arrayBuffer.call(blob);
  };
  expect(await readInto(feed, blob, reading)).toBeNull();
  expect(slow.pieces).toBe(1);
});
