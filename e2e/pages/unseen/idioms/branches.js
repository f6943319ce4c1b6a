/** Questions can be edited and asked anew; the versions of an answer are behind a switch. The page asks twice by itself. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const log = el('div', { class: 'br-log' });
  const box = el('input', { 'aria-label': 'Message' });
  const send = el('button', { onclick: () => go() }, 'Send');
  app.append(log, el('div', {}, box, send));
  const go = () => {
    const question = el('p', { class: 'br-me' }, box.value);
    box.value = '';
    const answer = el('div', { class: 'br-answer' });
    const text = answer.appendChild(el('div'));
    const bar = answer.appendChild(el('div', { class: 'br-bar' }));
    log.append(question, answer);
    const versions = [];
    let at = 0;
    const show = () => {
      text.textContent = versions[at].text;
      bar.replaceChildren(
        el('button', { 'aria-label': 'Previous version', disabled: at === 0, onclick: () => turn(-1) }, '‹'),
        `${at + 1}/${versions.length}`,
        el('button', { 'aria-label': 'Next version', disabled: at === versions.length - 1, onclick: () => turn(1) }, '›'),
        el('button', { class: 'br-redo', onclick: () => write({}) }, 'Regenerate'),
        ...(versions[at].note ? [el('span', { class: 'br-note' }, versions[at].note)] : []),
      );
    };
    const turn = (by) => {
      at += by;
      show();
    };
    const write = (more) => {
      send.disabled = true;
      versions.push({ text: '' });
      at = versions.length - 1;
      text.textContent = '';
      bar.replaceChildren(el('i', { class: 'br-dots' }, '•••'));
      follow(ask('responses', { more }), slip, {
        text(all) {
          versions[at].text = all;
          text.textContent = all;
        },
        end(how) {
          send.disabled = false;
          if (how !== 'completed') versions[at].note = { truncated: 'over the limit', failed: 'failed' }[how] ?? 'broke off';
          show();
        },
      });
    };
    // The first version is always a good one; the person asks for another.
    write({ scenario: 'completed', words: 'german' });
  };
};
