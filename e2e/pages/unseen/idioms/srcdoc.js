/** The answer is in a frame of its own so that its markup cannot hurt; the composer with its stop is around it. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const frame = el('iframe', {
    class: 'sd-frame',
    title: 'Answer',
    srcdoc: '<!doctype html><style>body{font:15px serif;margin:12px}</style><main></main>',
  });
  const box = el('input', { 'aria-label': 'Prompt' });
  const send = el('button', {}, 'Ask');
  const stop = el('button', { hidden: true }, 'Halt');
  app.append(frame, el('div', { class: 'sd-foot' }, box, send, stop));
  let control;
  stop.addEventListener('click', () => control.abort());
  send.addEventListener('click', () => {
    control = new AbortController();
    box.value = '';
    send.hidden = true;
    stop.hidden = false;
    const main = frame.contentDocument.querySelector('main');
    const paragraph = main.appendChild(frame.contentDocument.createElement('p'));
    follow(ask('langgraph', { signal: control.signal }), slip, {
      text(all) {
        paragraph.textContent = all;
      },
      end(how, { question }) {
        send.hidden = false;
        stop.hidden = true;
        if (how === 'completed') return;
        const note = main.appendChild(frame.contentDocument.createElement('p'));
        note.style.color = '#a33';
        note.textContent =
          {
            waiting: question,
            truncated: 'This answer is too long and was cut.',
            failed: 'The graph raised an error.',
            aborted: 'Halted by you.',
          }[how] ?? 'The answer broke off here.';
        if (how === 'waiting')
          note.append(
            ...['Proceed', 'Cancel'].map((name) => Object.assign(frame.contentDocument.createElement('button'), { textContent: name })),
          );
      },
    });
  });
};
