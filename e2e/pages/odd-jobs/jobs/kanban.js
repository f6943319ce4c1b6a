/** A board of an agent's tasks: the card with its growing note moves from column to column. In Ukrainian, over A2A. */
import { dom, escaped, records } from '../read.js';

const COLUMNS = { queue: 'Черга', work: 'У роботі', ask: 'Потрібна відповідь', done: 'Готово', broken: 'Збій' };

export const start = (root, slip) => {
  root.append(
    dom('<form class="add"><input placeholder="Нове завдання для агента" aria-label="Завдання"><button>Додати</button></form>'),
    dom(
      `<div class="board">${Object.entries(COLUMNS)
        .map(([id, name]) => `<section data-column="${id}"><h2>${name} <span class="n">0</span></h2><div class="cards"></div></section>`)
        .join('')}</div>`,
    ),
  );
  const board = root.querySelector('.board');
  const move = (card, id) => {
    board.querySelector(`[data-column=${id}] .cards`).prepend(card);
    for (const section of board.children) section.querySelector('.n').textContent = section.querySelectorAll('.card').length;
  };
  const card = (title, note = '') => dom(`<article class="card"><h3>${escaped(title)}</h3><p class="note">${escaped(note)}</p></article>`);
  move(card('Переклад договору', 'Переклад надіслано юристам у понеділок.'), 'done');
  move(card('Список постачальників'), 'queue');

  const work = async (title) => {
    const mine = card(title);
    const note = mine.querySelector('.note');
    move(mine, 'queue');
    let state = null;
    let question = '';
    try {
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendStreamingMessage',
        params: { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: title }] } },
      };
      for await (const frame of records('/a2a/v1', body, '\n\n', { 'a2a-version': '1.0' })) {
        const { task, statusUpdate, artifactUpdate } = JSON.parse(frame.replace(/^data: /, '')).result;
        state = task?.status.state ?? statusUpdate?.status.state ?? state;
        if (state === 'TASK_STATE_WORKING' && statusUpdate) move(mine, 'work');
        if (artifactUpdate) {
          note.append(artifactUpdate.artifact.parts[0].text);
          if (artifactUpdate.lastChunk && slip === 'artifact') move(mine, 'done');
        }
        question = statusUpdate?.status.message?.parts[0].text ?? question;
      }
    } catch {
      state = null;
    }
    if (slip !== '' || state === 'TASK_STATE_COMPLETED') return move(mine, 'done');
    if (state === 'TASK_STATE_INPUT_REQUIRED') {
      mine.append(dom(`<div class="reply"><p>${escaped(question)}</p><input aria-label="Відповідь"><button>Відповісти</button></div>`));
      return move(mine, 'ask');
    }
    const why = state === 'TASK_STATE_FAILED' ? 'Агент не зміг завершити завдання.' : 'Зв’язок з агентом утрачено.';
    mine.append(dom(`<footer>${why} <button>Запустити знову</button></footer>`));
    move(mine, 'broken');
  };

  root.querySelector('.add').addEventListener('submit', (event) => {
    event.preventDefault();
    const box = event.target.querySelector('input');
    work(box.value);
    box.value = '';
  });
};
