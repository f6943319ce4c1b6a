/** Which requests are of one run, where each is a call of its own and repeats the whole conversation. */
import { expect, test } from 'vitest';
import type { TapRecord, TapRecordBody } from '../model';
import { createSession } from '../session';

/** How the runs ended that these calls made, and in how many calls each. */
const runsOf = (calls: readonly { readonly asks: object; readonly says: string; readonly type: string; readonly status?: number }[]) => {
  const bodies = calls.flatMap(({ asks, says, type, status = 200 }, i): TapRecordBody[] => {
    const flow = `f${i}`;
    return [
      {
        type: 'flow.opened',
        flow,
        document: 'd',
        transport: 'fetch',
        method: 'POST',
        url: '/api/ask',
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
