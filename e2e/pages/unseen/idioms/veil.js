/** Text that is not certain yet is pale and a little blurred; that is all that says so. In Chinese as written in Taiwan. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  document.documentElement.lang = 'zh-Hant-TW';
  const list = el('div', { class: 've-list' });
  const box = el('input', { 'aria-label': '輸入問題' });
  app.append(list, el('div', {}, box, el('button', { onclick: () => go() }, '送出')));
  const go = () => {
    list.append(el('p', { class: 've-me' }, box.value));
    box.value = '';
    const text = el('p', {});
    text.style.cssText = 'opacity: .45; filter: blur(.6px); transition: opacity .4s, filter .4s';
    list.append(text);
    follow(ask('responses'), slip, {
      text(all) {
        text.textContent = all;
      },
      end(how, { question }) {
        if (how === 'completed' || how === 'waiting') {
          text.style.opacity = '1';
          text.style.filter = 'none';
        }
        if (how === 'waiting') list.append(el('p', {}, question, el('button', {}, '好'), el('button', {}, '不用')));
        else if (how !== 'completed')
          list.append(
            el('p', { class: 've-note' }, { truncated: '回答過長,已截斷', failed: '產生回答時發生錯誤' }[how] ?? '連線中斷,回答不完整'),
          );
      },
    });
  };
};
