/** A messenger: the head line says that the other side is writing, in German; the thought is in a block of its own. */
export const protocol = 'messages';

export const mount = (app, { send, stop }) => {
  document.documentElement.lang = 'de';
  app.innerHTML = `<header><b>Assistent</b> <small>online</small></header><div class="log"></div><form class="row"><input aria-label="Nachricht" placeholder="Nachricht"><button>Senden</button></form>`;
  const status = app.querySelector('small');
  const log = app.querySelector('.log');
  const input = app.querySelector('input');
  let bubble = null;
  let thought = null;
  app.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    log.append(Object.assign(document.createElement('div'), { className: 'me', textContent: input.value }));
    input.value = '';
    send();
  });
  status.addEventListener('click', stop);
  return {
    begin() {
      status.textContent = 'schreibt …';
      bubble = thought = null;
    },
    thought(all) {
      thought ??= log.appendChild(Object.assign(document.createElement('div'), { className: 'thought', title: 'Überlegung' }));
      thought.textContent = all;
    },
    text(all) {
      bubble ??= log.appendChild(Object.assign(document.createElement('div'), { className: 'bubble' }));
      bubble.textContent = all;
    },
    over(how, { question }) {
      status.textContent =
        {
          truncated: 'Antwort gekürzt',
          failed: 'Fehler',
          closed: 'Verbindung verloren',
          broken: 'Verbindung verloren',
          aborted: 'abgebrochen',
        }[how] ?? 'online';
      if (how === 'waiting') log.append(Object.assign(document.createElement('div'), { className: 'bubble', textContent: question }));
    },
  };
};
