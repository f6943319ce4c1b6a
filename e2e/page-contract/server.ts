/**
 * The server of the page-contract suite: plain Node http and ws. It does what the request's query says and notes, under the
 * request's key, what it could see of the client: which requests came, with what headers, and whether a stream was cut short.
 * Those notes are compared as well: the tap must not be visible from the network either.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export interface ContractServer {
  /** Of the page itself. */
  readonly origin: string;
  /** Another origin with the same routes. */
  readonly otherOrigin: string;
  /** What was noted under a key, in order. */
  notes(key: string): readonly string[];
  /** Bytes of a flood that the client's side has taken so far. */
  taken(key: string): number;
  /** Streams under a key that are still being served. */
  open(key: string): number;
  close(): Promise<void>;
}

/** One event of a stream, with characters that need two, three and four bytes. */
export const sseEvent = (i: number): string => `id: ${i}\ndata: {"n":${i},"text":"aé漢😀"}\n\n`;
export const sseText = (n: number): string => Array.from({ length: n }, (_, i) => sseEvent(i)).join('');
export const ndjsonText = (n: number): string => Array.from({ length: n }, (_, i) => `{"n":${i},"text":"aé漢😀"}\n`).join('');
/** Bytes that are no text. */
export const binary = (n: number): Buffer => Buffer.from(Array.from({ length: n }, (_, i) => (i * 7) % 256));

/** How long a connection stands still before it breaks. */
const RESET_AFTER_MS = 400;

const HTML = '<!doctype html><meta charset="utf-8"><title>page contract</title><body></body>';

export const startServer = async (): Promise<ContractServer> => {
  const log = new Map<string, string[]>();
  const flooded = new Map<string, number>();
  const serving = new Map<string, number>();
  const reconnects = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();

  const note = (key: string, line: string): void => {
    if (key === '') return;
    log.set(key, [...(log.get(key) ?? []), line]);
  };
  const later = (ms: number, run: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };

  /** Writes the pieces one by one, and notes whether the client went away in between. */
  const drip = (key: string, response: ServerResponse, pieces: readonly (string | Buffer)[], every: number, end: string): void => {
    let finished = false;
    serving.set(key, (serving.get(key) ?? 0) + 1);
    response.on('close', () => {
      serving.set(key, (serving.get(key) ?? 1) - 1);
      if (!finished) note(key, 'cut short by the client');
    });
    const step = (i: number): void => {
      if (response.destroyed) return;
      if (i < pieces.length) {
        response.write(pieces[i]!);
        later(every, () => step(i + 1));
        return;
      }
      if (end === 'hang') return;
      finished = true;
      // A page that was busy when the connection broke never gets what came just before: browsers throw that away.
      if (end === 'reset') later(RESET_AFTER_MS, () => response.destroy());
      else response.end();
    };
    step(0);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const ask = (name: string, otherwise: string): string => url.searchParams.get(name) ?? otherwise;
    const key = ask('k', '');
    const n = Number(ask('n', '4'));
    const every = Number(ask('every', '5'));
    const end = ask('end', 'eof');
    if (url.searchParams.has('cors')) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*');
      response.setHeader('access-control-expose-headers', '*');
    }
    if (request.method === 'OPTIONS') {
      note(key, `OPTIONS ${url.pathname}`);
      response.writeHead(204).end();
      return;
    }
    if (url.pathname !== '/' && url.pathname !== '/state' && url.pathname !== '/favicon.ico') {
      const told = ['accept', 'content-type', 'last-event-id', 'x-mine', 'authorization'].filter(
        (name) => request.headers[name] !== undefined,
      );
      const value = (name: string): string => String(request.headers[name]).replace(/boundary=.*/u, 'boundary');
      note(key, `${request.method} ${url.pathname} ${told.map((name) => `${name}=${value(name)}`).join(' ')}`);
    }
    // A cache between us and the page sends requests of its own (not for the page: it would keep it out of back/forward).
    if (url.pathname !== '/') response.setHeader('cache-control', 'no-store');
    const type = (value: string): void => {
      response.setHeader('content-type', ask('type', value));
    };
    switch (url.pathname) {
      case '/':
        if (url.searchParams.has('csp'))
          response.setHeader('content-security-policy', "default-src 'none'; script-src 'nonce-abc'; connect-src 'self'");
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(HTML);
        return;
      case '/sse':
        type('text/event-stream');
        response.setHeader('x-vercel-ai-ui-message-stream', 'v1');
        response.setHeader('x-private', 'not recorded');
        drip(
          key,
          response,
          Array.from({ length: n }, (_, i) => sseEvent(i)),
          every,
          end,
        );
        return;
      case '/split': {
        // Cuts inside characters: every piece is one byte.
        type('text/event-stream');
        drip(
          key,
          response,
          [...Buffer.from(sseText(1))].map((byte) => Buffer.from([byte])),
          1,
          end,
        );
        return;
      }
      case '/ndjson':
        type('application/x-ndjson');
        drip(key, response, ndjsonText(n).split(/(?<=\n)/u), every, end);
        return;
      case '/text':
        type('text/plain');
        response.end(ask('body', 'plain aé漢😀'));
        return;
      case '/untyped':
        response.end('{"untyped":true}');
        return;
      case '/json':
        type('application/json');
        response.end(ask('body', '{"a":[1,2,"aé漢😀"]}'));
        return;
      case '/bom':
        type('text/plain');
        response.end('\uFEFFafter a mark');
        return;
      case '/big':
        type('application/json');
        response.end(JSON.stringify({ fill: 'x'.repeat(n) }));
        return;
      case '/binary':
        type('application/octet-stream');
        response.end(binary(n));
        return;
      case '/html':
        response.setHeader('content-type', 'text/html');
        response.end('<p>markup</p>');
        return;
      case '/status':
        response.statusCode = n;
        type('application/json');
        response.end(n === 204 || n === 304 ? undefined : '{"error":"no"}');
        return;
      case '/redirect':
        response.writeHead(302, { location: ask('to', '/json') }).end();
        return;
      case '/never':
        // Accepts and says nothing.
        response.on('close', () => note(key, 'cut short by the client'));
        return;
      case '/drop':
        request.socket.destroy();
        return;
      case '/echo': {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ method: request.method, body: Buffer.concat(chunks).toString('utf8') }));
        return;
      }
      case '/flood': {
        type('text/event-stream');
        const piece = Buffer.from(`data: ${'x'.repeat(16_000)}\n\n`);
        serving.set(key, (serving.get(key) ?? 0) + 1);
        response.on('close', () => serving.set(key, (serving.get(key) ?? 1) - 1));
        const pump = (): void => {
          let room = true;
          while (room && !response.destroyed) {
            room = response.write(piece);
            flooded.set(key, (flooded.get(key) ?? 0) + piece.length);
          }
          if (!response.destroyed) response.once('drain', pump);
        };
        pump();
        return;
      }
      case '/es': {
        // Breaks off after n events and goes on where the client says it was; the third connection is refused for good.
        const times = (reconnects.get(key) ?? 0) + 1;
        reconnects.set(key, times);
        if (times > 2 && end !== 'hang') {
          response.writeHead(204).end();
          return;
        }
        response.setHeader('content-type', 'text/event-stream');
        const first = Number(request.headers['last-event-id'] ?? '-1') + 1;
        const events = Array.from({ length: n }, (_, i) => `id: ${first + i}\ndata: message ${first + i}\n\n`);
        drip(key, response, ['retry: 20\n\n', ...events], every, end);
        return;
      }
      case '/es-named':
        response.setHeader('content-type', 'text/event-stream');
        drip(
          key,
          response,
          [
            'event: ready\ndata: one\n\n',
            ': a comment\n\n',
            'event: unheard\ndata: two\n\n',
            'event: error\ndata: three\n\n',
            'data: four\n\n',
          ],
          every,
          'hang',
        );
        return;
      case '/state':
        response.setHeader('content-type', 'text/html');
        response.end(JSON.stringify({ open: serving.get(key) ?? 0, notes: log.get(key) ?? [], taken: flooded.get(key) ?? 0 }));
        return;
      default:
        response.writeHead(404).end();
    }
  };

  const http = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  const sockets = new WebSocketServer({ server: http, handleProtocols: (offered) => [...offered][0] ?? false });
  sockets.on('connection', (socket, request) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const key = url.searchParams.get('k') ?? '';
    note(key, `socket ${url.pathname}`);
    serving.set(key, (serving.get(key) ?? 0) + 1);
    socket.on('close', (code, reason) => {
      serving.set(key, (serving.get(key) ?? 1) - 1);
      note(key, `socket closed ${code} ${reason.toString()}`);
    });
    socket.on('message', (data, isBinary) => {
      const text = isBinary ? '' : data.toString();
      note(key, isBinary ? `bytes ${(data as Buffer).length}` : `text ${text.slice(0, 60)}`);
      const [what, a, b] = text.split(':');
      if (what === 'close') socket.close(Number(a), b);
      else if (what === 'drop') socket.terminate();
      else if (what === 'bytes') socket.send(binary(Number(a)));
      else if (what === 'burst') for (let i = 0; i < Number(a); i++) socket.send(i % 2 === 0 ? `text ${i}` : binary(i));
      else socket.send(data, { binary: isBinary });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, resolve));
  const { port } = http.address() as AddressInfo;

  return {
    origin: `http://localhost:${port}`,
    otherOrigin: `http://127.0.0.1:${port}`,
    notes: (key) => log.get(key) ?? [],
    taken: (key) => flooded.get(key) ?? 0,
    open: (key) => serving.get(key) ?? 0,
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
};
