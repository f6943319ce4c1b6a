/** A messenger in Arabic, right to left: the head says that the other side writes, and each message has ticks. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  document.documentElement.lang = 'ar';
  document.documentElement.dir = 'rtl';
  const presence = el('small', {}, 'متصل');
  const thread = el('div', { class: 'tk-thread' });
  const box = el('input', { 'aria-label': 'اكتب رسالة' });
  app.append(el('header', { class: 'tk-head' }, el('b', {}, 'خدمة العملاء'), presence), thread);
  app.append(el('form', { onsubmit: () => go() }, box, el('button', {}, '➤')));
  const bubble = (who, text = '') => {
    const tick = el('span', { class: 'tk-tick' });
    const body = el('span', {}, text);
    thread.append(el('div', { class: `tk-${who}` }, body, tick));
    return { body, tick };
  };
  const go = () => {
    bubble('me', box.value).tick.textContent = '✓✓';
    box.value = '';
    presence.textContent = 'يكتب…';
    let mine = null;
    follow(ask('a2a'), slip, {
      text(all) {
        mine ??= bubble('them');
        mine.body.textContent = all;
        mine.tick.textContent = '◷';
      },
      end(how, { question }) {
        presence.textContent = how === 'closed' || how === 'broken' ? 'غير متصل' : 'متصل';
        if (mine !== null) mine.tick.textContent = how === 'completed' ? '✓✓' : how === 'waiting' ? '✓' : '⚠';
        if (how === 'waiting') bubble('them', question).tick.textContent = '✓✓';
        else if (how !== 'completed')
          thread.append(el('p', { class: 'tk-sys' }, how === 'failed' ? 'تعذر إكمال الرد' : 'انقطع الاتصال قبل اكتمال الرد'));
      },
    });
  };
};
