/**
 * The server of the `useStream` page: LangGraph's own embedded API server over real graphs, one for each scenario, with a
 * scripted chat model in them. What a proxy or a network does to the stream is done to the response, not to the graph.
 */
import { getRequestListener } from '@hono/node-server';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createEmbedServer, type ThreadSaver } from '@langchain/langgraph-api/experimental/embed';
import { type Fault, spoil } from '../faults';
import { builtOf, type Scenario, type Served } from '../page';
import { serve, sleep } from '../serve';
import { piecesOf, WORDS } from '../words';

const { reasoning, answer, middle } = WORDS.plain!;
const HALF = answer.slice(0, answer.indexOf(middle) + middle.length);
const PACE_MS = 40;

/** Streams reasoning beside the content, as providers that think aloud do it, then the content, then how it finished. */
class ScriptedModel extends BaseChatModel {
  readonly words: string;
  readonly reason: string;
  constructor(words: string, reason: string) {
    super({});
    this.words = words;
    this.reason = reason;
  }
  override _llmType(): string {
    return 'scripted';
  }
  override async _generate(): Promise<never> {
    throw new Error('this model only streams');
  }
  override async *_streamResponseChunks(
    _messages: BaseMessage[],
    { signal }: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const messages = [
      ...piecesOf(reasoning).map((piece) => new AIMessageChunk({ content: '', additional_kwargs: { reasoning_content: piece } })),
      ...piecesOf(this.words).map((piece) => new AIMessageChunk({ content: piece })),
      new AIMessageChunk({ content: '', response_metadata: { finish_reason: this.reason } }),
    ];
    for (const message of messages) {
      if (signal?.aborted === true) return;
      await sleep(PACE_MS);
      const text = String(message.content);
      const chunk = new ChatGenerationChunk({ message, text });
      yield chunk;
      await run?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

type Told = { readonly messages: readonly BaseMessage[] };

const graphOf = (scenario: Scenario) => {
  const model = new ScriptedModel(
    scenario === 'failed-after-text' || scenario === 'truncated' ? HALF : answer,
    scenario === 'truncated' ? 'length' : 'stop',
  );
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }: Told) => {
      const said = await model.invoke([...messages]);
      if (scenario === 'failed-after-text') throw new Error('The model is overloaded.');
      return { messages: [said] };
    })
    .addNode('review', () => {
      if (scenario === 'waiting') interrupt('Restart the collector now?');
      return {};
    })
    .addEdge(START, 'agent')
    .addEdge('agent', 'review')
    .addEdge('review', END)
    .compile();
};

const SCENARIOS: readonly Scenario[] = [
  'completed',
  'late-settlement',
  'severed-mid-text',
  'reset-mid-text',
  'severed-after-reasoning',
  'waiting',
  'failed-after-text',
  'truncated',
  'aborted-by-person',
];

const MIDDLE = new RegExp(middle, 'gu');
const FAULTS: Partial<Readonly<Record<Scenario, Fault>>> = {
  'late-settlement': { after: /"finish_reason":"stop"/gu, how: 'late' },
  'severed-mid-text': { after: MIDDLE, how: 'end' },
  'reset-mid-text': { after: MIDDLE, how: 'reset' },
  'severed-after-reasoning': { after: /"reasoning_content"/gu, times: piecesOf(reasoning).length, how: 'end' },
};

const threads = (): ThreadSaver => {
  const kept = new Map<string, Awaited<ReturnType<ThreadSaver['get']>>>();
  return {
    get: async (id) => kept.get(id)!,
    set: async (id, { metadata }) => {
      const thread = { thread_id: id, metadata: { ...kept.get(id)?.metadata, ...metadata } };
      kept.set(id, thread);
      return thread;
    },
    delete: async (id) => {
      kept.delete(id);
    },
  };
};

export const startServer = (): Promise<Served> => {
  const api = createEmbedServer({
    graph: Object.fromEntries(SCENARIOS.map((scenario) => [scenario, graphOf(scenario)])),
    threads: threads(),
    checkpointer: new MemorySaver(),
  });
  const listener = getRequestListener((request) => api.fetch(request));
  return serve(builtOf('langgraph'), (request, response, url) => {
    if (!url.pathname.startsWith('/api/')) return false;
    const scenario = new URL(request.headers.referer ?? '/', 'http://localhost').searchParams.get('scenario');
    const fault = FAULTS[scenario as Scenario];
    // Only the run's own stream; a client that asks again is answered.
    if (fault !== undefined && request.method === 'POST' && url.pathname.endsWith('/runs/stream')) spoil(response, fault);
    request.url = `${url.pathname.slice('/api'.length)}${url.search}`;
    void listener(request, response);
    return true;
  });
};
