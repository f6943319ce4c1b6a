/** A terminal in the page: a spinner of letters and the seconds in its last line, and the prompt when it is done. */
import { ask, el, follow } from '../read.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧'];

export const start = (app, slip) => {
  const screen = el('pre', { class: 'tm-screen' }, 'agent 0.9, type a question\n');
  const prompt = el('div', { class: 'tm-prompt' }, '$ ');
  const box = el('input', { class: 'tm-input', 'aria-label': 'Terminal' });
  prompt.append(box, el('button', { onclick: () => go() }, '⏎'));
  app.append(el('div', { class: 'tm' }, screen, prompt));
  let control = new AbortController();
  document.addEventListener('keydown', ({ key, ctrlKey }) => ctrlKey && key === 'c' && control.abort());
  const go = () => {
    control = new AbortController();
    screen.append(`$ ${box.value}\n`);
    box.value = '';
    prompt.style.visibility = 'hidden';
    const text = document.createTextNode('');
    const spinner = el('span', {}, '');
    screen.append(text, spinner);
    let n = 0;
    const clock = setInterval(() => (spinner.textContent = `\n${FRAMES[n++ % FRAMES.length]} ${(n / 10).toFixed(0)}s`), 100);
    follow(ask('ndjson', { signal: control.signal }), slip, {
      text(all) {
        text.data = all;
      },
      end(how) {
        clearInterval(clock);
        spinner.remove();
        prompt.style.visibility = '';
        const note =
          { completed: '', truncated: '[cut at the limit]', failed: '[error: model crashed]', aborted: '^C' }[how] ??
          '[connection closed by host]';
        screen.append(`\n${note}${note === '' ? '' : '\n'}`);
      },
    });
  };
};
