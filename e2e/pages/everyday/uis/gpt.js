/** A clone of the best-known chat: the send button is a stop button while it streams, and the toolbar comes after the answer. */
import { events, h, post } from '../read.js';

const ICONS = [
  ['Copy', '⧉'],
  ['Good response', '👍'],
  ['Bad response', '👎'],
  ['Read aloud', '🔊'],
  ['Switch model', '⟳'],
];

export const start = (root, slip) => {
  const thread = h('div', { class: 'thread' }, h('h1', { class: 'hello' }, 'Where should we begin?'));
  const box = h('textarea', { rows: '1', placeholder: 'Ask anything', 'aria-label': 'Ask anything' });
  const button = h('button', { class: 'composer-btn', 'aria-label': 'Send prompt', 'data-testid': 'send-button' }, '↑');
  const form = h('form', { class: 'composer' }, h('span', { class: 'plus' }, '+'), box, button);
  const history = ['Trip to Bergen', 'Refactor date utils', 'Birthday poem for Ida'].map((title) => h('li', {}, title));
  root.append(
    h('nav', { class: 'side' }, h('b', {}, '✎ New chat'), h('ul', {}, ...history)),
    h('main', {}, thread, form, h('p', { class: 'fine' }, 'The assistant can make mistakes. Check important info.')),
  );
  let controller = null;

  const toolbar = (turn) =>
    turn.append(h('div', { class: 'toolbar' }, ...ICONS.map(([label, icon]) => h('button', { class: 'icon', 'aria-label': label }, icon))));
  const problem = (turn, text, action) =>
    turn.append(
      h('div', { class: 'problem' }, h('span', {}, text), h('button', { class: 'pill', onclick: () => location.reload() }, action)),
    );

  const ask = async (prompt) => {
    thread.querySelector('.hello')?.remove();
    const said = h('div', { class: 'markdown' });
    const thinking = h('div', { class: 'shimmer' }, 'Thinking');
    const turn = h('article', { class: 'turn', 'data-turn': 'assistant' }, thinking, said);
    thread.append(h('article', { class: 'turn mine', 'data-turn': 'user' }, h('div', { class: 'bubble' }, prompt)), turn);
    controller = new AbortController();
    button.textContent = '■';
    button.setAttribute('aria-label', 'Stop streaming');
    button.dataset.testid = 'stop-button';
    const dot = h('span', { class: 'dot' });
    let idle = 0;
    let over = false;
    let finish = null;
    const rest = () => {
      if (over) return;
      over = true;
      clearTimeout(idle);
      dot.remove();
      thinking.remove();
      controller = null;
      button.textContent = '↑';
      button.setAttribute('aria-label', 'Send prompt');
      button.dataset.testid = 'send-button';
      if (said.textContent !== '') toolbar(turn);
    };
    try {
      const response = await post(
        '/v1/chat/completions',
        { model: 'scripted-1', stream: true, messages: [{ role: 'user', content: prompt }] },
        controller.signal,
      );
      for await (const { data } of events(response)) {
        if (data === '[DONE]' && slip !== 'parse') {
          if (slip === 'drain') continue;
          break;
        }
        const chunk = JSON.parse(data);
        if (chunk.error !== undefined && slip !== 'swallow') throw new Error(chunk.error.message);
        const choice = chunk.choices?.[0];
        finish = choice?.finish_reason ?? finish;
        const piece = choice?.delta?.content ?? '';
        if (piece === '') continue;
        thinking.remove();
        dot.remove();
        said.append(piece);
        said.append(dot);
        if (slip === 'idle') {
          // "The stream has gone quiet, so it must be finished."
          clearTimeout(idle);
          idle = setTimeout(rest, 1_200);
        }
      }
      rest();
      if (slip === 'swallow') return;
      if (finish === 'length') problem(turn, 'The response reached its maximum length.', 'Continue generating');
      else if (finish === null) problem(turn, 'The connection was lost before the response was complete.', 'Retry');
    } catch (error) {
      const stopped = error.name === 'AbortError';
      rest();
      if (slip === 'swallow') return;
      if (stopped) turn.append(h('div', { class: 'stopped' }, 'You stopped this response'));
      else problem(turn, 'Something went wrong while generating the response.', 'Retry');
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (controller !== null) {
      controller.abort();
      return;
    }
    const prompt = box.value;
    box.value = '';
    ask(prompt);
  });
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    form.requestSubmit();
  });
};
