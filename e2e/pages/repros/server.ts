/**
 * Plays the recorded streams of the reports: the same bytes in the same pieces and the same order, on the same kinds of
 * connection. The page's address names the report and, where there is more than one, the stream.
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { folderOf, type Served } from '../page';
import { bodyOf, serve, sleep } from '../serve';

const FOLDER = folderOf('repros');

interface Head {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly conn?: number;
}
type Line = { readonly t?: number; readonly c?: number } & (
  | { readonly meta: Head }
  | { readonly chunk: string; readonly enc?: 'latin1' }
  | { readonly ws: 'in' | 'out'; readonly data: string }
  | { readonly end: 'eof' | 'reset' | 'open' }
);

/** What happens on one connection. */
interface Connection {
  readonly head: Head;
  readonly opened: number;
  readonly lines: readonly Line[];
}

const connectionsOf = (query: URLSearchParams): readonly Connection[] => {
  const report = /^B\d{3}$/u.exec(query.get('report') ?? '')?.[0];
  const stream = /^\w+$/u.exec(query.get('stream') ?? '')?.[0];
  if (report === undefined) throw new Error('the address names no report');
  const file = join(FOLDER, report, stream === undefined ? 'stream.jsonl' : `stream.${stream}.jsonl`);
  const connections = new Map<number, { head: Head; opened: number; lines: Line[] }>();
  let current = 1;
  for (const text of readFileSync(file, 'utf8').trim().split('\n')) {
    const line = JSON.parse(text) as Line;
    if ('meta' in line) {
      current = line.meta.conn ?? 1;
      connections.set(current, { head: line.meta, opened: line.t ?? 0, lines: [] });
    } else connections.get(line.c ?? current)?.lines.push(line);
  }
  return [...connections.values()];
};

/** Short distances are drawn out, so that a busy machine still draws what comes between; long ones are on purpose. */
const SHORT_MS = 300;
const distance = (ms: number): number => (ms < SHORT_MS ? ms * 4 : ms);

const bytesOf = (line: { readonly chunk: string; readonly enc?: 'latin1' }): Buffer => Buffer.from(line.chunk, line.enc ?? 'utf8');

const playBody = async ({ head, opened, lines }: Connection, response: ServerResponse): Promise<void> => {
  response.writeHead(head.status, head.headers);
  response.flushHeaders();
  let at = opened;
  for (const line of lines) {
    await sleep(distance((line.t ?? at) - at));
    at = line.t ?? at;
    if (response.destroyed) return;
    if ('chunk' in line) response.write(bytesOf(line));
    else if ('end' in line && line.end === 'eof') response.end();
    else if ('end' in line && line.end === 'reset') response.socket?.resetAndDestroy();
  }
};

/** What the page says is waited for; what the server says comes at its distance from what was before. */
const playSocket = async ({ lines }: Connection, socket: WebSocket): Promise<void> => {
  let heard = 0;
  let wake = (): void => {};
  let gone = false;
  socket.on('message', () => {
    heard++;
    wake();
  });
  socket.on('close', () => {
    gone = true;
    wake();
  });
  let at = 0;
  let awaited = 0;
  for (const line of lines) {
    if ('ws' in line && line.ws === 'out') {
      awaited++;
      while (heard < awaited && !gone)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    } else await sleep(distance((line.t ?? at) - at));
    at = line.t ?? at;
    if (gone) return;
    if ('ws' in line && line.ws === 'in') socket.send(line.data);
    else if ('end' in line && line.end !== 'open') socket.close();
  }
};

export const startServer = async (): Promise<Served> => {
  const sockets = new WebSocketServer({ noServer: true });
  const served = await serve(
    FOLDER,
    async (request, response, url) => {
      if (!url.searchParams.has('report') || url.pathname === '/') return false;
      await bodyOf(request);
      const connection = connectionsOf(url.searchParams).find(({ head }) => head.url === url.pathname && head.method === request.method);
      if (connection === undefined) return false;
      await playBody(connection, response);
      return true;
    },
    (server) =>
      server.on('upgrade', (request, socket, head) => {
        const url = new URL(request.url ?? '/', 'http://localhost');
        const connection = connectionsOf(url.searchParams).find((one) => one.head.url === url.pathname);
        if (connection === undefined) socket.destroy();
        else sockets.handleUpgrade(request, socket, head, (open) => void playSocket(connection, open));
      }),
  );
  return {
    origin: served.origin,
    async close() {
      for (const open of sockets.clients) open.terminate();
      sockets.close();
      await served.close();
    },
  };
};
