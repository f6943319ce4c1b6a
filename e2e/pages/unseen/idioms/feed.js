/** An activity feed in Japanese: what happened and when, thought in a panel that folds itself away, and the answer as an entry. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  document.documentElement.lang = 'ja';
  const status = el('span', { class: 'fd-pill' }, '待機中');
  const list = el('ul', { class: 'fd-list' });
  const box = el('input', { 'aria-label': '質問' });
  app.append(el('header', { class: 'fd-head' }, el('b', {}, 'サポート担当'), status), list);
  app.append(el('form', { class: 'fd-form', onsubmit: () => go() }, box, el('button', {}, '送信')));
  let n = 0;
  const entry = (...children) => {
    const row = el('li', {}, el('time', {}, `10:0${n++}`), ...children);
    list.append(row);
    return row;
  };
  const go = () => {
    entry(el('b', {}, 'あなた'), ` ${box.value}`);
    box.value = '';
    status.textContent = '対応中';
    status.classList.add('fd-on');
    const inner = el('p');
    const fold = el('details', { open: true }, el('summary', {}, '考えていること'), inner);
    let body = null;
    let call = null;
    follow(ask('agui'), slip === 'tick' ? '' : slip, {
      thought(all) {
        if (fold.parentNode === null) entry(fold);
        inner.textContent = all;
      },
      tool({ name }) {
        call = entry(el('code', {}, name), el('span', { class: 'fd-mark' }, slip === 'tick' ? '✓ 完了' : '⏳ 実行中'));
      },
      result({ text }) {
        call.querySelector('.fd-mark').textContent = `✓ 完了`;
        call.append(el('small', {}, text));
      },
      text(all) {
        fold.open = false;
        body ??= entry(el('p')).querySelector('p');
        body.textContent = all;
      },
      end(how, { question }) {
        status.classList.remove('fd-on');
        const word = { completed: '完了', waiting: '返信待ち', failed: '失敗', aborted: '中止', truncated: '途中まで' }[how] ?? '切断';
        status.textContent = word;
        if (how === 'waiting') entry(el('b', {}, question), el('button', {}, 'はい'), el('button', {}, 'いいえ'));
        else if (how !== 'completed')
          entry(
            el(
              'em',
              {},
              { failed: '回答の作成に失敗しました', truncated: '長さの上限に達しました' }[how] ?? '接続が切れたため、回答は途中です',
            ),
          );
      },
    });
  };
};
