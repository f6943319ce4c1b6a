/** A file beside the chat: the agent writes it line by line, with numbers; the chat has a chip for it. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const talk = el('div', { class: 'cv-talk' });
  const lines = el('ol', { class: 'cv-lines' });
  const tab = el('div', { class: 'cv-tab' }, 'debounce.js');
  const box = el('textarea', { 'aria-label': 'Message' });
  app.append(
    el(
      'div',
      { class: 'cv-split' },
      el('div', {}, talk, box, el('button', { onclick: () => go() }, 'Go')),
      el('div', { class: 'cv-pane' }, tab, lines),
    ),
  );
  const go = () => {
    talk.append(el('p', { class: 'cv-me' }, box.value));
    box.value = '';
    const chip = el('div', { class: 'cv-chip' }, el('i', { class: 'cv-wheel' }), 'Writing debounce.js');
    talk.append(chip);
    tab.classList.add('cv-dirty');
    follow(ask('responses'), slip, {
      text(all) {
        const rows = all.split('\n');
        while (lines.children.length < rows.length) lines.append(el('li'));
        for (const [i, row] of rows.entries()) if (lines.children[i].textContent !== row) lines.children[i].textContent = row;
      },
      end(how, { question }) {
        tab.classList.remove('cv-dirty');
        const word = {
          completed: 'debounce.js, version 1',
          waiting: question,
          truncated: 'debounce.js is incomplete: output limit',
          failed: 'Could not finish debounce.js',
        }[how];
        chip.replaceChildren(word ?? 'debounce.js is a partial draft');
        if (how === 'completed') chip.append(el('button', {}, 'Download'), el('button', {}, 'Copy'));
        if (how === 'waiting') chip.append(el('button', {}, 'Write it'), el('button', {}, 'Not now'));
      },
    });
  };
};
