/** The transcript beside a voice agent: an orb with its state, and words that come at the pace of speech. */
import { events, h, post } from '../read.js';

const WORD_MS = 70;

export const start = (root, slip) => {
  const orb = h('button', { class: 'orb', 'aria-label': '말하기 중지' });
  const label = h('p', { class: 'label' }, '듣고 있어요');
  const lines = h('div', { class: 'lines' });
  const box = h('input', { placeholder: '또는 입력하세요', 'aria-label': '입력' });
  const form = h('form', {}, box, h('button', {}, '보내기'));
  root.append(orb, label, lines, form);
  let controller = null;
  orb.addEventListener('click', () => controller?.abort());
  const to = (state, text) => {
    orb.className = `orb ${state}`;
    label.textContent = text;
  };

  const ask = async (content) => {
    lines.append(h('p', { class: 'me' }, content));
    const said = h('p', { class: 'agent' });
    lines.append(said);
    controller = new AbortController();
    to('thinking', '생각하는 중…');
    const queue = [];
    let after = null;
    const timer = setInterval(() => {
      const word = queue.shift();
      if (word !== undefined) {
        to('speaking', '말하는 중…');
        said.append(word);
      } else if (after !== null) {
        clearInterval(timer);
        after();
      }
    }, WORD_MS);
    const tell = (text, action) => lines.append(h('div', { class: 'tell' }, text, action === undefined ? '' : h('button', {}, action)));
    let finish = null;
    try {
      for await (const { data } of events(
        await post('/v1/chat/completions', { model: 'scripted-1', stream: true, messages: [{ role: 'user', content }] }, controller.signal),
      )) {
        if (data === '[DONE]') break;
        const chunk = JSON.parse(data);
        if (chunk.error !== undefined) throw new Error(chunk.error.message);
        finish = chunk.choices[0].finish_reason ?? finish;
        const word = chunk.choices[0].delta.content ?? '';
        if (word !== '') queue.push(word);
      }
      after = () => {
        to('', '듣고 있어요');
        if (slip !== '') return;
        if (finish === null) tell('연결이 끊겨 답변이 중간에 멈췄어요. ', '다시 시도');
        else if (finish === 'length') tell('답변이 너무 길어 여기에서 잘렸어요. ', '이어서 듣기');
      };
    } catch (error) {
      const stopped = error.name === 'AbortError';
      if (stopped) queue.length = 0;
      after = () => {
        to('', '듣고 있어요');
        if (slip === '') tell(stopped ? '중단됨' : '문제가 발생했어요. ', stopped ? undefined : '다시 시도');
      };
    }
    controller = null;
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const content = box.value;
    box.value = '';
    ask(content);
  });
};
