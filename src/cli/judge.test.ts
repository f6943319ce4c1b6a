import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CaptureError, readCapture } from '../core/capture/capture';
import { verdictsOf } from '../core/report';
import { createSession } from '../core/session';
import { judgeFile } from './judge';

const CORE = join(import.meta.dirname, '../core');
const dir = mkdtempSync(join(tmpdir(), 'unsettled-judge-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const fixtures = readdirSync(CORE, { recursive: true, encoding: 'utf8' })
  .filter(
    (name) =>
      /^(?:dialects|findings)\/[^/]+\.fixtures\/.*\.(?:jsonl|sse|ndjson|json|txt)$/u.test(name) &&
      !/expected\.jsonl|\.events\.txt$/u.test(name),
  )
  .map((name) => join(CORE, name));

const FOREIGN = { createdAt: '', producer: { name: 't', version: '0', browser: null } };

it('verdicts are the same whether everything is kept or nothing', () => {
  let letGo = 0;
  for (const path of fixtures) {
    let entries: ReturnType<typeof readCapture>['capture']['entries'];
    try {
      entries = readCapture(readFileSync(path), FOREIGN).capture.entries;
    } catch (error) {
      if (error instanceof CaptureError) continue;
      throw error;
    }
    const kept = createSession();
    const lean = createSession({ verdictsOnly: true });
    kept.ingest(entries);
    lean.ingest(entries);
    if (lean.intact) expect(verdictsOf(lean), relative(CORE, path)).toBe(verdictsOf(kept));
    if (lean.runs.some((run) => run.settlement !== null && lean.eventsOf(run.key).length === 0)) letGo++;
  }
  expect(letGo).toBeGreaterThan(50);
}, 120_000);

it('a run that comes back after it was let go is judged with all its events', async () => {
  const event = (type: string, more: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ id: `${type}-${JSON.stringify(more).length}`, type, ts: '2026-01-01T00:00:00.000Z', runId: 'run-1', sessionId: 's-1', ...more })}\n\n`;
  const started = event('run.started', { payload: { sessionId: 's-1', threadId: 's-1' } });
  const done = event('run.completed', {
    payload: { result: { output: { runId: 'run-1', status: 'COMPLETED', errors: [] }, assistantText: 'Done.' } },
  });
  const meta = (conn: number): object => ({
    meta: { conn, url: '/commands/stream', method: 'POST', status: 200, headers: { 'content-type': 'text/event-stream' } },
  });
  const lines = [
    meta(1),
    { t: 1, chunk: started },
    { t: 2, chunk: done },
    { t: 3, end: 'eof' },
    meta(2),
    { t: 5, chunk: started + done + event('run.log', { payload: { message: 'late' } }) },
    { t: 6, end: 'eof' },
  ];
  const path = join(dir, 'twice.jsonl');
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  const report = await judgeFile(path, { muted: [], allowEmpty: false, mappings: [] }, async function* () {});
  const { entries } = readCapture(readFileSync(path), FOREIGN).capture;
  const lean = createSession({ verdictsOnly: true });
  lean.ingest(entries);
  expect(lean.intact).toBe(false);
  const kept = createSession();
  kept.ingest(entries);
  expect(report.findings).toHaveLength(kept.findings.length);
  expect(report.runs).toHaveLength(kept.runs.length);
});
