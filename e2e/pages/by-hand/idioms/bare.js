/** No sign of anything: the text appears, and that is all. */
export const protocol = 'chat';

export const mount = (app, { send, stop }) => {
  app.innerHTML = `<p>Ask: <input aria-label="Message" size="40"> <button>OK</button></p><pre style="white-space:pre-wrap"></pre>`;
  const out = app.querySelector('pre');
  app.querySelector('button').addEventListener('click', send);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && stop());
  return {
    begin() {
      out.textContent = '';
    },
    text(all) {
      out.textContent = all;
    },
    over(how, { question }) {
      const note = {
        truncated: '[cut]',
        failed: '[error]',
        waiting: question,
        closed: '[connection lost]',
        broken: '[connection lost]',
        aborted: '[stopped]',
      }[how];
      if (note) out.append(`\n${note}`);
    },
  };
};
