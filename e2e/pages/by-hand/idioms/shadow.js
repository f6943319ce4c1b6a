/** One custom element with an open shadow root, which draws itself anew for each change; a ring turns while it works. */
export const protocol = 'agui';

class DeskChat extends HTMLElement {
  state = { items: [], busy: false, draft: '' };
  constructor() {
    super();
    this.attachShadow({ mode: 'open' });
    this.shadowRoot.innerHTML = `
      <style>
        :host { display: block } .item { padding: 8px 12px; margin: 8px 0; border: 1px solid #dde; border-radius: 8px }
        .ring { width: 16px; height: 16px; border: 2px solid #ccd; border-top-color: #06c; border-radius: 50%; animation: turn 1s linear infinite }
        @keyframes turn { to { transform: rotate(1turn) } } .end { color: #a33; font-size: 13px }
      </style>
      <section></section><div class="foot"><input aria-label="Message"><button id="go">Ask</button></div>`;
    this.shadowRoot.querySelector('#go').addEventListener('click', () => (this.state.busy ? this.stop() : this.submit()));
  }
  submit() {
    const input = this.shadowRoot.querySelector('input');
    this.state.items.push({ who: 'you', text: input.value });
    input.value = '';
    this.draw();
    this.send();
  }
  draw() {
    const { items, busy } = this.state;
    this.shadowRoot.querySelector('section').replaceChildren(
      ...items.map(({ who, text, end }) => {
        const item = document.createElement('div');
        item.className = `item ${who}`;
        item.append(Object.assign(document.createElement('b'), { textContent: who === 'you' ? 'You: ' : 'Agent: ' }), text);
        if (end) item.append(Object.assign(document.createElement('div'), { className: 'end', textContent: end }));
        return item;
      }),
      ...(busy ? [Object.assign(document.createElement('div'), { className: 'ring' })] : []),
    );
    this.shadowRoot.querySelector('#go').textContent = busy ? 'Cancel' : 'Ask';
  }
}
customElements.define('desk-chat', DeskChat);

export const mount = (app, { send, stop }) => {
  const chat = document.createElement('desk-chat');
  Object.assign(chat, { send, stop });
  app.append(chat);
  const last = () => chat.state.items.at(-1);
  return {
    begin() {
      chat.state.items.push({ who: 'agent', text: '' });
      chat.state.busy = true;
      chat.draw();
    },
    text(all) {
      last().text = all;
      chat.draw();
    },
    over(how, { question }) {
      chat.state.busy = false;
      last().end = {
        failed: 'Failed: the service is overloaded.',
        waiting: question,
        closed: 'Interrupted before the end.',
        broken: 'Interrupted before the end.',
        aborted: 'Cancelled by you.',
      }[how];
      chat.draw();
    },
  };
};
