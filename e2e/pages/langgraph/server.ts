/**
 * The server of the `useStream` page: LangGraph's own embedded API server over real graphs, one for each scenario, with a
 * scripted chat model in them. What a proxy or a network does to the stream is done to the response, not to the graph.
 */
import { getRequestListener } from '@hono/node-server';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { FakeStreamingChatModel } from '@langchain/core/utils/testing';
import { END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createEmbedServer, type ThreadSaver } from '@langchain/langgraph-api/experimental/embed';
import { type Fault, spoil } from '../faults';
import { builtOf, type Scenario, type Served } from '../page';
import { serve } from '../serve';
import { piecesOf, WORDS } from '../words';

const { reasoning, answer, middle } = WORDS.plain!;
const HALF = answer.slice(0, answer.indexOf(middle) + middle.length);
const PACE_MS = 40;

/** What the model streams: reasoning beside the content, as providers that think aloud do it, then the content. */
const modelOf = (text: string, reason: string): FakeStreamingChatModel =>
  new FakeStreamingChatModel({
    sleep: PACE_MS,
    chunks: [
      ...piecesOf(reasoning).map((piece) => new AIMessageChunk({ content: '', additional_kwargs: { reasoning_content: piece } })),
      ...piecesOf(text).map((piece) => new AIMessageChunk({ content: piece })),
      new AIMessageChunk({ content: '', response_metadata: { finish_reason: reason } }),
    ],
  });

type Told = { readonly messages: readonly BaseMessage[] };

const graphOf = (scenario: Scenario) => {
  const model = modelOf(
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
  'left-open',
];

const MIDDLE = new RegExp(middle, 'gu');
const FAULTS: Partial<Readonly<Record<Scenario, Fault>>> = {
  'late-settlement': { after: /"finish_reason":"stop"/gu, how: 'late' },
  'severed-mid-text': { after: MIDDLE, how: 'end' },
  'reset-mid-text': { after: MIDDLE, how: 'reset' },
  'severed-after-reasoning': { after: /"reasoning_content"/gu, times: piecesOf(reasoning).length, how: 'end' },
  'left-open': { after: /event: values/gu, times: 2, how: 'open' },
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
