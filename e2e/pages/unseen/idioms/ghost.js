/** A code editor with a completion as ghost text: pale while it comes, and then the hint that Tab takes it. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const code = el('pre', { class: 'gh-code' }, '// keep only the last call\n');
  const box = el('input', { 'aria-label': 'Complete' });
  const bar = el('div', { class: 'gh-bar' }, el('span', {}, 'JavaScript'), el('span', {}, 'Ln 2, Col 1'));
  const state = bar.appendChild(el('span', { class: 'gh-state' }, 'Ready'));
  const go = el('button', {}, 'Complete');
  app.append(el('div', { class: 'gh-tools' }, box, go), el('div', { class: 'gh-editor' }, code, bar));
  go.addEventListener('click', () => {
    const ghost = el('span', { class: 'gh-ghost' });
    code.append(ghost);
    state.textContent = 'Completing…';
    follow(ask('generate'), slip, {
      text(all) {
        ghost.textContent = all;
      },
      end(how) {
        if (how === 'completed') {
          state.textContent = 'Ready';
          ghost.style.opacity = '.7';
          ghost.after(el('kbd', { class: 'gh-key' }, 'Tab ⇥'));
        } else if (how === 'truncated') {
          state.textContent = 'Completion too long, cut';
          ghost.after(el('kbd', { class: 'gh-key' }, 'Tab ⇥'));
        } else {
          state.textContent = 'Completion failed';
          ghost.style.textDecoration = 'line-through';
        }
      },
    });
  });
};
