/** Shimmering lines until the first word, then text whose newest words are blurred; one round button with icons only. */
import { ask, el, follow } from '../read.js';

const ARROW = '<svg viewBox="0 0 24 24" width="20"><path d="M12 4l7 7-2 2-4-4v11h-2V9l-4 4-2-2z"/></svg>';
const SQUARE = '<svg viewBox="0 0 24 24" width="20"><rect x="6" y="6" width="12" height="12" rx="2"/></svg>';

export const start = (app, slip) => {
  const feed = el('div', { class: 'sk-feed' });
  const box = el('textarea', { rows: 1, placeholder: 'Ask anything', 'aria-label': 'Ask anything' });
  const round = el('button', { class: 'sk-round', type: 'button', 'aria-label': 'Submit', innerHTML: ARROW });
  app.append(feed, el('div', { class: 'sk-composer' }, box, round));
  let control = null;
  round.addEventListener('click', () => {
    if (control !== null) return control.abort();
    control = new AbortController();
    feed.append(el('div', { class: 'sk-ask' }, box.value));
    box.value = '';
    round.innerHTML = SQUARE;
    round.setAttribute('aria-label', 'Interrupt');
    const bones = el('div', { class: 'sk-bones', 'aria-hidden': 'true' }, el('i'), el('i'), el('i'));
    const answer = el('div', { class: 'sk-answer' }, bones);
    feed.append(answer);
    follow(ask('chat', { signal: control.signal }), slip, {
      text(all) {
        const cut = Math.max(0, all.length - 14);
        answer.replaceChildren(all.slice(0, cut), el('span', { class: 'sk-fresh' }, all.slice(cut)));
      },
      end(how, { text, question }) {
        control = null;
        round.innerHTML = ARROW;
        round.setAttribute('aria-label', 'Submit');
        answer.replaceChildren(text);
        const note = {
          truncated: 'This reply hit the length cap.',
          refused: 'The rest was withheld by a content filter.',
          failed: 'The model stopped responding.',
          closed: 'Reply cut short. Check your network.',
          broken: 'Reply cut short. Check your network.',
          aborted: 'You interrupted this reply.',
        }[how];
        if (note) answer.append(el('div', { class: 'sk-note' }, note));
        if (how === 'waiting') answer.append(el('div', { class: 'sk-card' }, question, el('button', {}, 'Yes'), el('button', {}, 'No')));
      },
    });
  });
};
