/** A query builder: the answer is rows, and each becomes a row of a table as soon as its line is whole. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const box = el('input', { 'aria-label': 'Query' });
  const body = el('tbody');
  const bar = el('progress', { hidden: true });
  const foot = el('div', { class: 'gr-foot' });
  const table = el(
    'table',
    { class: 'gr-table' },
    el('thead', {}, el('tr', {}, ...['Store', 'Revenue', 'Trend'].map((name) => el('th', {}, name)))),
    body,
  );
  app.append(el('div', {}, box, el('button', { onclick: () => go() }, 'Run query')), bar, table, foot);
  const go = () => {
    const from = performance.now();
    body.replaceChildren();
    foot.textContent = '';
    bar.hidden = false;
    follow(ask('ndjson'), slip, {
      text(all) {
        const whole = all.split('\n').slice(0, -1);
        for (const line of whole.slice(body.children.length))
          body.append(el('tr', {}, ...line.split(';').map((cell) => el('td', {}, cell))));
      },
      end(how, { text }) {
        bar.hidden = true;
        const rest = text.split('\n').slice(body.children.length);
        if (how === 'completed') for (const line of rest) body.append(el('tr', {}, ...line.split(';').map((cell) => el('td', {}, cell))));
        const stats = `${body.children.length} rows in ${((performance.now() - from) / 1000).toFixed(1)} s`;
        foot.textContent =
          how === 'completed'
            ? stats
            : `${stats}. Incomplete: ${how === 'truncated' ? 'the row limit was reached' : 'the query did not finish'}.`;
      },
    });
  };
};
