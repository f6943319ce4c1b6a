/** Smoothed: the text is dealt out by a clock of its own and lags the stream; the composer is back when the last letter is. */
export const protocol = 'chat';

export const mount = (app, { send, stop }) => {
  app.innerHTML = `<div class="log"></div><form class="row"><input aria-label="Message"><button>Send</button></form>`;
  const log = app.querySelector('.log');
  const input = app.querySelector('input');
  const button = app.querySelector('button');
  let bubble;
  let wanted = '';
  let at = 0;
  let whenDealt = null;
  let busy = false;
  setInterval(() => {
    if (at < wanted.length) {
      at = Math.min(wanted.length, at + 2);
      bubble.textContent = wanted.slice(0, at);
    } else if (whenDealt !== null) {
      whenDealt();
      whenDealt = null;
    }
  }, 16);
  app.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    if (busy) return stop();
    log.append(Object.assign(document.createElement('div'), { className: 'me', textContent: input.value }));
    input.value = '';
    send();
  });
  return {
    begin() {
      busy = true;
      at = 0;
      wanted = '';
      button.textContent = 'Stop generating';
      bubble = log.appendChild(Object.assign(document.createElement('div'), { className: 'bubble' }));
    },
    text(all) {
      wanted = all;
    },
    over(how, { question }) {
      whenDealt = () => {
        busy = false;
        button.textContent = 'Send';
        const note = {
          truncated: 'Reached the length limit',
          failed: 'Generation failed',
          waiting: question,
          closed: 'Disconnected before the end',
          broken: 'Disconnected before the end',
          aborted: 'Generation stopped',
        }[how];
        if (note)
          bubble.insertAdjacentElement('afterend', Object.assign(document.createElement('p'), { className: 'note', textContent: note }));
      };
    },
  };
};
