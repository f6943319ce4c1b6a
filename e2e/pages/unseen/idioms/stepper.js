/** A report wizard: steps with marks, what the agent considers in an aside, and the report below once there is one. */
import { ask, el, follow } from '../read.js';

const STEPS = ['Understand', 'Look up', 'Write'];

export const start = (app, slip) => {
  const input = el('input', { 'aria-label': 'Question' });
  const run = el('button', {}, 'Create report');
  const list = el('ol', { class: 'steps' });
  const aside = el('aside', { hidden: true, 'aria-label': 'What the agent considers' });
  const report = el('section', { class: 'report', hidden: true });
  app.append(el('h2', {}, 'Reports'), el('form', { onsubmit: () => go() }, input, run), list, aside, report);
  let at = 0;
  const draw = (mark) => {
    list.replaceChildren(
      ...STEPS.map((name, i) =>
        el(
          'li',
          i === at && mark === '' ? { 'aria-current': 'step', class: 'now' } : {},
          `${i < at ? '✓' : i === at ? mark || '●' : '○'} ${name}`,
        ),
      ),
    );
  };
  const go = () => {
    run.disabled = true;
    at = 0;
    draw('');
    report.hidden = true;
    const said = aside.appendChild(el('p'));
    follow(ask('kestrel'), slip, {
      thought(all) {
        aside.hidden = false;
        said.textContent = all;
      },
      step({ text }) {
        at = 1;
        draw('');
        list.children[1].append(el('small', {}, ` ${text}`));
      },
      result() {
        at = 2;
        draw('');
      },
      text(all) {
        report.textContent = all;
      },
      end(how, { text, thought, question }) {
        run.disabled = false;
        if (how === 'completed') {
          at = 3;
          draw('');
          aside.hidden = true;
          report.hidden = false;
          if (text === '') report.textContent = slip !== '' && question === null ? thought : 'The report is ready.';
          return;
        }
        draw(how === 'waiting' ? '?' : '✗');
        report.hidden = false;
        report.replaceChildren(
          how === 'waiting'
            ? el('label', {}, question, el('input', { 'aria-label': 'Your reply' }), el('button', {}, 'Reply'))
            : el('strong', {}, how === 'failed' ? 'The agent gave up on this step.' : 'Lost contact with the agent at this step.'),
        );
      },
    });
  };
};
