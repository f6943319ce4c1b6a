/** https://github.com/huggingface/chat-ui/pull/2385: reasoning in the place of the answer, and a limit taken for an end. */
import { messages, post } from '../read.js';

const play = async (ui, text, think, atEnd) => {
  const reply = ui.reply();
  let thought = '';
  for await (const { choices } of messages(await post('/v1/chat/completions', text))) {
    const { delta, finish_reason } = choices[0];
    thought += delta.reasoning_content ?? '';
    if (thought !== '') think(reply, thought);
    if (delta.content) reply.text(delta.content);
    if (finish_reason !== null) atEnd(reply, finish_reason);
  }
};

export const faulty = (ui, text) =>
  play(
    ui,
    text,
    (reply, thought) => reply.text(thought),
    (reply) => reply.is('done'),
  );

export const good = (ui, text) =>
  play(
    ui,
    text,
    (reply, thought) => reply.reasoning(thought),
    (reply, reason) => {
      reply.is('done');
      if (reason === 'length') reply.note('The limit of length was reached before there was an answer.');
    },
  );
