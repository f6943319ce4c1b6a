import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Capture } from '../model';
import { readCapture } from './capture';
import { exportHar, exportHarSteps, isoTime } from './export-har';

const FIXTURES = join(import.meta.dirname, 'importers/importers.fixtures');
const FOREIGN = { createdAt: '2026-01-01T00:00:00.000Z', producer: { name: 'test', version: '0', browser: null } };
const load = (bytes: Uint8Array): Capture => readCapture(bytes, FOREIGN).capture;
const again = (capture: Capture): Capture => load(new TextEncoder().encode(JSON.stringify(exportHar(capture).har)));

interface HarEntry {
  readonly response: { readonly content: { readonly size: number; readonly text?: string } };
  readonly _webSocketMessages?: readonly unknown[];
  readonly _eventSourceMessages?: readonly unknown[];
}

/** Per flow: its transport, what came and went on it, and how it ended. */
const contents = (capture: Capture) => {
  const flows = new Map<string, { transport: string; url: string; sent: string; received: string; end: string | null }>();
  for (const entry of capture.entries) {
    if (entry.type === 'flow.opened')
      flows.set(entry.flow, { transport: entry.transport, url: entry.url, sent: '', received: '', end: null });
    else if ('flow' in entry && entry.flow !== null) {
      const flow = flows.get(entry.flow)!;
      if (entry.type === 'flow.chunk')
        flow[entry.direction] += entry.encoding === 'base64' ? Buffer.from(entry.text, 'base64').toString('latin1') : entry.text;
      if (entry.type === 'flow.ended') flow.end = entry.how;
    }
  }
  return [...flows.values()];
};

describe('a capture as HAR', () => {
  it.each(readdirSync(FIXTURES))('holds all that %s holds on its connections', (name) => {
    const capture = load(readFileSync(join(FIXTURES, name)));
    const [before, after] = [contents(capture), contents(again(capture))];
    expect(after.map(({ end: _, ...rest }) => rest)).toEqual(before.map(({ end: _, ...rest }) => rest));
    for (const [i, flow] of before.entries())
      if (flow.transport !== 'eventsource' && flow.end !== null) expect(after[i]!.end).toBe(flow.end);
  });
  it.each(readdirSync(FIXTURES))('is the same as an object and as text: %s', (name) => {
    const { har, text } = exportHar(load(readFileSync(join(FIXTURES, name))));
    expect([...text()].join('')).toBe(`${JSON.stringify(har, null, 1)}\n`);
  });
  it('is written in small pieces, however long a connection is, and so are bytes', () => {
    const chunk = (seq: number, flow: string, text: string, encoding: 'text' | 'base64') =>
      ({ seq, at: seq, type: 'flow.chunk', flow, direction: 'received', text, encoding, event: null, id: null }) as const;
    const opened = (seq: number, flow: string, transport: 'fetch' | 'websocket' | 'eventsource') =>
      ({
        seq,
        at: seq,
        type: 'flow.opened',
        flow,
        document: 'd',
        transport,
        method: 'GET',
        url: 'https://x.example/',
        requestHeaders: {},
        requestBody: null,
      }) as const;
    const bytes = Buffer.from(Array.from({ length: 400_001 }, (_, i) => (i * 7) % 256));
    const sizes = [100_000, 1, 299_998, 2];
    const cut = sizes.map((size, i) =>
      bytes
        .subarray(sizes.slice(0, i).reduce((a, b) => a + b, 0))
        .subarray(0, size)
        .toString('base64'),
    );
    const transports = ['fetch', 'websocket', 'eventsource'] as const;
    const capture = {
      ...load(new TextEncoder().encode('data: 1\n\n')),
      entries: [
        ...transports.map((transport, i) => opened(i, transport, transport)),
        ...transports.flatMap((flow) => Array.from({ length: 30_000 }, (_, i) => chunk(3 + i, flow, `data: ${i} “ok”\n\n`, 'text'))),
        opened(40_000, 'bytes', 'fetch'),
        ...cut.map((text, i) => chunk(40_001 + i, 'bytes', text, 'base64')),
      ],
    } as Capture;
    const steps = exportHarSteps(capture);
    let step = steps.next();
    let count = 0;
    for (; !step.done; step = steps.next()) count++;
    expect(count).toBeGreaterThan(10);
    if (!step.done) throw new Error('not done');
    const pieces = [...step.value.text()];
    expect(pieces.reduce((most, piece) => Math.max(most, piece.length), 0)).toBeLessThan(100_000);
    const { entries } = (JSON.parse(pieces.join('')) as { log: { entries: HarEntry[] } }).log;
    expect(entries).toEqual((step.value.har.log as { entries: unknown }).entries);
    expect(entries[0]!.response.content.text).toMatch(/^data: 0 “ok”.*data: 29999 “ok”\n\n$/su);
    expect(entries[1]!._webSocketMessages).toHaveLength(30_000);
    expect(entries[2]!._eventSourceMessages).toHaveLength(30_000);
    expect(entries[3]!.response.content.text).toBe(bytes.toString('base64'));
    for (const { response } of [entries[0]!, entries[3]!]) expect(response.content.size).toBe(response.content.text!.length);
  });
  it('writes times as the platform does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (ms) => {
        expect(isoTime(ms)).toBe(new Date(ms).toISOString());
      }),
      { numRuns: 2000 },
    );
    for (const day of ['2000-02-29', '2100-02-28', '2100-03-01', '1970-01-01', '2024-12-31'])
      expect(isoTime(Date.parse(day))).toBe(new Date(day).toISOString());
  });
  it('keeps the times of socket messages, and counts what it cannot hold', () => {
    const capture = load(readFileSync(join(import.meta.dirname, 'upgrades/upgrades.fixtures/v1.unsettled.jsonl')));
    const { har, leftOut } = exportHar(capture);
    const entries = har.log.entries as { _webSocketMessages?: { time: number }[] }[];
    expect(entries[1]!._webSocketMessages!.map((message) => Math.round(message.time * 1000) - 1796030000000)).toEqual([1060, 1061]);
    expect(leftOut).toBe(6);
  });
});
