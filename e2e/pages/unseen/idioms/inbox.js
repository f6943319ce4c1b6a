/** A run in the background: a toast and a bell say when it is ready, and the report is a card in the list. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const bell = el('button', { class: 'ib-bell', 'aria-label': 'Notifications' }, '🔔');
  const list = el('div', { class: 'ib-list' });
  const box = el('input', { 'aria-label': 'Order a report' });
  const toasts = el('div', { class: 'ib-toasts', role: 'status' });
  app.append(el('form', { class: 'ib-form', onsubmit: () => go() }, box, el('button', {}, 'Order'), bell), list, toasts);
  const toast = (text) => {
    const one = toasts.appendChild(el('div', { class: 'ib-toast' }, text));
    setTimeout(() => one.remove(), 3_500);
  };
  const go = () => {
    const title = box.value;
    box.value = '';
    const chip = el('span', { class: 'ib-chip' }, 'In progress');
    const preview = el('p', { class: 'ib-preview' });
    list.prepend(el('article', { class: 'ib-card' }, el('b', {}, title), chip, preview));
    toast('Your report was ordered. You can leave this page.');
    follow(ask('uimessage'), slip, {
      text(all) {
        preview.textContent = all;
      },
      end(how, { question }) {
        bell.dataset.count = '1';
        const words = {
          completed: ['Ready', 'Your report is ready'],
          waiting: ['Your decision', 'A report needs your decision'],
          failed: ['Failed', 'A report could not be made'],
          truncated: ['Shortened', 'A report was shortened'],
        }[how] ?? ['Interrupted', 'A report was interrupted'];
        chip.textContent = words[0];
        toast(words[1]);
        if (how === 'waiting') preview.after(el('div', {}, question, el('button', {}, 'Approve'), el('button', {}, 'Reject')));
      },
    });
  };
};
