/** A search with a bar that fills up; what the tool is doing is under it, and the result takes its place. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const box = el('input', { 'aria-label': 'Search' });
  const fill = el('div', { class: 'pc-fill' });
  const bar = el('div', { class: 'pc-bar', role: 'progressbar', 'aria-valuemin': '0', 'aria-valuemax': '100', hidden: true }, fill);
  const doing = el('p', { class: 'pc-doing' });
  const result = el('article', { class: 'pc-result' });
  app.append(el('form', { onsubmit: () => go() }, box, el('button', {}, 'Search')), bar, doing, result);
  const go = () => {
    box.value = '';
    bar.hidden = false;
    bar.setAttribute('aria-valuenow', '0');
    follow(ask('mcp'), slip, {
      step({ text, part }) {
        doing.textContent = text;
        fill.style.width = `${part * 100}%`;
        bar.setAttribute('aria-valuenow', String(Math.round(part * 100)));
      },
      text(all) {
        result.textContent = all;
      },
      end(how, { text }) {
        bar.hidden = true;
        if (how === 'completed') {
          if (text === '') result.textContent = doing.textContent;
          doing.textContent = '';
        } else doing.textContent = how === 'failed' ? 'The search failed.' : 'The search was interrupted. Search again?';
      },
    });
  };
};
