/** A bot that reviews a pull request: its comment under the diff, a check with its state, and buttons to approve what it would do. */
import { events, h, post } from '../read.js';

const DIFF = [
  '- DROP INDEX idx_orders_customer;',
  '+ DROP INDEX idx_orders_customer;',
  '+ CREATE INDEX idx_orders_customer_v2 ON orders (customer_id);',
];

export const start = (root, slip) => {
  const check = h(
    'div',
    { class: 'check' },
    h('span', { class: 'ic' }, '○'),
    h('b', {}, 'AI review'),
    h('span', { class: 'desc' }, 'Not requested'),
  );
  const comments = h('div', { class: 'timeline' });
  const box = h('textarea', { rows: '2', placeholder: 'Leave a comment', 'aria-label': 'Leave a comment' });
  const form = h('form', { class: 'new' }, box, h('button', { class: 'primary' }, 'Comment'));
  root.append(
    h('h1', {}, 'Replace the customer index ', h('small', {}, '#2817')),
    h('pre', { class: 'diff' }, ...DIFF.map((text) => h('div', { class: text[0] === '+' ? 'add' : 'del' }, text))),
    comments,
    h('section', { class: 'checks' }, check),
    form,
  );
  const state = (icon, text, kind) => {
    check.querySelector('.ic').textContent = icon;
    check.querySelector('.desc').textContent = text;
    check.className = `check ${kind}`;
  };

  const ask = async (text) => {
    const body = h('div', { class: 'body' });
    const actions = h('div', { class: 'actions' });
    comments.append(
      h('div', { class: 'comment' }, h('div', { class: 'by' }, h('b', {}, 'ida'), ' commented'), h('div', { class: 'body' }, text)),
      h(
        'div',
        { class: 'comment bot' },
        h('div', { class: 'by' }, h('b', {}, 'review-bot'), ' ', h('span', { class: 'label' }, 'bot')),
        body,
        actions,
      ),
    );
    state('', 'Reviewing changes…', 'pending');
    let finish = null;
    let wants = null;
    try {
      const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text }] }];
      for await (const { data } of events(await post('/api/chat', { id: 'pr-2817', messages, trigger: 'submit-message' }))) {
        if (data === '[DONE]') break;
        const part = JSON.parse(data);
        if (part.type === 'text-delta') body.append(part.delta);
        else if (part.type === 'tool-input-available') wants = part.input.question;
        else if (part.type === 'error') throw new Error(part.errorText);
        else if (part.type === 'finish') finish = part.finishReason;
      }
      if (slip === '') {
        if (finish === null) return state('⚠', 'Review interrupted — the connection closed early', 'warn');
        if (finish === 'length') return state('⚠', 'Partial review: output limit reached', 'warn');
        if (wants !== null) {
          state('⏸', 'Pending: awaiting your decision', 'warn');
          actions.append(h('p', {}, wants), h('button', { class: 'primary' }, 'Approve'), h('button', { class: 'danger' }, 'Deny'));
          return;
        }
      }
    } catch {
      if (slip === '') return state('✕', 'Review failed', 'bad');
    }
    state('✔', 'Review complete', 'good');
    actions.append(h('button', {}, 'Resolve conversation'), h('button', {}, '👍'), h('button', {}, '👎'));
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = box.value;
    box.value = '';
    ask(text);
  });
};
