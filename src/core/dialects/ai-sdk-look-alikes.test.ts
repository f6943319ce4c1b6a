/** Streams that look like the AI SDK family and are not: none of its dialects may claim them. And input of any shape. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../decode';
import type { TapRecord, TapRecordBody, Transport } from '../model';
import { aiSdkDataV4 } from './ai-sdk-data-v4';
import { aiSdkText } from './ai-sdk-text';
import { aiSdkUi } from './ai-sdk-ui';
import { CHUNK_TYPES } from './ai-sdk-ui-types';
import { aiSdkUiWebsocket } from './ai-sdk-ui-websocket';
import { assistantStreamData } from './assistant-stream-data';
import { assistantTransport } from './assistant-transport';
import { cloudflareAiChat } from './cloudflare-ai-chat';
import type { Dialect, FlowOpening } from './dialect';
import { mastra } from './mastra';

const FAMILY: readonly Dialect[] = [
  mastra,
  assistantTransport,
  aiSdkUi,
  aiSdkUiWebsocket,
  cloudflareAiChat,
  assistantStreamData,
  aiSdkDataV4,
  aiSdkText,
];

interface Exchange {
  readonly transport?: Transport;
  readonly method?: string;
  readonly requestBody?: string;
  readonly type: string;
  readonly status?: number;
  readonly received: readonly string[];
  readonly sent?: readonly string[];
}

const records = ({ transport = 'fetch', method = 'POST', requestBody, type, status = 200, received, sent = [] }: Exchange): TapRecord[] => {
  const bodies: TapRecordBody[] = [
    { type: 'flow.opened', flow: 'f', document: 'd', transport, method, url: '/x', requestHeaders: {}, requestBody: requestBody ?? null },
    { type: 'flow.head', flow: 'f', status, headers: type === '' ? {} : { 'content-type': type } },
    ...sent.map((text) => chunk(text, 'sent')),
    ...received.map((text) => chunk(text, 'received')),
    { type: 'flow.ended', flow: 'f', how: 'eof', code: null, detail: null },
  ];
  return bodies.map((body, seq) => ({ ...body, seq, at: seq }) as TapRecord);
};
const chunk = (text: string, direction: 'sent' | 'received'): TapRecordBody => ({
  type: 'flow.chunk',
  flow: 'f',
  direction,
  text,
  encoding: 'text',
  event: null,
  id: null,
});
const sse = (...objects: readonly unknown[]): string[] => objects.map((one) => `data: ${JSON.stringify(one)}\n\n`);
const chat = JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] });

const dialectOf = (exchange: Exchange): string | null => {
  const decoder = createDecoder({ dialects: FAMILY });
  for (const record of records(exchange)) decoder.push(record);
  return decoder.flows.get('f')!.dialect;
};

describe('not of this family', () => {
  const strangers: readonly [string, Exchange][] = [
    ['a JSON reply', { type: 'application/json', received: ['{"type":"text-delta","id":"1","delta":"x"}'], requestBody: chat }],
    ['notifications', { type: 'text/event-stream', method: 'GET', received: sse({ type: 'message', text: 'New mail' }, { type: 'ping' }) }],
    ['a job with start and finish', { type: 'text/event-stream', received: sse({ type: 'start' }, { type: 'finish' }) }],
    [
      'a job with a start of its own',
      { type: 'text/event-stream', received: sse({ type: 'start', runId: 'r1' }, { type: 'delta', text: 'a' }) },
    ],
    [
      'data events of an app',
      { type: 'text/event-stream', received: sse({ type: 'data-sync', data: {} }, { type: 'data-sync', data: {} }) },
    ],
    ['errors of an app', { type: 'text/event-stream', received: sse({ type: 'error', message: 'no' }, { type: 'error', message: 'no' }) }],
    [
      'named events',
      { type: 'text/event-stream', received: sse({ type: 'start-step' }, { type: 'finish-step' }).map((e) => `event: x\n${e}`) },
    ],
    [
      'a model provider below the SDK',
      { type: 'text/event-stream', received: sse({ type: 'stream-start', warnings: [] }, { type: 'text-delta', id: '0', delta: 'Hi' }) },
    ],
    [
      'a model provider below the SDK that says more',
      {
        type: 'text/event-stream',
        received: sse(
          { type: 'stream-start', warnings: [] },
          { type: 'response-metadata', modelId: 'm' },
          { type: 'text-start', id: '0' },
          { type: 'text-delta', id: '0', delta: 'Hi' },
          { type: 'text-end', id: '0' },
        ),
      },
    ],
    [
      'a stream of its own with one chunk like ours',
      { type: 'text/event-stream', received: sse({ type: 'begin' }, { type: 'start-step' }, { type: 'token', text: 'a' }) },
    ],
    [
      'chunks of its own around two like ours',
      {
        type: 'text/event-stream',
        received: sse({ type: 'a' }, { type: 'start-step' }, { type: 'b' }, { type: 'c' }, { type: 'finish-step' }),
      },
    ],
    [
      'the same words with another key',
      { type: 'text/event-stream', received: sse({ type: 'text-delta', id: '0', text: 'Hi' }, { type: 'text-delta', id: '0', text: '!' }) },
    ],
    ['log lines', { type: 'application/x-ndjson', received: ['{"level":"info","msg":"a"}\n', '{"level":"info","msg":"b"}\n'] }],
    [
      'React Server Components',
      { type: 'text/x-component', received: ['0:["$","div",null,{}]\n', '1:"$Sreact.fragment"\n'], requestBody: chat },
    ],
    ['numbered lines', { type: 'text/plain', received: ['0:"alpha"\n', '1:"beta"\n'] }],
    ['a list of times', { type: 'text/plain', received: ['a: {"x":1}\n', 'b: {"x":2}\n'] }],
    ['a plain reply to a form', { type: 'text/plain', received: ['ok, saved'], requestBody: 'name=x' }],
    ['a plain reply to some JSON', { type: 'text/plain', received: ['ok, saved it'], requestBody: '{"name":"x"}' }],
    [
      'a chat room of people',
      { type: 'text/plain', received: ['delivered to all'], requestBody: '{"message":{"role":"member","content":"hi"}}' },
    ],
    ['a page in answer to a chat', { type: 'text/plain', received: ['<html><body>Not found</body></html>'], requestBody: chat }],
    ['a failed chat', { type: 'text/plain', status: 502, received: ['Bad gateway, sorry'], requestBody: chat }],
    ['a text fetched', { type: 'text/plain', method: 'GET', received: ['Once upon a time'] }],
    [
      'GraphQL over a socket',
      {
        transport: 'websocket',
        method: 'GET',
        type: '',
        status: 101,
        sent: ['{"type":"start","id":"1","payload":{}}'],
        received: ['{"type":"data","id":"1","payload":{}}', '{"type":"complete","id":"1"}'],
      },
    ],
    [
      'requests over a socket',
      {
        transport: 'websocket',
        method: 'GET',
        type: '',
        status: 101,
        sent: ['{"type":"get","requestId":"1"}'],
        received: [
          '{"type":"start","requestId":"1"}',
          '{"type":"chunk","requestId":"1","sequence":0,"chunk":{"type":"row"}}',
          '{"type":"end","requestId":"1"}',
        ],
      },
    ],
  ];
  test.each(strangers)('%s', (_name, exchange) => {
    expect(dialectOf(exchange)).toBeNull();
  });
});

describe('of this family', () => {
  test('chunks without the header, over SSE and over a line each', () => {
    const chunks = [{ type: 'start' }, { type: 'text-start', id: 't' }];
    expect(dialectOf({ type: 'text/event-stream', received: sse(...chunks) })).toBe('ai-sdk-ui');
    expect(dialectOf({ type: 'application/x-ndjson', received: chunks.map((one) => `${JSON.stringify(one)}\n`) })).toBe('ai-sdk-ui');
  });
  test('chunks without the header, with one of an unknown type among the first', () => {
    const type = 'text/event-stream';
    const stranger = { type: 'agent-handoff', to: 'billing' };
    expect(dialectOf({ type, received: sse({ type: 'start' }, stranger, { type: 'start-step' }) })).toBe('ai-sdk-ui');
    expect(dialectOf({ type, received: sse(stranger, { type: 'start' }, { type: 'text-start', id: 't' }) })).toBe('ai-sdk-ui');
    // One chunk is not enough, whatever stands beside it.
    expect(dialectOf({ type, received: sse({ type: 'start-step' }, stranger) })).toBeNull();
  });
  test('a bare text answers a chat, a prompt, or a chat too long to be kept whole', () => {
    const received = ['It is ', '7 °C.'];
    expect(dialectOf({ type: 'text/plain; charset=utf-8', received, requestBody: chat })).toBe('ai-sdk-text');
    expect(dialectOf({ type: '', received, requestBody: '{"prompt":"weather?"}' })).toBe('ai-sdk-text');
    expect(
      dialectOf({
        type: 'text/plain',
        received,
        requestBody: `{"id":"c","messages":[{"id":"1","role":"user","parts":[{"text":"${'a'.repeat(9000)}`,
      }),
    ).toBe('ai-sdk-text');
  });
});

describe('any input', () => {
  const opening: FlowOpening = {
    transport: 'fetch',
    method: 'POST',
    url: '/x',
    requestBody: null,
    requestHeaders: {},
    status: 200,
    headers: {},
    frames: [],
    last: false,
  };
  const member = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.integer(), fc.constant({}), fc.constant([0]));
  const names = [
    'id',
    'delta',
    'toolCallId',
    'toolName',
    'runId',
    'from',
    'payload',
    'path',
    'part',
    'requestId',
    'chunk',
    'sequence',
    'body',
    'done',
  ];
  const types = [
    ...Object.keys(CHUNK_TYPES),
    'data-x',
    'data-kestrel-tool',
    'data-kestrel-interaction',
    'send',
    'resume',
    'chunk',
    'end',
    'part-start',
    'result',
    'tool-call-approval',
    'tool-output',
    'workflow-finish',
    'cf_agent_use_chat_response',
    'cf_agent_tool_approval',
  ];
  const object = fc
    .tuple(
      fc.constantFrom(...types),
      fc.dictionary(fc.constantFrom(...names, 'data', 'messageMetadata', 'approval', 'init', 'outcome', 'seq'), member),
    )
    .map(([type, rest]) => JSON.stringify({ ...rest, type }));
  const line = fc
    .tuple(fc.constantFrom('0', 'g', '9', 'a', 'd', '3', '2', 'aui-data', 'aui-tool-call-approval', 'z'), fc.json())
    .map(([code, json]) => `${code}:${json}`);
  const data = fc.oneof(object, line, fc.string(), fc.json(), fc.constant('[DONE]'));

  test.each(FAMILY.map((dialect) => [dialect.id, dialect] as const))('%s reads it without throwing', (_id, dialect) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(data, fc.constantFrom('sent', 'received'))), fc.option(object), (inputs, requestBody) => {
        const frames = inputs.map(([text, direction], index) => ({
          flow: 'f',
          index,
          seq: index,
          at: index,
          direction: direction as 'sent' | 'received',
          framing: 'message' as const,
          kind: 'data' as const,
          event: null,
          id: null,
          data: text,
          encoding: 'text' as const,
          start: 0,
          end: text.length,
          complete: true,
        }));
        dialect.recognise({ ...opening, requestBody, frames, last: true });
        const decoder = dialect.open({ ...opening, requestBody });
        for (const frame of frames) for (const said of decoder.frame(frame)) expect(said.type.length).toBeGreaterThan(0);
        decoder.end('eof');
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});
