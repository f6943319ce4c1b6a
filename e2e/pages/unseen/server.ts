/** The agents' server of the unseen pages: each protocol at the address it usually has, and a socket for ACP. */
import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { Served } from '../page';
import { bodyOf as readBody, scenarioOf, serve, sleep } from '../serve';
import { type Body, bodyOf, TONGUES } from './said';
import { scriptOf } from './words';

const PATHS: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/messages': 'messages',
  '/v1/responses': 'responses',
  '/api/chat': 'ndjson',
  '/api/generate': 'generate',
  '/agui': 'agui',
  '/api/assistant': 'uimessage',
  '/v1beta/models/gemini-3.5-flash:streamGenerateContent': 'gemini',
  '/rpc': 'a2a',
  '/threads/01a22b6d-6bbb-7498-9d73-6ee00ff500ff/runs/stream': 'langgraph',
  '/api/agent/stream': 'kestrel',
  '/mcp': 'mcp',
};

/** No two answers have one id: those of the handwritten pages' protocols get the number of the request. */
let requests = 0;
const withIds = (text: string, n: number): string => text.replace(/"(resp|m|rs|fc|msg|chatcmpl)([_-]?)1"/gu, `"$1$21${n}"`);

const bodyFor = (name: string, url: URL): Body =>
  bodyOf(TONGUES[name]!(), {
    scenario: scenarioOf(url),
    script: scriptOf(url.searchParams.get('words')),
    extras: (url.searchParams.get('with') ?? '').split(','),
  });

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const frameOf = (text: string): Buffer => {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126 ? Buffer.from([0x81, payload.length]) : Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([head, payload]);
};

/** What a browser's short text frame says; pages send nothing longer than a kilobyte. */
const textsOf = (bytes: Buffer): readonly string[] => {
  const out: string[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = bytes[at + 1]! & 127;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
    const mask = at + (short === 126 ? 4 : 2);
    const payload = bytes.subarray(mask + 4, mask + 4 + length).map((byte, i) => byte ^ bytes[mask + (i % 4)]!);
    if ((bytes[at]! & 15) === 1) out.push(Buffer.from(payload).toString());
    at = mask + 4 + length;
  }
  return out;
};

const withSocket = (server: Server): void => {
  server.on('upgrade', (request, socket) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    socket.on('error', () => {});
    const answer = (value: object): void => void socket.write(frameOf(JSON.stringify({ jsonrpc: '2.0', ...value })));
    const prompt = async (): Promise<void> => {
      const { pieces, ending } = bodyFor('acp', url);
      for (const { text, after } of pieces) {
        if (after > 0) await sleep(after);
        if (socket.destroyed) return;
        socket.write(frameOf(text));
      }
      if (ending === 'open') return;
      await sleep(60);
      if (ending === 'reset') socket.destroy();
      else socket.end(Buffer.from([0x88, 2, 0x03, 0xe8]));
    };
    socket.on('data', (bytes: Buffer) => {
      for (const text of textsOf(bytes)) {
        const { id, method } = JSON.parse(text) as { id?: number; method?: string };
        if (method === 'initialize')
          answer({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: false }, authMethods: [] } });
        else if (method === 'session/new') answer({ id, result: { sessionId: 'sess_1' } });
        else if (method === 'session/prompt') void prompt();
        else if (method === 'session/cancel') answer({ id: 3, result: { stopReason: 'cancelled' } });
      }
    });
  });
};

export const serveUnseen = (folder: string): Promise<Served> =>
  serve(
    folder,
    async (request, response, url) => {
      const name = PATHS[url.pathname];
      if (name === undefined) return false;
      await readBody(request);
      const n = ++requests;
      const { type, headers, pieces, ending } = bodyFor(name, url);
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', ...headers });
      response.flushHeaders();
      for (const { text, after } of pieces) {
        if (after > 0) await sleep(after);
        if (response.destroyed) return true;
        response.write(withIds(text, n));
      }
      if (ending === 'close') response.end();
      else if (ending === 'reset') {
        await sleep(60);
        response.socket?.resetAndDestroy();
      }
      return true;
    },
    withSocket,
  );
