/**
 * The agents' server of the sixth exam's pages: the everyday protocols at their addresses, and A2A and ACP besides. Several runs
 * may be asked for at once; what befalls them befalls one, and the others end well.
 */
import type { Server } from 'node:http';
import { WebSocketServer } from 'ws';
import { middleOf, bodyOf as speak } from '../everyday/said';
import type { Script } from '../everyday/words';
import type { Scenario, Served, Tab } from '../page';
import { bodyOf, scenarioOf, serve, sleep } from '../serve';
import { piecesOf } from '../words';

const PATHS: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'responses',
  '/agui': 'agui',
  '/ollama/api/chat': 'ollama',
  '/threads/01a22b6d-6bbb-7498-9d73-6ee00ff500ff/runs/stream': 'langgraph',
  '/v1beta/models/gemini-3.5-flash:streamGenerateContent': 'gemini',
  '/a2a/v1': 'a2a',
  '/v1/messages': 'messages',
  '/api/chat': 'uiMessages',
  '/api/agent/stream': 'kestrel',
  '/v1/chat-messages': 'dify',
};

/** What is asked for where, and by what request. */
export interface Asked {
  readonly from: URL;
  readonly body: string;
}

/** What is said, and whether this is the run that the scenario befalls. */
export interface Reply {
  readonly script: Script;
  readonly spoiled?: boolean;
  /** A tool of the server: before the text, after it, or none. */
  readonly tool?: string;
}

let requests = 0;
/** No two runs share an id, wherever a protocol's script has one that is fixed. */
const withIds = (text: string, n: number): string => text.replace(/"(r|tm|int_|call_)([12])"/gu, `"$1${n}_$2"`);

const scriptedBy = (reply: (asked: Asked) => Reply, name: string, asked: Asked) => {
  const { script, spoiled = true, tool = '' } = reply(asked);
  const scenario: Scenario = spoiled ? scenarioOf(asked.from) : 'completed';
  const n = ++requests;
  return { ...speak(name, { scenario, script, tool, n }), n, scenario };
};

/** Agent Client Protocol on a socket: a line that stays when a turn has ended. */
const withSocket =
  (reply: (asked: Asked) => Reply) =>
  (server: Server): void => {
    const sockets = new WebSocketServer({ server, path: '/acp' });
    sockets.on('connection', (socket, request) => {
      const from = new URL(request.url ?? '/', 'http://localhost');
      const send = (value: object): void => socket.send(JSON.stringify({ jsonrpc: '2.0', ...value }));
      let cancelled = false;
      let asked: number | null = null;
      const prompt = async (body: string): Promise<void> => {
        const { steps, ending, scenario } = scriptedBy(reply, 'acp', { from, body });
        for (const [text, wait] of steps) {
          await sleep(wait);
          if (cancelled || socket.readyState !== socket.OPEN) return;
          socket.send(text.replace('"id":"PROMPT"', `"id":${asked}`));
        }
        if (!scenario.startsWith('severed') && ending !== 'reset') return;
        await sleep(60);
        if (ending === 'reset') socket.terminate();
        else socket.close(1000);
      };
      socket.on('message', (raw) => {
        const { id, method } = JSON.parse(String(raw)) as { id?: number; method?: string };
        if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
        else if (method === 'session/new') send({ id, result: { sessionId: 'sess_1' } });
        else if (method === 'session/prompt') {
          asked = id ?? null;
          cancelled = false;
          void prompt(String(raw));
        } else if (method === 'session/cancel') {
          cancelled = true;
          send({ id: asked, result: { stopReason: 'cancelled' } });
        }
      });
    });
  };

/** Starts the server; `reply` says which of the scripts answers a request. */
export const serveAgents = (folder: string, reply: (asked: Asked) => Reply): Promise<Served> =>
  serve(
    folder,
    async (request, response, url) => {
      const name = PATHS[url.pathname];
      if (request.method !== 'POST' || name === undefined) return false;
      const body = await bodyOf(request);
      const from = new URL(request.headers.referer ?? '/', 'http://localhost');
      const { type, headers, steps, ending, n } = scriptedBy(reply, name, { from, body });
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', ...headers });
      response.flushHeaders();
      for (const [text, wait] of steps) {
        await sleep(wait);
        if (response.destroyed) return true;
        response.write(withIds(text, n));
      }
      if (ending === 'close') response.end();
      else if (ending === 'reset') {
        // What was written reaches the page before the break does.
        await sleep(60);
        response.socket?.resetAndDestroy();
      }
      return true;
    },
    withSocket(reply),
  );

/** Waits until the words at which the server holds the answer stand on the screen, in a box or in lines of any width. */
export const untilHeld = async (tab: Tab, { answer }: Script): Promise<void> => {
  const pieces = piecesOf(answer);
  const words = pieces.slice(0, middleOf(pieces)).slice(-2).join('').replace(/\s/gu, '');
  await tab.waitForFunction((wanted) => {
    const boxes = [...document.querySelectorAll('textarea')].map(({ value }) => value);
    return [document.body.innerText, ...boxes].join('').replace(/\s/gu, '').includes(wanted);
  }, words);
};
