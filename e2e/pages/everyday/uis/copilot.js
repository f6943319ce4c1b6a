/** The assistant beside an editor: a thought that folds away, a line of state at the bottom, buttons to apply the answer. */
import { events, h, post } from '../read.js';

const CODE = [
  'export async function retry(run, { signal, times = 10 }) {',
  '  for (let at = 0; at < times; at++) {',
  "    signal.addEventListener('abort', onAbort);",
  '    try { return await run(); }',
  '    catch (error) { if (at === times - 1) throw error; }',
  '  }',
  '}',
];

export const start = (root, slip) => {
  const list = h('div', { class: 'chat-list' });
  const state = h('div', { class: 'chat-state', hidden: true }, h('span', { class: 'codicon-loading' }), h('span', {}, 'Working…'));
  const box = h('textarea', { rows: '2', placeholder: 'Ask about your code', 'aria-label': 'Chat input' });
  const send = h('button', { class: 'act', title: 'Send (Enter)' }, '▷');
  const form = h('form', { class: 'chat-input' }, box, h('div', { class: 'row' }, h('span', {}, 'Agent ⌄  claude-sonnet-5 ⌄'), send));
  root.append(
    h('div', { class: 'editor' }, h('div', { class: 'tabs' }, 'retry.ts'), h('pre', {}, CODE.join('\n'))),
    h('aside', {}, h('h2', {}, 'CHAT'), list, state, form),
  );
  let controller = null;

  const ask = async (prompt) => {
    const details = h('details', { class: 'thought' }, h('summary', {}, 'Thinking…'), h('p', {}));
    const body = h('div', { class: 'rendered' });
    const item = h('div', { class: 'item response' }, h('b', {}, '✦ Copilot'), body);
    list.append(h('div', { class: 'item request' }, h('b', {}, 'you'), h('div', {}, prompt)), item);
    controller = new AbortController();
    state.hidden = false;
    send.textContent = '◼';
    send.title = 'Cancel';
    let began = 0;
    let thought = '';
    let reason = null;
    let ended = false;
    let tool = '';
    let failure = null;
    const rest = () => {
      state.hidden = true;
      send.textContent = '▷';
      send.title = 'Send (Enter)';
      controller = null;
    };
    const notice = (text, ...more) => item.append(h('div', { class: 'notification' }, text, ...more));
    const done = () => {
      rest();
      if (item.querySelector('.footer') !== null) return;
      item.append(
        h('div', { class: 'footer' }, ...['Apply in editor', 'Insert at cursor', 'Copy', '👍', '👎'].map((name) => h('button', {}, name))),
      );
    };
    try {
      const answer = await post(
        '/v1/messages',
        { model: 'claude-sonnet-5', max_tokens: 2048, stream: true, messages: [{ role: 'user', content: prompt }] },
        controller.signal,
      );
      for await (const { data } of events(answer)) {
        const event = JSON.parse(data);
        if (event.type === 'error') throw new Error(`${event.error.message} (request id: ${event.request_id})`);
        if (event.type === 'content_block_start') {
          if (event.content_block.type === 'thinking' && slip !== 'inline') {
            began = performance.now();
            body.before(details);
          } else if (event.content_block.type === 'text') {
            details.querySelector('summary').textContent = `Thought for ${Math.max(1, Math.round((performance.now() - began) / 1000))}s`;
          } else if (event.content_block.type === 'tool_use') tool = event.content_block.name;
        } else if (event.type === 'content_block_delta') {
          const { delta } = event;
          if (delta.type === 'thinking_delta') {
            thought += delta.thinking;
            if (slip === 'inline') body.append(delta.thinking);
            else details.querySelector('p').textContent = thought;
          } else if (delta.type === 'text_delta') body.append(delta.text);
        } else if (event.type === 'content_block_stop' && slip === 'textdone' && body.textContent !== '') done();
        else if (event.type === 'message_delta') reason = event.delta.stop_reason;
        else if (event.type === 'message_stop') ended = true;
      }
    } catch (error) {
      failure = error;
    }
    if (slip === 'ignore' && failure?.name === 'AbortError') failure = null;
    if (slip !== '') {
      // "content || reasoning": a helper that never wants to leave the bubble empty.
      if (slip === 'fallback' && body.textContent === '') {
        body.append(thought);
        details.remove();
      }
      done();
    } else if (failure?.name === 'AbortError') {
      rest();
      notice('Canceled');
    } else if (failure !== null) {
      rest();
      notice('⊗ Sorry, your request failed. ', failure.message, ' ', h('a', { href: '#' }, 'Try Again'));
    } else if (reason === 'tool_use') {
      rest();
      item.append(
        h(
          'div',
          { class: 'confirm' },
          h('b', {}, 'Run command in terminal?'),
          h('code', {}, tool),
          h('button', {}, 'Continue'),
          h('button', {}, 'Skip'),
        ),
      );
    } else if (!ended) {
      rest();
      notice('ⓘ Response ended unexpectedly. ', h('a', { href: '#' }, 'Try Again'));
    } else {
      done();
      if (reason === 'max_tokens') notice('⚠ The response hit the length limit. Your prompt might be too long.');
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (controller !== null) return controller.abort();
    const prompt = box.value;
    box.value = '';
    ask(prompt);
  });
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    form.requestSubmit();
  });
};
