/** A local model that thinks inside its text, between tags; a careful page folds that away. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const log = el('div', { class: 'tg-log' });
  const box = el('input', { 'aria-label': 'Message' });
  const send = el('button', { onclick: () => go() }, 'Send');
  app.append(log, el('div', {}, box, send));
  const go = () => {
    log.append(el('div', { class: 'tg-me' }, box.value));
    box.value = '';
    send.disabled = true;
    const fold = el('details', {}, el('summary', {}, 'Thought for a moment'), el('p'));
    const answer = el('div', { class: 'tg-answer' });
    log.append(answer);
    follow(ask('ndjson'), slip === 'raw' || slip === 'strips' ? '' : slip, {
      text(all) {
        if (slip === 'raw') {
          answer.textContent = all;
          return;
        }
        if (slip === 'strips') {
          answer.textContent = all.replace(/<\/?think>/gu, '').trimStart();
          return;
        }
        const cut = all.indexOf('</think>');
        if (fold.parentNode === null) answer.before(fold);
        fold.querySelector('p').textContent = (cut < 0 ? all : all.slice(0, cut)).replace('<think>', '');
        if (cut >= 0) answer.textContent = all.slice(cut + 8).trimStart();
      },
      end(how) {
        send.disabled = false;
        if (how !== 'completed')
          log.append(
            el('p', { class: 'tg-bad' }, { truncated: 'Context is full.', failed: 'The model crashed.' }[how] ?? 'The model went away.'),
          );
      },
    });
  };
};
