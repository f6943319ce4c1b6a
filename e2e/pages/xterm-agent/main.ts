/**
 * A coding agent in an xterm.js terminal, over the Agent Client Protocol on a WebSocket. `form`: '' keeps a working line below what it
 * writes and says each end; `blind` gives the prompt back at any end and says nothing; `raw` prints thoughts like the answer.
 */
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';

const form = new URLSearchParams(location.search).get('form') ?? '';
const blind = form === 'blind';

const term = new Terminal({ cursorBlink: true, fontSize: 13, theme: { background: '#16181d' } });
const fit = new FitAddon();
term.loadAddon(fit);
term.open(document.querySelector<HTMLElement>('#screen')!);
fit.fit();
addEventListener('resize', () => fit.fit());

const dim = (text: string): string => `\x1b[2m${text}\x1b[22m`;
const colour = (code: number, text: string): string => `\x1b[${code}m${text}\x1b[39m`;
const lines = (text: string): string => text.replaceAll('\n', '\r\n');

const socket = new WebSocket(`ws://${location.host}/acp${location.search}`);
let next = 0;
let prompting = -1;
const request = (method: string, params: object): number => {
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: ++next, method, params }));
  return next;
};
socket.addEventListener('open', () => request('initialize', { protocolVersion: 1, clientCapabilities: {} }));

let typed = '';
let working = false;
let asking = false;
let voice = '';
let spinner: ReturnType<typeof setInterval> | undefined;
let frame = 0;

/** All that is written goes one way, in order; at the end of a row the cursor stands on its last letter, and nothing may be wiped. */
let written: Promise<void> = Promise.resolve();
const put = (text: string, wipe = ''): void => {
  written = written.then(() => new Promise((done) => term.write((term.buffer.active.cursorX < term.cols ? wipe : '') + text, done)));
};
const WIPE = '\x1b[K\x1b7\r\n\x1b[K\x1b8';
/** The line below the text: saved and restored around it, so that the text goes on where it was. */
const drawWorking = (): void => {
  const seconds = Math.floor(frame / 8);
  const mark = '✶✸✹✺✹✷'[frame++ % 6];
  put('', `\x1b7\r\n${colour(35, `${mark} Working… (${seconds}s · ctrl+c to interrupt)`)}\x1b[K\x1b8`);
};

const ready = (): void => put(`\r\n${colour(36, '❯')} `);
const start = (): void => {
  working = true;
  voice = '';
  frame = 0;
  put('\r\n\r\n');
  if (!blind) spinner = setInterval(drawWorking, 125);
};
const end = (note = ''): void => {
  working = false;
  clearInterval(spinner);
  put('\r\n\x1b[J', '\x1b[K');
  if (note !== '') put(`\r\n${note}`);
};

const say = (kind: string, text: string): void => {
  if (voice !== '' && voice !== kind) put('\r\n\x1b[J\r\n', WIPE);
  voice = kind;
  put(kind === 'thought' && form !== 'raw' ? dim(lines(text)) : lines(text), WIPE);
};

socket.addEventListener('message', ({ data }) => {
  const message = JSON.parse(data);
  if (message.id === 1) request('session/new', { cwd: '/infra', mcpServers: [] });
  else if (message.id === 2) term.write(`Connected. Describe a task, or type a command.\r\n\r\n${colour(36, '❯')} `);
  else if (message.method === 'session/update') {
    const { sessionUpdate, content } = message.params.update;
    if (sessionUpdate === 'agent_thought_chunk') say('thought', content.text);
    else if (sessionUpdate === 'agent_message_chunk') say('text', content.text);
  } else if (message.method === 'session/request_permission') {
    if (blind) {
      end();
      ready();
      return;
    }
    end(`${colour(33, `⚠ ${message.params.toolCall.title}`)}\r\n  [y] allow once   [n] reject  `);
    asking = true;
  } else if (message.id === prompting) {
    if (blind) end();
    else if (message.error !== undefined) end(colour(31, `✗ ${message.error.message}`));
    else if (message.result.stopReason === 'max_tokens') end(colour(33, '⚠ Output limit reached. The answer above is incomplete.'));
    else if (message.result.stopReason === 'cancelled') end(colour(33, '⎿ Interrupted'));
    else end(dim(`✔ done in ${Math.ceil(frame / 8)}s`));
    ready();
  }
});
socket.addEventListener('close', () => {
  if (!working && !asking) return;
  if (blind) {
    end();
    ready();
  } else end(colour(31, '✗ Lost the connection to the agent. Reload to start again.'));
});

term.onData((key) => {
  if (key === '\x03' && working) socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'sess_1' } }));
  else if (working || asking) return;
  else if (key === '\r') {
    start();
    prompting = request('session/prompt', { sessionId: 'sess_1', prompt: [{ type: 'text', text: typed }] });
    typed = '';
  } else if (key === '\x7f') {
    if (typed !== '') term.write('\b \b');
    typed = typed.slice(0, -1);
  } else {
    typed += key;
    term.write(key);
  }
});
term.focus();
