/** A long history of which only some is there, older messages come when one scrolls up, and actions show on hover. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const list = el('div', { class: 'sc-list', tabIndex: 0 });
  const jump = el('button', { class: 'sc-jump', hidden: true, onclick: () => list.scrollTo(0, 1e9) }, '↓ New');
  const box = el('textarea', { 'aria-label': 'Message' });
  const send = el('button', { class: 'sc-send' }, 'Send');
  app.append(el('div', { class: 'sc-wrap' }, list, jump), el('div', { class: 'sc-foot' }, box, send));
  const actions = () => el('div', { class: 'sc-actions' }, el('button', {}, 'Copy'), el('button', {}, 'Redo'), el('button', {}, 'Share'));
  const message = (who, text) =>
    el('div', { class: `sc-msg sc-${who}` }, el('div', { class: 'sc-text' }, text), ...(who === 'agent' ? [actions()] : []));
  let oldest = 40;
  const older = () => {
    for (let i = 0; i < 8 && oldest > 0; i++, oldest--)
      list.prepend(
        message(
          oldest % 2 ? 'agent' : 'you',
          oldest % 2 ? `Ticket ${oldest} was closed after the second reminder.` : `And ticket ${oldest}?`,
        ),
      );
  };
  older();
  list.addEventListener('scroll', () => {
    if (list.scrollTop < 40) older();
    jump.hidden = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  });
  let control = null;
  send.addEventListener('click', () => {
    if (control !== null) return control.abort();
    control = new AbortController();
    list.append(message('you', box.value));
    box.value = '';
    send.textContent = 'Stop';
    const text = el('div', { class: 'sc-text' });
    const row = el('div', { class: 'sc-msg sc-agent' }, text);
    list.append(row);
    list.scrollTo(0, 1e9);
    // Far messages are taken out, as lists of this kind do.
    while (list.children.length > 14) list.firstChild.remove();
    follow(ask('messages', { signal: control.signal }), slip, {
      text(all) {
        text.textContent = all;
        list.scrollTo(0, 1e9);
      },
      end(how, { question }) {
        control = null;
        send.textContent = 'Send';
        row.append(actions());
        const note = {
          truncated: 'Length limit reached',
          failed: 'Failed',
          aborted: 'Stopped',
          closed: 'Interrupted',
          broken: 'Interrupted',
        }[how];
        if (note) row.append(el('span', { class: 'sc-badge' }, note));
        if (how === 'waiting') row.append(el('div', { class: 'sc-q' }, question, el('button', {}, 'Yes, do it'), el('button', {}, 'No')));
      },
    });
  });
};
