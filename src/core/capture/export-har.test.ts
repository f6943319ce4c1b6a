import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Capture } from '../model';
import { readCapture } from './capture';
import { exportHar, isoTime } from './export-har';

const FIXTURES = join(import.meta.dirname, 'importers/importers.fixtures');
const FOREIGN = { createdAt: '2026-01-01T00:00:00.000Z', producer: { name: 'test', version: '0', browser: null } };
const load = (bytes: Uint8Array): Capture => readCapture(bytes, FOREIGN).capture;
const again = (capture: Capture): Capture => load(new TextEncoder().encode(JSON.stringify(exportHar(capture).har)));

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
