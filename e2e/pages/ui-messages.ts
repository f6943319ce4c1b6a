/**
 * A server of UI message streams: the `ai` package's own `streamText` over a scripted model, answered with its own
 * response. Several pages talk to it. The page's query says which scenario, in which words.
 */
import { jsonSchema, streamText, tool } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import type { Scenario, Served } from './page';
import { bodyOf, deliver, type Ending, scenarioOf, serve, sleep } from './serve';
import { piecesOf, type Words, wordsOf } from './words';

const usage = {
  inputTokens: { total: 40, noCache: 40, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 60, text: 45, reasoning: 15 },
};

const PACE_MS = 40;

type ModelStream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'];
type Chunk = ModelStream extends ReadableStream<infer T> ? T : never;

const finish = (unified: 'stop' | 'length' | 'tool-calls'): Chunk =>
  ({ type: 'finish', finishReason: { unified, raw: unified }, usage }) as Chunk;

/** What the model streams in each scenario. */
const script = (scenario: Scenario, { reasoning, answer, middle }: Words): readonly Chunk[] => {
  const think: Chunk[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'reasoning-start', id: 'r1' },
    ...piecesOf(reasoning).map((delta): Chunk => ({ type: 'reasoning-delta', id: 'r1', delta })),
    { type: 'reasoning-end', id: 'r1' },
  ];
  const half = answer.slice(0, answer.indexOf(middle) + middle.length);
  const say = (text: string): Chunk[] => [
    { type: 'text-start', id: 't1' },
    ...piecesOf(text).map((delta): Chunk => ({ type: 'text-delta', id: 't1', delta })),
  ];
  const close: Chunk = { type: 'text-end', id: 't1' };
  switch (scenario) {
    case 'failed-after-text':
      return [...think, ...say(half), { type: 'error', error: new Error('The model is overloaded.') }];
    case 'truncated':
      return [...think, ...say(half), close, finish('length')];
    case 'waiting':
      return [
        ...think,
        ...say(half),
        close,
        { type: 'tool-call', toolCallId: 'call-1', toolName: 'askForConfirmation', input: '{"question":"Restart the collector now?"}' },
        finish('tool-calls'),
      ];
    default:
      return [...think, ...say(answer), close, finish('stop')];
  }
};

const endingOf = (scenario: Scenario, { middle, thought }: Words): Ending | null => {
  switch (scenario) {
    case 'severed-mid-text':
      return { at: middle, how: 'close' };
    case 'reset-mid-text':
      return { at: middle, how: 'reset' };
    case 'severed-after-reasoning':
      return { at: thought, how: 'close' };
    default:
      return null;
  }
};

/** Holds back what settles the run: the events after the last of the text. */
async function* late(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (decoder.decode(chunk).includes('"type":"finish')) await sleep(2_500);
    yield chunk;
  }
}

/** Starts it on a free port; `folder` has the built page. */
export const serveUiMessages = (folder: string): Promise<Served> =>
  serve(folder, async (request, response, url) => {
    if (request.method !== 'POST' || url.pathname !== '/api/chat') return false;
    await bodyOf(request);
    const scenario = scenarioOf(url);
    const words = wordsOf(url);
    const model = new MockLanguageModelV4({
      doStream: async () => ({
        stream: simulateReadableStream({ initialDelayInMs: 120, chunkDelayInMs: PACE_MS, chunks: [...script(scenario, words)] }),
      }),
    });
    const answer = streamText({
      model,
      prompt: 'Where is the retention window set?',
      onError: () => {},
      tools: {
        askForConfirmation: tool({
          description: 'Asks the person.',
          inputSchema: jsonSchema<{ question: string }>({ type: 'object', properties: { question: { type: 'string' } } }),
        }),
      },
    }).toUIMessageStreamResponse();
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    const body = scenario === 'late-settlement' ? late(answer.body!) : answer.body!;
    await deliver(body, response, { ending: endingOf(scenario, words), leaveOpen: scenario === 'left-open' });
    return true;
  });
