/** A messenger on a phone, with ticks and the state of the other side in the head, over a model on the person's own machine. */
import { h, lines, post } from '../read.js';

export const start = (root, slip) => {
  const presence = h('small', {}, '在线');
  const log = h('div', { class: 'chat' }, h('div', { class: 'day' }, '今天'));
  const box = h('input', { placeholder: '发消息', 'aria-label': '消息' });
  const go = h('button', { class: 'go', 'aria-label': '发送' }, '➤');
  const form = h('form', {}, box, go);
  root.append(
    h(
      'div',
      { class: 'phone' },
      h('header', {}, '‹', h('span', { class: 'face' }, '山'), h('div', {}, h('b', {}, '小山'), presence)),
      log,
      form,
    ),
  );
  let controller = null;

  const ask = async (content) => {
    const ticks = h('span', { class: 'ticks' }, '✓');
    log.append(h('div', { class: 'b out' }, content, h('span', { class: 'at' }, '10:42 ', ticks)));
    const text = h('span', { class: 't' });
    const at = h('span', { class: 'at' });
    const bubble = h('div', { class: 'b in' }, text, at);
    controller = new AbortController();
    presence.textContent = '正在输入…';
    go.textContent = '■';
    go.setAttribute('aria-label', '停止');
    let reason = null;
    const rest = () => {
      presence.textContent = '在线';
      go.textContent = '➤';
      go.setAttribute('aria-label', '发送');
      controller = null;
    };
    const mark = (words) => log.append(h('button', { class: 'again' }, words));
    try {
      for await (const line of lines(
        await post('/ollama/api/chat', { model: 'qwen3', stream: true, messages: [{ role: 'user', content }] }, controller.signal),
      )) {
        if (line.error !== undefined) throw new Error(line.error);
        ticks.textContent = '✓✓';
        if (line.message.content !== '') {
          if (!bubble.isConnected) log.append(bubble);
          text.textContent += line.message.content;
        }
        if (line.done) reason = line.done_reason;
      }
      if (reason === null && slip === '') throw new Error('cut');
      rest();
      at.textContent = '10:43';
      if (reason === 'length' && slip === '') mark('回答过长，内容不完整 · 点此继续');
    } catch (error) {
      rest();
      if (slip !== '') at.textContent = '10:43';
      else if (error.name === 'AbortError') mark('已停止生成');
      else mark('❗ 回复中断，点此重试');
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (controller !== null) return controller.abort();
    const content = box.value;
    box.value = '';
    ask(content);
  });
};
