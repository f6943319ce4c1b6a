/** Tries once more by itself when the line is lost, and says so; what the first attempt wrote is dropped. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const log = el('div', { class: 'ag-log' });
  const box = el('input', { 'aria-label': 'Message' });
  const send = el('button', { onclick: () => go() }, 'Send');
  app.append(log, el('div', {}, box, send));
  const go = async () => {
    log.append(el('p', { class: 'ag-me' }, box.value));
    box.value = '';
    send.disabled = true;
    const body = el('div', { class: 'ag-text' });
    const line = el('div', { class: 'ag-line' }, 'Answering');
    log.append(body, line);
    let kept = '';
    const once = (more) =>
      new Promise((resolve) => {
        follow(ask('messages', { more }), '', {
          text(all) {
            body.textContent = kept + all;
          },
          end: (how, { text }) => resolve({ how, text }),
        });
      });
    const first = await once({});
    let { how } = first;
    if (how === 'closed' || how === 'broken') {
      line.textContent = 'Connection lost, trying again';
      await new Promise((resolve) => setTimeout(resolve, 900));
      // The second attempt says everything from the beginning.
      if (slip === 'appends') kept = first.text;
      else body.textContent = '';
      ({ how } = await once({ scenario: slip === 'both' ? 'severed-mid-text' : 'completed' }));
    }
    send.disabled = false;
    if (slip === 'both' || how === 'completed') line.remove();
    else {
      line.textContent = 'No answer. ';
      line.append(el('button', { onclick: () => go() }, 'Retry'));
    }
  };
};
