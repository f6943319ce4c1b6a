/**
 * The server of the `useChat` page: the `ai` package's own `streamText` over a scripted model, answered with its own UI
 * message stream response. `?cut=N` closes the connection, cleanly, after N events: what a proxy's time limit does.
 */
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { streamText } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';

/** What the scripted model says. */
export const ANSWER =
  'The retention window is set by audit_days in config/retention.yaml. It is 90 days for audit logs and 30 days for access logs. Changing it needs a restart of the collector.';
const REASONING = 'The question names the retention window, which is a setting, so the configuration is the place to quote.';

const usage = {
  inputTokens: { total: 40, noCache: 40, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 60, text: 45, reasoning: 15 },
};
const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,12}/g) ?? [];

const model = (): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        initialDelayInMs: 60,
        chunkDelayInMs: 40,
        chunks: [
          { type: 'stream-start' as const, warnings: [] },
          { type: 'reasoning-start' as const, id: 'r1' },
          ...pieces(REASONING).map((delta) => ({ type: 'reasoning-delta' as const, id: 'r1', delta })),
          { type: 'reasoning-end' as const, id: 'r1' },
          { type: 'text-start' as const, id: 't1' },
          ...pieces(ANSWER).map((delta) => ({ type: 'text-delta' as const, id: 't1', delta })),
          { type: 'text-end' as const, id: 't1' },
          { type: 'finish' as const, finishReason: { unified: 'stop' as const, raw: 'stop' }, usage },
        ],
      }),
    }),
  });

/** The response's bytes up to the end of its n-th event. */
async function* upTo(body: ReadableStream<Uint8Array>, events: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    yield chunk;
    seen += new TextDecoder().decode(chunk).split('\n\n').length - 1;
    if (seen >= events) return;
  }
}

/** Starts the server on a free port; `pages` is the built page's folder. */
export const startChatServer = async (pages: string): Promise<{ origin: string; close(): Promise<void> }> => {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'POST' && url.pathname === '/api/chat') {
      request.resume();
      const answer = streamText({ model: model(), prompt: 'Where is the retention window set?' }).toUIMessageStreamResponse();
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      const cut = Number(url.searchParams.get('cut') ?? Number.POSITIVE_INFINITY);
      Readable.from(upTo(answer.body!, cut)).pipe(response);
      return;
    }
    const file = join(pages, normalize(url.pathname === '/' ? '/index.html' : url.pathname));
    if (!file.startsWith(pages) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': file.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8' });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
