/** The agent's server of the handwritten pages: `/agent/<protocol>` says what the scenario has it say, as `said.ts` writes it. */
import type { Served } from '../page';
import { bodyOf as readBody, scenarioOf, serve, sleep } from '../serve';
import { wordsOf } from '../words';
import { bodyOf, TONGUES, type TongueName } from './said';

export const serveByHand = (folder: string): Promise<Served> =>
  serve(folder, async (request, response, url) => {
    const name = /^\/agent\/(\w+)$/u.exec(url.pathname)?.[1];
    if (name === undefined || !Object.hasOwn(TONGUES, name)) return false;
    await readBody(request);
    const { type, pieces, ending } = bodyOf(name as TongueName, scenarioOf(url), wordsOf(url));
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' });
    for (const { text, after } of pieces) {
      if (after > 0) await sleep(after);
      if (response.destroyed) return true;
      response.write(text);
    }
    if (ending === 'close') response.end();
    else if (ending === 'reset') {
      await sleep(60);
      response.socket?.resetAndDestroy();
    }
    return true;
  });
