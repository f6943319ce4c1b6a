/** A support bubble at the corner of a shop: an agent's name, typing dots under the bubble, a vote when it has answered. */
import { events, h, post } from '../read.js';

export const start = (root, slip) => {
  const log = h(
    'div',
    { class: 'log', role: 'log' },
    h('div', { class: 'msg agent' }, 'Bonjour ! Je suis Léa. Comment puis-je vous aider ?'),
  );
  const box = h('input', { placeholder: 'Écrivez votre message…', 'aria-label': 'Message' });
  const form = h('form', { class: 'foot' }, box, h('button', { 'aria-label': 'Envoyer' }, '➤'));
  const panel = h(
    'section',
    { class: 'panel', hidden: true, 'aria-label': 'Assistance' },
    h('header', {}, h('span', { class: 'avatar' }, 'L'), h('div', {}, h('b', {}, 'Léa'), h('small', {}, 'Assistance en ligne'))),
    log,
    form,
  );
  const launcher = h('button', { class: 'launcher', 'aria-label': 'Ouvrir le chat', onclick: () => panel.toggleAttribute('hidden') }, '💬');
  const goods = ['Lampe de bureau', 'Carnet ligné', 'Gourde isotherme', 'Sac à dos'];
  root.append(
    h('h1', {}, 'Atelier Mistral'),
    h('div', { class: 'goods' }, ...goods.map((name) => h('figure', {}, h('div', { class: 'ph' }), h('figcaption', {}, name)))),
    panel,
    launcher,
  );
  const typing = h('div', { class: 'typing', 'aria-label': 'Léa est en train d’écrire' }, h('i'), h('i'), h('i'));
  const show = (element) => {
    log.append(element);
    log.scrollTop = log.scrollHeight;
  };

  const ask = async (query) => {
    show(h('div', { class: 'msg me' }, query));
    show(typing);
    const bubble = h('div', { class: 'msg agent' });
    let state = 'open';
    let why = '';
    try {
      for await (const { data } of events(await post('/v1/chat-messages', { query, response_mode: 'streaming', user: 'u', inputs: {} }))) {
        if (data === '') continue;
        const event = JSON.parse(data);
        if (event.event === 'message') {
          if (bubble.textContent === '') {
            typing.before(bubble);
            if (slip === 'dots') typing.remove();
          }
          bubble.append(event.answer);
          log.scrollTop = log.scrollHeight;
        } else if (event.event === 'message_end') state = 'done';
        else if (event.event === 'human_input_required' && slip === '') {
          state = 'asks';
          const actions = event.data.actions.map(({ title }) => h('button', { class: 'choice' }, title));
          typing.remove();
          show(h('div', { class: 'card' }, h('p', {}, event.data.form_content), ...actions));
        } else if (event.event === 'error' || (event.event === 'workflow_finished' && event.data.status === 'failed')) {
          throw new Error(event.data?.error ?? event.message);
        }
      }
    } catch (error) {
      why = error.message;
    } finally {
      typing.remove();
    }
    if (slip === 'dots') return;
    if (state === 'done' || slip !== '') {
      bubble.after(
        h(
          'div',
          { class: 'meta' },
          'Léa · à l’instant · Cette réponse vous a-t-elle aidé ? ',
          h('button', {}, '👍'),
          h('button', {}, '👎'),
        ),
      );
    } else if (state === 'open') {
      const text = why === '' ? 'La réponse a été interrompue.' : 'Désolée, un problème est survenu.';
      show(h('div', { class: 'oops' }, '⚠ ', text, ' ', h('button', {}, 'Réessayer')));
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const query = box.value;
    box.value = '';
    ask(query);
  });
};
