import { describe, expect, it } from 'vitest';
import { CAPTURE_FORMAT, CAPTURE_VERSION, type CaptureEntry, CaptureError, entryLine, headerLine } from './capture';
import { ReadStopped, readStream } from './read-stream';

const COUNT = 20_000;
const bytes = new TextEncoder().encode(
  headerLine({
    format: CAPTURE_FORMAT,
    version: CAPTURE_VERSION,
    createdAt: '2026-01-01T00:00:00.000Z',
    producer: { name: 't', version: '0', browser: null },
    documents: [],
    redaction: null,
  }) + Array.from({ length: COUNT }, (_, seq) => entryLine({ seq, at: seq, type: 'tick' })).join(''),
);
const collect = () => {
  const entries: CaptureEntry[] = [];
  return { entries, sink: { document() {}, entries: (more: readonly CaptureEntry[]) => void entries.push(...more) } };
};
const source = async function* (piece: number, whole = bytes): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += piece) yield whole.subarray(at, at + piece);
};

describe('reading a stream', () => {
  it('is the same in pieces of any size, and says how far it is', async () => {
    for (const piece of [1_000, 65_536, bytes.length]) {
      const { entries, sink } = collect();
      const steps: number[] = [];
      const summary = await readStream(source(piece), sink, { onProgress: (done) => void steps.push(done) });
      expect(summary).toMatchObject({ entries: COUNT, damage: null });
      expect(entries).toHaveLength(COUNT);
      expect(steps.at(-1)).toBe(bytes.length);
      expect(steps).toEqual([...steps].sort((a, b) => a - b));
    }
  });
  it('stops when told to, and what was read stands', async () => {
    const { entries, sink } = collect();
    const stop = { aborted: false };
    const reading = readStream(source(10_000), sink, {
      signal: stop,
      onProgress(done) {
        if (done > bytes.length / 2) stop.aborted = true;
      },
    });
    await expect(reading).rejects.toBeInstanceOf(ReadStopped);
    expect(entries.length).toBeGreaterThan(COUNT / 3);
    expect(entries.length).toBeLessThan(COUNT);
    await expect(readStream(source(10), collect().sink, { signal: { aborted: true } })).rejects.toMatchObject({ bytes: 0 });
  });
  it('waits while progress is shown', async () => {
    let busy = 0;
    let most = 0;
    await readStream(source(50_000), collect().sink, {
      async onProgress() {
        most = Math.max(most, ++busy);
        await Promise.resolve();
        busy--;
      },
    });
    expect(most).toBe(1);
  });
  it('says what is wrong with the file, and passes on what is wrong with the source', async () => {
    await expect(readStream([new TextEncoder().encode('Dear diary,\nnothing.\n')], collect().sink)).rejects.toBeInstanceOf(CaptureError);
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 1_000);
      throw new Error('the disk is gone');
    };
    const { entries, sink } = collect();
    await expect(readStream(broken(), sink)).rejects.toThrow('the disk is gone');
    // Too little to tell by its length what it is, and it stands all the same.
    expect(entries.length).toBeGreaterThan(15);
  });
});
