// What a witness in a world of its own may stumble over: shadow trees of both kinds, a page that lies about its own nodes,
// requests made of objects that cannot be cloned, text that no JSON keeps.
const trees = {};
for (const mode of ['open', 'closed'])
  customElements.define(
    `${mode}-answer`,
    class extends HTMLElement {
      constructor() {
        super();
        trees[mode] = this.attachShadow({ mode }).appendChild(document.createElement('p'));
      }
    },
  );

const lie = () => {
  throw new Error('the page says: none of your business');
};
const lieAboutAll = () => {
  for (const [prototype, names] of [
    [Node.prototype, ['textContent', 'childNodes', 'parentNode']],
    [HTMLElement.prototype, ['innerText']],
    [Element.prototype, ['shadowRoot', 'className']],
    [CharacterData.prototype, ['data']],
  ]) {
    for (const name of names) {
      const { set } = Object.getOwnPropertyDescriptor(prototype, name);
      Object.defineProperty(prototype, name, { get: lie, set, configurable: true });
    }
  }
  Element.prototype.getBoundingClientRect = lie;
  window.getComputedStyle = lie;
  window.MutationObserver = lie;
};

const ask = async (input, init) => {
  const text = await (await fetch(input, init)).text();
  return JSON.parse(text.trim().split('\ndata: ').pop()).payload.result.assistantText;
};

document.getElementById('send').addEventListener('click', async () => {
  lieAboutAll();
  const url = new URL(`/api/agent/stream${location.search}`, location.href);
  const body = '{"message":"go"}';
  const headers = new Headers({ 'x-odd': 'a value with  two spaces' });
  const shown = await ask(url, { method: 'POST', body: new Blob([body]), headers });
  await ask(new Request(url, { method: 'POST', body, headers }));
  await ask(`${url}`, { method: 'POST', body: new TextEncoder().encode(body).buffer, headers: [['x-odd', 'list']] });
  await ask({ toString: () => `${url}` }, { method: 'POST', body: new DataView(new TextEncoder().encode(body).buffer) });
  trees.open.append(shown);
  trees.closed.append(shown);
  document.getElementById('answer').append(`${shown} \ud800 \u0000 \u2028 \u202e \ufffe`);
  document.body.dataset.done = 'yes';
});
