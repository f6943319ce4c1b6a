/** A search page with an overview by a model above its results, folded to its beginning when it is whole. */
import { events, h, post } from '../read.js';

const RESULTS = ['Como podar árvores frutíferas — Horta em Casa', 'Calendário do pomar por região', 'Doenças comuns dos citros'];
const FOLDED = 150;

export const start = (root, slip) => {
  const box = h('input', { type: 'search', 'aria-label': 'Pesquisar' });
  const form = h('form', {}, h('b', {}, 'Busca'), box, h('button', {}, '🔍'));
  const page = h('main', {});
  root.append(form, page);

  const ask = async (query) => {
    const text = h('div', { class: 'ov-text' });
    const shimmer = h('div', { class: 'ov-shimmer' }, h('i'), h('i'), h('i'));
    const state = h('span', { class: 'ov-state' }, 'Gerando…');
    const foot = h('div', { class: 'ov-foot' });
    const overview = h(
      'section',
      { class: 'overview', 'aria-busy': 'true' },
      h('header', {}, '✦ Visão geral criada por IA ', state),
      text,
      shimmer,
      foot,
    );
    page.replaceChildren(
      overview,
      ...RESULTS.map((title) =>
        h('div', { class: 'hit' }, h('a', { href: '#' }, title), h('p', {}, 'Dicas práticas para quem cultiva em casa.')),
      ),
    );
    let idle = 0;
    let over = false;
    let end = null;
    const whole = () => {
      if (over) return;
      over = true;
      overview.removeAttribute('aria-busy');
      state.remove();
      shimmer.remove();
      const all = text.textContent;
      if (all.length > FOLDED) {
        text.textContent = `${all.slice(0, FOLDED)}…`;
        const more = h('button', { class: 'more' }, 'Mostrar mais');
        more.addEventListener('click', () => {
          text.textContent = all;
          more.remove();
        });
        foot.append(more);
      }
      foot.append(h('small', {}, 'As respostas da IA podem conter erros. '), h('button', {}, '👍'), h('button', {}, '👎'));
    };
    const broken = (why) => {
      overview.removeAttribute('aria-busy');
      state.textContent = 'incompleta';
      shimmer.remove();
      foot.append(h('p', { class: 'ov-err' }, why));
    };
    try {
      for await (const { data } of events(await post('/v1/responses', { model: 'gpt-5.6', input: query, stream: true }))) {
        const event = JSON.parse(data);
        if (event.type === 'response.output_text.delta') {
          text.append(event.delta);
          if (slip === 'idle') {
            clearTimeout(idle);
            idle = setTimeout(whole, 1_200);
          }
        } else if (event.type === 'response.failed') throw new Error(event.response.error.message);
        else if (event.type === 'response.completed' || event.type === 'response.incomplete') {
          end = event.response.status;
          break;
        }
      }
      clearTimeout(idle);
      if (end === 'completed' || slip !== '') whole();
      else if (end === 'incomplete') broken('O resumo atingiu o tamanho máximo e está incompleto.');
      else broken('A conexão caiu antes do fim. Recarregue para tentar de novo.');
    } catch {
      if (slip !== '') whole();
      else broken('Não foi possível concluir esta visão geral.');
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask(box.value);
  });
};
