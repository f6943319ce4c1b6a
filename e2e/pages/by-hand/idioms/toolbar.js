/** Each finished message gets its own buttons; until then it has none. The composer says nothing. */
export const protocol = 'responses';

export const mount = (app, { send, stop }) => {
  app.innerHTML = `<ol style="list-style:none;padding:0"></ol><div class="row"><div contenteditable="plaintext-only" role="textbox" aria-label="Message" style="border:1px solid #ccd;padding:6px"></div><button>➤</button></div>`;
  const list = app.querySelector('ol');
  const box = app.querySelector('[role=textbox]');
  let item;
  let body;
  app.querySelector('button').addEventListener('click', () => {
    list.append(Object.assign(document.createElement('li'), { className: 'me', textContent: box.textContent }));
    box.textContent = '';
    send();
  });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && stop());
  return {
    begin() {
      item = list.appendChild(document.createElement('li'));
      body = item.appendChild(Object.assign(document.createElement('div'), { className: 'bubble' }));
      body.textContent = '…';
    },
    text(all) {
      body.textContent = all;
    },
    over(how, { question }) {
      const note = {
        truncated: 'Incomplete: length limit.',
        failed: 'Error. Retry',
        waiting: question,
        closed: 'Connection lost. Retry',
        broken: 'Connection lost. Retry',
        aborted: 'Interrupted.',
      }[how];
      if (note) item.append(Object.assign(document.createElement('div'), { className: 'note', textContent: note }));
      else
        item.insertAdjacentHTML(
          'beforeend',
          '<div><button>Copy</button> <button aria-label="Good answer">👍</button> <button aria-label="Bad answer">👎</button></div>',
        );
    },
  };
};
