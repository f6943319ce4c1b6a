/**
 * The plain HTTP part of the pages' servers: files of the built page, a handler for its API, and the ways in which a
 * connection can end that no package offers: early but cleanly, by a reset, or not at all.
 */
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import type { Scenario, Served } from './page';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export type Api = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean> | boolean;

/** Serves `folder`, and asks `api` first; it says whether the request was its. `also` adds to the server, e.g. sockets. */
export const serve = async (folder: string, api: Api, also: (server: Server) => void = () => {}): Promise<Served> => {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    try {
      if (await api(request, response, url)) return;
    } catch (error) {
      // A page that goes away in the middle is part of the play; anything else is a fault of the server.
      if (!response.destroyed && !response.headersSent) response.writeHead(500).end(String(error));
      else response.destroy();
      return;
    }
    const file = join(folder, normalize(url.pathname === '/' ? '/index.html' : url.pathname));
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  also(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Sockets that were upgraded too, which the server counts and no more knows.
        for (const socket of sockets) socket.destroy();
      }),
  };
};

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

/** The scenario that the page's own address asks for; pages hand their query on to the server. */
export const scenarioOf = (url: URL): Scenario => (url.searchParams.get('scenario') ?? 'completed') as Scenario;

/** How the connection ends, whatever the body would still have to say. */
export interface Ending {
  /** Ends once the body so far holds this. */
  readonly at: string;
  readonly how: 'close' | 'reset';
}

/** Writes the body; cuts it where the ending says; leaves the connection open at the end if asked to. */
export const deliver = async (
  body: ReadableStream<Uint8Array> | Readable | AsyncIterable<string | Uint8Array>,
  response: ServerResponse,
  { ending = null, leaveOpen = false }: { readonly ending?: Ending | null; readonly leaveOpen?: boolean } = {},
): Promise<void> => {
  const decoder = new TextDecoder();
  let said = '';
  const source = Readable.from(body as AsyncIterable<string | Uint8Array>);
  response.once('close', () => source.destroy());
  try {
    for await (const chunk of source) {
      response.write(chunk);
      said += typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true });
      if (ending === null || !said.includes(ending.at)) continue;
      if (ending.how === 'close') {
        response.end();
        return;
      }
      // What was written reaches the page before the break does.
      await sleep(60);
      response.socket?.resetAndDestroy();
      return;
    }
  } catch (error) {
    if (!response.destroyed) throw error;
    return;
  }
  if (!leaveOpen) response.end();
};

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
