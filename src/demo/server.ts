/**
 * The demo's agent server: plain HTTP on the local machine, no key, no network. Speaks what a browser sees of a Kestrel
 * Runner: an app route (`POST /api/agent/stream`), the Runner itself (`/commands/stream`, `/commands`, `/events/stream`),
 * and serves the demo page's files. The scenario is named in the request's query.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { type DemoRun, type RunnerEvent, startRun } from './run';
import { SCENARIOS, type Scenario } from './scenarios';

/** A running server. */
export interface DemoServer {
  readonly origin: string;
  /** Every run it started, oldest first; their journals say what was sent. */
  readonly runs: readonly DemoRun[];
  close(): Promise<void>;
}

/** How to start one. */
export interface DemoServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Folders of static files; the first that has a file serves it. */
  readonly pages: readonly string[];
  readonly scenarios?: readonly Scenario[];
}

type Json = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const object = (value: unknown): Json => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {});
const string = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const bodyOf = async (request: IncomingMessage): Promise<Json> => {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > 1_000_000) throw new Error('the request is too large');
  }
  return object(JSON.parse(text));
};

const frame = (event: RunnerEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** What a journal gives back of an event: reasoning is kept without its text. */
const replayed = (event: RunnerEvent): RunnerEvent => {
  if (event.type !== 'run.model.reasoning.delta') return event;
  const { delta: _, ...update } = object(event.payload.update);
  return { ...event, payload: { update: { ...update, contentState: 'not_retained' } } };
};

/** Starts the server. */
export const startDemoServer = async ({ port, pages, scenarios = SCENARIOS }: DemoServerOptions): Promise<DemoServer> => {
  const runs: DemoRun[] = [];

  const head = (response: ServerResponse, more: Readonly<Record<string, string>> = {}): void => {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
      ...more,
    });
  };
  const json = (response: ServerResponse, status: number, value: unknown, more: Readonly<Record<string, string>> = {}): undefined => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...more });
    response.end(JSON.stringify(value));
  };
  const error = (code: string, message: string, details?: Json): Json => ({
    id: randomUUID(),
    type: 'runner.error',
    ts: new Date().toISOString(),
    payload: { code, message, ...(details === undefined ? {} : { details }) },
  });

  /** Sends a run to one response until either ends. `cancels`: leaving the stream cancels the run. */
  const relay = (run: DemoRun, response: ServerResponse, from: readonly RunnerEvent[], cancels: boolean): void => {
    for (const event of from) response.write(frame(event));
    let over = false;
    const stop = run.listen({
      // Events that happen together are written together, as one piece on the wire.
      event: (events) => response.write(events.map(frame).join('')),
      end(clean) {
        if (over) return;
        over = true;
        stop();
        // A subscription stays open after the terminal event, for the client to close; a command's stream does not.
        if (!cancels && clean) return;
        if (clean) response.end();
        else response.destroy();
      },
    });
    response.on('close', () => {
      if (over) return;
      over = true;
      stop();
      if (cancels) run.cancel();
    });
  };

  const start = (url: URL, message: Json, commandId: string, response: ServerResponse): undefined => {
    const sessionId = string(message.sessionId) ?? `sess-${randomUUID().slice(0, 8)}`;
    const resumed = string(message.resumeRequestId);
    const asked = resumed === null ? null : (runs.find((run) => run.pending?.requestId === resumed)?.pending ?? null);
    if (resumed !== null && asked === null)
      return json(response, 400, error('INVALID_COMMAND', `no question with the request id ${resumed} is open`));
    const scenario = scenarios.find(({ id }) => id === url.searchParams.get('scenario'));
    if (!scenario) return json(response, 400, error('INVALID_COMMAND', 'name a scenario in the query'));
    const pace = Number(url.searchParams.get('pace') ?? scenario.paceMs);
    const run = startRun(
      { steps: asked?.afterwards ?? scenario.steps, paceMs: Number.isFinite(pace) ? pace : scenario.paceMs },
      { sessionId, commandId },
    );
    runs.push(run);
    head(response, { 'x-kestrel-request-id': randomUUID(), 'x-kestrel-correlation-id': randomUUID() });
    relay(run, response, run.journal, true);
  };

  const subscribe = (body: Json, response: ServerResponse): undefined => {
    const filter = object(body.filter);
    const run = runs.find(({ runId }) => runId === filter.runId);
    const since = run?.journal.findIndex(({ id }) => id === filter.sinceEventId) ?? -1;
    if (!run?.findable || since < 0)
      return json(response, 410, error('RUNNER_EVENT_CURSOR_EXPIRED', 'the cursor is not known', { cursorStatus: 'cursor_unknown' }), {
        'x-kestrel-event-cursor-status': 'unknown',
      });
    head(response);
    relay(run, response, run.journal.slice(since + 1).map(replayed), false);
  };

  const command = (body: Json, response: ServerResponse): undefined => {
    const id = string(body.id) ?? randomUUID();
    if (body.type !== 'run.cancel') return json(response, 400, error('INVALID_COMMAND', `unknown command ${String(body.type)}`));
    const run = runs.find(({ runId }) => runId === object(body.payload).runId);
    if (!run?.cancel()) return json(response, 404, error('RUN_CANCEL_NOT_FOUND', 'no such run is under way'));
    // The reply to the cancel command: the same outcome under the command's own id.
    json(response, 200, { ...run.journal.at(-1), id: randomUUID(), commandId: id });
  };

  const file = (path: string, response: ServerResponse): undefined => {
    const full = pages
      .map((folder) => ({ folder: normalize(folder), full: join(folder, normalize(path === '/' ? '/index.html' : path)) }))
      .find(({ folder, full }) => full.startsWith(folder) && statSync(full, { throwIfNoEntry: false })?.isFile())?.full;
    if (full === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(full)] ?? 'application/octet-stream', 'cache-control': 'no-cache' });
    createReadStream(full).pipe(response);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method !== 'POST') return file(url.pathname, response);
    const body = await bodyOf(request);
    switch (url.pathname) {
      case '/api/agent/stream':
        return start(url, body, randomUUID(), response);
      case '/commands/stream':
        return start(url, object(object(body.payload).turn), string(body.id) ?? randomUUID(), response);
      case '/events/stream':
        return subscribe(body, response);
      case '/commands':
        return command(body, response);
      default:
        return json(response, 404, { ok: false, error: 'not found' });
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((reason: unknown) => json(response, 400, error('INVALID_COMMAND', String(reason))));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    runs,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
