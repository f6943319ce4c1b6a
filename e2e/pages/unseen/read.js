/**
 * Reads an agent in any of the protocols, in one vocabulary: thought, text, tool, result, step (progress), said (the text is
 * complete, nothing is settled), asked, settled, and last closed, broken or aborted.
 */
const settled = (how) => [{ type: 'settled', how }];

const READERS = {
  chat: () => (v) => {
    if (v.error) return settled('failed');
    const [{ delta, finish_reason: reason }] = v.choices;
    const out = [];
    if (delta.reasoning_content) out.push({ type: 'thought', text: delta.reasoning_content });
    if (delta.content) out.push({ type: 'text', text: delta.content });
    for (const call of delta.tool_calls ?? []) out.push({ type: 'asked', question: JSON.parse(call.function.arguments).question });
    if (reason) out.push(...settled({ stop: 'completed', length: 'truncated', tool_calls: 'waiting', content_filter: 'refused' }[reason]));
    return out;
  },
  messages: () => {
    let reason = null;
    let kind = '';
    return (v) => {
      if (v.type === 'error') return settled('failed');
      if (v.type === 'content_block_start') kind = v.content_block.type;
      if (v.type === 'content_block_stop' && kind === 'text') return [{ type: 'said' }];
      if (v.type === 'message_delta') reason = v.delta.stop_reason;
      if (v.type === 'message_stop') return settled({ end_turn: 'completed', max_tokens: 'truncated', tool_use: 'waiting' }[reason]);
      if (v.type !== 'content_block_delta') return [];
      if (v.delta.type === 'thinking_delta') return [{ type: 'thought', text: v.delta.thinking }];
      if (v.delta.type === 'text_delta') return [{ type: 'text', text: v.delta.text }];
      return [{ type: 'asked', question: JSON.parse(v.delta.partial_json).question }];
    };
  },
  responses: () => {
    let called = false;
    return (v) => {
      if (v.type === 'response.reasoning_summary_text.delta') return [{ type: 'thought', text: v.delta }];
      if (v.type === 'response.output_text.delta') return [{ type: 'text', text: v.delta }];
      if (v.type === 'response.output_text.done') return [{ type: 'said' }];
      if (v.type === 'response.failed') return settled('failed');
      if (v.type === 'response.incomplete') return settled('truncated');
      if (v.type === 'response.completed') return settled(called ? 'waiting' : 'completed');
      if (v.type !== 'response.function_call_arguments.done') return [];
      called = true;
      return [{ type: 'asked', question: JSON.parse(v.arguments).question }];
    };
  },
  ndjson: () => (v) => {
    if (v.error) return settled('failed');
    const out = [];
    if (v.message.thinking) out.push({ type: 'thought', text: v.message.thinking });
    if (v.message.content) out.push({ type: 'text', text: v.message.content });
    if (v.done) out.push(...settled(v.done_reason === 'length' ? 'truncated' : 'completed'));
    return out;
  },
  generate: () => (v) => {
    if (v.error) return settled('failed');
    if (v.done) return settled(v.done_reason === 'length' ? 'truncated' : 'completed');
    return v.thinking ? [{ type: 'thought', text: v.thinking }] : [{ type: 'text', text: v.response }];
  },
  agui: () => (v) => {
    if (v.type === 'REASONING_MESSAGE_CONTENT') return [{ type: 'thought', text: v.delta }];
    if (v.type === 'TEXT_MESSAGE_CONTENT') return [{ type: 'text', text: v.delta }];
    if (v.type === 'TEXT_MESSAGE_END') return [{ type: 'said' }];
    if (v.type === 'TOOL_CALL_START') return [{ type: 'tool', name: v.toolCallName }];
    if (v.type === 'TOOL_CALL_RESULT') return [{ type: 'result', text: v.content }];
    if (v.type === 'RUN_ERROR') return settled('failed');
    if (v.type !== 'RUN_FINISHED') return [];
    const [interrupt] = v.outcome?.interrupts ?? [];
    return interrupt ? [{ type: 'asked', question: interrupt.message }, ...settled('waiting')] : settled('completed');
  },
  uimessage: () => {
    let waiting = false;
    return (v) => {
      if (v.type === 'reasoning-delta') return [{ type: 'thought', text: v.delta }];
      if (v.type === 'text-delta') return [{ type: 'text', text: v.delta }];
      if (v.type === 'text-end') return [{ type: 'said' }];
      if (v.type === 'tool-input-available')
        return v.toolName === 'read_log' ? [{ type: 'tool', name: v.toolName }] : [{ type: 'asked', question: v.input.question }];
      if (v.type === 'tool-output-available') return [{ type: 'result', text: `${v.output.lines} lines` }];
      if (v.type === 'tool-approval-request') waiting = true;
      if (v.type === 'error') return settled('failed');
      if (v.type !== 'finish') return [];
      return settled(waiting ? 'waiting' : { stop: 'completed', length: 'truncated', 'content-filter': 'refused' }[v.finishReason]);
    };
  },
  gemini: () => {
    let called = false;
    return (v) => {
      if (v.error) return settled('failed');
      const [{ content, finishReason }] = v.candidates;
      const out = [];
      for (const part of content?.parts ?? []) {
        if (part.functionCall) {
          called = true;
          out.push({ type: 'asked', question: part.functionCall.args.question });
        } else if (part.text) out.push({ type: part.thought ? 'thought' : 'text', text: part.text });
      }
      if (finishReason)
        out.push(
          ...settled(finishReason === 'STOP' ? (called ? 'waiting' : 'completed') : finishReason === 'SAFETY' ? 'refused' : 'truncated'),
        );
      return out;
    };
  },
  a2a: () => (v) => {
    const { artifactUpdate, statusUpdate } = v.result;
    if (artifactUpdate) {
      const [{ text }] = artifactUpdate.artifact.parts;
      return [...(text ? [{ type: 'text', text }] : []), ...(artifactUpdate.lastChunk ? [{ type: 'said' }] : [])];
    }
    const { state, message } = statusUpdate?.status ?? {};
    if (state === 'TASK_STATE_INPUT_REQUIRED') return [{ type: 'asked', question: message.parts[0].text }, ...settled('waiting')];
    if (state === 'TASK_STATE_FAILED') return settled('failed');
    return state === 'TASK_STATE_COMPLETED' ? settled('completed') : [];
  },
  langgraph: () => {
    let last = null;
    return (v, event) => {
      if (event === 'error') return settled('failed');
      if (event === 'messages') {
        last = v[0].response_metadata.finish_reason ?? last;
        return (Array.isArray(v[0].content) ? v[0].content : []).map((block) =>
          block.type === 'text' ? { type: 'text', text: block.text } : { type: 'thought', text: block.reasoning },
        );
      }
      if (event !== 'values') return [];
      if (v.__interrupt__) return [{ type: 'asked', question: v.__interrupt__[0].value.question }, ...settled('waiting')];
      return last === null ? [] : settled(last === 'length' ? 'truncated' : 'completed');
    };
  },
  kestrel: () => (v) => {
    if (v.type === 'run.model.reasoning.delta') return [{ type: 'thought', text: v.payload.update.delta }];
    if (v.type === 'run.agent_progress') return [{ type: 'step', text: v.payload.update.message }];
    if (v.type === 'run.tool.started') return [{ type: 'tool', name: v.payload.update.toolName }];
    if (v.type === 'run.tool.completed') return [{ type: 'result', text: '214 lines' }];
    if (v.type === 'run.failed') return settled('failed');
    if (v.type !== 'run.completed') return [];
    const { output, assistantText } = v.payload.result;
    return output.status === 'WAITING'
      ? [{ type: 'asked', question: assistantText }, ...settled('waiting')]
      : [{ type: 'text', text: assistantText }, ...settled('completed')];
  },
  mcp: () => (v) => {
    if (v.method === 'notifications/progress') return [{ type: 'step', text: v.params.message, part: v.params.progress / v.params.total }];
    if (v.result?.isError) return settled('failed');
    return v.result ? [{ type: 'text', text: v.result.content[0].text }, ...settled('completed')] : [];
  },
};

const PATHS = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  ndjson: '/api/chat',
  generate: '/api/generate',
  agui: '/agui',
  uimessage: '/api/assistant',
  gemini: '/v1beta/models/gemini-3.5-flash:streamGenerateContent',
  a2a: '/rpc',
  langgraph: '/threads/01a22b6d-6bbb-7498-9d73-6ee00ff500ff/runs/stream',
  kestrel: '/api/agent/stream',
  mcp: '/mcp',
};

const BODIES = {
  gemini: { contents: [{ role: 'user', parts: [{ text: 'why' }] }] },
  a2a: {
    jsonrpc: '2.0',
    id: 1,
    method: 'SendStreamingMessage',
    params: { message: { messageId: 'u1', role: 'ROLE_USER', parts: [{ text: 'why' }] } },
  },
  mcp: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { q: 'why' }, _meta: { progressToken: 'p1' } } },
  langgraph: {
    assistant_id: 'agent',
    input: { messages: [{ type: 'human', content: 'why' }] },
    stream_mode: ['messages-tuple', 'values', 'updates'],
  },
  agui: { threadId: 't1', runId: 'run1', messages: [{ id: 'u1', role: 'user', content: 'why' }], tools: [], context: [], state: {} },
};
const HEADERS = {
  a2a: { 'a2a-version': '1.0' },
  mcp: { 'mcp-protocol-version': '2025-11-25', accept: 'application/json, text/event-stream' },
};

/** The address with the page's own query, changed by `more`. */
const address = (protocol, more) => {
  const query = new URLSearchParams(location.search);
  if (protocol === 'gemini') query.set('alt', 'sse');
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return `${PATHS[protocol]}?${query}`;
};

export async function* ask(protocol, { signal, more = {}, method = 'POST' } = {}) {
  const read = READERS[protocol]();
  const lines = protocol === 'ndjson' || protocol === 'generate';
  let rest = '';
  try {
    const response = await fetch(address(protocol, more), {
      method,
      headers: { 'content-type': 'application/json', ...HEADERS[protocol] },
      ...(method === 'POST'
        ? { body: JSON.stringify(BODIES[protocol] ?? { stream: true, model: 'scripted', messages: [{ role: 'user', content: 'why' }] }) }
        : {}),
      signal,
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const frames = (rest + value.replaceAll('\r\n', '\n')).split(lines ? '\n' : '\n\n');
      rest = frames.pop();
      for (const frame of frames) {
        const json = lines ? frame : (/^data: (.*)$/mu.exec(frame)?.[1] ?? '');
        if (json !== '' && json !== '[DONE]') yield* read(JSON.parse(json), /^event: (.*)$/mu.exec(frame)?.[1]);
      }
    }
    yield { type: 'closed' };
  } catch {
    yield { type: signal?.aborted ? 'aborted' : 'broken' };
  }
}

/** An agent on a socket: greets, opens a session, prompts. */
export async function* askSocket({ signal } = {}) {
  const socket = new WebSocket(`ws://${location.host}/acp${location.search}`);
  const queue = [];
  let wake = () => {};
  const push = (event) => {
    queue.push(event);
    wake();
  };
  const call = (id, method, params) => socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  socket.addEventListener('open', () => call(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} }));
  socket.addEventListener('close', ({ wasClean }) => push({ type: wasClean ? 'closed' : 'broken' }));
  signal?.addEventListener('abort', () =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'sess_1' } })),
  );
  socket.addEventListener('message', ({ data }) => {
    const v = JSON.parse(data);
    if (v.id === 1) call(2, 'session/new', { cwd: '/project', mcpServers: [] });
    else if (v.id === 2) call(3, 'session/prompt', { sessionId: 'sess_1', prompt: [{ type: 'text', text: 'why' }] });
    else if (v.method === 'session/request_permission') push({ type: 'asked', question: v.params.toolCall.title });
    else if (v.id === 3) {
      const how = { end_turn: 'completed', max_tokens: 'truncated', cancelled: 'aborted', refusal: 'refused' };
      push({ type: 'settled', how: v.error ? 'failed' : how[v.result.stopReason] });
    } else {
      const { sessionUpdate, content } = v.params.update;
      if (sessionUpdate === 'agent_thought_chunk') push({ type: 'thought', text: content.text });
      if (sessionUpdate === 'agent_message_chunk') push({ type: 'text', text: content.text });
    }
  });
  for (;;) {
    while (queue.length === 0) await new Promise((resolve) => (wake = resolve));
    const event = queue.shift();
    yield event;
    if (event.type === 'closed' || event.type === 'broken') return;
  }
}

/**
 * Hands the events to the page, and decides when the run is over, as its author does.
 * '': when it is settled or lost, and as what. blind: at any end, and it always went well. naive: when the stream ends, and it
 * always went well. pause: when nothing has come for a moment. said: when the text is complete. late: as '', but only once
 * the stream has ended.
 */
export const follow = async (events, slip, on) => {
  let thought = '';
  let text = '';
  let question = null;
  let last = null;
  let over = false;
  let quiet;
  const end = (how) => {
    clearTimeout(quiet);
    if (over) return;
    over = true;
    on.end(how, { text, thought, question });
  };
  for await (const event of events) {
    clearTimeout(quiet);
    if (event.type === 'thought') {
      thought += event.text;
      on.thought?.(thought, event.text);
    } else if (event.type === 'text') {
      text += event.text;
      on.text(text, event.text);
    } else if (event.type === 'asked') question = event.question;
    else if (event.type === 'said') {
      if (slip === 'said') end('completed');
    } else if (event.type === 'settled') {
      last = event.how;
      if (slip === 'blind') end('completed');
      else if (slip !== 'naive' && slip !== 'late') end(event.how);
    } else if (['closed', 'broken', 'aborted'].includes(event.type))
      end(slip === 'blind' || slip === 'naive' ? 'completed' : (last ?? event.type));
    else on[event.type]?.(event);
    // An approval on a live line: nothing is settled, and the person is asked now.
    if (event.type === 'asked') on.asked?.(event.question);
    if (slip === 'pause' && text !== '' && !over) quiet = setTimeout(() => end('completed'), 800);
  }
};

/** An element with its properties, attributes, listeners and children. */
export const el = (tag, props = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === 'onsubmit')
      node.addEventListener('submit', (event) => {
        event.preventDefault();
        value();
      });
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'class') node.className = value;
    else if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
};
