/**
 * A restaurant's concierge in Spanish, over LangGraph's run stream: a list that draws only the rows in view, each placed by hand,
 * with forty messages of history. Slips: `eof` is done when the body ends; `node` is done when the message's last piece came.
 */
import { events, slip } from '../read.js';

const GAP = 8;

export const start = () => {
  document.documentElement.lang = 'es';
  document.body.innerHTML = `
    <header>Concierge <span class="presence">en línea</span></header>
    <div class="viewport"><div class="spacer"></div></div>
    <div class="bar"><input placeholder="Escribe un mensaje"><button class="go">Enviar</button></div>`;
  const viewport = document.querySelector('.viewport');
  const spacer = document.querySelector('.spacer');
  const input = document.querySelector('.bar input');
  const go = document.querySelector('.go');
  const items = Array.from({ length: 40 }, (_, n) => ({
    mine: n % 2 === 0,
    text: n % 2 === 0 ? `¿Y para el día ${n + 1}?` : `Ese día queda sitio a partir de las ${13 + (n % 9)} horas.`,
    note: '',
    height: 44,
  }));
  const rows = new Map();

  const draw = () => {
    let top = 0;
    const from = viewport.scrollTop - 100;
    const to = viewport.scrollTop + viewport.clientHeight + 100;
    for (const [n, item] of items.entries()) {
      const inView = top + item.height >= from && top <= to;
      let row = rows.get(n);
      if (inView) {
        if (row === undefined) {
          row = document.createElement('div');
          row.className = `row ${item.mine ? 'mine' : 'theirs'}`;
          row.append(document.createElement('span'), document.createElement('em'));
          spacer.append(row);
          rows.set(n, row);
        }
        row.style.transform = `translateY(${top}px)`;
        if (row.firstChild.textContent !== item.text) row.firstChild.textContent = item.text;
        if (row.children[1].textContent !== item.note) row.children[1].textContent = item.note;
        row.classList.toggle('live', item.live === true);
        if (item.asks && row.querySelector('button') === null)
          for (const label of ['Sí, reservar', 'No']) row.append(Object.assign(document.createElement('button'), { textContent: label }));
        item.height = row.offsetHeight + GAP;
      } else if (row !== undefined) {
        row.remove();
        rows.delete(n);
      }
      top += item.height;
    }
    spacer.style.height = `${top}px`;
  };
  const toEnd = () => {
    draw();
    viewport.scrollTop = viewport.scrollHeight;
    draw();
  };
  viewport.addEventListener('scroll', draw);
  toEnd();

  let control = null;
  const working = (on) => {
    go.textContent = on ? 'Detener' : 'Enviar';
  };

  const send = async () => {
    if (control !== null) return control.abort();
    const text = input.value;
    input.value = '';
    items.push({ mine: true, text, note: '', height: 44 });
    const item = { mine: false, text: '', note: '', height: 44, live: true };
    items.push(item);
    control = new AbortController();
    working(true);
    toEnd();
    const done = (note) => {
      item.live = false;
      item.note = note;
      working(false);
      toEnd();
    };
    let committed = false;
    let reason = null;
    try {
      const url = '/threads/01a22b6d-6bbb-7498-9d73-6ee00ff500ff/runs/stream';
      const body = {
        assistant_id: 'agent',
        input: { messages: [{ type: 'human', content: text }] },
        stream_mode: ['values', 'messages', 'updates'],
      };
      for await (const { name, data } of events(url, body, control.signal)) {
        if (name === 'messages') {
          const [chunk] = data;
          if (typeof chunk.content === 'string') item.text += chunk.content;
          reason = chunk.response_metadata.finish_reason ?? reason;
          if (slip === 'node' && reason !== null) done('');
          toEnd();
        }
        if (name === 'error' && slip === '') throw new Error(data.message);
        if (name === 'values' && data.messages?.at(-1)?.type === 'ai') committed = true;
        if (name === 'values' && data.__interrupt__ !== undefined && slip === '') {
          items.push({ mine: false, text: data.__interrupt__[0].value, note: '', height: 90, asks: true });
        }
      }
      if (slip !== '') done('');
      else if (!committed) done('Conexión interrumpida: la respuesta no está completa.');
      else done(reason === 'length' ? 'Respuesta cortada por su longitud.' : '');
    } catch (error) {
      if (slip !== '') done('');
      else done(control.signal.aborted ? 'Detenido.' : `Error: ${error.message}`);
    }
    control = null;
  };
  go.addEventListener('click', send);
  input.addEventListener('keydown', (event) => event.key === 'Enter' && control === null && send());
};
