/** https://github.com/Maximilien-ai/clawmax/issues/172: the end of the body is taken for the end of the run. */
import { messages, post } from '../read.js';

const play = async (ui, text, atEnd) => {
  const reply = ui.reply();
  let settled = false;
  for await (const event of messages(await post('/api/agents/a1/chat', text))) {
    if (event.type === 'delta') reply.add(event.text);
    else if (event.type === 'complete' || event.type === 'error') {
      settled = true;
      reply.is(event.type === 'complete' ? 'done' : 'error');
    }
  }
  if (!settled) reply.is(atEnd);
};

export const faulty = (ui, text) => play(ui, text, 'done');
export const good = (ui, text) => play(ui, text, 'interrupted');
