/** A support widget in a same-origin frame: dots until the first word, then words that fade in one by one; icons only. */
export const protocol = 'responses';

const STYLE = `body{font:14px system-ui;margin:0;display:flex;flex-direction:column;height:100vh}.list{flex:1;overflow:auto;padding:12px}
.a{background:#eef;border-radius:10px;padding:8px 12px;margin:8px 0}.q{text-align:right;margin:8px 0}.w{animation:in .4s}@keyframes in{from{opacity:0}}
.d i{display:inline-block;width:6px;height:6px;border-radius:3px;background:#77a;margin:2px;animation:hop 1s infinite}@keyframes hop{50%{opacity:.2}}.n{color:#a33;font-size:12px}footer{display:flex;padding:8px;gap:8px}input{flex:1}`;
const SEND = '<svg width="16" height="16" viewBox="0 0 16 16"><path d="M1 8l14-6-5 14-3-6z"/></svg>';
const STOP = '<svg width="16" height="16" viewBox="0 0 16 16"><rect x="3" y="3" width="10" height="10"/></svg>';

export const mount = (app, { send, stop }) => {
  const frame = document.createElement('iframe');
  frame.title = 'Support';
  Object.assign(frame.style, {
    position: 'fixed',
    right: '16px',
    bottom: '16px',
    width: '420px',
    height: '520px',
    border: '1px solid #ccd',
  });
  app.append(frame);
  const doc = frame.contentDocument;
  doc.head.append(Object.assign(doc.createElement('style'), { textContent: STYLE }));
  doc.body.innerHTML = `<div class="list"></div><footer><input aria-label="Message"><button aria-label="Send">${SEND}</button></footer>`;
  const list = doc.querySelector('.list');
  const input = doc.querySelector('input');
  const button = doc.querySelector('button');
  let bubble;
  let shown = '';
  let busy = false;
  button.addEventListener('click', () => {
    if (busy) return stop();
    list.append(Object.assign(doc.createElement('div'), { className: 'q', textContent: input.value }));
    input.value = '';
    send();
  });
  return {
    begin() {
      busy = true;
      shown = '';
      button.innerHTML = STOP;
      button.setAttribute('aria-label', 'Stop');
      bubble = list.appendChild(Object.assign(doc.createElement('div'), { className: 'a' }));
      bubble.innerHTML = '<span class="d"><i></i><i></i><i></i></span>';
    },
    text(all) {
      bubble.querySelector('.d')?.remove();
      const more = all.startsWith(shown) ? all.slice(shown.length) : all;
      shown = all;
      for (const word of more.match(/\s*\S+\s*/gu) ?? [])
        bubble.append(Object.assign(doc.createElement('span'), { className: 'w', textContent: word }));
    },
    over(how, { question }) {
      busy = false;
      button.innerHTML = SEND;
      button.setAttribute('aria-label', 'Send');
      bubble.querySelector('.d')?.remove();
      const note = {
        truncated: 'Shortened.',
        failed: 'Could not answer.',
        waiting: question,
        closed: 'Lost the connection.',
        broken: 'Lost the connection.',
        aborted: 'Stopped.',
      }[how];
      if (note) list.append(Object.assign(doc.createElement('div'), { className: 'n', textContent: note }));
    },
  };
};
