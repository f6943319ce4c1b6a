/** A modal of an office program: the draft fills an output, and Insert can be pressed once it is there. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const page = el(
    'article',
    { class: 'dl-page' },
    el('h2', {}, 'Minutes'),
    el('p', {}, 'The board met on Monday and approved the budget.'),
  );
  const output = el('output', { class: 'dl-out' });
  const insert = el('button', { disabled: true }, 'Insert');
  const close = el('button', { onclick: () => dialog.close() }, 'Discard');
  const line = el('p', { class: 'dl-line', role: 'status' });
  const dialog = el('dialog', { class: 'dl-box' }, el('h3', {}, 'Draft'), output, line, el('footer', {}, insert, close));
  const box = el('input', { 'aria-label': 'Instruction' });
  app.append(el('div', { class: 'dl-tools' }, box, el('button', { onclick: () => go() }, 'Draft with AI')), page, dialog);
  const go = () => {
    output.textContent = '';
    output.setAttribute('aria-busy', 'true');
    insert.disabled = true;
    line.textContent = 'Drafting…';
    dialog.showModal();
    follow(ask('messages'), slip, {
      text(all) {
        output.textContent = all;
      },
      end(how, { question }) {
        output.removeAttribute('aria-busy');
        line.textContent = '';
        if (how === 'completed') insert.disabled = false;
        else if (how === 'waiting') line.append(question, el('button', {}, 'Go ahead'), el('button', {}, 'No'));
        else
          line.textContent =
            { truncated: 'The draft is longer than allowed and ends here.', failed: 'Drafting failed.' }[how] ??
            'The connection dropped. This is only the first part.';
      },
    });
  };
};
