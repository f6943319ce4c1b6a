/** https://github.com/cacheplane/threadplane/pull/888: a run that finished with an interrupt is taken for a finished one. */
import { messages, post } from '../read.js';

const play = async (ui, text, atEnd) => {
  const reply = ui.reply();
  for await (const event of messages(await post('/agui', text))) {
    if (event.type === 'TEXT_MESSAGE_CONTENT') reply.add(event.delta);
    else if (event.type === 'TOOL_CALL_START') ui.tool(event.toolCallId, event.toolCallName, 'prepared');
    else if (event.type === 'RUN_FINISHED') atEnd(reply, event.outcome);
  }
};

export const faulty = (ui, text) => play(ui, text, (reply) => reply.is('done'));

export const good = (ui, text) =>
  play(ui, text, (reply, outcome) => {
    if (outcome?.type !== 'interrupt') {
      reply.is('done');
      return;
    }
    reply.is('waiting');
    for (const { message } of outcome.interrupts) reply.card(message);
  });
