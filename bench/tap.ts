/**
 * What the tap costs a page: the main thread's processor time with and without it while a page reads 5,000 events a second, over
 * each of the transports; and, from outside, how long the page waits for the tap per chunk and per batch.
 */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { build } from 'vite';
import { WebSocketServer } from 'ws';
import { FAKE_WITNESS } from '../e2e/page-contract/page';
import { requireBrowser } from '../scripts/browsers.mjs';

const PER_SECOND = 5_000;
const SECONDS = 3;
const PAIRS = 7;
const ROUNDS = 5;
const here = import.meta.dirname;

/** The tap as the extension ships it. */
const buildTap = async (): Promise<string> => {
  const result = await build({
    configFile: false,
    root: join(here, '..'),
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(here, '..', 'src', 'tap', 'tap.iife.ts'), formats: ['iife'], name: 'tap' },
    },
  });
  const [first] = Array.isArray(result) ? result : [result];
  if (first === undefined || !('output' in first)) throw new Error('the tap did not build');
  return first.output[0].code;
};

const event = (i: number): string => JSON.stringify({ type: 'text-delta', id: 'msg_1', delta: `word${i} ` });

/** Calls `write` with so many events that the rate is kept, however late the timer is. */
const pace = (perSecond: number, total: number, write: (from: number, to: number) => void, end: () => void): void => {
  const started = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
    if (due > sent) write(sent, due);
    sent = due;
    if (sent < total) return;
    clearInterval(timer);
    end();
  }, 1);
};

const serve = (url: string, response: ServerResponse): void => {
  // Isolated from other origins, a page has a clock of 5 microseconds instead of 100.
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-embedder-policy', 'require-corp');
  if (url === '/events') {
    response.setHeader('content-type', 'text/event-stream');
    pace(
      PER_SECOND,
      PER_SECOND * SECONDS,
      (from, to) => {
        for (let i = from; i < to; i++) response.write(`data: ${event(i)}\n\n`);
      },
      () => response.end(),
    );
  } else if (url === '/chunks') {
    response.setHeader('content-type', 'text/event-stream');
    // 4,096 bytes with characters of one to four bytes.
    const text = 'aé漢😀'.repeat(400);
    const chunk = `data: ${JSON.stringify({ delta: `${text}${'x'.repeat(4_096 - 20 - Buffer.byteLength(text))}` })}\n\n`;
    pace(
      250,
      1_500,
      (from, to) => void response.write(chunk.repeat(to - from)),
      () => response.end(),
    );
  } else {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>bench</title><body></body>');
  }
};

interface Run {
  /** The main thread's busy seconds. */
  readonly busy: number;
  readonly reads: number;
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const quantile = (numbers: readonly number[], q: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * q))] ?? Number.NaN;
const micro = (ms: number): string => `${Math.round(ms * 1000)} µs`;

const measure = async (browser: Browser, origin: string, scripts: readonly string[], expression: string): Promise<Run> => {
  const context = await browser.newContext();
  for (const content of scripts) await context.addInitScript({ content });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(origin);
  // Processor time, not time by the clock: what else the machine does is not the page's cost.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async (): Promise<number> =>
    (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  const before = await busy();
  const { reads, events } = (await page.evaluate(expression)) as { reads: number; events: number };
  const after = await busy();
  await context.close();
  if (events !== PER_SECOND * SECONDS) throw new Error(`the page read ${events} of ${PER_SECOND * SECONDS} events`);
  return { busy: after - before, reads };
};

interface Round {
  /** Milliseconds per chunk of about 4 kB, and per batch. */
  readonly chunks: readonly number[];
  readonly sends: readonly number[];
  readonly longest: number;
}

const watch = async (browser: Browser, origin: string, scripts: readonly string[]): Promise<Round> => {
  const context = await browser.newContext();
  for (const content of scripts) await context.addInitScript({ content });
  const tab = await context.newPage();
  await tab.goto(origin);
  await tab.evaluate(`readStream('/chunks')`);
  const { chunks, sends } = (await tab.evaluate('stopwatch')) as { chunks: [size: number, ms: number][]; sends: number[] };
  await context.close();
  return {
    chunks: chunks.filter(([size]) => size >= 3_500 && size <= 4_600).map(([, ms]) => ms),
    sends,
    longest: Math.max(...chunks.map(([, ms]) => ms), ...sends),
  };
};

/** Alternates the two, so that a machine that is busy with something else disturbs both alike. */
const compare = async (browser: Browser, origin: string, tap: string, page: string, what: string, expression: string): Promise<string> => {
  const [untapped, tapped]: [Run[], Run[]] = [[], []];
  for (let i = 0; i < PAIRS; i++) {
    untapped.push(await measure(browser, origin, [FAKE_WITNESS, page], expression));
    tapped.push(await measure(browser, origin, [FAKE_WITNESS, tap, page], expression));
  }
  const base = median(untapped.map((run) => run.busy));
  const ratio = median(tapped.map((run) => run.busy)) / base;
  const share = (median(tapped.map((run) => run.busy)) - base) / SECONDS;
  const reads = median(tapped.map((run) => run.reads)) / SECONDS;
  return `${what}: ${ratio.toFixed(3)} × the untapped page's main thread (${(base * 1000).toFixed(0)} ms in ${SECONDS} s; ${(share * 100).toFixed(1)} % of a core more; ${Math.round(reads)} reads/s; median of ${PAIRS} pairs; target 1.05)`;
};

export const bench = async (): Promise<{ name: string; lines: string[] }> => {
  const tap = await buildTap();
  const page = readFileSync(join(here, 'tap-page.js'), 'utf8');
  const stopwatch = readFileSync(join(here, 'tap-stopwatch.js'), 'utf8');
  const http = createServer((request, response) => serve(request.url ?? '/', response));
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => {
    pace(
      PER_SECOND,
      PER_SECOND * SECONDS,
      (from, to) => {
        for (let i = from; i < to; i++) socket.send(event(i));
      },
      () => socket.close(),
    );
  });
  await new Promise<void>((resolve) => http.listen(0, resolve));
  const { port } = http.address() as AddressInfo;
  const origin = `http://localhost:${port}/`;
  const browser = await chromium.launch({
    executablePath: requireBrowser('chromium'),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const lines = [`Chromium ${browser.version()}, ${PER_SECOND} events/s`];
    const ways = {
      fetch: `readStream('/events')`,
      WebSocket: `readSocket('ws://localhost:${port}/')`,
      EventSource: `readSource('/events', ${PER_SECOND * SECONDS})`,
      XMLHttpRequest: `readRequest('/events')`,
    };
    for (const [what, expression] of Object.entries(ways)) lines.push(await compare(browser, origin, tap, page, what, expression));

    // Whatever else the machine does only adds to a wall clock: the best round says most about the tap.
    const rounds: Round[] = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push(await watch(browser, origin, [FAKE_WITNESS, stopwatch, tap, page]));
    const best = rounds.reduce((a, b) => (quantile(b.chunks, 0.99) < quantile(a.chunks, 0.99) ? b : a));
    lines.push(
      `a chunk of 4 kB, until it is handed on: p50 ${micro(quantile(best.chunks, 0.5))}, p99 ${micro(quantile(best.chunks, 0.99))} (${best.chunks.length} chunks; best of ${ROUNDS} rounds; target p99 50 µs)`,
    );
    lines.push(
      `a batch sent: p50 ${micro(quantile(best.sends, 0.5))}, p99 ${micro(quantile(best.sends, 0.99))} (${best.sends.length} batches)`,
    );
    lines.push(`longest stretch of ours on the page's thread: ${micro(Math.min(...rounds.map(({ longest }) => longest)))}`);
    return { name: 'tap: what it costs the page', lines };
  } finally {
    await browser.close();
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    http.closeAllConnections();
    http.close();
  }
};
