/** State in attributes only: aria-busy on the list and a data attribute on the message, which CSS draws; right to left, in Arabic. */
export const protocol = 'agui';

export const mount = (app, { send, stop }) => {
  document.documentElement.lang = 'ar';
  document.documentElement.dir = 'rtl';
  document.head.append(
    Object.assign(document.createElement('style'), {
      textContent:
        '[data-phase=live]{border-inline-start:3px solid #06c}[data-phase=done]{border-inline-start:3px solid #ccc}[data-phase=broken]{border-inline-start:3px solid #c33}',
    }),
  );
  app.innerHTML = `<div role="log" aria-busy="false"></div><form class="row"><input aria-label="رسالة"><button>إرسال</button></form>`;
  const log = app.querySelector('[role=log]');
  const input = app.querySelector('input');
  let bubble;
  app.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    log.append(Object.assign(document.createElement('div'), { className: 'me', textContent: input.value }));
    input.value = '';
    send();
  });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && stop());
  return {
    begin() {
      log.setAttribute('aria-busy', 'true');
      bubble = log.appendChild(Object.assign(document.createElement('div'), { className: 'bubble' }));
      bubble.dataset.phase = 'live';
    },
    text(all) {
      bubble.textContent = all;
    },
    over(how, { question }) {
      log.setAttribute('aria-busy', 'false');
      bubble.dataset.phase = how === 'completed' || how === 'waiting' ? 'done' : 'broken';
      const note = {
        truncated: 'الإجابة غير كاملة',
        failed: 'حدث خطأ',
        waiting: question,
        closed: 'انقطع الاتصال',
        broken: 'انقطع الاتصال',
        aborted: 'تم الإيقاف',
      }[how];
      if (note) log.append(Object.assign(document.createElement('p'), { className: 'note', textContent: note }));
    },
  };
};
