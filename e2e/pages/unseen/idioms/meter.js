/** Tokens and seconds are counted up while it writes; afterwards the sum stays, and the page asks how it was. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const log = el('div', { class: 'me-log' });
  const box = el('input', { 'aria-label': 'Message' });
  const send = el('button', { onclick: () => go() }, 'Send');
  app.append(log, el('div', {}, box, send));
  const go = () => {
    log.append(el('div', { class: 'me-me' }, box.value));
    box.value = '';
    send.disabled = true;
    const text = el('div', {});
    const meter = el('div', { class: 'me-meter' });
    log.append(el('div', { class: 'me-answer' }, text, meter));
    const from = performance.now();
    let tokens = 0;
    const show = (tail) => {
      const seconds = (performance.now() - from) / 1000;
      meter.textContent = `${seconds.toFixed(1)} s, ${tokens} tokens${tail}`;
    };
    const clock = setInterval(() => show(''), 100);
    follow(ask('chat'), slip, {
      text(all) {
        tokens++;
        text.textContent = all;
      },
      end(how) {
        clearInterval(clock);
        send.disabled = false;
        show(how === 'completed' ? `, ${(tokens / 4).toFixed(1)} per second` : '');
        if (how === 'completed')
          meter.after(
            el('div', { class: 'me-thanks' }, 'Thanks for asking! Was this useful?', el('button', {}, '👍'), el('button', {}, '👎')),
          );
        else
          meter.after(
            el(
              'div',
              { class: 'me-bad' },
              { truncated: 'Stopped at the token limit.', refused: 'Blocked by policy.', failed: 'Server error.' }[how] ??
                'Disconnected early.',
            ),
          );
      },
    });
  };
};
