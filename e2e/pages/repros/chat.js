/**
 * What all pages of the reports look like: one element per reply with a state on it, a separate place for activity, and a
 * composer that is free only when the page takes the run for over. What a page makes of its stream is its own business.
 */

const element = (tag, set = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), set);
  made.append(...children);
  return made;
};

/** Marks that a state puts beside the reply, besides its attribute. A finished reply has none. */
const WORDS = { waiting: 'Waiting for you', stopped: 'Stopped', error: 'Something went wrong', interrupted: 'Interrupted' };

export const chat = () => {
  const conversation = document.getElementById('conversation');
  const activity = document.getElementById('activity');
  const input = document.getElementById('input');
  const send = document.getElementById('send');
  const stop = document.getElementById('stop');
  const rows = new Map();
  let asked = () => {};
  let stopped = () => {};
  stop.addEventListener('click', () => stopped());
  document.getElementById('composer').addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value;
    input.value = '';
    conversation.append(element('p', { className: 'said', textContent: text }));
    asked(text);
  });
  const busy = (on) => {
    input.disabled = on;
    send.hidden = on;
    stop.hidden = !on;
  };

  return {
    onSend: (act) => {
      asked = act;
    },
    onStop: (act) => {
      stopped = act;
    },
    /** A reply under way. Its state also frees or locks the composer. */
    reply() {
      const body = element('p');
      const state = element('span', { className: 'state' });
      const article = element('article', { className: 'reply' }, body, state);
      conversation.append(article);
      const is = (name) => {
        article.dataset.state = name;
        state.textContent = WORDS[name] ?? '';
        busy(name === 'busy');
      };
      is('busy');
      return {
        is,
        text(text) {
          body.textContent = text;
        },
        add(text) {
          body.textContent += text;
        },
        note(text) {
          state.textContent = text;
        },
        /** A question with a way to answer it. */
        card(question) {
          article.append(
            element(
              'div',
              { className: 'card' },
              element('p', { textContent: question }),
              element('button', { type: 'button', textContent: 'Approve' }),
              element('button', { type: 'button', textContent: 'Reject' }),
            ),
          );
        },
        /** A question that the person answers in words. */
        ask(question) {
          article.append(
            element(
              'div',
              { className: 'card' },
              element('p', { textContent: question }),
              element('input', { ariaLabel: 'Your answer' }),
              element('button', { type: 'button', textContent: 'Answer' }),
            ),
          );
        },
        reasoning(text) {
          const old = article.querySelector('details p');
          if (old !== null) old.textContent = text;
          else
            article.prepend(
              element('details', { open: true }, element('summary', { textContent: 'Reasoning' }), element('p', { textContent: text })),
            );
        },
      };
    },
    activity(text) {
      activity.append(element('li', { textContent: text }));
    },
    /** A tool's row; the state is shown beside its name. */
    tool(id, name, state) {
      let row = rows.get(id);
      if (row === undefined) {
        row = element('li', { className: 'tool' }, element('span', { className: 'name' }), ' ', element('span', { className: 'status' }));
        rows.set(id, row);
        activity.append(row);
      }
      if (name !== '') row.querySelector('.name').textContent = name;
      row.dataset.state = state;
      row.querySelector('.status').textContent = state;
    },
    toast(text) {
      document.body.append(element('div', { className: 'toast', role: 'alert', textContent: text }));
    },
  };
};
