/** Which run a socket's frames belong to, where what the page sends is seen: nothing is a run of its own that no one asked for. */
import { describe, expect, test } from 'vitest';
import type { FlowEnd, TapRecord, TapRecordBody } from '../model';
import { createSession, type Session } from '../session';

type Message = readonly ['in' | 'out', object];

/** A session over one socket that carried these messages. */
const carried = (messages: readonly Message[], end: FlowEnd | null = null): Session => {
  const bodies: TapRecordBody[] = [
    {
      type: 'flow.opened',
      flow: 's',
      document: 'd',
      transport: 'websocket',
      method: 'GET',
      url: 'wss://app.test/ws',
      requestHeaders: {},
      requestBody: null,
    },
    { type: 'flow.head', flow: 's', status: 101, headers: {} },
    ...messages.map(
      ([way, message]): TapRecordBody => ({
        type: 'flow.chunk',
        flow: 's',
        direction: way === 'in' ? 'received' : 'sent',
        text: JSON.stringify(message),
        encoding: 'text',
        event: null,
        id: null,
      }),
    ),
    ...(end === null ? [] : [{ type: 'flow.ended', flow: 's', how: end, code: null, detail: null } as const]),
  ];
  const session = createSession();
  session.ingest(bodies.map((body, seq): TapRecord => ({ ...body, seq, at: seq * 10 })));
  expect(session.faults).toEqual([]);
  return session;
};
const outcomes = (session: Session): readonly string[] => session.runs.map((run) => run.settlement?.outcome ?? 'open');
const rules = (session: Session): readonly string[] =>
  session.findings.filter(({ verdict, rule }) => verdict === 'fail' && rule !== 'buffered-stream').map(({ rule }) => rule);
const answers = (session: Session): readonly string[] =>
  session.runs.map((run) =>
    run.attempts
      .flatMap((attempt) => attempt.parts)
      .filter((part) => part.voice === 'assistant')
      .map((part) => part.text)
      .join('|'),
  );

describe('ACP', () => {
  const call = (id: number, method: string, params: object): Message => ['out', { jsonrpc: '2.0', id, method, params }];
  const result = (id: number, value: object | null): Message => ['in', { jsonrpc: '2.0', id, result: value }];
  const update = (sessionUpdate: string, more: object = {}): Message => [
    'in',
    { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's1', update: { sessionUpdate, ...more } } },
  ];
  const says = (text: string, more: object = {}): Message => update('agent_message_chunk', { content: { type: 'text', text }, ...more });
  const prompt = (id: number): Message => call(id, 'session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'hi' }] });
  const permission: Message = [
    'in',
    {
      jsonrpc: '2.0',
      id: 90,
      method: 'session/request_permission',
      params: { sessionId: 's1', toolCall: { toolCallId: 'c1' }, options: [] },
    },
  ];
  const hello = (version = 1): readonly Message[] => [
    call(0, 'initialize', { protocolVersion: version, clientCapabilities: {} }),
    result(0, { protocolVersion: version, agentCapabilities: {}, authMethods: [] }),
  ];
  const made = (version = 1): readonly Message[] => [
    ...hello(version),
    call(1, 'session/new', { cwd: '/', mcpServers: [] }),
    result(1, { sessionId: 's1' }),
  ];

  test('a session that nothing was asked of is no run', () => {
    for (const end of [null, 'eof', 'network-error'] as const) {
      const asides = [
        update('available_commands_update', { availableCommands: [] }),
        update('current_mode_update', { currentModeId: 'ask' }),
        update('plan', { entries: [{ content: 'Wait' }] }),
        says('Welcome'),
      ];
      expect(carried(made(), end).runs).toEqual([]);
      for (const aside of asides) expect(carried([...made(), aside], end).runs).toEqual([]);
      const asked = carried([...made(), ...asides, prompt(2), says('Hi'), result(2, { stopReason: 'end_turn' })], end);
      expect(outcomes(asked)).toEqual(['completed']);
      expect(answers(asked)).toEqual(['Hi']);
    }
  });

  test('what comes after the end of a turn is late, and no turn of its own', () => {
    const turn = [...made(), prompt(2), says('Hello'), update('tool_call', { toolCallId: 'c1', title: 'ls', status: 'pending' })];
    const cancelled = [...turn, result(2, { stopReason: 'cancelled' })];
    const failed = carried([...cancelled, update('tool_call_update', { toolCallId: 'c1', status: 'failed' })], 'eof');
    expect(outcomes(failed)).toEqual(['cancelled']);
    expect(outcomes(carried([...cancelled, permission], null))).toEqual(['cancelled']);
    const late = carried([...turn, result(2, { stopReason: 'end_turn' }), says('late')]);
    expect(outcomes(late)).toEqual(['completed']);
    expect(rules(late)).toEqual(['event-after-settle']);
    const next = [...turn, result(2, { stopReason: 'end_turn' }), update('available_commands_update'), prompt(3), says('Again')];
    expect(outcomes(carried([...next, result(3, { stopReason: 'end_turn' })], 'eof'))).toEqual(['completed', 'completed']);
    expect(outcomes(carried(next, 'eof'))).toEqual(['completed', 'severed']);
  });

  test('history that is loaded is no run, and no part of the next', () => {
    const loaded = [
      ...hello(),
      call(1, 'session/load', { sessionId: 's1', cwd: '/', mcpServers: [] }),
      update('user_message_chunk', { content: { type: 'text', text: 'hi' } }),
      says('Old'),
      update('tool_call', { toolCallId: 'c1', title: 'ls', status: 'completed' }),
    ];
    for (const messages of [loaded, [...loaded, result(1, null)], [...loaded, result(1, {}), says('Older')]]) {
      expect(carried(messages).runs).toEqual([]);
      expect(carried(messages, 'eof').runs).toEqual([]);
      const asked = [...messages, prompt(2), says('New')];
      expect(outcomes(carried(asked, 'eof'))).toEqual(['severed']);
      const answered = carried([...asked, result(2, { stopReason: 'end_turn' })], 'eof');
      expect(outcomes(answered)).toEqual(['completed']);
      expect(answers(answered)).toEqual(['New']);
    }
    const again = [...made(), prompt(2), says('Old'), result(2, { stopReason: 'end_turn' }), ...loaded.slice(2)];
    expect(answers(carried([...again, result(1, null)]))).toEqual(['Old']);
    expect(rules(carried([...again, result(1, null)]))).toEqual([]);
  });

  const tool = (toolCallId: string, status: string): Message => update('tool_call_update', { toolCallId, status });
  const refuses = (id: number): Message => ['in', { jsonrpc: '2.0', id, error: { code: -32600, message: 'Prompt already in progress' } }];
  const cancel: Message = ['out', { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's1' } }];
  const stop = (id: number, stopReason = 'end_turn'): Message => result(id, { stopReason });

  test('a prompt that waits for the one before has its own answer', () => {
    const both = [...made(), prompt(2), says('One'), prompt(3)];
    const queued = [...both, stop(2), says('Two'), stop(3)];
    expect(outcomes(carried(queued))).toEqual(['completed', 'completed']);
    expect(answers(carried(queued))).toEqual(['One', 'Two']);
    expect(rules(carried(queued))).toEqual([]);
    expect(outcomes(carried(queued.slice(0, -1), 'eof'))).toEqual(['completed', 'severed']);
    expect(outcomes(carried(queued.slice(0, -2), 'eof'))).toEqual(['completed', 'severed']);
    expect(outcomes(carried(both, 'eof'))).toEqual(['severed']);
    const third = [...both, prompt(4), stop(2), says('Two'), stop(3), says('Three'), stop(4)];
    expect([outcomes(carried(third)), answers(carried(third))]).toEqual([
      ['completed', 'completed', 'completed'],
      ['One', 'Two', 'Three'],
    ]);
    const instead = [
      ...made(),
      prompt(2),
      says('One'),
      update('tool_call', { toolCallId: 'c1', title: 'ls', status: 'pending' }),
      cancel,
      prompt(3),
    ];
    const late = [...instead, stop(2, 'cancelled'), tool('c1', 'failed'), says('Two'), stop(3)];
    expect([outcomes(carried(late)), answers(carried(late)), rules(carried(late))]).toEqual([
      ['cancelled', 'completed'],
      ['One', 'Two'],
      [],
    ]);
  });

  test('a prompt that is refused while another is at work fails alone', () => {
    const refused = carried([...made(), prompt(2), says('One'), prompt(3), refuses(3), says('!'), stop(2)]);
    expect([[...outcomes(refused)].sort(), rules(refused)]).toEqual([['completed', 'failed'], []]);
    expect(answers(refused)).toContain('One!');
    const later = [update('state_update', { state: 'running' }), says('One'), prompt(3), refuses(3), says('!')];
    const second = carried([
      ...made(2),
      prompt(2),
      result(2, { messageId: 'u1' }),
      ...later,
      update('state_update', { state: 'idle', stopReason: 'end_turn' }),
    ]);
    expect([[...outcomes(second)].sort(), rules(second)]).toEqual([['completed', 'failed'], []]);
  });

  test('a prompt that was taken into the turn at work is no empty answer', () => {
    const both = [...made(), prompt(2), says('One'), prompt(3), says('Two')];
    for (const ends of [
      [stop(3), says('!'), stop(2)],
      [stop(2), stop(3)],
    ]) {
      const folded = carried([...both, ...ends]);
      expect([outcomes(folded)[0], rules(folded)]).toEqual(['completed', []]);
    }
    // Nor is one that is answered twice another turn.
    expect(outcomes(carried([...made(), prompt(2), says('One'), stop(2), stop(2)]))).toEqual(['completed']);
  });

  test('a tool that ends after its turn was cancelled is no fault', () => {
    const turn = [...made(), prompt(2), says('Hello'), update('tool_call', { toolCallId: 'c1', title: 'ls', status: 'pending' })];
    expect(rules(carried([...turn, stop(2, 'cancelled'), tool('c1', 'failed')]))).toEqual([]);
    expect(rules(carried([...turn, stop(2), tool('c1', 'completed')]))).toEqual(['event-after-settle']);
  });

  test('history that a resumed session tells again is no run, and what it is at work on is', () => {
    const state = (to: string): Message => update('state_update', { state: to });
    const resume = [...hello(2), call(1, 'session/resume', { sessionId: 's1', cwd: '/', mcpServers: [], replayFrom: { type: 'start' } })];
    const history = [
      update('user_message', { messageId: 'u0', content: [{ type: 'text', text: 'hi' }] }),
      state('running'),
      update('agent_message', { messageId: 'm0', content: [{ type: 'text', text: 'Old' }] }),
      update('tool_call_update', { toolCallId: 'c1', title: 'ls', status: 'completed' }),
      update('state_update', { state: 'idle', stopReason: 'end_turn' }),
    ];
    for (const done of [
      [result(1, {})],
      [update('replay_complete'), result(1, {})],
      [update('replay_complete'), state('idle'), result(1, {})],
    ]) {
      const resumed = [...resume, ...history, ...done];
      for (let n = resume.length; n <= resumed.length; n++) expect(carried(resumed.slice(0, n), 'eof').runs).toEqual([]);
      const asked = carried(
        [...resumed, prompt(2), result(2, { messageId: 'u1' }), state('running'), says('New', { messageId: 'm1' })],
        'eof',
      );
      expect([outcomes(asked), answers(asked)]).toEqual([['severed'], ['New']]);
    }
    for (const done of [
      [state('running'), result(1, {})],
      [update('replay_complete'), state('running'), result(1, {})],
    ]) {
      const working = [...resume, ...history, ...done, says('More', { messageId: 'm1' })];
      expect(outcomes(carried(working, 'eof'))).toEqual(['severed']);
      expect(answers(carried([...working, update('state_update', { state: 'idle', stopReason: 'end_turn' })]))).toEqual(['More']);
    }
  });

  test('an image after words of the same message is no piece of them', () => {
    const drawn = carried([
      ...made(),
      prompt(2),
      says('Here:'),
      says('', { content: { type: 'image', data: 'AA==', mimeType: 'image/png' } }),
      stop(2),
    ]);
    expect(drawn.events.filter(({ type, voice }) => type === 'note' && voice === 'assistant')).toHaveLength(1);
  });

  test('where the prompts are not seen, an update begins a turn, unless it goes on with the one before', () => {
    const joined = [says('Hello', { messageId: 'm1' }), update('tool_call', { toolCallId: 'c1', title: 'ls', status: 'pending' })];
    expect(outcomes(carried(joined, 'eof'))).toEqual(['severed']);
    const ended = [...joined, result(7, { stopReason: 'cancelled' })];
    const tidied = [...ended, update('tool_call_update', { toolCallId: 'c1', status: 'failed' }), says('!', { messageId: 'm1' })];
    expect(outcomes(carried(tidied, 'eof'))).toEqual(['cancelled']);
    expect(outcomes(carried([...tidied, says('Next', { messageId: 'm2' })], 'eof'))).toEqual(['cancelled', 'severed']);
  });

  test('requires_action alone is a wait, for as long as it stands', () => {
    const state = (to: string, more: object = {}): Message => update('state_update', { state: to, ...more });
    const turn = [...made(2), prompt(2), result(2, { messageId: 'u1' }), state('running'), state('requires_action')];
    expect(outcomes(carried(turn))).toEqual(['waiting']);
    expect(outcomes(carried(turn, 'eof'))).toEqual(['severed']);
    expect(outcomes(carried([...turn, state('running')]))).toEqual(['open']);
    expect(outcomes(carried([...turn, state('idle', { stopReason: 'end_turn' })]))).toEqual(['completed']);
    const asked = carried([...turn, permission]);
    expect(asked.runs.map((run) => run.settlement?.waitingFor)).toEqual(['approval']);
    const answer: Message = ['out', { jsonrpc: '2.0', id: 90, result: { outcome: { outcome: 'selected', optionId: 'a' } } }];
    expect(outcomes(carried([...turn, permission, answer]))).toEqual(['open']);
    expect(outcomes(carried([...turn.slice(0, -1), permission, state('requires_action'), answer]))).toEqual(['open']);
  });
});

describe('OpenAI Responses', () => {
  const create: Message = ['out', { type: 'response.create', model: 'm', input: 'hi' }];
  const refused: Message = [
    'in',
    { type: 'error', status: 400, error: { code: 'previous_response_not_found', message: 'no such response' } },
  ];
  const respond = (id: string, stream_id?: string): readonly Message[] => {
    const item_id = `msg_${id}`;
    const item = (status: string, content: readonly object[]) => ({ id: item_id, type: 'message', role: 'assistant', status, content });
    const whole = item('completed', [{ type: 'output_text', text: 'Hello' }]);
    const response = (status: string, output: readonly object[] = []) => ({ id, object: 'response', status, output });
    const delta = { type: 'response.output_text.delta', item_id, output_index: 0, content_index: 0 };
    return [
      { type: 'response.created', response: response('in_progress') },
      { type: 'response.output_item.added', output_index: 0, item: item('in_progress', []) },
      { ...delta, delta: 'Hel' },
      { ...delta, delta: 'lo' },
      { type: 'response.output_text.done', item_id, output_index: 0, content_index: 0, text: 'Hello' },
      { type: 'response.output_item.done', output_index: 0, item: whole },
      { type: 'response.completed', response: response('completed', [whole]) },
    ].map((event, sequence_number): Message => ['in', { ...event, sequence_number, stream_id }]);
  };
  const A = respond('resp_1');
  const B = respond('resp_2');

  test('an error that answers another request fails that one', () => {
    const second = carried([create, ...A, create, refused], 'eof');
    expect(outcomes(second)).toEqual(['completed', 'failed']);
    expect(rules(second)).toEqual([]);
    expect(outcomes(carried([create, ...A, create, refused, create, refused], 'eof'))).toEqual(['completed', 'failed', 'failed']);
    const third = carried([create, ...A, create, refused, create, ...B], 'eof');
    expect(outcomes(third)).toEqual(['completed', 'failed', 'completed']);
    expect(rules(third)).toEqual([]);
    expect(outcomes(carried([create, ...A, create, refused, create, ...B.slice(0, 4)], 'eof'))).toEqual(['completed', 'failed', 'severed']);
    expect(outcomes(carried([create, ...A.slice(0, 4), refused], 'eof'))).toEqual(['failed']);
    // Nothing was asked for: it speaks of the response that there is.
    expect(rules(carried([create, ...A, refused], 'eof'))).toContain('terminal-conflict');
  });

  test('a request that is refused while a response is at work is not that response', () => {
    const busy: Message = ['in', { type: 'error', status: 503, error: { code: 'server_error', message: 'busy' } }];
    const numbered: Message = ['in', { type: 'error', sequence_number: 4, code: 'server_error', message: 'broken' }];
    const while4 = (error: Message): Session => carried([create, ...A.slice(0, 4), create, error, ...A.slice(4)], 'eof');
    expect(outcomes(while4(refused))).toEqual(['completed', 'failed']);
    expect(rules(while4(refused))).toEqual([]);
    // What has begun was not refused: it broke, and the other has not begun.
    for (const error of [busy, numbered]) {
      const broken = carried([create, ...A.slice(0, 4), create, error, ...B], 'eof');
      expect(outcomes(broken)).toEqual(['failed', 'completed']);
      expect(rules(broken)).toEqual([]);
    }
    // Nothing but its refusal was ever said.
    expect(outcomes(carried([create, refused], 'eof'))).toEqual(['failed']);
    expect(outcomes(carried([create, refused, create, ...A], 'eof'))).toEqual(['failed', 'completed']);
  });

  test('streams of one socket are told apart', () => {
    const of = (stream_id: string): Message => ['out', { type: 'response.create', model: 'm', input: 'hi', stream_id }];
    const [one, two] = [respond('resp_1', 'a'), respond('resp_2', 'b')];
    const mixed = carried([of('a'), of('b'), ...one.flatMap((message, i) => [message, two[i]!])], 'eof');
    expect([outcomes(mixed), answers(mixed), rules(mixed)]).toEqual([['completed', 'completed'], ['Hello', 'Hello'], []]);
    const error: Message = ['in', { type: 'error', status: 400, stream_id: 'b', error: { code: 'x', message: 'no' } }];
    const other = carried([of('a'), ...one.slice(0, 4), of('b'), error, ...one.slice(4)], 'eof');
    expect([outcomes(other), rules(other)]).toEqual([['completed', 'failed'], []]);
  });

  test('the request that answers a call goes on with the run that waits', () => {
    const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'x', arguments: '{}' };
    const asks: readonly Message[] = [
      { type: 'response.created', response: { id: 'resp_0', object: 'response', status: 'in_progress', output: [] } },
      { type: 'response.output_item.done', output_index: 0, item: call },
      { type: 'response.completed', response: { id: 'resp_0', object: 'response', status: 'completed', output: [call] } },
    ].map((event, sequence_number): Message => ['in', { ...event, sequence_number }]);
    const result = { type: 'function_call_output', call_id: 'call_1', output: '1' };
    const answer = (input: readonly object[]): Message => ['out', { type: 'response.create', model: 'm', input }];
    expect(outcomes(carried([create, ...asks]))).toEqual(['waiting']);
    for (const input of [[result], [{ role: 'user', content: 'hi' }, call, result]]) {
      const joined = carried([create, ...asks, answer(input), ...A], 'eof');
      expect([outcomes(joined), answers(joined), rules(joined)]).toEqual([['completed'], ['Hello'], []]);
      expect(outcomes(carried([create, ...asks, answer(input), refused], 'eof'))).toEqual(['failed']);
      expect(outcomes(carried([create, ...asks, answer(input), refused, answer(input), ...A], 'eof'))).toEqual(['completed']);
    }
    // Another question, with the whole conversation before it.
    const history = [
      { role: 'user', content: 'hi' },
      call,
      result,
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'and?' },
    ];
    const next = carried([create, ...asks, answer([result]), ...A, answer(history), ...B], 'eof');
    expect(outcomes(next)).toEqual(['completed', 'completed']);
  });

  test('the limit of the connection is said of nothing that has ended', () => {
    const limit: Message = ['in', { type: 'error', status: 400, error: { code: 'websocket_connection_limit_reached', message: 'over' } }];
    const idle = carried([create, ...A, limit], 'eof');
    expect([outcomes(idle), rules(idle)]).toEqual([['completed'], []]);
    expect(outcomes(carried([create, ...A.slice(0, 4), limit], 'eof'))).toEqual(['failed']);
    expect(outcomes(carried([create, ...A, create, limit], 'eof'))).toEqual(['completed', 'failed']);
  });

  test('a number that comes again is told, and its text counts once', () => {
    for (const at of [2, 3, 4]) {
      const twice = carried([create, ...A.slice(0, at + 1), A[at]!, ...A.slice(at + 1)], 'eof');
      expect(outcomes(twice)).toEqual(['completed']);
      expect(rules(twice)).toEqual(['out-of-order']);
      expect(answers(twice)).toEqual(['Hello']);
    }
  });
});

describe('Chat Completions over a socket', () => {
  const ask: Message = ['out', { type: 'ask', text: 'hi' }];
  const chunk = (id: string, choice: object): Message => [
    'in',
    { id, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] },
  ];
  const whole = (id: string, finish_reason = 'stop'): readonly Message[] => [
    chunk(id, { delta: { role: 'assistant', content: 'Hello' } }),
    chunk(id, { delta: {}, finish_reason }),
  ];

  test('what the page asks for after the end is a run of its own', () => {
    const two = carried([ask, ...whole('c1'), ask, ...whole('c2')], 'eof');
    expect([outcomes(two), answers(two), rules(two)]).toEqual([['completed', 'completed'], ['Hello', 'Hello'], []]);
    expect(outcomes(carried([ask, ...whole('c1'), ask, ...whole('c2').slice(0, 1)], 'eof'))).toEqual(['completed', 'severed']);
    // Nobody asked: the server goes on by itself, as it does after a call that it answers.
    expect(outcomes(carried([ask, ...whole('c1'), ...whole('c2')], 'eof'))).toEqual(['completed']);
    expect(outcomes(carried([ask, ...whole('c1', 'tool_calls'), ask, ...whole('c2')], 'eof'))).toEqual(['completed']);
  });
});

describe('AI SDK over a socket', () => {
  const send = (requestId: string, more: object = {}): Message => [
    'out',
    { type: 'send', requestId, id: 'chat', messages: [], trigger: 'submit-message', ...more },
  ];
  const frame = (type: string, requestId: string): Message => ['in', { type, requestId }];
  const chunks = (requestId: string, list: readonly object[], first = 0): readonly Message[] =>
    list.map((chunk, i): Message => ['in', { type: 'chunk', requestId, sequence: first + i, chunk }]);
  const text = (words: readonly string[]): readonly object[] => [
    { type: 'start-step' },
    { type: 'text-start', id: '0' },
    ...words.map((delta) => ({ type: 'text-delta', id: '0', delta })),
    { type: 'text-end', id: '0' },
    { type: 'finish-step' },
  ];
  const stop = { type: 'finish', finishReason: 'stop' };
  const whole = (requestId: string, list: readonly object[]): readonly Message[] => [
    frame('start', requestId),
    ...chunks(requestId, list),
    frame('end', requestId),
  ];
  const asks = whole('q1', [
    { type: 'start', messageId: 'm' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'x', input: {} },
    { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' },
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'tool-calls' },
  ]);
  const goesOn = [
    { type: 'start', messageId: 'm' },
    { type: 'tool-output-available', toolCallId: 'c', output: 1 },
    ...text(['Done']),
    stop,
  ];

  test('a request that goes on with the message is no run of its own', () => {
    const part = { type: 'tool-x', toolCallId: 'c', state: 'approval-responded', input: {}, approval: { id: 'a', approved: true } };
    const messages = [{ id: 'm', role: 'assistant', parts: [{ type: 'step-start' }, part] }];
    for (const more of [{}, { messageId: 'm' }, { messages }, { message: messages[0] }]) {
      const approved = carried([send('q1'), ...asks, send('q2', more), ...whole('q2', goesOn)], 'eof');
      expect(outcomes(approved)).toEqual(['completed']);
      expect(answers(approved)).toEqual(['Done']);
      expect(rules(approved)).toEqual([]);
    }
    const cut = [send('q1'), ...asks, send('q2'), frame('start', 'q2'), ...chunks('q2', goesOn.slice(0, 5))];
    expect(outcomes(carried(cut, 'eof'))).toEqual(['severed']);
    const other = [{ type: 'start', messageId: 'm2' }, ...text(['New']), stop];
    expect(outcomes(carried([send('q1'), ...asks, send('q2'), ...whole('q2', other)], 'eof'))).toEqual(['waiting', 'completed']);
    // Nothing tells what it was to be: what was asked for has not come.
    expect(outcomes(carried([send('q1'), ...asks, send('q2')], 'eof'))).toEqual(['waiting', 'severed']);
    expect(outcomes(carried([send('q1'), ...asks, send('q2'), frame('end', 'q2')], 'eof'))).toEqual(['waiting', 'unattested']);
    const failed: Message = ['in', { type: 'error', requestId: 'q2', errorText: 'no' }];
    expect(outcomes(carried([send('q1'), ...asks, send('q2'), failed], 'eof'))).toEqual(['waiting', 'failed']);
  });

  test('chunks are numbered: a gap is told, a repeat says nothing again', () => {
    const list = chunks('q1', [{ type: 'start', messageId: 'm' }, ...text(['One ', 'two ', 'three']), stop]);
    const [start, end] = [frame('start', 'q1'), frame('end', 'q1')];
    const clean = carried([send('q1'), start, ...list, end], 'eof');
    expect([outcomes(clean), answers(clean), rules(clean)]).toEqual([['completed'], ['One two three'], []]);
    for (let at = 0; at < list.length; at++) {
      const twice = carried([send('q1'), start, ...list.slice(0, at + 1), ...list.slice(at), end], 'eof');
      expect([outcomes(twice), answers(twice), rules(twice)]).toEqual([['completed'], ['One two three'], ['out-of-order']]);
    }
    const gap = carried([send('q1'), start, ...list.filter((_, i) => i !== 4), end], 'eof');
    expect([outcomes(gap), answers(gap), rules(gap)]).toEqual([['completed'], ['One three'], ['out-of-order']]);
    const headless = carried([send('q1'), start, ...list.slice(1), end], 'eof');
    expect(rules(headless)).toEqual(['out-of-order']);
    // Joined late, it is not known which number comes first.
    expect(rules(carried([...list.slice(2), end], 'eof'))).not.toContain('out-of-order');
  });

  test('what was asked for again is told again, from the start or from where it stopped', () => {
    const list = [{ type: 'start', messageId: 'm' }, ...text(['One ', 'two ', 'three']), stop];
    const first = [send('q1'), frame('start', 'q1'), ...chunks('q1', list.slice(0, 5))];
    const resume = (requestId: string, more: object = {}): Message => ['out', { type: 'resume', requestId, id: 'chat', ...more }];
    const again = [
      [resume('q1'), ...whole('q1', list)],
      [resume('q2'), ...whole('q2', list)],
      [resume('q2', { lastSequence: 4 }), ...chunks('q2', list.slice(5), 5), frame('end', 'q2')],
      [resume('q2', { lastSequence: 2 }), ...chunks('q2', list.slice(3), 3), frame('end', 'q2')],
    ];
    for (const more of again) {
      const resumed = carried([...first, ...more], 'eof');
      expect([outcomes(resumed), rules(resumed)]).toEqual([['completed'], []]);
      expect(answers(resumed).at(-1)?.endsWith('One two three')).toBe(true);
    }
  });
});
