/** A thin bar at the top of the window while it works, a composer that stays open all the time, and formatted text that is written anew each time. */
export const protocol = 'messages';

const plain = (text) => text.replace(/[&<>]/gu, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);
const inline = (text) =>
  plain(text)
    .replace(/`([^`]+)`/gu, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/gu, '<b>$1</b>')
    .replace(/\*([^*]+)\*/gu, '<i>$1</i>')
    .replace(/\[([^\]]+)\]\(([^)]+)\)/gu, '<a href="$2">$1</a>');
const format = (text) =>
  text
    .split(/\n\n/u)
    .map((block) => {
      if (block.startsWith('```')) return `<pre>${plain(block.replace(/^```\w*\n?|```$/gu, ''))}</pre>`;
      if (/^#+ /u.test(block)) return `<h3>${inline(block.replace(/^#+ /u, ''))}</h3>`;
      if (/^\d+\. /u.test(block))
        return `<ol>${block
          .split('\n')
          .map((line) => `<li>${inline(line.replace(/^\d+\. /u, ''))}</li>`)
          .join('')}</ol>`;
      if (block.startsWith('|'))
        return `<table>${block
          .split('\n')
          .filter((line) => !/^\|[ :|-]+$/u.test(line))
          .map(
            (line) =>
              `<tr>${line
                .replace(/^\||\|$/gu, '')
                .split('|')
                .map((cell) => `<td>${inline(cell.trim())}</td>`)
                .join('')}</tr>`,
          )
          .join('')}</table>`;
      return `<p>${inline(block)}</p>`;
    })
    .join('');

export const mount = (app, { send, stop }) => {
  app.innerHTML = `<main></main><form class="row"><textarea aria-label="Message"></textarea><button>Send</button></form>`;
  const main = app.querySelector('main');
  const box = app.querySelector('textarea');
  let article;
  let bar = null;
  app.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    main.insertAdjacentHTML('beforeend', `<div class="me">${plain(box.value)}</div>`);
    box.value = '';
    send();
  });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && stop());
  return {
    begin() {
      bar = document.body.appendChild(Object.assign(document.createElement('div'), { className: 'bar' }));
      article = main.appendChild(document.createElement('article'));
    },
    text(all) {
      article.innerHTML = format(all);
    },
    over(how, { question }) {
      bar.remove();
      const note = {
        truncated: '(cut off: the answer reached its limit)',
        failed: 'The agent failed. Try again?',
        waiting: question,
        closed: 'The answer was interrupted.',
        broken: 'The answer was interrupted.',
        aborted: 'You stopped this answer.',
      }[how];
      if (note) article.insertAdjacentHTML('beforeend', `<p class="note">${note}</p>`);
    },
  };
};
