/** Plain elements, a blinking caret behind the text, a composer that is off while the agent writes. */
export const protocol = 'chat';

export const mount = (app, { send, stop }) => {
  app.innerHTML = `<div class="log"></div><form class="row"><input aria-label="Message" /><button>Send</button></form>`;
  const log = app.querySelector('.log');
  const input = app.querySelector('input');
  const button = app.querySelector('button');
  let bubble;
  let body;
  let busy = false;
  app.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    if (busy) return stop();
    const me = log.appendChild(document.createElement('div'));
    me.className = 'me';
    me.textContent = input.value;
    input.value = '';
    send();
  });
  return {
    begin() {
      busy = true;
      input.disabled = true;
      button.textContent = 'Stop';
      bubble = log.appendChild(document.createElement('div'));
      bubble.className = 'bubble';
      body = bubble.appendChild(document.createElement('span'));
      bubble.append(Object.assign(document.createElement('span'), { className: 'caret', textContent: '▍' }));
    },
    text(all) {
      body.textContent = all;
    },
    over(how, { question }) {
      busy = false;
      input.disabled = false;
      button.textContent = 'Send';
      bubble.querySelector('.caret').remove();
      const note = {
        truncated: 'The answer was cut at its length limit.',
        failed: 'Something went wrong.',
        waiting: question,
        closed: 'The connection was lost.',
        broken: 'The connection was lost.',
        aborted: 'Stopped.',
      }[how];
      if (note) log.append(Object.assign(document.createElement('p'), { className: 'note', textContent: note }));
    },
  };
};
