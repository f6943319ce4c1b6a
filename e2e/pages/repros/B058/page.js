/** https://github.com/openclaw/openclaw/pull/142778: the end of an item is taken for the end of the response. */
import { messages, post } from '../read.js';

export const faulty = async (ui, text) => {
  const reply = ui.reply();
  for await (const event of messages(await post('/v1/responses', text))) {
    if (event.type === 'response.output_text.delta') reply.add(event.delta);
    else if (event.type === 'response.output_text.done' || event.type === 'response.completed') reply.is('done');
  }
};

export const good = async (ui, text) => {
  const reply = ui.reply();
  for await (const event of messages(await post('/v1/responses', text))) {
    if (event.type === 'response.output_text.delta') reply.add(event.delta);
    else if (event.type === 'response.completed') reply.is('done');
    else if (event.type === 'response.incomplete') {
      reply.is('done');
      reply.note('The answer was cut at its limit of length.');
    }
  }
};
