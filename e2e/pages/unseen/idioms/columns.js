/** Two agents side by side, one question to both, each on its own connection; a dot in each head says how it is doing. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const box = el('input', { 'aria-label': 'Ask both' });
  const heads = [];
  const columns = ['Nova', 'Atlas'].map((name) => {
    const dot = el('span', { class: 'co-dot', title: 'idle' });
    heads.push(dot);
    return el('section', { class: 'co-col' }, el('h3', {}, dot, name), el('div', { class: 'co-body' }));
  });
  app.append(el('div', { class: 'co-row' }, ...columns), el('div', {}, box, el('button', { onclick: () => go() }, 'Compare')));
  const one = (at, events, how) => {
    const body = columns[at].querySelector('.co-body');
    const dot = heads[at];
    dot.className = 'co-dot co-live';
    dot.title = 'writing';
    const p = body.appendChild(el('p'));
    follow(events, how, {
      text(all) {
        p.textContent = all;
      },
      end(end) {
        dot.className = `co-dot ${end === 'completed' ? 'co-good' : 'co-bad'}`;
        dot.title = end === 'completed' ? 'finished' : 'unfinished';
        if (end !== 'completed')
          body.append(el('p', { class: 'co-why' }, end === 'failed' ? 'Atlas ran into an error.' : 'Atlas went away in the middle of it.'));
      },
    });
  };
  const go = () => {
    box.value = '';
    one(0, ask('messages', { more: { scenario: 'completed', words: 'german' } }), '');
    one(1, ask('gemini'), slip);
  };
};
