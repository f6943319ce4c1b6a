/** A board of runs: the card is moved from column to column, and nothing else says how a run is doing. */
import { ask, el, follow } from '../read.js';

const COLUMNS = ['Running', 'Needs you', 'Interrupted', 'Done'];

export const start = (app, slip) => {
  const box = el('input', { 'aria-label': 'New task' });
  const lanes = Object.fromEntries(COLUMNS.map((name) => [name, el('div', { class: 'bd-lane' }, el('h3', {}, name))]));
  lanes.Done.append(
    el('article', { class: 'bd-card' }, el('b', {}, 'Rotate the signing keys'), el('p', {}, 'Both keys were rotated on Friday.')),
  );
  app.append(
    el('div', { class: 'bd-new' }, box, el('button', { onclick: () => go() }, 'Add')),
    el('div', { class: 'bd-board' }, ...Object.values(lanes)),
  );
  const go = () => {
    const body = el('p');
    const calls = el('ul', { class: 'bd-calls' });
    const card = el('article', { class: 'bd-card' }, el('b', {}, box.value), calls, body);
    box.value = '';
    lanes.Running.append(card);
    let call = null;
    follow(ask('uimessage'), slip === 'stuck' ? '' : slip, {
      tool({ name }) {
        call = calls.appendChild(el('li', {}, el('i', { class: 'bd-spin' }), name));
      },
      result() {
        if (slip !== 'stuck') call.firstChild.replaceWith(el('i', { class: 'bd-ok' }, '✔'));
      },
      text(all) {
        body.textContent = all;
      },
      end(how, { question }) {
        if (how === 'completed') return lanes.Done.append(card);
        if (how === 'waiting') {
          card.append(el('p', { class: 'bd-ask' }, question), el('button', {}, 'Approve'), el('button', {}, 'Decline'));
          return lanes['Needs you'].append(card);
        }
        lanes.Interrupted.append(card);
      },
    });
  };
};
