/** https://github.com/LumiCorp/kestrel/pull/334: a waiting turn shows its progress line as the reply, and as done. */
import { get, messages, post } from '../read.js';

export const faulty = async (ui, text) => {
  const reply = ui.reply();
  for await (const { type, payload } of messages(await post('/runs/stream', text))) {
    if (type === 'run.model.reasoning.delta') ui.activity(payload.update.delta);
    else if (type === 'run.agent_progress') reply.text(payload.update.message);
    else if (type === 'run.completed') reply.is('done');
  }
  await (await get('/api/threads/th-1')).json(); // And prefers what it has.
};

export const good = async (ui, text) => {
  const reply = ui.reply();
  for await (const { type, payload } of messages(await post('/runs/stream', text))) {
    if (type === 'run.model.reasoning.delta' || type === 'run.agent_progress') ui.activity(payload.update.delta ?? payload.update.message);
    else if (type === 'run.completed') {
      const { output, assistantText } = payload.result;
      if (output.status === 'WAITING') {
        reply.is('waiting');
        reply.ask(assistantText);
      } else {
        reply.text(assistantText);
        reply.is('done');
      }
    }
  }
  await (await get('/api/threads/th-1')).json();
};
