/**
 * What the agent behind the handwritten pages says, in five public protocols, event by event. Each protocol is written by
 * hand here as its facts have it; what a scenario means is the same for all of them.
 */
import type { Scenario } from '../page';
import { piecesOf, type Words } from '../words';

/** One piece of a body, and how long the server waits before it. */
export interface Piece {
  readonly text: string;
  readonly after: number;
}

export const PACE_MS = 35;
export const LATE_MS = 2_500;

type Ending = 'completed' | 'truncated' | 'failed' | 'waiting';

/** How a protocol says each thing. An empty list says nothing. */
interface Tongue {
  readonly type: string;
  begin(): readonly string[];
  think(text: string): readonly string[];
  say(text: string, first: boolean): readonly string[];
  /** The text is all there; nothing is settled. */
  said(text: string): readonly string[];
  ask(question: string): readonly string[];
  settle(how: Ending, text: string): readonly string[];
}

const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const named = (value: { readonly type: string }): string => `event: ${value.type}\n${data(value)}`;

const chat: () => Tongue = () => {
  const chunk = (delta: object, finish: string | null = null): string =>
    data({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_796_000_000,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  return {
    type: 'text/event-stream',
    begin: () => [chunk({ role: 'assistant', content: '' })],
    think: (text) => [chunk({ reasoning_content: text })],
    say: (text) => [chunk({ content: text })],
    said: () => [],
    ask: (question) => [
      chunk({
        tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'confirm', arguments: JSON.stringify({ question }) } }],
      }),
    ],
    settle: (how) => {
      if (how === 'failed') return [data({ error: { message: 'The model is overloaded.', type: 'server_error', code: 503 } })];
      return [chunk({}, { completed: 'stop', truncated: 'length', waiting: 'tool_calls' }[how]), data('[DONE]')];
    },
  };
};

const messages: () => Tongue = () => {
  let index = -1;
  let open: string | null = null;
  const close = (): string[] => {
    if (open === null) return [];
    open = null;
    return [named({ type: 'content_block_stop', index } as { type: string })];
  };
  const block = (type: string, start: object): string[] => {
    if (open === type) return [];
    const before = close();
    open = type;
    index++;
    return [...before, named({ type: 'content_block_start', index, content_block: start } as { type: string })];
  };
  const delta = (value: object): string => named({ type: 'content_block_delta', index, delta: value } as { type: string });
  return {
    type: 'text/event-stream',
    begin: () => [
      named({
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'scripted',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      } as { type: string }),
    ],
    think: (text) => [...block('thinking', { type: 'thinking', thinking: '' }), delta({ type: 'thinking_delta', thinking: text })],
    say: (text) => [...block('text', { type: 'text', text: '' }), delta({ type: 'text_delta', text })],
    said: () => close(),
    ask: (question) => [
      ...block('tool_use', { type: 'tool_use', id: 'toolu_1', name: 'confirm', input: {} }),
      delta({ type: 'input_json_delta', partial_json: JSON.stringify({ question }) }),
      ...close(),
    ],
    settle: (how) => {
      if (how === 'failed')
        return [named({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as { type: string })];
      const reason = { completed: 'end_turn', truncated: 'max_tokens', waiting: 'tool_use' }[how];
      return [
        ...close(),
        named({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 40 } } as {
          type: string;
        }),
        named({ type: 'message_stop' }),
      ];
    },
  };
};

const agui: () => Tongue = () => {
  let open: 'REASONING_MESSAGE' | 'TEXT_MESSAGE' | null = null;
  const id = (): string => (open === 'TEXT_MESSAGE' ? 'm1' : 'r1');
  const close = (): string[] => {
    if (open === null) return [];
    const out = [
      data({ type: `${open}_END`, messageId: id() }),
      ...(open === 'REASONING_MESSAGE' ? [data({ type: 'REASONING_END', messageId: 'r1' })] : []),
    ];
    open = null;
    return out;
  };
  const to = (kind: 'REASONING_MESSAGE' | 'TEXT_MESSAGE'): string[] => {
    if (open === kind) return [];
    const before = close();
    open = kind;
    return [
      ...before,
      ...(kind === 'REASONING_MESSAGE' ? [data({ type: 'REASONING_START', messageId: 'r1' })] : []),
      data({ type: `${kind}_START`, messageId: id(), role: kind === 'TEXT_MESSAGE' ? 'assistant' : 'reasoning' }),
    ];
  };
  return {
    type: 'text/event-stream',
    begin: () => [data({ type: 'RUN_STARTED', threadId: 't1', runId: 'run1', protocolVersion: '1.0.0' })],
    think: (text) => [...to('REASONING_MESSAGE'), data({ type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: text })],
    say: (text) => [...to('TEXT_MESSAGE'), data({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: text })],
    said: () => close(),
    ask: () => close(),
    settle: (how) => {
      if (how === 'failed') return [data({ type: 'RUN_ERROR', message: 'The model is overloaded.', code: 'OVERLOADED' })];
      const outcome =
        how === 'waiting'
          ? { type: 'interrupt', interrupts: [{ id: 'i1', reason: 'input_required', message: 'Restart the collector now?' }] }
          : { type: 'success' };
      return [...close(), data({ type: 'RUN_FINISHED', threadId: 't1', runId: 'run1', outcome })];
    },
  };
};

const ndjson: () => Tongue = () => {
  const line = (message: object, more: object = { done: false }): string =>
    `${JSON.stringify({ model: 'scripted', created_at: '2026-11-30T10:00:00Z', message: { role: 'assistant', content: '', ...message }, ...more })}\n`;
  return {
    type: 'application/x-ndjson',
    begin: () => [],
    think: (text) => [line({ thinking: text })],
    say: (text) => [line({ content: text })],
    said: () => [],
    ask: (question) => [line({ tool_calls: [{ function: { name: 'confirm', arguments: { question } } }] })],
    settle: (how) =>
      how === 'failed'
        ? [`${JSON.stringify({ error: 'the model is overloaded' })}\n`]
        : [line({}, { done: true, done_reason: how === 'truncated' ? 'length' : 'stop' })],
  };
};

const responses: () => Tongue = () => {
  let n = 0;
  let thought = '';
  let open: 'reasoning' | 'message' | null = null;
  let output = -1;
  const items: object[] = [];
  const event = (type: string, more: object): string => named({ type, sequence_number: n++, ...more } as { type: string });
  const snapshot = (status: string, more: object = {}): object => ({
    id: 'resp_1',
    object: 'response',
    status,
    model: 'scripted',
    output: items,
    error: null,
    incomplete_details: null,
    ...more,
  });
  let spoken = '';
  const close = (): string[] => {
    if (open === null) return [];
    const message = open === 'message';
    open = null;
    if (!message) {
      const item = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: thought }] };
      items.push(item);
      return [
        event('response.reasoning_summary_text.done', { item_id: 'rs_1', output_index: output, summary_index: 0, text: thought }),
        event('response.output_item.done', { output_index: output, item }),
      ];
    }
    const part = { type: 'output_text', text: spoken, annotations: [] };
    const item = { id: 'm_1', type: 'message', role: 'assistant', status: 'completed', content: [part] };
    items.push(item);
    return [
      event('response.output_text.done', { item_id: 'm_1', output_index: output, content_index: 0, text: spoken }),
      event('response.content_part.done', { item_id: 'm_1', output_index: output, content_index: 0, part }),
      event('response.output_item.done', { output_index: output, item }),
    ];
  };
  return {
    type: 'text/event-stream; charset=utf-8',
    begin: () => [event('response.created', { response: snapshot('in_progress') })],
    think(text) {
      const before: string[] = [];
      if (open !== 'reasoning') {
        open = 'reasoning';
        output++;
        before.push(
          event('response.output_item.added', { output_index: output, item: { id: 'rs_1', type: 'reasoning', summary: [] } }),
          event('response.reasoning_summary_part.added', {
            item_id: 'rs_1',
            output_index: output,
            summary_index: 0,
            part: { type: 'summary_text', text: '' },
          }),
        );
      }
      thought += text;
      return [
        ...before,
        event('response.reasoning_summary_text.delta', { item_id: 'rs_1', output_index: output, summary_index: 0, delta: text }),
      ];
    },
    say(text) {
      const before: string[] = [];
      if (open !== 'message') {
        before.push(...close());
        open = 'message';
        output++;
        before.push(
          event('response.output_item.added', {
            output_index: output,
            item: { id: 'm_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
          }),
          event('response.content_part.added', {
            item_id: 'm_1',
            output_index: output,
            content_index: 0,
            part: { type: 'output_text', text: '', annotations: [] },
          }),
        );
      }
      spoken += text;
      return [...before, event('response.output_text.delta', { item_id: 'm_1', output_index: output, content_index: 0, delta: text })];
    },
    said: () => close(),
    ask(question) {
      const before = close();
      output++;
      const item = {
        id: 'fc_1',
        type: 'function_call',
        call_id: 'call_1',
        name: 'confirm',
        arguments: JSON.stringify({ question }),
        status: 'completed',
      };
      items.push(item);
      return [
        ...before,
        event('response.output_item.added', { output_index: output, item: { ...item, arguments: '', status: 'in_progress' } }),
        event('response.function_call_arguments.done', { item_id: 'fc_1', output_index: output, arguments: item.arguments }),
        event('response.output_item.done', { output_index: output, item }),
      ];
    },
    settle(how) {
      if (how === 'failed')
        return [
          event('response.failed', {
            response: snapshot('failed', { error: { code: 'server_error', message: 'The model is overloaded.' } }),
          }),
        ];
      const before = close();
      if (how === 'truncated')
        return [
          ...before,
          event('response.incomplete', { response: snapshot('incomplete', { incomplete_details: { reason: 'max_output_tokens' } }) }),
        ];
      return [...before, event('response.completed', { response: snapshot('completed') })];
    },
  };
};

export const TONGUES = { chat, messages, agui, ndjson, responses } as const;
export type TongueName = keyof typeof TONGUES;

/** How the body goes after its last piece. */
export type Close = 'close' | 'reset' | 'open';

export const bodyOf = (
  name: TongueName,
  scenario: Scenario,
  { reasoning, answer, middle }: Words,
): { readonly type: string; readonly pieces: readonly Piece[]; readonly ending: Close } => {
  const tongue = TONGUES[name]();
  const pieces: Piece[] = [];
  const push = (said: readonly string[], after = PACE_MS): void => {
    for (const [i, text] of said.entries()) pieces.push({ text, after: i === 0 ? after : 0 });
  };
  const half = answer.slice(0, answer.indexOf(middle) + middle.length);
  push(tongue.begin(), 120);
  for (const piece of piecesOf(reasoning)) push(tongue.think(piece));
  if (scenario === 'severed-after-reasoning') return { type: tongue.type, pieces, ending: 'close' };
  const cut = scenario === 'severed-mid-text' || scenario === 'reset-mid-text';
  // Nothing more comes until the person has pressed stop, however long that takes.
  const held = scenario === 'aborted-by-person';
  const short = cut || held || scenario === 'failed-after-text' || scenario === 'truncated' || scenario === 'waiting';
  const text = short ? half : answer;
  for (const [i, piece] of piecesOf(text).entries()) push(tongue.say(piece, i === 0));
  if (cut) return { type: tongue.type, pieces, ending: scenario === 'reset-mid-text' ? 'reset' : 'close' };
  if (held) return { type: tongue.type, pieces, ending: 'open' };
  if (scenario === 'failed-after-text') push(tongue.settle('failed', text));
  else if (scenario === 'truncated') push(tongue.settle('truncated', text));
  else if (scenario === 'waiting') {
    push(tongue.said(text));
    push(tongue.ask('Restart the collector now?'));
    push(tongue.settle('waiting', text));
  } else {
    push(tongue.said(text));
    push(tongue.settle('completed', text), scenario === 'late-settlement' ? LATE_MS : PACE_MS);
  }
  return { type: tongue.type, pieces, ending: scenario === 'left-open' ? 'open' : 'close' };
};
