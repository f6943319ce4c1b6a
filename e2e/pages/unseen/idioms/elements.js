/** Custom elements with closed shadow roots; the state is a custom state that only CSS sees. */
import { ask, el, follow } from '../read.js';

const CSS = `
  :host { display: block; margin: 10px 0; padding: 10px 14px; border-radius: 4px; background: #f3f1ec; white-space: pre-wrap }
  :host(:state(live)) .tail { display: inline-block } .tail { display: none; width: 7px; height: 15px; background: #b35; animation: t 1s steps(2) infinite }
  :host(:state(live)) { border-inline-start: 4px solid #b35 } :host(:state(broken)) { border-inline-start: 4px dotted #b35 }
  .why { color: #a33; font-size: 13px } @keyframes t { to { opacity: 0 } }`;

class WorkBubble extends HTMLElement {
  #root = this.attachShadow({ mode: 'closed' });
  #internals = this.attachInternals();
  constructor() {
    super();
    this.#root.innerHTML = `<style>${CSS}</style><span></span><b class="tail"></b><div class="why"></div>`;
  }
  set text(value) {
    this.#root.querySelector('span').textContent = value;
  }
  set phase(value) {
    this.#internals.states.clear();
    if (value !== '') this.#internals.states.add(value);
  }
  set why(value) {
    this.#root.querySelector('.why').replaceChildren(...[value].flat());
  }
}
customElements.define('work-bubble', WorkBubble);

export const start = (app, slip) => {
  document.documentElement.lang = 'de';
  const list = el('div');
  const box = el('textarea', { 'aria-label': 'Nachricht' });
  app.append(list, el('div', { class: 'el-foot' }, box, el('button', { onclick: () => go() }, 'Fragen')));
  const go = () => {
    const mine = list.appendChild(document.createElement('work-bubble'));
    mine.text = box.value;
    box.value = '';
    const bubble = list.appendChild(document.createElement('work-bubble'));
    bubble.phase = 'live';
    follow(ask('chat'), slip, {
      text(all) {
        bubble.text = all;
      },
      end(how, { question }) {
        bubble.phase = how === 'completed' || how === 'waiting' ? '' : 'broken';
        bubble.why =
          {
            completed: '',
            waiting: question === null ? '' : [question, el('button', {}, 'Ja'), el('button', {}, 'Nein')],
            truncated: 'Die Antwort wurde an der Längengrenze abgeschnitten.',
            refused: 'Der Rest wurde vom Inhaltsfilter zurückgehalten.',
            failed: 'Beim Antworten ist ein Fehler aufgetreten.',
          }[how] ?? 'Die Verbindung brach ab.';
      },
    });
  };
};
