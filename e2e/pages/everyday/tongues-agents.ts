/** Protocols of agents' runtimes, and two more of models: frames as published. */
import { data, event, type Speak, SSE } from './frames';

/** AG-UI, with a tool of the server, and an interrupt where a person has to approve. */
export const agui: Speak = (script, n) => {
  const run = { threadId: `thread_${n}`, runId: `run_${n}` };
  const call = (toolCallId: string, toolCallName: string, args: object): string[] => [
    data({ type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: 'm1' }),
    data({ type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) }),
    data({ type: 'TOOL_CALL_END', toolCallId }),
  ];
  const about = { messageId: `m_${n}` };
  return {
    type: 'text/event-stream',
    begin: () => [data({ type: 'RUN_STARTED', ...run })],
    reason: (pieces, ends) => [
      data({ type: 'REASONING_START', messageId: 'r1' }),
      data({ type: 'REASONING_MESSAGE_START', messageId: 'r1', role: 'reasoning' }),
      ...pieces.map((delta) => data({ type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta })),
      ...(ends ? [data({ type: 'REASONING_MESSAGE_END', messageId: 'r1' }), data({ type: 'REASONING_END', messageId: 'r1' })] : []),
    ],
    tool: {
      called: () => call('call_1', 'run_python', { code: 'sales.groupby("month").sum()' }),
      answered: () => [data({ type: 'TOOL_CALL_RESULT', messageId: 'tm1', toolCallId: 'call_1', content: '12 rows', role: 'tool' })],
    },
    say: (pieces) => [
      data({ type: 'TEXT_MESSAGE_START', ...about, role: 'assistant' }),
      ...pieces.map((delta) => data({ type: 'TEXT_MESSAGE_CONTENT', ...about, delta })),
    ],
    end: (how) => {
      if (how === 'failed') return [data({ type: 'RUN_ERROR', message: 'upstream 529 overloaded', code: 'overloaded' })];
      const close = data({ type: 'TEXT_MESSAGE_END', ...about });
      if (how !== 'waiting') return [close, data({ type: 'RUN_FINISHED', ...run })];
      const interrupts = [{ id: 'int_1', reason: 'tool_call', message: script.question, toolCallId: 'call_2' }];
      return [
        close,
        ...call('call_2', 'overwrite_table', { table: 'sales_2026' }),
        data({ type: 'RUN_FINISHED', ...run, outcome: { type: 'interrupt', interrupts } }),
      ];
    },
  };
};

/** The Kestrel runner: no text is streamed; a draft goes through a tool, and the end has the words. */
export const kestrel: Speak = (script, n) => {
  const id = { runId: `c11b6a9d-f650-4a7a-be9f-b29653cdf9f${n % 10}`, sessionId: `sess-${n}` };
  const ts = '2026-11-30T14:03:10.012Z';
  let seq = 0;
  let ids = 0;
  const say = (type: string, payload: object): string =>
    event({ id: `8b191d50-${n}-${++ids}`, type, ts, ...id, commandId: `2217e4db-${n}`, payload });
  const update = (type: string, more: object): string => say(type, { update: { version: 'v1', ...id, ts, seq: ++seq, ...more } });
  const model = { attempt: 1, format: 'summary', contentState: 'live' };
  const final = { toolCallId: `tool:${n}:final`, toolName: 'FinalizeAnswer', displayName: 'Finalize Answer', toolFamily: 'runtime' };
  const result = (status: string, assistantText: string | null, more: object = {}): object => ({
    output: { status, ...id, finalStep: 'agent.exec.finalize', errors: [], ...more },
    assistantText,
  });
  return {
    type: SSE,
    headers: { 'x-kestrel-request-id': `req-${n}` },
    begin: () => [say('run.started', { ...id, eventType: 'user.message', interactionMode: 'chat' })],
    reason: (pieces, ends) => [
      update('run.model.reasoning.started', { event: 'started', ...model }),
      ...pieces.map((delta) => update('run.model.reasoning.delta', { event: 'delta', ...model, delta })),
      ...(ends ? [update('run.model.reasoning.completed', { event: 'completed', ...model })] : []),
    ],
    // What goes before the end of a cut or held connection is a message about the work.
    say: () => [update('run.agent_progress', { message: script.progress, stepIndex: 0, stepAgent: 'agent.loop' })],
    before: () => [
      update('run.tool.started', { ...final, phase: 'started', input: { message: script.answer } }),
      update('run.tool.completed', { ...final, phase: 'completed', output: { message: script.answer } }),
    ],
    end: (how) => {
      if (how === 'failed') {
        const error = { code: 'EVALUATION_UNRESOLVED_EFFECTS', message: 'An effect was still open when the result was proposed.' };
        return [say('run.failed', { result: result('FAILED', null, { errors: [error] }), error })];
      }
      if (how === 'waiting') {
        const prompt = script.question;
        const interaction = { version: 'v1', kind: 'user_input', eventType: 'user.reply', prompt, requestId: `request-${n}` };
        const waitFor = { kind: 'user', eventType: 'user.reply', metadata: { prompt }, interaction };
        return [say('run.completed', { result: result('WAITING', prompt, { waitFor }) })];
      }
      return [say('run.completed', { result: result('COMPLETED', script.answer) })];
    },
  };
};

/** Ollama: a JSON object a line. */
export const ollama: Speak = () => {
  const line = (message: object, more: object = { done: false }): string =>
    `${JSON.stringify({ model: 'qwen3', created_at: '2026-11-30T08:00:00.123456Z', message: { role: 'assistant', content: '', ...message }, ...more })}\n`;
  return {
    type: 'application/x-ndjson',
    begin: () => [],
    reason: (pieces) => pieces.map((thinking) => line({ thinking })),
    say: (pieces) => pieces.map((content) => line({ content })),
    end: (how) =>
      how === 'failed'
        ? [`${JSON.stringify({ error: 'an error was encountered while running the model: unexpected EOF' })}\n`]
        : [line({}, { done_reason: how === 'length' ? 'length' : 'stop', done: true, total_duration: 2_100_000_000, eval_count: 90 })],
  };
};

/** LangGraph's run stream: message pieces, the author's own progress, and the state, which alone commits. */
export const langgraph: Speak = (script, n) => {
  let id = 0;
  const say = (name: string, value: unknown): string => `event: ${name}\ndata: ${JSON.stringify(value)}\nid: ${id++}\n\n`;
  const run = `01a22b6d-6bca-72fa-b895-92803373f${String(n).padStart(3, '0')}`;
  const base = { additional_kwargs: {}, tool_calls: [], invalid_tool_calls: [], type: 'ai' };
  const meta = { graph_id: 'agent', assistant_id: 'agent', run_id: run, langgraph_step: 1, langgraph_node: 'agent', tags: [] };
  const chunk = (content: unknown, response_metadata: object = {}): string =>
    say('messages', [{ id: `run-ai-${n}`, content, ...base, tool_call_chunks: [], response_metadata }, meta]);
  const human = { content: '?', id: 'u1', additional_kwargs: {}, response_metadata: {}, type: 'human' };
  const state = (text: string, finish_reason: string): object => ({
    messages: [human, { id: `run-ai-${n}`, content: text, ...base, response_metadata: { finish_reason } }],
  });
  return {
    type: 'text/event-stream',
    headers: { 'content-location': `/threads/01a22b6d-6bbb-7498-9d73-6ee00ff500ff/runs/${run}` },
    begin: () => [
      say('metadata', { run_id: run, attempt: 1 }),
      say('values', { messages: [human] }),
      say('custom', { progress: script.progress }),
    ],
    reason: (pieces) => pieces.map((reasoning) => chunk([{ type: 'reasoning', reasoning, index: 0 }])),
    say: (pieces) => pieces.map((text) => chunk(text)),
    end: (how, text) => {
      if (how === 'failed') return [say('error', { error: 'Error', message: 'upstream 529 overloaded' })];
      const reason = how === 'length' ? 'length' : 'stop';
      const out = [chunk('', { finish_reason: reason }), say('values', state(text, reason))];
      if (how !== 'waiting') return out;
      const asks = { __interrupt__: [{ id: '60751f5163f656374570fe1d53db72c8', value: script.question }] };
      return [...out, say('updates', asks), say('values', asks)];
    },
  };
};

/** Gemini's content stream, with its own line ends. */
export const gemini: Speak = (_script, n) => {
  const frame = (value: object): string => `data: ${JSON.stringify(value)}\r\n\r\n`;
  const said = (part: object, more: object = {}): string =>
    frame({
      candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...more }],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 12, totalTokenCount: 60 },
      modelVersion: 'gemini-3.5-flash',
      responseId: `r3Qsaf${n}`,
    });
  return {
    type: 'text/event-stream',
    begin: () => [],
    reason: (pieces) => pieces.map((text) => said({ text, thought: true })),
    say: (pieces) => pieces.map((text) => said({ text })),
    end: (how) =>
      how === 'failed'
        ? [frame({ error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' } })]
        : [said({ text: '' }, { finishReason: how === 'length' ? 'MAX_TOKENS' : 'STOP' })],
  };
};

/** Dify's chatflow: the workflow's end, and then the message's. */
export const dify: Speak = (script, n) => {
  const ids = { task_id: `task_${n}`, message_id: `m_${n}`, conversation_id: `conv_${n}`, created_at: 1_796_025_600 };
  const flow = { ...ids, workflow_run_id: `wr_${n}` };
  const finished = (status: string, error: string | null): string =>
    data({ event: 'workflow_finished', ...flow, data: { id: `wr_${n}`, workflow_id: 'wf_1', status, outputs: null, error } });
  return {
    type: SSE,
    begin: () => [
      'event: ping\n\n',
      data({ event: 'workflow_started', ...flow, data: { id: `wr_${n}`, workflow_id: 'wf_1', inputs: {}, created_at: 1_796_025_600 } }),
    ],
    reason: () => [],
    say: (pieces) =>
      pieces.map((answer) => data({ event: 'message', ...ids, id: `m_${n}`, answer, from_variable_selector: ['llm', 'text'] })),
    end: (how) => {
      if (how === 'failed') return [finished('failed', 'model overloaded')];
      if (how !== 'waiting')
        return [
          finished('succeeded', null),
          data({ event: 'message_end', ...ids, id: `m_${n}`, metadata: { usage: { total_tokens: 40 } }, files: null }),
        ];
      const actions = [
        { id: 'approve', title: 'Confirmer' },
        { id: 'reject', title: 'Annuler' },
      ];
      const form = { form_id: 'form_1', node_id: 'hi', node_title: 'Remboursement', form_content: script.question, inputs: [], actions };
      const reasons = [{ type: 'human_input_required', form_id: 'form_1', node_id: 'hi' }];
      return [
        data({ event: 'human_input_required', ...flow, data: { ...form, form_token: 'ft_1', resolved_default_values: {} } }),
        data({
          event: 'workflow_paused',
          ...flow,
          data: { workflow_run_id: `wr_${n}`, paused_nodes: ['hi'], reasons, status: 'paused' },
        }),
      ];
    },
  };
};
