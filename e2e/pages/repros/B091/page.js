/** https://github.com/vercel/ai/issues/14688: a resume that replays is added to what is there. */
import { get, messages, post } from '../read.js';

const play = async (ui, text, key) => {
  const reply = ui.reply();
  const parts = new Map();
  const read = async (response, connection) => {
    for await (const event of messages(response)) {
      if (event.type === 'text-start') parts.set(key(event.id, connection), '');
      else if (event.type === 'text-delta') {
        const part = key(event.id, connection);
        parts.set(part, parts.get(part) + event.delta);
      } else if (event.type === 'finish') reply.is('done');
      reply.text([...parts.values()].join(''));
    }
  };
  try {
    await read(await post('/api/chat', text), 1);
  } catch {
    await read(await get('/api/chat/chat-1/stream'), 2);
  }
};

/** Forgets which parts are open when it resumes: each start is a new part. */
export const faulty = (ui, text) => play(ui, text, (id, connection) => `${id}/${connection}`);
export const good = (ui, text) => play(ui, text, (id) => id);
