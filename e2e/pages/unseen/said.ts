/**
 * What the unseen pages' agents send: protocols that the handwritten pages do not speak, written from their facts, and
 * those pages' own five. `bodyOf` composes a scenario in any of them.
 */
import { TONGUES as KNOWN } from '../by-hand/said';
import type { Scenario } from '../page';
import { type Script, tokensOf } from './words';

export interface Piece {
  readonly text: string;
  readonly after: number;
}

type Ending = 'completed' | 'truncated' | 'failed' | 'waiting';

interface Tongue {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  begin(): readonly string[];
  think(text: string): readonly string[];
  say(text: string, first: boolean): readonly string[];
  said(text: string): readonly string[];
  ask(question: string): readonly string[];
  settle(how: Ending, text: string): readonly string[];
  /** A call of a tool, and then its result. */
  readonly tool?: readonly [readonly string[], readonly string[]];
  refuse?(): readonly string[];
  /** Between two pieces, where it is no model that speaks. */
  readonly pace?: number;
}

const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const ARGS = { path: 'logs/export.log' };

const uimessage = (): Tongue => {
  let open: 'text' | 'reasoning' | null = null;
  const close = (): string[] => {
    if (open === null) return [];
    const end = data({ type: `${open}-end`, id: open });
    open = null;
    return [end];
  };
  const delta = (kind: 'text' | 'reasoning', text: string): string[] => {
    const before = open === kind ? [] : [...close(), data({ type: `${kind}-start`, id: kind })];
    open = kind;
    return [...before, data({ type: `${kind}-delta`, id: kind, delta: text })];
  };
  return {
    type: 'text/event-stream',
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
    begin: () => [data({ type: 'start', messageId: 'msg-7' }), data({ type: 'start-step' })],
    think: (text) => delta('reasoning', text),
    say: (text) => delta('text', text),
    said: close,
    ask: (question) => [
      ...close(),
      data({ type: 'tool-input-start', toolCallId: 'call-9', toolName: 'reschedule' }),
      data({ type: 'tool-input-available', toolCallId: 'call-9', toolName: 'reschedule', input: { question } }),
      data({ type: 'tool-approval-request', approvalId: 'ap-1', toolCallId: 'call-9' }),
    ],
    settle: (how) =>
      how === 'failed'
        ? [data({ type: 'error', errorText: 'The upstream model is not available.' }), data('[DONE]')]
        : [
            ...close(),
            data({ type: 'finish-step' }),
            data({ type: 'finish', finishReason: { completed: 'stop', truncated: 'length', waiting: 'tool-calls' }[how] }),
            data('[DONE]'),
          ],
    tool: [
      [
        data({ type: 'tool-input-start', toolCallId: 'call-1', toolName: 'read_log' }),
        data({ type: 'tool-input-available', toolCallId: 'call-1', toolName: 'read_log', input: ARGS }),
      ],
      [
        data({ type: 'tool-output-available', toolCallId: 'call-1', output: { lines: 214 } }),
        data({ type: 'finish-step' }),
        data({ type: 'start-step' }),
      ],
    ],
    refuse: () => [...close(), data({ type: 'finish-step' }), data({ type: 'finish', finishReason: 'content-filter' }), data('[DONE]')],
  };
};

const gemini = (): Tongue => {
  const chunk = (candidate: object): string =>
    `data: ${JSON.stringify({
      candidates: [{ index: 0, ...candidate }],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 12, totalTokenCount: 60 },
      modelVersion: 'gemini-3.5-flash',
      responseId: 'r3Qsaf',
    })}\r\n\r\n`;
  const part = (one: object): string => chunk({ content: { role: 'model', parts: [one] } });
  const finish = (finishReason: string): string => chunk({ content: { role: 'model', parts: [{ text: '' }] }, finishReason });
  return {
    type: 'text/event-stream',
    begin: () => [],
    think: (text) => [part({ text, thought: true })],
    say: (text) => [part({ text })],
    said: () => [],
    ask: (question) => [part({ functionCall: { name: 'confirm', args: { question } } })],
    settle: (how) =>
      how === 'failed'
        ? [`data: ${JSON.stringify({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } })}\r\n\r\n`]
        : [finish(how === 'truncated' ? 'MAX_TOKENS' : 'STOP')],
    refuse: () => [finish('SAFETY')],
  };
};

const generate = (): Tongue => {
  const line = (more: object): string =>
    `${JSON.stringify({ model: 'scripted', created_at: '2026-11-30T10:00:00Z', response: '', done: false, ...more })}\n`;
  return {
    type: 'application/x-ndjson',
    begin: () => [],
    think: (text) => [line({ thinking: text })],
    say: (text) => [line({ response: text })],
    said: () => [],
    ask: () => [],
    settle: (how) =>
      how === 'failed'
        ? [`${JSON.stringify({ error: 'llama runner process has terminated' })}\n`]
        : [line({ done: true, done_reason: how === 'truncated' ? 'length' : 'stop', total_duration: 5_191_566_416, eval_count: 298 })],
  };
};

const a2a = (): Tongue => {
  const frame = (result: object): string => data({ jsonrpc: '2.0', id: 1, result });
  const ids = { taskId: '7154aa77-c770-4cac-94d5-1383644fead6', contextId: '017c40db-fa07-46b7-922d-b3429e4fa0bd' };
  const status = (state: string, text: string | null = null): string =>
    frame({
      statusUpdate: {
        ...ids,
        status: {
          state,
          timestamp: '2026-11-30T08:00:05.000Z',
          ...(text === null
            ? {}
            : { message: { messageId: `m-${state}`, ...ids, role: 'ROLE_AGENT', parts: [{ text, mediaType: 'text/plain' }] } }),
        },
      },
    });
  let asked = '';
  return {
    type: 'text/event-stream',
    begin: () => [
      frame({
        task: {
          id: ids.taskId,
          contextId: ids.contextId,
          status: { state: 'TASK_STATE_SUBMITTED', timestamp: '2026-11-30T08:00:00.000Z' },
        },
      }),
      status('TASK_STATE_WORKING'),
    ],
    think: () => [],
    say: (text, first) => [
      frame({
        artifactUpdate: {
          ...ids,
          artifact: { artifactId: 'a1', name: 'answer', parts: [{ text, mediaType: 'text/plain' }] },
          ...(first ? {} : { append: true }),
        },
      }),
    ],
    said: () => [
      frame({
        artifactUpdate: {
          ...ids,
          artifact: { artifactId: 'a1', name: 'answer', parts: [{ text: '', mediaType: 'text/plain' }] },
          append: true,
          lastChunk: true,
        },
      }),
    ],
    ask(question) {
      asked = question;
      return [];
    },
    settle: (how) => [
      how === 'waiting'
        ? status('TASK_STATE_INPUT_REQUIRED', asked)
        : how === 'failed'
          ? status('TASK_STATE_FAILED', 'The carrier did not answer.')
          : status('TASK_STATE_COMPLETED'),
    ],
  };
};

const RUN = '01a22b6d-6bca-72fa-b895-92803373f2a8';

const langgraph = (): Tongue => {
  let id = 0;
  let question = '';
  const event = (type: string, value: unknown): string => `event: ${type}\ndata: ${JSON.stringify(value)}\nid: ${id++}\n\n`;
  const human = { content: 'why', id: 'u1', additional_kwargs: {}, response_metadata: {}, type: 'human' };
  const ai = (content: unknown, finish: string | null): object => ({
    id: 'run-ai-1',
    content,
    additional_kwargs: {},
    tool_call_chunks: [],
    response_metadata: finish === null ? {} : { finish_reason: finish },
    tool_calls: [],
    invalid_tool_calls: [],
    type: 'ai',
  });
  const chunk = (content: unknown, finish: string | null = null): string =>
    event('messages', [
      ai(content, finish),
      { tags: [], graph_id: 'agent', run_id: RUN, run_attempt: 1, langgraph_step: 1, langgraph_node: 'agent' },
    ]);
  return {
    type: 'text/event-stream',
    headers: { 'content-location': `/threads/01a22b6d-6bbb-7498-9d73-6ee00ff500ff/runs/${RUN}` },
    begin: () => [event('metadata', { run_id: RUN, attempt: 1 }), event('values', { messages: [human] })],
    think: (text) => [chunk([{ type: 'reasoning', reasoning: text, index: 0 }])],
    say: (text) => [chunk([{ type: 'text', text, index: 1 }])],
    said: () => [],
    ask(text) {
      question = text;
      return [];
    },
    settle(how, text) {
      if (how === 'failed') return [event('error', { error: 'Error', message: 'upstream 529 overloaded' })];
      if (how === 'waiting') {
        const interrupt = { __interrupt__: [{ id: '60751f5163f656374570fe1d53db72c8', value: { kind: 'approval', question } }] };
        return [event('values', { messages: [human, ai(text, 'stop')] }), event('updates', interrupt), event('values', interrupt)];
      }
      const finish = how === 'truncated' ? 'length' : 'stop';
      return [chunk('', finish), event('values', { messages: [human, ai(text, finish)] })];
    },
  };
};

const kestrel = (): Tongue => {
  const ids = { runId: 'c11b6a9d-f650-4a7a-be9f-b29653cdf9f1', sessionId: 'sess-995b006e' };
  let seq = 0;
  let n = 0;
  let question = '';
  let thinking = false;
  const ts = '2026-08-22T14:03:10.012Z';
  const event = (type: string, payload: object): string =>
    `event: ${type}\n${data({ id: `e-${n++}`, type, ts, ...ids, commandId: 'cmd-1', payload })}`;
  const update = (type: string, more: object): string => event(type, { update: { version: 'v1', ...ids, ts, seq: ++seq, ...more } });
  const reasoning = (kind: string, more: object = {}): string =>
    update(`run.model.reasoning.${kind}`, {
      event: kind,
      attempt: 1,
      format: 'summary',
      contentState: 'live',
      stepIndex: 0,
      stepAgent: 'agent.loop',
      model: { provider: 'openai', model: 'gpt-5.2' },
      ...more,
    });
  const toolUpdate = (phase: string, more: object): string =>
    update(`run.tool.${phase}`, {
      toolCallId: 'tool:1',
      toolName: 'fs.read_text',
      phase,
      displayName: 'Fs Read text',
      toolFamily: 'filesystem',
      provider: 'kestrel',
      input: ARGS,
      stepIndex: 1,
      stepAgent: 'agent.exec.dispatch',
      ...more,
    });
  const result = (status: string, assistantText: string | null, more: object = {}): object => ({
    output: {
      status,
      ...ids,
      finalStep: 'agent.exec.finalize',
      quality: { citationCoverage: 1, unresolvedClaims: 0, reworkRate: 0, thrashIndex: 0 },
      errors: [],
      telemetry: { stepsExecuted: 3, toolCalls: 1, modelCalls: 2, durationMs: 3000 },
      ...more,
    },
    assistantText,
  });
  return {
    type: 'text/event-stream; charset=utf-8',
    begin: () => [event('run.started', { ...ids, eventType: 'user.message', interactionMode: 'chat' })],
    think(text) {
      const before = thinking ? [] : [reasoning('started')];
      thinking = true;
      return [...before, reasoning('delta', { delta: text })];
    },
    say: (_, first) =>
      first
        ? [
            reasoning('completed'),
            update('run.agent_progress', { message: 'Comparing the two nights now.', stepIndex: 0, stepAgent: 'agent.loop' }),
            toolUpdate('started', {}),
            toolUpdate('completed', { output: { lines: 214 }, durationMs: 38 }),
          ]
        : [],
    said: () => [],
    ask(text) {
      question = text;
      return [];
    },
    settle(how, text) {
      if (how === 'failed') {
        const error = { code: 'MODEL_UNAVAILABLE', message: 'The model could not be reached.' };
        return [event('run.failed', { result: result('FAILED', null, { errors: [error] }), error })];
      }
      if (how !== 'waiting') return [event('run.completed', { result: result('COMPLETED', text) })];
      const interaction = { version: 'v1', kind: 'user_input', eventType: 'user.reply', prompt: question, requestId: 'request-1' };
      return [
        event('run.completed', {
          result: result('WAITING', question, {
            waitFor: { kind: 'user', eventType: 'user.reply', metadata: { prompt: question }, interaction },
          }),
        }),
      ];
    },
  };
};

const mcp = (): Tongue => {
  let n = 0;
  const message = (value: object): string => `event: message\nid: s_${n++}\n${data({ jsonrpc: '2.0', ...value })}`;
  let step = 0;
  const WHAT = ['Searching the archive', 'Reading 3 documents', 'Summarising'];
  return {
    type: 'text/event-stream',
    headers: { 'mcp-session-id': 'd156813d-766e-46ad-8a57-262804581627' },
    pace: 600,
    begin: () => [],
    think: () => [],
    say: () =>
      step < 3
        ? [
            message({
              method: 'notifications/progress',
              params: { progressToken: 'p1', progress: ++step, total: 3, message: WHAT[step - 1] },
            }),
          ]
        : [],
    said: () => [],
    ask: () => [],
    settle: (how, text) => [
      message({
        id: 1,
        result:
          how === 'failed'
            ? { content: [{ type: 'text', text: 'The archive is locked.' }], isError: true }
            : { content: [{ type: 'text', text }] },
      }),
    ],
  };
};

/** One JSON-RPC message a line; the server makes a socket frame of each. */
const acp = (): Tongue => {
  const update = (value: object): string =>
    JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'sess_1', update: value } });
  return {
    type: 'socket',
    begin: () => [],
    think: (text) => [update({ sessionUpdate: 'agent_thought_chunk', messageId: 'th1', content: { type: 'text', text } })],
    say: (text) => [update({ sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: { type: 'text', text } })],
    said: () => [],
    ask: (question) => [
      update({ sessionUpdate: 'tool_call', toolCallId: 'call_1', title: question, kind: 'execute', status: 'pending', rawInput: ARGS }),
      JSON.stringify({
        jsonrpc: '2.0',
        id: 0,
        method: 'session/request_permission',
        params: {
          sessionId: 'sess_1',
          toolCall: { toolCallId: 'call_1', title: question },
          options: [
            { optionId: 'ok', name: 'Allow', kind: 'allow_once' },
            { optionId: 'no', name: 'Reject', kind: 'reject_once' },
          ],
        },
      }),
    ],
    settle: (how) =>
      how === 'waiting'
        ? []
        : [
            JSON.stringify(
              how === 'failed'
                ? { jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'upstream 529 overloaded' } }
                : { jsonrpc: '2.0', id: 3, result: { stopReason: how === 'truncated' ? 'max_tokens' : 'end_turn' } },
            ),
          ],
    refuse: () => [JSON.stringify({ jsonrpc: '2.0', id: 3, result: { stopReason: 'refusal' } })],
  };
};

/** The tool of the AG-UI pages, which the handwritten pages' own AG-UI leaves out. */
const agui = (): Tongue => ({
  ...KNOWN.agui(),
  tool: [
    [
      data({ type: 'TOOL_CALL_START', toolCallId: 'call-1', toolCallName: 'read_log' }),
      data({ type: 'TOOL_CALL_ARGS', toolCallId: 'call-1', delta: JSON.stringify(ARGS) }),
      data({ type: 'TOOL_CALL_END', toolCallId: 'call-1' }),
    ],
    [data({ type: 'TOOL_CALL_RESULT', messageId: 'tm-1', toolCallId: 'call-1', content: '214 lines', role: 'tool' })],
  ],
});

/** A filter's word on Chat Completions and a model's own refusal on Messages. */
const chat = (): Tongue => ({
  ...KNOWN.chat(),
  refuse: () => [
    data({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_796_000_000,
      model: 'scripted',
      choices: [{ index: 0, delta: {}, finish_reason: 'content_filter' }],
    }),
    data('[DONE]'),
  ],
});

export const TONGUES: Readonly<Record<string, () => Tongue>> = {
  chat,
  messages: KNOWN.messages,
  responses: KNOWN.responses,
  ndjson: KNOWN.ndjson,
  agui,
  uimessage,
  gemini,
  generate,
  a2a,
  langgraph,
  kestrel,
  mcp,
  acp,
};

const LATE_MS = 2_600;
const TOOL_MS = 700;

/** Models speak in bursts: three tokens at once, then a breath. */
const paceOf = (n: number): number => (n % 4 === 3 ? 140 : 22);

export interface Wanted {
  readonly scenario: Scenario;
  readonly script: Script;
  /** Words of a page's own: `tool` (one is called before the answer), `refusal` (in place of the limit), `tags` (thought inside the text). */
  readonly extras: readonly string[];
}

export interface Body {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly Piece[];
  readonly ending: 'close' | 'reset' | 'open';
}

export const bodyOf = (tongue: Tongue, { scenario, script, extras }: Wanted): Body => {
  const pieces: Piece[] = [];
  const push = (said: readonly string[], after: number): void => {
    for (const [i, text] of said.entries()) pieces.push({ text, after: i === 0 ? after : 0 });
  };
  const body = (ending: Body['ending']): Body => ({ type: tongue.type, headers: tongue.headers ?? {}, pieces, ending });
  push(tongue.begin(), 180);
  const tags = extras.includes('tags');
  let first = true;
  const say = (token: string, n: number): void => {
    push(tongue.say(token, first), tongue.pace ?? paceOf(n));
    first = false;
  };
  const thoughts = tokensOf(tags ? `<think>${script.thought}` : script.thought);
  for (const [n, token] of thoughts.entries()) {
    if (tags) say(token, n);
    else push(tongue.think(token), paceOf(n));
  }
  if (scenario === 'severed-after-reasoning') return body('close');
  if (tags) say('</think>\n\n', 0);
  if (extras.includes('tool') && tongue.tool !== undefined) {
    push(tongue.tool[0], 60);
    push(tongue.tool[1], TOOL_MS);
  }
  const short = !['completed', 'late-settlement', 'left-open'].includes(scenario);
  const tokens = tokensOf(script.answer);
  const shown = short ? tokens.slice(0, Math.floor(tokens.length * 0.6)) : tokens;
  for (const [n, token] of shown.entries()) say(token, n);
  const text = shown.join('');
  if (scenario === 'severed-mid-text') return body('close');
  if (scenario === 'reset-mid-text') return body('reset');
  if (scenario === 'aborted-by-person') return body('open');
  if (scenario === 'failed-after-text') push(tongue.settle('failed', text), 60);
  else if (scenario === 'truncated') push(extras.includes('refusal') ? tongue.refuse!() : tongue.settle('truncated', text), 60);
  else if (scenario === 'waiting') {
    push(tongue.said(text), 30);
    push(tongue.ask(script.question), 30);
    push(tongue.settle('waiting', text), 30);
  } else {
    push(tongue.said(text), 30);
    push(tongue.settle('completed', text), scenario === 'late-settlement' ? LATE_MS : 30);
  }
  return body(scenario === 'left-open' || tongue.type === 'socket' ? 'open' : 'close');
};
