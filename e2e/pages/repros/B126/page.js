/** https://github.com/assistant-ui/assistant-ui/pull/4819: events ended by CRLF are never seen. */
import { chunks, messages, post } from '../read.js';

const take = (reply, { result }) => {
  if (result.kind === 'artifact-update') reply.add(result.artifact.parts.map(({ text }) => text).join(''));
  else if (result.status.state === 'completed') reply.is('done');
};

export const faulty = async (ui, text) => {
  const reply = ui.reply();
  let left = '';
  for await (const chunk of chunks(await post('/a2a', text))) {
    left += chunk;
    const frames = left.split('\n\n');
    left = frames.pop();
    for (const frame of frames) take(reply, JSON.parse(frame.replace(/^data: /gm, '')));
  }
  reply.is('done');
};

export const good = async (ui, text) => {
  const reply = ui.reply();
  for await (const message of messages(await post('/a2a', text))) take(reply, message);
};
