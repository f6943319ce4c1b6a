/**
 * Reads an agent's stream in any of the five protocols and yields what it says, in one vocabulary:
 * thought, text, said (the text is complete, nothing is settled), asked, settled, closed, broken, aborted.
 */

const chat = (v) => {
  if (v.error) return [{ type: 'settled', how: 'failed' }];
  const [choice] = v.choices ?? [];
  if (!choice) return [];
  const { delta = {}, finish_reason: reason } = choice;
  const out = [];
  if (delta.reasoning_content) out.push({ type: 'thought', text: delta.reasoning_content });
  if (delta.content) out.push({ type: 'text', text: delta.content });
  if (delta.tool_calls?.[0]?.function?.arguments)
    out.push({ type: 'asked', question: JSON.parse(delta.tool_calls[0].function.arguments).question });
  if (reason) out.push({ type: 'settled', how: { stop: 'completed', length: 'truncated', tool_calls: 'waiting' }[reason] });
  return out;
};

const messages = () => {
  let reason = null;
  let kind = '';
  return (v) => {
    if (v.type === 'error') return [{ type: 'settled', how: 'failed' }];
    if (v.type === 'content_block_start') kind = v.content_block.type;
    if (v.type === 'content_block_stop' && kind === 'text') return [{ type: 'said' }];
    if (v.type === 'content_block_delta') {
      const { delta } = v;
      if (delta.type === 'thinking_delta') return [{ type: 'thought', text: delta.thinking }];
      if (delta.type === 'text_delta') return [{ type: 'text', text: delta.text }];
      if (delta.type === 'input_json_delta') return [{ type: 'asked', question: JSON.parse(delta.partial_json).question }];
    }
    if (v.type === 'message_delta') reason = v.delta.stop_reason;
    if (v.type === 'message_stop')
      return [{ type: 'settled', how: { end_turn: 'completed', max_tokens: 'truncated', tool_use: 'waiting' }[reason] }];
    return [];
  };
};

const agui = (v) => {
  switch (v.type) {
    case 'REASONING_MESSAGE_CONTENT':
      return [{ type: 'thought', text: v.delta }];
    case 'TEXT_MESSAGE_CONTENT':
      return [{ type: 'text', text: v.delta }];
    case 'TEXT_MESSAGE_END':
      return [{ type: 'said' }];
    case 'RUN_ERROR':
      return [{ type: 'settled', how: 'failed' }];
    case 'RUN_FINISHED':
      return v.outcome?.type === 'interrupt'
        ? [
            { type: 'asked', question: v.outcome.interrupts[0].message },
            { type: 'settled', how: 'waiting' },
          ]
        : [{ type: 'settled', how: 'completed' }];
    default:
      return [];
  }
};

const ndjson = () => {
  let called = false;
  return (v) => {
    if (v.error) return [{ type: 'settled', how: 'failed' }];
    const out = [];
    if (v.message.thinking) out.push({ type: 'thought', text: v.message.thinking });
    if (v.message.content) out.push({ type: 'text', text: v.message.content });
    if (v.message.tool_calls) {
      called = true;
      out.push({ type: 'asked', question: v.message.tool_calls[0].function.arguments.question });
    }
    if (v.done) out.push({ type: 'settled', how: v.done_reason === 'length' ? 'truncated' : called ? 'waiting' : 'completed' });
    return out;
  };
};

const responses = () => {
  let called = false;
  return (v) => {
    switch (v.type) {
      case 'response.reasoning_summary_text.delta':
        return [{ type: 'thought', text: v.delta }];
      case 'response.output_text.delta':
        return [{ type: 'text', text: v.delta }];
      case 'response.output_text.done':
        return [{ type: 'said' }];
      case 'response.function_call_arguments.done':
        called = true;
        return [{ type: 'asked', question: JSON.parse(v.arguments).question }];
      case 'response.failed':
        return [{ type: 'settled', how: 'failed' }];
      case 'response.incomplete':
        return [{ type: 'settled', how: 'truncated' }];
      case 'response.completed':
        return [{ type: 'settled', how: called ? 'waiting' : 'completed' }];
      default:
        return [];
    }
  };
};

const READERS = { chat: () => chat, messages, agui: () => agui, ndjson, responses };

/** Splits what has come into frames, and keeps the rest. */
const framer = (protocol) => {
  let rest = '';
  const read = READERS[protocol]();
  const between = protocol === 'ndjson' ? '\n' : '\n\n';
  return (text) => {
    const frames = (rest + text).split(between);
    rest = frames.pop();
    return frames.flatMap((frame) => {
      const json = protocol === 'ndjson' ? frame : (/^data: (.*)$/mu.exec(frame)?.[1] ?? '');
      return json === '' || json === '[DONE]' ? [] : read(JSON.parse(json));
    });
  };
};

export async function* readFetch(protocol, signal) {
  const take = framer(protocol);
  try {
    const response = await fetch(`/agent/${protocol}${location.search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Where is the retention window set?' }] }),
      signal,
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield* take(value);
    }
    yield { type: 'closed' };
  } catch {
    yield { type: signal.aborted ? 'aborted' : 'broken' };
  }
}

/** The same over XMLHttpRequest, as pages did before fetch could stream. */
export async function* readXhr(protocol, signal) {
  const take = framer(protocol);
  const queue = [];
  let wake = () => {};
  const push = (...events) => {
    queue.push(...events);
    wake();
  };
  const xhr = new XMLHttpRequest();
  let seen = 0;
  const more = () => {
    const text = xhr.responseText.slice(seen);
    seen = xhr.responseText.length;
    push(...take(text));
  };
  xhr.addEventListener('progress', more);
  xhr.addEventListener('load', () => {
    more();
    push({ type: 'closed' });
  });
  xhr.addEventListener('error', () => push({ type: 'broken' }));
  xhr.addEventListener('abort', () => push({ type: 'aborted' }));
  signal.addEventListener('abort', () => xhr.abort());
  xhr.open('POST', `/agent/${protocol}${location.search}`);
  xhr.setRequestHeader('content-type', 'application/json');
  xhr.send(JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Where is the retention window set?' }] }));
  for (;;) {
    while (queue.length === 0) await new Promise((resolve) => (wake = resolve));
    const event = queue.shift();
    yield event;
    if (['closed', 'broken', 'aborted'].includes(event.type)) return;
  }
}
