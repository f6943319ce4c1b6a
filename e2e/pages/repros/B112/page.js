/** https://github.com/pydantic/pydantic-ai/issues/4962: a tool's row goes on spinning after the run has failed. */
import { messages, post } from '../read.js';

const play = async (ui, text, closesRows) => {
  const reply = ui.reply();
  const open = new Map();
  for await (const event of messages(await post('/api/chat', text))) {
    if (event.type === 'tool-input-available') {
      open.set(event.toolCallId, event.toolName);
      ui.tool(event.toolCallId, event.toolName, 'running');
    } else if (event.type === 'error') ui.toast(event.errorText);
    else if (event.type === 'finish') {
      reply.is(closesRows ? 'error' : 'done');
      if (closesRows) for (const [id, name] of open) ui.tool(id, name, 'failed');
    }
  }
};

export const faulty = (ui, text) => play(ui, text, false);
export const good = (ui, text) => play(ui, text, true);
