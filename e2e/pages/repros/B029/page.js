/** https://github.com/ollama/ollama/issues/10015: records that end without one that is done. */
import { post, records } from '../read.js';

export const faulty = async (ui, text) => {
  const reply = ui.reply();
  for await (const { response } of records(await post('/api/generate', text))) reply.add(response);
  reply.is('done');
};

/** The same page, of a server that ends its records as it should. */
export const good = faulty;
