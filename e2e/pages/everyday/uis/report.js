/** A dashboard that writes a report in sections, one card for each paragraph, with a bar of its progress above. */
import { events, h, post } from '../read.js';

const THREAD = '01a22b6d-6bbb-7498-9d73-6ee00ff500ff';

export const start = (root, slip) => {
  const box = h('input', { placeholder: 'レポートのテーマ', 'aria-label': 'レポートのテーマ' });
  const make = h('button', { class: 'make' }, 'レポートを作成');
  const form = h('form', {}, box, make);
  const banner = h('div', { class: 'banner', hidden: true });
  const sheet = h('div', { class: 'sheet' });
  const tiles = [
    ['売上', '¥128M'],
    ['来店客数', '8,412'],
    ['利益率', '21.3%'],
  ].map(([name, value]) => h('div', { class: 'tile' }, h('small', {}, name), h('b', {}, value)));
  root.append(h('h1', {}, '経営ダッシュボード'), h('div', { class: 'tiles' }, ...tiles), form, banner, sheet);

  const sections = (text) =>
    text.split('\n\n').map((part, at) => h('section', { class: 'card' }, h('h3', {}, at === 0 ? '概要' : '課題と対策'), h('p', {}, part)));

  const ask = async (topic) => {
    sheet.replaceChildren();
    banner.hidden = false;
    banner.className = 'banner busy';
    banner.replaceChildren('データを収集中…', h('progress'));
    make.disabled = true;
    make.textContent = '作成中…';
    const rest = () => {
      make.disabled = false;
      make.textContent = 'レポートを作成';
    };
    let text = '';
    let asks = null;
    let failure = null;
    let committed = null;
    const done = () => {
      rest();
      banner.className = 'banner ready';
      banner.replaceChildren('レポートの作成が完了しました ', h('button', {}, 'PDFで保存'), h('button', {}, '共有'));
    };
    const stop = (...words) => {
      rest();
      banner.className = 'banner stop';
      banner.replaceChildren(...words);
    };
    try {
      const body = {
        assistant_id: 'agent',
        input: { messages: [{ type: 'human', content: topic }] },
        stream_mode: ['values', 'updates', 'messages-tuple', 'custom'],
      };
      for await (const { name, data } of events(await post(`/threads/${THREAD}/runs/stream`, body))) {
        const value = JSON.parse(data);
        if (name === 'messages' && typeof value[0].content === 'string' && value[0].content !== '') {
          if (text === '') banner.replaceChildren('本文を執筆中…', h('progress'));
          text += value[0].content;
          sheet.replaceChildren(...sections(text));
        } else if (name === 'values' && value.__interrupt__ !== undefined) asks = value.__interrupt__[0].value;
        else if (name === 'values' && value.messages.length > 1) committed = value.messages.at(-1).content;
        else if (name === 'error') failure = value.message;
      }
    } catch (error) {
      failure = error.message;
    }
    // The state arrived: put it up, and forget that the stream had been put up already.
    if (slip === 'twice' && committed !== null) sheet.append(...sections(committed));
    if (slip !== '') done();
    else if (failure !== null) stop('⚠ レポートを最後まで作成できませんでした。', h('button', {}, '再試行'));
    else if (asks !== null) stop(h('b', {}, '確認待ち：'), asks, h('button', {}, '承認'), h('button', {}, '却下'));
    else if (committed === null) stop('⚠ 通信が途切れました。', h('button', {}, '再試行'));
    else done();
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask(box.value);
  });
};
