/** Protocols of model providers, and the one that carries their parts to a page: frames as published. */
import { data, event, type Speak, SSE } from './frames';

/** Chat completions, with the reasoning field of OpenRouter and newer vLLM. */
export const chat: Speak = (_script, n) => {
  const chunk = (delta: object, finish: string | null = null): string =>
    data({
      id: `chatcmpl-${n}`,
      object: 'chat.completion.chunk',
      created: 1_796_025_600,
      model: 'scripted-1',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  return {
    type: SSE,
    begin: () => [chunk({ role: 'assistant', content: '' })],
    reason: (pieces) => pieces.map((reasoning) => chunk({ reasoning })),
    say: (pieces) => pieces.map((content) => chunk({ content })),
    end: (how) =>
      how === 'failed'
        ? [
            data({
              error: { message: 'The server had an error while processing your request.', type: 'server_error', code: 'server_error' },
            }),
          ]
        : [chunk({}, how === 'length' ? 'length' : 'stop'), data('[DONE]')],
  };
};

/** Anthropic's messages: typed blocks, one open at a time. */
export const messages: Speak = (_script, n) => {
  let index = -1;
  let open = false;
  const opens = (content_block: object): string => {
    index++;
    open = true;
    return event({ type: 'content_block_start', index, content_block });
  };
  const delta = (value: object): string => event({ type: 'content_block_delta', index, delta: value });
  const closes = (): string[] => {
    if (!open) return [];
    open = false;
    return [event({ type: 'content_block_stop', index })];
  };
  const usage = { input_tokens: 30, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const stop = (stop_reason: string): string[] => [
    event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { ...usage, output_tokens: 89 } }),
    event({ type: 'message_stop' }),
  ];
  return {
    type: SSE,
    begin: () => [
      event({
        type: 'message_start',
        message: {
          model: 'claude-sonnet-5',
          id: `msg_01Ab${n}`,
          type: 'message',
          role: 'assistant',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 1 },
        },
      }),
      event({ type: 'ping' }),
    ],
    reason: (pieces, ends) => [
      opens({ type: 'thinking', thinking: '', signature: '' }),
      ...pieces.map((thinking) => delta({ type: 'thinking_delta', thinking })),
      ...(ends ? [delta({ type: 'signature_delta', signature: 'EqQBCgIYAhIM' }), ...closes()] : []),
    ],
    say: (pieces) => [opens({ type: 'text', text: '' }), ...pieces.map((text) => delta({ type: 'text_delta', text }))],
    said: closes,
    tool: {
      called: () => [
        opens({ type: 'server_tool_use', id: `srvtoolu_${n}`, name: 'code_execution', input: {} }),
        delta({ type: 'input_json_delta', partial_json: '{"code":"pnpm test"}' }),
        ...closes(),
      ],
      answered: () => [
        opens({
          type: 'code_execution_tool_result',
          tool_use_id: `srvtoolu_${n}`,
          content: { type: 'code_execution_result', stdout: '41 passed', stderr: '', return_code: 0, content: [] },
        }),
        ...closes(),
      ],
    },
    end: (how) => {
      if (how === 'failed')
        return [event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_011CX' })];
      if (how === 'length') return [...closes(), ...stop('max_tokens')];
      if (how === 'done') return [...closes(), ...stop('end_turn')];
      return [
        ...closes(),
        opens({ type: 'tool_use', id: `toolu_${n}`, name: 'run_in_terminal', input: {} }),
        delta({ type: 'input_json_delta', partial_json: '{"command":"pnpm test --run retry"}' }),
        ...closes(),
        ...stop('tool_use'),
      ];
    },
  };
};

/** OpenAI's responses: numbered events, with a snapshot at the end. */
export const responses: Speak = (script, n) => {
  let number = 0;
  const say = (type: string, more: object): string => event({ type, sequence_number: number++, ...more });
  const about = (status: string, more: object = {}): object => ({
    id: `resp_${n}`,
    object: 'response',
    created_at: 1_796_025_600,
    status,
    model: 'gpt-5.6',
    output: [],
    error: null,
    incomplete_details: null,
    ...more,
  });
  const where = { item_id: `msg_${n}`, output_index: 1, content_index: 0 };
  const thought = { item_id: `rs_${n}`, output_index: 0, summary_index: 0 };
  const part = (text: string): object => ({ type: 'output_text', text, annotations: [] });
  const item = (status: string, content: readonly object[]): object => ({
    id: `msg_${n}`,
    type: 'message',
    role: 'assistant',
    status,
    content,
  });
  const summary = { type: 'summary_text', text: script.reasoning };
  const reasoning = { id: `rs_${n}`, type: 'reasoning', summary: [summary] };
  return {
    type: SSE,
    begin: () => [
      say('response.created', { response: about('in_progress') }),
      say('response.in_progress', { response: about('in_progress') }),
    ],
    reason: (pieces, ends) => [
      say('response.output_item.added', { output_index: 0, item: { id: `rs_${n}`, type: 'reasoning', summary: [] } }),
      say('response.reasoning_summary_part.added', { ...thought, part: { type: 'summary_text', text: '' } }),
      ...pieces.map((delta) => say('response.reasoning_summary_text.delta', { ...thought, delta })),
      ...(ends
        ? [
            say('response.reasoning_summary_text.done', { ...thought, text: script.reasoning }),
            say('response.reasoning_summary_part.done', { ...thought, part: summary }),
            say('response.output_item.done', { output_index: 0, item: reasoning }),
          ]
        : []),
    ],
    say: (pieces) => [
      say('response.output_item.added', { output_index: 1, item: item('in_progress', []) }),
      say('response.content_part.added', { ...where, part: part('') }),
      ...pieces.map((delta) => say('response.output_text.delta', { ...where, delta, logprobs: [] })),
    ],
    end: (how, text) => {
      if (how === 'failed')
        return [
          say('response.failed', { response: about('failed', { error: { code: 'server_error', message: 'The model is overloaded.' } }) }),
        ];
      const status = how === 'length' ? 'incomplete' : 'completed';
      const output = [reasoning, item(status, [part(text)])];
      return [
        say('response.output_text.done', { ...where, text, logprobs: [] }),
        say('response.content_part.done', { ...where, part: part(text) }),
        say('response.output_item.done', { output_index: 1, item: item(status, [part(text)]) }),
        say(`response.${status}`, {
          response: about(status, { output, incomplete_details: how === 'length' ? { reason: 'max_output_tokens' } : null }),
        }),
      ];
    },
  };
};

/** The AI SDK's UI message stream. */
export const uiMessages: Speak = (script, n) => {
  const finish = (finishReason: string): string[] => [
    data({ type: 'finish-step' }),
    data({ type: 'finish', finishReason }),
    data('[DONE]'),
  ];
  return {
    type: 'text/event-stream',
    headers: { 'x-vercel-ai-ui-message-stream': 'v1', 'x-accel-buffering': 'no' },
    begin: () => [data({ type: 'start', messageId: `msg_${n}` }), data({ type: 'start-step' })],
    reason: (pieces, ends) => [
      data({ type: 'reasoning-start', id: 'r0' }),
      ...pieces.map((delta) => data({ type: 'reasoning-delta', id: 'r0', delta })),
      ...(ends ? [data({ type: 'reasoning-end', id: 'r0' })] : []),
    ],
    tool: {
      called: () => [
        data({ type: 'tool-input-start', toolCallId: `look_${n}`, toolName: 'lookUpOrder' }),
        data({ type: 'tool-input-available', toolCallId: `look_${n}`, toolName: 'lookUpOrder', input: { order: 70213 } }),
      ],
      answered: () => [
        data({ type: 'tool-output-available', toolCallId: `look_${n}`, output: { carrier: 'NordPost', photos: 2 } }),
        data({ type: 'finish-step' }),
        data({ type: 'start-step' }),
      ],
    },
    say: (pieces) => [data({ type: 'text-start', id: 't0' }), ...pieces.map((delta) => data({ type: 'text-delta', id: 't0', delta }))],
    end: (how) => {
      const close = data({ type: 'text-end', id: 't0' });
      if (how === 'failed') return [data({ type: 'error', errorText: 'upstream 529 overloaded' }), ...finish('error')];
      if (how === 'length') return [close, ...finish('length')];
      if (how === 'done') return [close, ...finish('stop')];
      const toolCallId = `call_${n}`;
      return [
        close,
        data({ type: 'tool-input-start', toolCallId, toolName: 'pushFix' }),
        data({ type: 'tool-input-available', toolCallId, toolName: 'pushFix', input: { question: script.question } }),
        data({ type: 'tool-approval-request', approvalId: `appr_${n}`, toolCallId }),
        ...finish('tool-calls'),
      ];
    },
  };
};
