/**
 * A runner's page: one box of text, set with innerText, and a status line above it. Slips: `last` shows the last words of any
 * event as the answer; `green` takes every run.completed for done, and the end of the body too.
 */
import { events, slip } from '../read.js';

export const start = () => {
  document.body.innerHTML = `
    <h1>Billing runner</h1>
    <p><input id="task" size="40" placeholder="Task"> <button id="run">Run</button></p>
    <p>Status: <b id="status">Idle</b></p>
    <pre id="log"></pre>
    <h2>Answer</h2>
    <div id="answer"></div>
    <div id="reply" hidden><input placeholder="Your reply"><button>Reply</button></div>`;
  const at = (id) => document.getElementById(id);
  const status = (text) => {
    at('status').innerText = text;
  };

  const words = (event) => event.payload.update?.delta ?? event.payload.update?.message ?? event.payload.result?.assistantText;

  const run = async () => {
    at('run').disabled = true;
    at('log').innerText = '';
    at('answer').innerText = '';
    status('Running…');
    let settled = false;
    let said = '';
    let voice = '';
    try {
      for await (const { data: event } of events('/api/agent/stream', { message: at('task').value })) {
        if (slip === 'last') {
          const more = words(event);
          if (more) {
            said = voice === event.type && event.type.endsWith('delta') ? said + more : more;
            voice = event.type;
            at('answer').innerText = said;
          }
        }
        if (slip !== 'last' && event.type === 'run.agent_progress') at('log').innerText += `${event.payload.update.message}\n`;
        if (slip !== 'last' && event.type === 'run.tool.started') at('log').innerText += `${event.payload.update.displayName}…\n`;
        if (event.type === 'run.failed') {
          settled = true;
          if (slip === '') status(`Failed: ${event.payload.error.message}`);
        }
        if (event.type === 'run.completed') {
          settled = true;
          const { output, assistantText } = event.payload.result;
          if (slip === '' && output.status === 'WAITING') {
            status('Waiting for your reply');
            at('answer').innerText = assistantText;
            at('reply').hidden = false;
          } else {
            status('Done');
            if (output.status === 'COMPLETED') at('answer').innerText = assistantText;
          }
        }
      }
      if (slip !== '') status('Done');
      else if (!settled) status('Disconnected before the run ended');
    } catch (error) {
      status(slip === '' ? `Disconnected (${error.message})` : 'Done');
    }
    at('run').disabled = false;
  };
  at('run').addEventListener('click', run);
};
