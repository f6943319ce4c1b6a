/** What the fixtures do not show of the dialect: the whole table, hostile input, and which streamed block a commit is. */
import { describe, expect, test } from 'vitest';
import type { WireFrame } from '../model';
import { deepseekHarness } from './deepseek-harness';
import { createLogReader, LOG_TYPES } from './deepseek-harness-log';
import type { FlowOpening, Json, Utterance } from './dialect';

const frame = (data: string, direction: 'received' | 'sent' = 'received'): WireFrame => ({
  flow: 'f',
  index: 0,
  seq: 0,
  at: 0,
  direction,
  framing: 'message',
  kind: 'data',
  event: null,
  id: null,
  data,
  encoding: 'text',
  start: 0,
  end: data.length,
  complete: true,
});
const opening = (more: Partial<FlowOpening>): FlowOpening => ({
  transport: 'websocket',
  method: 'GET',
  url: '/api/events.mux',
  requestBody: null,
  requestHeaders: {},
  status: 101,
  headers: {},
  frames: [],
  last: true,
  ...more,
});
const recognised = (value: unknown, more: Partial<FlowOpening> = {}) =>
  deepseekHarness.recognise(opening({ frames: [frame(JSON.stringify(value))], ...more }));
const request = (method: string, payload: Json, more: object = {}) =>
  JSON.stringify({ type: 'client-request', rpcId: 'r', method, payload, ...more });

const brief = (said: readonly Utterance[]) => said.map((one) => `${one.standing} ${one.voice} ${one.type} ${one.part ?? ''}`.trim());

describe('recognition', () => {
  const envelope = {
    type: 'server-request',
    rpcId: 'r',
    method: 'session/subscribed',
    payload: { type: 'session/subscribed', sessionId: 's', lastSeq: 1 },
  };

  test('by the exact envelope, whatever the URL', () => {
    expect(recognised(envelope, { url: '/elsewhere' })).toBe('certain');
    expect(deepseekHarness.recognise(opening({}))).toBe('no');
    expect(recognised({ ...envelope, more: 1 })).toBe('no');
    expect(recognised({ ...envelope, method: 'session/queue' })).toBe('no');
    expect(recognised({ ...envelope, type: 'request' })).toBe('no');
    expect(recognised({ ...envelope, method: 'other/thing', payload: { type: 'other/thing' } })).toBe('no');
  });

  test.each(['session.prompt', 'session.history', 'session.cancel', 'session.list', 'subagent.list'])('the call %s', (method) => {
    expect(deepseekHarness.recognise(opening({ transport: 'fetch', requestBody: request(method, { sessionId: 's' }) }))).toBe('certain');
    expect(deepseekHarness.recognise(opening({ transport: 'fetch', requestBody: request(method, { sessionId: 's' }, { id: 1 }) }))).toBe(
      'no',
    );
  });

  test('not calls that say nothing about runs, nor answers to nothing of ours', () => {
    const answer = (value: Json) => JSON.stringify({ type: 'client-response', rpcId: 'r', result: { ok: true, value } });
    const by = (requestBody: string) => deepseekHarness.recognise(opening({ transport: 'fetch', requestBody }));
    expect(by(request('settings.describe', {}))).toBe('no');
    expect(by(answer({ sessionId: 's', approvalId: 'a', outcome: 'rejected' }))).toBe('certain');
    expect(by(answer({ sessionId: 's', answer: { answers: [] } }))).toBe('certain');
    expect(by(answer({ sessionId: 's' }))).toBe('no');
    expect(by('{"type":"client-request"')).toBe('no');
  });

  test('the SDK by its dotted notifications, and not the protocols that look like it', () => {
    const rpc = (method: string, params: Json) => ({ jsonrpc: '2.0', method, params });
    expect(recognised(rpc('session.event', { sessionId: 's', event: { type: 'turn/start', seq: 0, data: {} } }))).toBe('certain');
    expect(recognised(rpc('session.status', { sessionId: 's', status: 'idle' }))).toBe('certain');
    expect(recognised(rpc('session.status', { sessionId: 's', status: 'busy' }))).toBe('no');
    expect(recognised(rpc('session/update', { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk' } }))).toBe('no');
    expect(recognised({ ...rpc('session.status', { sessionId: 's', status: 'idle' }), id: 1 })).toBe('no');
  });
});

describe('the log', () => {
  const read = (type: string, data: Json, more: object = {}) => createLogReader().event('s', { type, seq: 4, time: 1, data, ...more });

  test('knows 48 types, and says something of each, with its place in the log', () => {
    expect(LOG_TYPES).toHaveLength(48);
    for (const type of LOG_TYPES) {
      const said = read(type, {});
      expect(said.length, type).toBeGreaterThan(0);
      for (const one of said) {
        expect(one.wireId, type).toBe('s/4');
        expect(one.order, type).toBe(4);
        expect(one.voice, type).not.toBeNull();
        expect(one.type, type).not.toBe('unrecognised');
      }
    }
  });

  test.each(['plugin/thing', 'constructor', '__proto__', 'toString', ''])('keeps the unknown type %o as unrecognised', (type) => {
    expect(read(type, { anything: 1 }).map((one) => [one.type, one.raw, one.voice, one.order])).toEqual([['unrecognised', type, null, 4]]);
  });

  test.each([
    ['user', 'user'],
    ['plugin', 'log'],
    ['agent-instructions', 'log'],
    ['skill-catalog', 'log'],
    ['skill-invocation', 'log'],
    ['session-reference', 'log'],
    ['goal', 'progress'],
    ['coordinator', 'progress'],
    ['subagent-report', 'progress'],
    ['subagent-settled', 'progress'],
    ['team-message', 'progress'],
    ['constructor', 'log'],
    ['something-new', 'log'],
  ])('role user of source %s speaks as %s', (kind, voice) => {
    const said = read('user/message', { id: 'm', role: 'user', content: [{ type: 'text', text: 'Hi' }], source: { kind } });
    expect(said.map((one) => one.voice)).toEqual([voice]);
  });

  test('a report keeps the reasoning it carries apart', () => {
    const content = [
      { type: 'text', text: 'It ended.' },
      { type: 'reasoning', text: 'Thought.' },
      { type: 'text', text: 'Answer.' },
    ];
    const said = read('user/message', { id: 'm', content, source: { kind: 'subagent-settled', senderSessionId: 'c' } });
    expect(said.map((one) => [one.voice, one.type === 'part.closed' && one.text])).toEqual([
      ['progress', 'It ended.\nAnswer.'],
      ['reasoning', 'Thought.'],
    ]);
  });

  test('a queue edit is no receipt', () => {
    const inserted = [{ id: 'm2', role: 'user', content: [], source: { kind: 'user', rpcId: 'r' } }];
    expect(read('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted })).toMatchObject([
      { type: 'inbox.changed', received: [], inserted: 1, claimed: 1 },
    ]);
    expect(read('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted })).toMatchObject([{ received: ['r'], claimed: 0 }]);
  });

  test.each([null, 'x', [], {}, { type: 3 }, { type: 'turn/end' }, { type: 'assistant/message', data: { message: null } }] as Json[])(
    'never throws on %j',
    (event) => {
      expect(createLogReader().event('s', event).length).toBeGreaterThan(0);
    },
  );
});

describe('which streamed block a commit is', () => {
  const chunk = (chunk: Json): Json => ({ type: 'assistant/chunk', seq: 1, data: { turn: 1, step: 1, chunk } });
  const delta = (index: number, text: string, type = 'text-delta'): Json => chunk({ type, index, text });
  const message = (...content: Json[]): Json => ({
    type: 'assistant/message',
    seq: 9,
    data: { turn: 1, step: 1, message: { role: 'assistant', id: 'm', content } },
  });
  const text = (text: string): Json => ({ type: 'text', text });
  const reasoning = (text: string): Json => ({ type: 'reasoning', text });
  const lastSaid = (...events: Json[]) => {
    const reader = createLogReader();
    let said: readonly Utterance[] = [];
    for (const event of events) said = reader.event('s', event);
    return brief(said);
  };

  test('by type and order', () => {
    expect(lastSaid(delta(0, 'why', 'reasoning-delta'), delta(1, 'so'), message(reasoning('why'), text('so')))).toEqual([
      'committed reasoning part.closed 1.1:0',
      'committed assistant part.closed 1.1:1',
    ]);
  });

  test('where this flow heard only the end of the step', () => {
    expect(lastSaid(delta(1, 'so'), message(reasoning('why'), text('so')))).toEqual([
      'committed reasoning part.closed 1.1:0',
      'committed assistant part.closed 1.1:1',
    ]);
    expect(lastSaid(message(reasoning('why'), text('so')))).toEqual([
      'committed reasoning part.closed 1.1:0',
      'committed assistant part.closed 1.1:1',
    ]);
  });

  test('blank blocks and calls that the message leaves out are not what it keeps', () => {
    const call = chunk({ type: 'tool-call-delta', index: 1, id: 'c', name: 'write', argumentsDelta: '{' });
    expect(lastSaid(delta(0, ' \n'), call, delta(2, 'real'), message(text('real')))).toEqual([
      'committed assistant part.closed 1.1:2',
      'committed assistant part.withdrawn 1.1:0',
    ]);
    expect(lastSaid(delta(0, 'kept'), call, message(text('kept')))).toEqual(['committed assistant part.closed 1.1:0']);
  });

  test('after a retry the indexes start over', () => {
    const retry: Json = { type: 'llm/retry', seq: 5, data: { turn: 1, step: 1, retry: 1 } };
    expect(lastSaid(delta(0, 'a', 'reasoning-delta'), delta(1, 'b'), retry)).toEqual(['committed lifecycle parts.withdrawn']);
    expect(lastSaid(delta(0, 'a', 'reasoning-delta'), delta(1, 'b'), retry, delta(0, 'c'), message(text('c')))).toEqual([
      'committed assistant part.closed 1.1:0',
    ]);
  });

  test('a block end commits nothing', () => {
    expect(lastSaid(delta(0, 'Done.'), chunk({ type: 'block-end', index: 0, block: { type: 'text', text: 'Done.' } }))).toEqual([
      'provisional assistant part.closed 1.1:0',
    ]);
  });

  test('a message without content still is an event', () => {
    expect(lastSaid(message())).toEqual(['committed assistant note']);
  });
});
