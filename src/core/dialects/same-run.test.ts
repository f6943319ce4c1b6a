/** Which requests are of one run, where each is a call of its own and repeats the whole conversation. */
import { expect, test } from 'vitest';
import type { TapRecord, TapRecordBody } from '../model';
import { createSession } from '../session';

/** How the runs ended that these calls made, and in how many calls each. */
const runsOf = (
  calls: readonly {
    readonly asks: object;
    readonly says: string;
    readonly type: string;
    readonly status?: number;
    readonly url?: string;
  }[],
) => {
  const bodies = calls.flatMap(({ asks, says, type, status = 200, url = '/api/ask' }, i): TapRecordBody[] => {
    const flow = `f${i}`;
    return [
      {
        type: 'flow.opened',
        flow,
        document: 'd',
        transport: 'fetch',
        method: 'POST',
        url,
        requestHeaders: {},
        requestBody: JSON.stringify(asks),
      },
      { type: 'flow.head', flow, status, headers: { 'content-type': type } },
      { type: 'flow.chunk', flow, direction: 'received', text: says, encoding: 'text', event: null, id: null },
      { type: 'flow.ended', flow, how: 'eof', code: null, detail: null },
    ];
  });
  const session = createSession();
  session.ingest(bodies.map((body, seq): TapRecord => ({ ...body, seq, at: seq * 10 })));
  return session.runs.map((run) => [run.settlement?.outcome, run.attempts.length]);
};

const JSON_TYPE = 'application/json';
const user = { role: 'user', content: 'hi' };
const answer = { role: 'assistant', content: 'Hello' };

const chat = (message: object, finish_reason: string): string =>
  JSON.stringify({ id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] });
const claude = (content: readonly object[], stop_reason: string): string =>
  JSON.stringify({ id: 'm', type: 'message', role: 'assistant', model: 'm', content, stop_reason, usage: { input_tokens: 1 } });
const gemini = (part: object): string =>
  JSON.stringify({ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }], modelVersion: 'g' });
const responses = (id: string, item: object): string => JSON.stringify({ id, object: 'response', status: 'completed', output: [item] });

const called = { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'x', arguments: '{}' } }] };
const use = { type: 'tool_use', id: 't1', name: 'x', input: { a: 1 } };
const used = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '1' }] };
const functionCall = { functionCall: { id: 'g1', name: 'x', args: {} } };
const asked = { role: 'user', parts: [{ text: 'hi' }] };
const returned = { role: 'user', parts: [{ functionResponse: { id: 'g1', name: 'x', response: {} } }] };
const item = { id: 'fc', type: 'function_call', call_id: 'r1', name: 'x', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'r1', output: '1' };
const message = { id: 'msg', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] };

test.each([
  {
    of: 'Chat Completions',
    asks: (messages: readonly object[]) => ({ model: 'm', messages }),
    talk: [user, called, { role: 'tool', tool_call_id: 'c1', content: '1' }, answer, user],
    error: { error: { message: 'busy', type: 'overloaded', code: null } },
    says: [chat(called, 'tool_calls'), chat(answer, 'stop'), chat(answer, 'stop')],
  },
  {
    of: 'Anthropic',
    asks: (messages: readonly object[]) => ({ model: 'm', messages }),
    talk: [user, { role: 'assistant', content: [use] }, used, answer, user],
    error: { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
    says: [
      claude([use], 'tool_use'),
      claude([{ type: 'text', text: 'Hello' }], 'end_turn'),
      claude([{ type: 'text', text: 'So' }], 'end_turn'),
    ],
  },
  {
    of: 'Gemini',
    asks: (contents: readonly object[]) => ({ contents }),
    talk: [asked, { role: 'model', parts: [functionCall] }, returned, { role: 'model', parts: [{ text: 'Hello' }] }, asked],
    error: { error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } },
    says: [gemini(functionCall), gemini({ text: 'Hello' }), gemini({ text: 'So' })],
  },
  {
    of: 'Responses',
    asks: (input: readonly object[]) => ({ model: 'm', input }),
    talk: [user, item, output, message, user],
    error: { error: { message: 'busy', type: 'overloaded', code: null } },
    says: [responses('resp_1', item), responses('resp_2', message), responses('resp_3', message)],
  },
])('$of: what answers a call is of its run, the next question is not', ({ asks, talk, says, error }) => {
  const calls = [1, 3, 5].map((length, i) => ({ asks: asks(talk.slice(0, length)), says: says[i]!, type: JSON_TYPE }));
  expect(runsOf(calls.slice(0, 1))).toEqual([['waiting', 1]]);
  expect(runsOf(calls.slice(0, 2))).toEqual([['completed', 2]]);
  // One that is refused is another try of the same run.
  const refused = { ...calls[1]!, says: JSON.stringify(error), status: 529 };
  expect(runsOf([calls[0]!, refused])).toEqual([['failed', 2]]);
  expect(runsOf([calls[0]!, refused, calls[1]!])).toEqual([['completed', 3]]);
  expect(runsOf([calls[0]!, { ...refused, asks: asks(talk) }])).toEqual([
    ['waiting', 1],
    ['failed', 1],
  ]);
  expect(runsOf(calls)).toEqual([
    ['completed', 2],
    ['completed', 1],
  ]);
});

const result = { role: 'tool', toolCallId: 'a1', content: '1' };
const toolCalls = [{ id: 'a1', type: 'function', function: { name: 'x', arguments: '{}' } }];
const call = ['START', 'ARGS', 'END'].map((word) => ({ type: `TOOL_CALL_${word}`, toolCallId: 'a1', toolCallName: 'x', delta: '{}' }));
const words = ['START', 'CONTENT', 'END'].map((word) => ({
  type: `TEXT_MESSAGE_${word}`,
  messageId: 'm',
  role: 'assistant',
  delta: 'Hello',
}));

test.each([
  { of: 'AG-UI', url: '/agent', mark: {} },
  { of: 'CopilotKit', url: '/api/copilotkit/agent/default/run', mark: {} },
  { of: 'TanStack AI', url: '/api/chat', mark: { metadata: { tanstack: { model: 'm' } } } },
])('$of: what answers a call is of its run, the next question is not', ({ url, mark }) => {
  const ask = (runId: string, messages: readonly object[], events: readonly object[], last = 'RUN_FINISHED') => ({
    url,
    type: 'text/event-stream',
    asks: { threadId: 't', runId, messages, state: {}, tools: [], context: [], forwardedProps: {} },
    says: [{ type: 'RUN_STARTED' }, ...events, { type: last, message: 'busy' }]
      .map((event) => `data: ${JSON.stringify({ ...event, ...mark, threadId: 't', runId })}\n\n`)
      .join(''),
  });
  const talk = [user, { role: 'assistant', toolCalls }, result, answer, user];
  const first = ask('r1', talk.slice(0, 1), call);
  const second = ask('r2', talk.slice(0, 3), words);
  const third = ask('r3', talk, words);
  expect(runsOf([first])).toEqual([['waiting', 1]]);
  expect(runsOf([first, second])).toEqual([['completed', 2]]);
  const refused = ask('r2', talk.slice(0, 3), [], 'RUN_ERROR');
  expect(runsOf([first, refused])).toEqual([['failed', 2]]);
  expect(runsOf([first, { ...third, says: refused.says.replaceAll('r2', 'r3') }])).toEqual([
    ['waiting', 1],
    ['failed', 1],
  ]);
  expect(runsOf([first, second, third])).toEqual([
    ['completed', 2],
    ['completed', 1],
  ]);
  // The server's own call: the page's messages may end with its result, whatever the model said after it.
  const own = ask('r1', talk.slice(0, 1), [
    ...call,
    { type: 'TOOL_CALL_RESULT', messageId: 't', toolCallId: 'a1', content: '1' },
    ...words,
  ]);
  expect(runsOf([own, ask('r2', [user, { ...answer, toolCalls }, result, user], words)])).toEqual([
    ['completed', 1],
    ['completed', 1],
  ]);
});
