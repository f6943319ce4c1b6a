/** The AI inside a document's editor: the text is written into the page, and a floating bar asks whether to keep it. */
import { events, h, post } from '../read.js';

export const start = (root, slip) => {
  const paper = h(
    'article',
    { class: 'paper' },
    h('h1', {}, 'Rundschreiben Januar'),
    h('p', {}, 'Das Vereinsheim ist ab 01.01. auch sonntags geöffnet.'),
  );
  const box = h('input', { placeholder: 'KI fragen: umschreiben, kürzen, übersetzen …', 'aria-label': 'KI fragen' });
  const form = h('form', { class: 'ask' }, '✨ ', box, h('button', {}, 'Schreiben'));
  root.append(h('div', { class: 'tools' }, 'Datei  Bearbeiten  Einfügen  Format'), paper, form);

  const ask = async (prompt) => {
    const text = h('ins', { class: 'ai' });
    const bar = h('div', { class: 'bar', role: 'toolbar' });
    paper.append(h('p', {}, text), bar);
    const controller = new AbortController();
    const button = (name, click = () => {}) => h('button', { onclick: click }, name);
    const writing = () =>
      bar.replaceChildren(
        h('span', { class: 'spin' }),
        'KI schreibt … ',
        button('Anhalten', () => controller.abort()),
      );
    const keep = () => bar.replaceChildren(button('✓ Übernehmen'), button('✕ Verwerfen'), button('Noch einmal'));
    const partial = (why) => bar.replaceChildren(h('em', {}, why), button('Neu versuchen'), button('✕ Verwerfen'));
    writing();
    form.hidden = true;
    let finish = null;
    try {
      const path = '/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=sse';
      for await (const { data } of events(
        await post(path, { contents: [{ role: 'user', parts: [{ text: prompt }] }] }, controller.signal),
      )) {
        const chunk = JSON.parse(data);
        if (chunk.error !== undefined) throw new Error(chunk.error.message);
        const { content, finishReason } = chunk.candidates[0];
        finish = finishReason ?? finish;
        for (const part of content.parts) {
          if (part.thought === true || part.text === '') continue;
          if (slip === 'early' && text.textContent === '') {
            keep();
            form.hidden = false;
          }
          text.append(part.text);
        }
      }
      if (slip === 'blind' || finish === 'STOP') keep();
      else if (finish === 'MAX_TOKENS') partial('Längenlimit erreicht – der Text ist unvollständig.');
      else partial('Verbindung unterbrochen – der Text ist unvollständig.');
    } catch (error) {
      if (slip === 'blind') keep();
      else partial(error.name === 'AbortError' ? 'Angehalten.' : 'Das hat leider nicht geklappt.');
    }
    form.hidden = false;
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const prompt = box.value;
    box.value = '';
    ask(prompt);
  });
};
