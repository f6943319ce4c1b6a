/** The stream of a run that lives on the server: when the line drops, the page attaches again, and the run is told from its beginning. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  const log = el('div', { class: 'at-log' });
  const box = el('input', { 'aria-label': 'Message' });
  const send = el('button', { onclick: () => go() }, 'Start');
  const banner = el('div', { class: 'at-banner', hidden: true });
  app.append(banner, log, el('div', {}, box, send));
  const go = async () => {
    log.append(el('div', { class: 'at-me' }, box.value));
    box.value = '';
    send.textContent = 'Working…';
    send.disabled = true;
    const body = el('div', { class: 'at-text' });
    log.append(body);
    let kept = '';
    let how = 'closed';
    for (let round = 0; round < 3 && (how === 'closed' || how === 'broken'); round++) {
      if (round > 0) {
        banner.hidden = false;
        banner.textContent = 'Reconnecting to the run…';
        await new Promise((resolve) => setTimeout(resolve, 700));
        if (slip === 'appends') kept = body.textContent;
      }
      how = await new Promise((resolve) => {
        follow(ask('uimessage', round === 0 ? {} : { method: 'GET', more: { scenario: 'completed' } }), '', {
          text(all) {
            banner.hidden = true;
            body.textContent = kept + all;
          },
          end: resolve,
        });
      });
    }
    banner.hidden = true;
    send.textContent = 'Start';
    send.disabled = false;
  };
};
