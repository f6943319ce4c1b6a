/** https://github.com/open-resource-discovery/a2a-editor/pull/93: the first task result is taken for the final response. */
import { messages, post } from '../read.js';

const textOf = (parts) => parts.map(({ text }) => text ?? '').join('');

export const faulty = async (ui, text) => {
  const reply = ui.reply();
  const response = await post('/a2a', text);
  for await (const { result } of messages(response)) {
    if (result.kind !== 'task') continue;
    reply.text(textOf(result.status.message.parts));
    reply.is('done');
    return; // Leaving the loop cancels the body.
  }
};

export const good = async (ui, text) => {
  const reply = ui.reply();
  for await (const { result } of messages(await post('/a2a', text))) {
    if (result.kind === 'task') ui.activity(textOf(result.status.message.parts));
    else if (result.kind === 'artifact-update') reply.add(textOf(result.artifact.parts));
    else if (result.status.state === 'completed') reply.is('done');
  }
};
