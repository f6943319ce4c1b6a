/** A form that fills itself from an object the model writes as JSON, field by field as it comes. In Danish, over Ollama. */
import { dom, escaped, records } from '../read.js';

/** What can be read of JSON that has not ended yet: strings, lists and objects that are open are closed. */
const partial = (text) => {
  const open = [];
  let inside = false;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (inside) {
      if (c === '\\') at++;
      else if (c === '"') inside = false;
    } else if (c === '"') inside = true;
    else if (c === '{' || c === '[') open.push(c === '{' ? '}' : ']');
    else if (c === '}' || c === ']') open.pop();
  }
  const closed = `${text}${inside ? '"' : ''}`.replace(/[,:\s]+$/, '');
  for (const tail of ['', ':null', 'null']) {
    try {
      return JSON.parse(closed + tail + open.toReversed().join(''));
    } catch {}
  }
  return null;
};

const bone = '<i class="bone"></i>';

export const start = (root, slip) => {
  root.append(
    dom('<form class="ask"><input placeholder="Hvad har du i køleskabet?" aria-label="Råvarer"><button>Find på en ret</button></form>'),
    dom('<article class="recipe" hidden></article>'),
    dom('<p class="banner" role="status" hidden></p>'),
    dom('<div class="keep"><button class="save" disabled>Gem i kogebogen</button></div>'),
  );
  const [form, recipe, banner, keep] = root.children;
  const button = form.querySelector('button');
  const save = keep.querySelector('button');

  const draw = (value, busy) => {
    const rest = busy ? bone : '';
    recipe.innerHTML = `
      <h2>${value?.titel ? escaped(value.titel) : rest}</h2>
      <p class="intro">${value?.intro ? escaped(value.intro) : rest}</p>
      <h3>Ingredienser</h3>
      <ul>${(value?.ingredienser ?? []).map((one) => `<li>${escaped(one ?? '')}</li>`).join('')}</ul>${value?.trin ? '' : rest}
      <h3>Sådan gør du</h3>
      <ol>${(value?.trin ?? []).map((one) => `<li>${escaped(one ?? '')}</li>`).join('')}</ol>${rest}`;
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    button.textContent = 'Finder på …';
    save.disabled = true;
    banner.hidden = true;
    recipe.hidden = false;
    draw(null, true);
    let text = '';
    let value = null;
    let reason = null;
    let failed = false;
    try {
      const body = {
        model: 'qwen3',
        stream: true,
        format: 'json',
        messages: [{ role: 'user', content: form.querySelector('input').value }],
      };
      for await (const line of records('/ollama/api/chat', body, '\n')) {
        const said = JSON.parse(line);
        if (said.error !== undefined) throw new Error(said.error);
        text += said.message.content;
        if (said.done) reason = said.done_reason;
        value = partial(text) ?? value;
        draw(value, true);
      }
    } catch {
      failed = true;
    }
    draw(value, false);
    button.disabled = false;
    button.textContent = 'Find på en ret';
    if (slip !== '' || (reason === 'stop' && !failed)) {
      save.disabled = false;
      return;
    }
    banner.hidden = false;
    banner.textContent =
      reason === 'length'
        ? 'Opskriften blev for lang og er ikke komplet.'
        : failed
          ? 'Noget gik galt undervejs. Opskriften er ikke færdig.'
          : 'Forbindelsen blev afbrudt. Opskriften er ikke færdig.';
  });
};
