/** "Ask AI" over a documentation page: a dialog, an answer with its sources, and a vote below. */
import { events, h, post } from '../read.js';

export const start = (root, slip) => {
  const box = h('input', { type: 'text', placeholder: 'Pregunta a la IA…', 'aria-label': 'Pregunta' });
  const bar = h('div', { class: 'progress', hidden: true }, h('i'));
  const status = h('p', { class: 'status', role: 'status' });
  const answer = h('div', { class: 'answer' });
  const foot = h('div', { class: 'foot' });
  const form = h('form', {}, h('span', {}, '🔍'), box);
  const dialog = h('dialog', { 'aria-label': 'Preguntar a la IA' }, form, bar, status, answer, foot);
  root.append(
    h('header', {}, h('b', {}, 'Nimbus Docs'), h('button', { class: 'ask', onclick: () => dialog.showModal() }, 'Preguntar a la IA ⌘K')),
    h('nav', {}, ...['Inicio', 'Despliegue', 'Credenciales', 'Registros', 'Facturación'].map((name) => h('a', { href: '#' }, name))),
    h(
      'article',
      {},
      h('h1', {}, 'Credenciales'),
      h('p', {}, 'Cada proyecto tiene sus propias credenciales. Se crean en la consola o con la herramienta de línea de comandos.'),
    ),
    dialog,
  );

  const ask = async (question) => {
    answer.replaceChildren();
    foot.replaceChildren();
    bar.hidden = false;
    box.disabled = true;
    status.textContent = 'Buscando en la documentación…';
    let finish = null;
    const rest = () => {
      bar.hidden = true;
      box.disabled = false;
      status.textContent = '';
    };
    const alert = (text) => foot.append(h('div', { role: 'alert', class: 'alert' }, text, ' ', h('button', {}, 'Volver a preguntar')));
    const sources = () =>
      foot.append(
        h(
          'div',
          { class: 'sources' },
          'Fuentes: ',
          h('a', { href: '#' }, 'Credenciales'),
          ' ',
          h('a', { href: '#' }, 'Rotación de claves'),
        ),
        h('div', { class: 'vote' }, '¿Te ha servido? ', h('button', {}, 'Sí'), h('button', {}, 'No'), h('button', {}, 'Copiar')),
      );
    try {
      const body = {
        id: 'chat_1',
        messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: question }] }],
        trigger: 'submit-message',
      };
      for await (const { data } of events(await post('/api/chat', body))) {
        if (data === '[DONE]') break;
        const part = JSON.parse(data);
        if (part.type === 'reasoning-start') status.textContent = 'Analizando…';
        else if (part.type === 'text-delta') {
          status.textContent = 'Redactando la respuesta…';
          answer.append(part.delta);
        } else if (part.type === 'error') throw new Error(part.errorText);
        else if (part.type === 'finish') finish = part.finishReason;
      }
      rest();
      if (slip === '' && finish === null) alert('La respuesta se cortó antes de terminar.');
      else if (slip === '' && finish === 'length') alert('Respuesta incompleta: se alcanzó el límite de longitud.');
      else sources();
    } catch (error) {
      rest();
      if (slip === 'swallow') sources();
      else alert(`No hemos podido completar la respuesta (${error.message}).`);
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask(box.value);
  });
};
