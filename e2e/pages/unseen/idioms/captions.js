/** A voice agent: an orb that swells while it speaks, and captions that show the last sentence or two. */
import { ask, el, follow } from '../read.js';

export const start = (app, slip) => {
  document.documentElement.lang = 'fr';
  const orb = el('div', { class: 'cp-orb' });
  const caption = el('p', { class: 'cp-caption', 'aria-live': 'polite' });
  const hint = el('p', { class: 'cp-hint' }, 'Touchez le micro pour parler');
  const box = el('input', { 'aria-label': 'Écrire à la place' });
  const mic = el('button', { class: 'cp-mic', 'aria-label': 'Parler' }, '🎙');
  app.append(el('div', { class: 'cp-stage' }, orb, caption, hint), el('div', { class: 'cp-foot' }, box, mic));
  let control = null;
  mic.addEventListener('click', () => {
    if (control !== null) return control.abort();
    control = new AbortController();
    box.value = '';
    orb.classList.add('cp-speaking');
    mic.textContent = '✋';
    mic.setAttribute('aria-label', 'Interrompre');
    hint.textContent = '';
    follow(ask('gemini', { signal: control.signal }), slip, {
      text(all) {
        caption.textContent = all.length > 150 ? `…${all.slice(-150)}` : all;
      },
      end(how, { question }) {
        control = null;
        orb.classList.remove('cp-speaking');
        mic.textContent = '🎙';
        mic.setAttribute('aria-label', 'Parler');
        hint.textContent =
          {
            completed: 'Touchez le micro pour parler',
            waiting: question,
            truncated: 'La réponse a été écourtée.',
            refused: 'La suite ne peut pas être lue.',
            failed: 'Le service ne répond plus.',
            aborted: 'Vous avez interrompu la réponse.',
          }[how] ?? 'La liaison est coupée.';
        if (how === 'waiting') hint.append(el('button', {}, 'Oui'), el('button', {}, 'Non'));
      },
    });
  });
};
