/**
 * A finding that travels: a session is exported, redacted, scrambled, packed, checked by the command line and opened again, and at
 * every step the runs, settlements and findings are what they were. The panel's own export and opening are in e2e/panel.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CaptureError, readCapture, serialiseCapture } from '../core/capture/capture';
import { exportHar } from '../core/capture/export-har';
import { redactCapture, ScrambleError } from '../core/capture/redact';
import type { Capture } from '../core/model';
import { isUntimedRun, type Report, verdictsOf } from '../core/report';
import { createSession, type Session } from '../core/session';
import { run } from './cli';

const CORE = join(import.meta.dirname, '../core');
let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'unsettled-round-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Every finding's cases, and of each protocol some. */
const fixtures = readdirSync(CORE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.fixtures') && /^(?:dialects|findings)[\\/]/u.test(name))
  .sort()
  .flatMap((folder) => {
    const files = readdirSync(join(CORE, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:jsonl|ndjson|sse)$/u.test(name) && !name.endsWith('expected.jsonl'))
      .sort();
    return (folder.startsWith('dialects') ? files.filter((_, i) => i % 9 === 0) : files.filter((_, i) => i % 2 === 0)).map((name) =>
      join(CORE, folder, name),
    );
  });

const sessionOf = (capture: Capture): Session => {
  const session = createSession();
  for (const document of capture.documents) session.document(document);
  session.ingest(capture.entries);
  return session;
};
const verdict = (capture: Capture): string => verdictsOf(sessionOf(capture));
const bytesOf = (capture: Capture): Buffer => Buffer.from([...serialiseCapture(capture)].join(''));

/** What a person looks at: how each run ended, and what was found. */
const seen = (session: Session): unknown => ({
  runs: session.runs.map((one) => [
    one.key,
    one.dialect,
    one.settlement?.outcome ?? null,
    isUntimedRun(session, one) ? null : (one.settlement?.at ?? null),
  ]),
  findings: session.findings.map(({ rule, verdict, severity, run, at, untimed }) => [rule, verdict, severity, run, untimed ? null : at]),
});
const checked = async (path: string): Promise<unknown> => {
  let out = '';
  await run(['check', '--allow-empty', '--format', 'json', path], {
    out: (text) => {
      out += text;
    },
    err() {},
    interactive: false,
    color: false,
    columns: 100,
    entry: null,
    async *stdin() {},
  });
  const [file] = (JSON.parse(out) as Report).files;
  return {
    runs: file!.runs.map((one) => [one.key, one.dialect, one.outcome, one.settledMs]),
    findings: file!.findings.map((finding) => [finding.rule, finding.verdict, finding.severity, finding.run, finding.atMs]),
  };
};

const scramble = (capture: Capture): Capture => {
  const options = { policy: 'scramble', key: 'test', verdict } as const;
  try {
    return redactCapture(capture, options).capture;
  } catch (error) {
    if (!(error instanceof ScrambleError)) throw error;
    // A verdict that is read from the words of a message: with those kept, or not at all.
    return error.members.length > 0 ? redactCapture(capture, { ...options, keep: error.members.slice(0, 1) }).capture : capture;
  }
};

it('is the same at every step', async () => {
  expect(fixtures.length).toBeGreaterThan(100);
  for (const [index, path] of fixtures.entries()) {
    let first: Capture;
    try {
      first = readCapture(readFileSync(path)).capture;
    } catch (error) {
      if (error instanceof CaptureError) continue;
      throw error;
    }
    const right = verdict(first);
    const look = seen(sessionOf(first));
    const exported = bytesOf(first);
    const opened = readCapture(exported).capture;
    expect(opened.entries, `${path}, opened again`).toEqual(JSON.parse(JSON.stringify(first.entries)));
    const redacted = readCapture(bytesOf(redactCapture(opened, { policy: 'standard' }).capture)).capture;
    expect(verdict(redacted), `${path}, redacted`).toBe(right);
    const scrambled = readCapture(gunzipSync(gzipSync(bytesOf(scramble(redacted))))).capture;
    expect(verdict(scrambled), `${path}, scrambled`).toBe(right);
    const file = join(dir, `${index}.unsettled.jsonl.gz`);
    writeFileSync(file, gzipSync(bytesOf(scrambled)));
    expect(await checked(file), `${path}, checked`).toEqual(look);
    expect(seen(sessionOf(readCapture(gunzipSync(readFileSync(file))).capture)), `${path}, reopened`).toEqual(look);
  }
}, 180_000);

it('as HAR, a socket and an event source keep their messages, and their runs end as they did', () => {
  let sockets = 0;
  for (const path of fixtures) {
    let capture: Capture;
    try {
      capture = readCapture(readFileSync(path)).capture;
    } catch {
      continue;
    }
    const kinds = new Set(capture.entries.flatMap((entry) => (entry.type === 'flow.opened' ? [entry.transport] : [])));
    if (!kinds.has('websocket') && !kinds.has('eventsource')) continue;
    sockets++;
    const har = readCapture(Buffer.from(JSON.stringify(exportHar(capture).har))).capture;
    const outcomes = (one: Capture): unknown => sessionOf(one).runs.map((each) => [each.dialect, each.settlement?.outcome ?? null]);
    expect(outcomes(har), path).toEqual(outcomes(capture));
  }
  expect(sockets).toBeGreaterThan(3);
}, 60_000);
