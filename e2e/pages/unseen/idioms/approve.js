/** A coding agent on a socket: the composer is locked while the turn goes on, and a gate asks before anything is run. */
import { askSocket, el, follow } from '../read.js';

export const start = (app, slip) => {
  const out = el('div', { class: 'ap-out' });
  const box = el('input', { 'aria-label': 'Prompt' });
  const esc = el('span', { class: 'ap-esc', hidden: true }, 'esc to cancel');
  app.append(out, el('form', { class: 'ap-form', onsubmit: () => go() }, el('span', {}, '❯'), box, el('button', {}, '↵'), esc));
  let control = new AbortController();
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && control.abort());
  const go = () => {
    control = new AbortController();
    out.append(el('div', { class: 'ap-me' }, `❯ ${box.value}`));
    box.value = '';
    box.disabled = true;
    esc.hidden = false;
    const thinking = el('div', { class: 'ap-dim' });
    const text = el('div', { class: 'ap-text' });
    out.append(thinking, text);
    const rest = () => {
      box.disabled = false;
      esc.hidden = true;
    };
    follow(askSocket({ signal: control.signal }), slip, {
      thought(all) {
        thinking.textContent = `✻ ${all}`;
      },
      text(all) {
        text.textContent = all;
      },
      asked(question) {
        if (slip === 'blind') return rest();
        out.append(el('div', { class: 'ap-gate' }, question, el('button', {}, 'Allow once'), el('button', {}, 'Deny')));
      },
      end(how) {
        rest();
        const note = {
          truncated: '⎿ output limit reached',
          refused: '⎿ the agent declined to go on',
          failed: '⎿ API error: overloaded',
          aborted: '⎿ interrupted by user',
          closed: '⎿ agent process exited',
          broken: '⎿ agent process exited',
        }[how];
        if (note) out.append(el('div', { class: 'ap-bad' }, note));
      },
    });
  };
};
