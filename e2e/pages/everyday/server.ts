/** The agents' server of the everyday pages: each protocol at the address it usually has. */
import type { ServerResponse } from 'node:http';
import type { Served } from '../page';
import { bodyOf as readBody, scenarioOf, serve, sleep } from '../serve';
import { bodyOf } from './said';
import { SCRIPTS } from './words';

const PATHS: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/messages': 'messages',
  '/v1/responses': 'responses',
  '/api/chat': 'uiMessages',
  '/agui': 'agui',
  '/api/agent/stream': 'kestrel',
  '/ollama/api/chat': 'ollama',
  '/threads/01a22b6d-6bbb-7498-9d73-6ee00ff500ff/runs/stream': 'langgraph',
  '/v1beta/models/gemini-3.5-flash:streamGenerateContent': 'gemini',
  '/v1/chat-messages': 'dify',
};

let requests = 0;

/** Plays an answer in its steps, and ends it as it is to end; whoever goes before hears no more of it. */
export const play = async (response: ServerResponse, { type, headers, steps, ending }: ReturnType<typeof bodyOf>): Promise<void> => {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', ...headers });
  response.flushHeaders();
  for (const [text, wait] of steps) {
    await sleep(wait);
    if (response.destroyed) return;
    response.write(text);
  }
  if (ending === 'close') response.end();
  else if (ending === 'reset') {
    // What was written reaches the page before the break does.
    await sleep(60);
    response.socket?.resetAndDestroy();
  }
};

export const serveEveryday = (folder: string): Promise<Served> =>
  serve(folder, async (request, response, url) => {
    const name = PATHS[url.pathname];
    if (request.method !== 'POST' || name === undefined) return false;
    await readBody(request);
    // The pages know nothing of scenarios: what is to befall them is in the address they were opened at.
    const from = new URL(request.headers.referer ?? '/', 'http://localhost');
    const spoken = bodyOf(name, {
      scenario: scenarioOf(from),
      script: SCRIPTS[from.searchParams.get('ui') ?? '']!,
      tool: from.searchParams.get('tool') ?? '',
      n: ++requests,
    });
    await play(response, spoken);
    return true;
  });
