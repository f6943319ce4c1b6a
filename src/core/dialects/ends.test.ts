/** How runs end where a stream says it in an unusual way: more than one of them, against its own word, or under another name. */
import { describe, expect, test } from 'vitest';
import type { FlowEnd, TapRecord, TapRecordBody } from '../model';
import { createSession, type Session } from '../session';

interface Asked {
  readonly url?: string;
  readonly transport?: 'fetch' | 'websocket';
  readonly end?: FlowEnd | null;
}

/** A session over one flow that received these events, each in a frame of its own. */
const received = (events: readonly (object | string)[], asked: Asked = {}): Session => {
  const { url = 'https://app.test/api', transport = 'fetch', end = 'eof' } = asked;
  const bodies: TapRecordBody[] = [
    { type: 'flow.opened', flow: 'f', document: 'd', transport, method: 'POST', url, requestHeaders: {}, requestBody: null },
    { type: 'flow.head', flow: 'f', status: 200, headers: transport === 'fetch' ? { 'content-type': 'text/event-stream' } : {} },
    ...events.map((event): TapRecordBody => {
      const data = typeof event === 'string' ? event : JSON.stringify(event);
      const text = transport === 'fetch' ? `data: ${data}\n\n` : data;
      return { type: 'flow.chunk', flow: 'f', direction: 'received', text, encoding: 'text', event: null, id: null };
    }),
    ...(end === null ? [] : [{ type: 'flow.ended', flow: 'f', how: end, code: null, detail: null } as const]),
  ];
  const session = createSession();
  session.ingest(bodies.map((body, seq): TapRecord => ({ ...body, seq, at: seq * 10 })));
  expect(session.faults).toEqual([]);
  return session;
};
const outcomes = (session: Session): readonly string[] => session.runs.map((run) => run.settlement?.outcome ?? 'open');
const attempts = (session: Session): readonly string[] =>
  session.runs.flatMap((run) => run.attempts.map((attempt) => attempt.settlement?.outcome ?? 'open'));

describe('OpenAI chat', () => {
  const chunk = (id: string, delta: object, finish_reason: string | null = null, index = 0) => ({
    id,
    object: 'chat.completion.chunk',
    choices: [{ index, delta, finish_reason }],
  });
  const says = (id: string, content: string, first = true) => chunk(id, first ? { role: 'assistant', content } : { content });
  const calls = (id: string) => [
    chunk(id, { role: 'assistant', tool_calls: [{ index: 0, id: 't', type: 'function', function: { name: 'f', arguments: '{}' } }] }),
    chunk(id, {}, 'tool_calls'),
  ];
  const cut = { end: 'network-error' } as const;

  test('a further completion goes on with the run, and its end is the run’s', () => {
    const called = received([...calls('A'), says('B', 'It is 7 °C.'), chunk('B', {}, 'stop'), '[DONE]']);
    expect(outcomes(called)).toEqual(['completed']);
    expect(attempts(called)).toEqual(['waiting', 'completed']);
    expect(called.findings).toEqual([]);
    expect(outcomes(received([...calls('A'), says('B', 'It is')], cut))).toEqual(['severed']);
    const plain = [says('A', 'One moment.'), chunk('A', {}, 'stop')];
    expect(outcomes(received([...plain, says('B', 'It is')], cut))).toEqual(['severed']);
    expect(outcomes(received([...plain, says('B', 'It is', false), chunk('B', {}, 'length')]))).toEqual(['truncated']);
    expect(outcomes(received([...plain, ...calls('B')]))).toEqual(['waiting']);
    expect(outcomes(received([...plain, '[DONE]', says('B', 'It is'), chunk('B', {}, 'stop'), '[DONE]']))).toEqual(['completed']);
    const whole = received([
      chunk('A', { role: 'assistant', content: 'One.' }, 'stop'),
      chunk('B', { role: 'assistant', content: 'Two.' }, 'stop'),
    ]);
    expect(attempts(whole)).toEqual(['completed', 'completed']);
  });

  test('the one that was given up for another counts no more', () => {
    const session = received([says('A', 'It'), says('A', ' is', false), says('B', 'It is 7 °C.'), chunk('B', {}, 'stop')]);
    expect(attempts(session)).toEqual(['superseded', 'completed']);
  });

  test('two at work at once have both to end', () => {
    const both = [says('A', 'It is'), says('B', 'And'), says('A', ' 7 °C.', false), says('B', ' 9 °C.', false)];
    expect(outcomes(received([...both, chunk('A', {}, 'stop')], cut))).toEqual(['severed']);
    expect(outcomes(received([...both, chunk('B', {}, 'stop')], cut))).toEqual(['severed']);
    expect(outcomes(received([...both, chunk('B', {}, 'stop'), chunk('A', {}, 'stop')]))).toEqual(['completed']);
    expect(outcomes(received([...both, chunk('B', {}, 'length'), chunk('A', {}, 'stop')]))).toEqual(['truncated']);
    const steady = [says('A', 'It'), says('A', ' is', false), ...both.slice(1)];
    expect(outcomes(received([...steady, chunk('A', {}, 'stop')], cut))).toEqual(['severed']);
    expect(outcomes(received([...steady, chunk('B', {}, 'stop')], cut))).toEqual(['severed']);
    expect(outcomes(received([...steady, chunk('A', {}, 'stop'), chunk('B', {}, 'stop')]))).toEqual(['completed']);
    expect(outcomes(received([says('A', 'a', false), says('B', 'b', false), chunk('A', {}, 'stop')]))).toEqual(['severed']);
  });

  test('ids of chunks are no ids of completions', () => {
    const told = (ids: readonly string[], role: boolean) =>
      attempts(received([...ids.map((id, i) => says(id, 'It ', role || i === 0)), chunk('last', {}, 'stop'), chunk('usage', {})]));
    for (const role of [true, false]) {
      expect(told(['1', '2', '3', '4'], role)).toEqual(['completed']);
      expect(told(['', '', ''], role)).toEqual(['completed']);
      expect(told(['gateway', 'A', 'A', 'A'], false)).toEqual(['completed']);
    }
    expect(attempts(received([says('', 'It '), chunk('A', { content: 'is' }), chunk('', {}, 'stop'), chunk('B', {}, 'stop')]))).toEqual([
      'completed',
    ]);
  });

  test('an error ends it, and a new completion is another try', () => {
    const failed = [says('A', 'It is'), says('A', ' 7', false), { id: 'A', error: { message: 'overloaded' } }];
    expect(outcomes(received([...failed, chunk('A', {}, 'stop'), '[DONE]']))).toEqual(['failed']);
    expect(attempts(received([...failed, says('B', 'It is 7 °C.'), chunk('B', {}, 'stop')]))).toEqual(['failed', 'completed']);
  });
});

describe('OpenAI Responses', () => {
  let n = 0;
  const event = (type: string, more: object = {}) => ({ type, sequence_number: n++, ...more });
  const begins = (id: string) => event('response.created', { response: { id, status: 'in_progress', output: [] } });
  const says = () => event('response.output_text.delta', { item_id: 'i', output_index: 0, content_index: 0, delta: 'It is' });
  const told = (type: string, response: object | null | undefined) => {
    n = 0;
    const session = received([begins('r'), says(), event(type, response === undefined ? {} : { response })]);
    return [...outcomes(session), ...session.findings.map(({ rule }) => rule).filter((rule) => rule === 'terminal-conflict')];
  };

  test.each([
    [{ status: 'completed' }, ['completed']],
    // The status is optional, and look-alikes leave it out.
    [{}, ['completed']],
    [{ status: null }, ['completed']],
    [{ status: 'failed', error: { message: 'x' } }, ['failed', 'terminal-conflict']],
    [{ status: 'completed', error: { code: 'server_error', message: 'x' } }, ['failed', 'terminal-conflict']],
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, ['truncated', 'terminal-conflict']],
    [{ status: 'cancelled' }, ['cancelled', 'terminal-conflict']],
    [{ status: 'in_progress' }, ['unattested', 'terminal-conflict']],
    [{ status: 'constructor' }, ['unattested', 'terminal-conflict']],
    [null, ['unattested']],
    [undefined, ['unattested']],
  ])('response.completed with %j', (more, expected) => {
    expect(told('response.completed', more && { id: 'r', output: [], ...more })).toEqual(expected);
  });

  test('a bad end is not made good by the status beside it', () => {
    expect(told('response.failed', { id: 'r', status: 'completed' })).toEqual(['failed', 'terminal-conflict']);
    expect(told('response.incomplete', { id: 'r', status: 'completed' })).toEqual(['unattested', 'terminal-conflict']);
  });

  test('a further response in one body goes on with the run, unless both are at work', () => {
    n = 0;
    const call = { id: 'c', type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}', status: 'completed' };
    const first = [begins('r1'), says(), event('response.completed', { response: { id: 'r1', status: 'completed', output: [call] } })];
    const second = [begins('r2'), says()];
    const end = event('response.completed', { response: { id: 'r2', status: 'completed', output: [] } });
    expect(attempts(received([...first, ...second, end]))).toEqual(['waiting', 'completed']);
    expect(outcomes(received([...first, ...second], { end: 'network-error' }))).toEqual(['severed']);
    expect(outcomes(received([...first.slice(0, 2), ...second, end], { end: 'network-error' }))).toEqual(['severed', 'completed']);
    expect(outcomes(received([...first, ...second, end], { transport: 'websocket' }))).toEqual(['waiting', 'completed']);
  });
});

describe('Gemini', () => {
  const chunk = (responseId: string, text: string, finishReason?: string) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...(finishReason && { finishReason }) }],
    modelVersion: 'g',
    responseId,
  });
  const call = (responseId: string) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] }, finishReason: 'STOP' }],
    modelVersion: 'g',
    responseId,
  });

  test('a further response goes on with the run, and its end is the run’s', () => {
    expect(attempts(received([call('a'), chunk('b', 'It is'), chunk('b', ' 7 °C.', 'STOP')]))).toEqual(['waiting', 'completed']);
    expect(outcomes(received([call('a'), chunk('b', 'It is')], { end: 'network-error' }))).toEqual(['severed']);
    expect(outcomes(received([chunk('a', 'One.', 'STOP'), chunk('b', 'Two', 'MAX_TOKENS')]))).toEqual(['truncated']);
  });

  test('two at work at once have both to end; ids of chunks are no ids of responses', () => {
    expect(outcomes(received([chunk('a', 'x'), chunk('b', 'y'), chunk('a', 'z', 'STOP')], { end: 'network-error' }))).toEqual(['severed']);
    expect(attempts(received([chunk('1', 'It '), chunk('2', 'is '), chunk('3', '7.'), chunk('4', '', 'STOP')]))).toEqual(['completed']);
    expect(attempts(received([chunk('a', 'It '), chunk('a', 'is.', 'STOP'), { ...chunk('b', ''), usageMetadata: {} }]))).toEqual([
      'completed',
    ]);
  });
});

describe('Anthropic Messages', () => {
  const start = (id: string) => ({ type: 'message_start', message: { id, type: 'message', role: 'assistant', content: [], model: 'c' } });
  const text = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'It is' } },
    { type: 'content_block_stop', index: 0 },
  ];
  const call = [
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
    { type: 'content_block_stop', index: 0 },
  ];
  const stop = (stop_reason: string) => [{ type: 'message_delta', delta: { stop_reason } }, { type: 'message_stop' }];
  const first = [start('a'), ...call, ...stop('tool_use')];

  test('a further message in one body goes on with the run; on a socket if the one before waits', () => {
    const both = [...first, start('b'), ...text, ...stop('end_turn')];
    expect(attempts(received(both))).toEqual(['waiting', 'completed']);
    expect(outcomes(received(both))).toEqual(['completed']);
    expect(outcomes(received(both, { transport: 'websocket' }))).toEqual(['completed']);
    expect(outcomes(received([...first, start('b'), ...text], { end: 'network-error' }))).toEqual(['severed']);
    const turns = [start('a'), ...text, ...stop('end_turn'), start('b'), ...text, ...stop('max_tokens')];
    expect(outcomes(received(turns))).toEqual(['truncated']);
    expect(outcomes(received(turns, { transport: 'websocket' }))).toEqual(['completed', 'truncated']);
  });
});

describe('AG-UI', () => {
  const started = (runId: string, more = {}) => ({ type: 'RUN_STARTED', threadId: 't', runId, ...more });
  const finished = (runId: string, more = {}) => ({ type: 'RUN_FINISHED', threadId: 't', runId, ...more });
  const text = (messageId: string) => [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: 'It is 7 °C.' },
    { type: 'TEXT_MESSAGE_END', messageId },
  ];

  test.each([
    [{}, 'completed'],
    [{ outcome: null }, 'completed'],
    [{ outcome: { type: 'success' } }, 'completed'],
    [{ outcome: 'success' }, 'completed'],
    [{ outcome: { type: 'error' } }, 'failed'],
    [{ outcome: 'failed' }, 'failed'],
    [{ outcome: 'cancelled' }, 'cancelled'],
    [{ outcome: { type: 'max_tokens' } }, 'unattested'],
    [{ outcome: 'toString' }, 'unattested'],
    [{ outcome: {} }, 'unattested'],
    [{ outcome: 'interrupt', interrupt: { id: 'i', reason: 'human_approval' } }, 'waiting'],
    [{ metadata: { tanstack: { finishReason: 'error' } } }, 'failed'],
    [{ metadata: { tanstack: { finishReason: 'wearied' } } }, 'unattested'],
    [{ metadata: { tanstack: { finishReason: null } } }, 'completed'],
    [{ outcome: { type: 'error' }, metadata: { tanstack: { finishReason: 'stop' } } }, 'failed'],
  ])('RUN_FINISHED with %j', (more, outcome) => {
    expect(outcomes(received([started('r1'), ...text('m1'), finished('r1', more)]))).toEqual([outcome]);
  });

  test('each of two runs ends by its own end, in whatever order', () => {
    const session = received([
      started('r1'),
      ...text('m1'),
      started('r2'),
      ...text('m2'),
      finished('r1'),
      finished('r2', { outcome: 'failed' }),
    ]);
    expect(outcomes(session)).toEqual(['completed', 'failed']);
    const cut = received([started('r1'), ...text('m1'), started('r2'), ...text('m2'), finished('r2')], { end: 'network-error' });
    expect(outcomes(cut)).toEqual(['severed', 'completed']);
  });

  test('an end under an id that began no run here is of the open one, unless the connection breaks', () => {
    const told = (end: FlowEnd) => outcomes(received([started('r1'), ...text('m1'), finished('other')], { end }));
    expect(told('eof')).toEqual(['completed']);
    expect(told('network-error')).toEqual(['severed']);
  });
});

describe('assistant-transport', () => {
  const state = { type: 'update-state', path: [], operations: [{ type: 'append-text', path: ['messages', '1', 'content'], value: 'Hi' }] };

  test('a server that tells its state alone has a run, too', () => {
    expect(outcomes(received([state, state, '[DONE]']))).toEqual(['unattested']);
    expect(outcomes(received([state], { end: 'network-error' }))).toEqual(['severed']);
    expect(outcomes(received([state], { end: null }))).toEqual(['open']);
    expect(outcomes(received([state, { type: 'error', path: [], error: 'boom' }, '[DONE]']))).toEqual(['failed']);
  });
});

describe('LangGraph', () => {
  const said = (id: string, content: string) => ({ type: 'ai', id, content, tool_calls: [], response_metadata: { finish_reason: 'stop' } });
  const updates = (update: object) =>
    outcomes(
      received(
        [`{"run_id":"01a22b6d-768a-7283-b97d-5095f911b593","attempt":1}`, JSON.stringify({ agent: update })].map(
          (data, i) => `${data}\nevent: ${i === 0 ? 'metadata' : 'updates'}`,
        ),
      ),
    );

  test('an update may hold one message in place of a list', () => {
    const last = said('m2', 'It is 7 °C.');
    for (const update of [{ messages: [last] }, { messages: last }]) expect(updates(update)).toEqual(['completed']);
    expect(updates({ messages: { ...last, tool_calls: [{ name: 'f', args: {}, id: 'c' }] } })).toEqual(['unattested']);
    expect(updates({ messages: { type: 'tool', tool_call_id: 'c', content: '7' } })).toEqual(['unattested']);
  });
});

describe('LangGraph threads', () => {
  const event = (method: string, namespace: readonly string[], data: object, seq: number) => ({
    type: 'event',
    event_id: `e${seq}`,
    seq,
    method,
    params: { namespace, timestamp: 1, data },
  });
  const run = (blocks: readonly object[]) =>
    [
      ['lifecycle', { event: 'running' }],
      ['messages', { event: 'message-start', role: 'ai', id: 'm1' }],
      ...blocks.map((block) => ['messages', block] as const),
      ['messages', { event: 'message-finish', reason: 'stop' }],
      ['lifecycle', { event: 'completed' }],
    ].map(([method, data], i) => event(method as string, method === 'messages' ? ['agent:1'] : [], data as object, i));
  const block = (event: string, index: number, content: object) => ({ event: `content-block-${event}`, index, content });
  const delta = (index: number, text: string) => ({ event: 'content-block-delta', index, delta: { type: 'text-delta', text } });
  const text = (words: string) => ({ type: 'text', text: words });
  const committed = (blocks: readonly object[]): string =>
    received(run(blocks), { url: 'https://app.test/threads/t/stream/events', end: null })
      .runs.flatMap((one) => one.attempts.flatMap((attempt) => attempt.parts))
      .map((part) => `${part.voice} ${part.standing} ${part.text}`)
      .join('; ');

  test('the end of a block tells all of it', () => {
    expect(committed([block('start', 0, text('')), block('finish', 0, text('Hi'))])).toBe('assistant committed Hi');
    expect(committed([block('finish', 0, { type: 'reasoning', reasoning: 'Hm' }), block('finish', 1, text('Hi'))])).toBe(
      'reasoning committed Hm; assistant committed Hi',
    );
    expect(committed([block('start', 0, text('H')), block('finish', 0, text('Hi'))])).toBe('assistant committed Hi');
    expect(committed([delta(0, 'Hel'), delta(0, 'lo'), block('finish', 0, text('Hello'))])).toBe('assistant committed Hello');
    // Some tell nothing at the end, or all blocks at once.
    expect(committed([delta(0, 'Hel'), delta(0, 'lo'), block('finish', 0, text(''))])).toBe('assistant committed Hello');
    expect(committed([delta(0, 'One '), delta(2, 'two'), block('finish', 0, text('One ')), block('finish', 2, text('two'))])).toBe(
      'assistant committed One ; assistant committed two',
    );
    expect(committed([block('finish', 0, text('One ')), block('finish', 2, text('two'))])).toBe(
      'assistant committed One ; assistant committed two',
    );
    expect(committed([delta(0, 'One '), block('finish', 2, text('two')), block('finish', 0, text('One '))])).toBe(
      'assistant committed One ; assistant committed two',
    );
  });

  test('the whole message confirms its blocks, in whatever order they were told', () => {
    const one = [block('start', 0, text('')), delta(0, 'One '), block('finish', 0, text('One '))];
    const two = [block('start', 2, text('')), delta(2, 'two'), block('finish', 2, text('two'))];
    const think = [block('finish', 1, { type: 'reasoning', reasoning: 'Hm' })];
    const orders = [
      [...one, ...two],
      [...one, ...think, ...two],
      [...two, ...one],
      [one[0]!, one[1]!, ...two, one[2]!],
    ];
    const whole = (content: string | readonly object[], blocks: readonly object[]) => {
      const events = run(blocks);
      const messages = [{ type: 'ai', id: 'm1', content, tool_calls: [] }];
      return received(
        [...events.slice(0, -1), event('values', [], { messages: [] }, 90), event('values', [], { messages }, 91), events.at(-1)!],
        {
          url: 'https://app.test/threads/t/stream/events',
          end: null,
        },
      );
    };
    const answer = (session: Session) =>
      session.runs[0]!.attempts[0]!.parts.filter(({ voice, withdrawn }) => voice === 'assistant' && !withdrawn)
        .sort((a, b) => (a.text < b.text ? -1 : 1))
        .map((part) => `${part.standing} ${part.text}`);
    for (const blocks of orders)
      for (const content of ['One two', [text('One '), text('two')]]) {
        const session = whole(content, blocks);
        expect(answer(session)).toEqual(['committed One ', 'committed two']);
        expect(session.findings).toEqual([]);
      }
  });
});
