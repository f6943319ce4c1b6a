/** https://github.com/chatboxai/chatbox/issues/2157: tags around reasoning are shown with the answer. */
import { messages, post } from '../read.js';

const play = async (ui, text, show) => {
  const reply = ui.reply();
  let said = '';
  for await (const { choices } of messages(await post('/v1/chat/completions', text))) {
    said += choices[0].delta.content ?? '';
    show(reply, said);
  }
  reply.is('done');
};

export const faulty = (ui, text) => play(ui, text, (reply, said) => reply.text(said));

export const good = (ui, text) =>
  play(ui, text, (reply, said) => {
    if (said !== '' && '<think>'.startsWith(said.slice(0, 7))) {
      const [thought, answer = ''] = said.slice(7).split('</think>');
      if (thought !== '') reply.reasoning(thought);
      reply.text(answer.trim());
    } else reply.text(said);
  });
