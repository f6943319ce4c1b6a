/**
 * A small chat page in two forms, and the agent behind it. `/careful` keeps apart what is thought and what is answered, and says
 * when an answer was cut off. `/careless` shows whatever came last as the answer once the connection closes: the bug that
 * the tests find. The agent speaks the streaming format of OpenAI's chat completions. A prompt with the word "cut" gets a
 * stream that ends in the middle of a thought.
 *
 *   node server.mjs        then open http://localhost:4173/careless
 */
import { createServer } from 'node:http';

const PAGE = (careless) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Chat</title>
<style>body{font:16px system-ui;max-width:40rem;margin:2rem auto}.user{color:#555}.thought{color:#777;font-style:italic}</style>
<main>
  <h1>Ask the agent</h1>
  <section id="log" aria-label="Conversation"></section>
  <form><textarea aria-label="Message"></textarea> <button>Send</button></form>
</main>
<script>
const careless = ${careless};
const form = document.querySelector('form');
const button = document.querySelector('button');
const box = document.querySelector('textarea');
const log = document.querySelector('#log');
const add = (className, tag = 'p', into = log) => {
  const element = document.createElement(tag);
  element.className = className;
  into.append(element);
  return element;
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const prompt = box.value;
  add('user').textContent = prompt;
  box.value = '';
  button.textContent = 'Stop';
  box.disabled = true;
  const thought = careless ? null : add('thought', 'details');
  if (thought) add('', 'summary', thought).textContent = 'Thinking';
  const thoughts = thought ? add('', 'p', thought) : null;
  const answer = add('assistant');
  let said = '';
  let reasoning = '';
  let reason = null;
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: prompt }] }),
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
      const [choice] = JSON.parse(line.slice(6)).choices;
      said += choice.delta.content ?? '';
      reasoning += choice.delta.reasoning_content ?? '';
      reason = choice.finish_reason ?? reason;
      // The bug: one place for whatever comes, so that a thought stands where the answer should.
      answer.textContent = careless ? said || reasoning : said;
      if (thoughts) thoughts.textContent = reasoning;
    }
  }
  if (!careless && reason === null) add('notice').textContent = 'The answer was interrupted. Try again.';
  button.textContent = 'Send';
  box.disabled = false;
});

// ?ask=… sends a question by itself.
const asked = new URLSearchParams(location.search).get('ask');
if (asked) {
  box.value = asked;
  setTimeout(() => form.requestSubmit(), 500);
}
</script></html>`;

const THOUGHTS = 'Nothing reads the column since the last deploy. I should verify the migration before I say so.';
const ANSWER = 'Yes. Nothing has read the column since the last deploy, and the migration that drops it is in place.';

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const chat = async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  const cut = body.includes('cut');
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const send = (delta, finish_reason = null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'example', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  send({ role: 'assistant', content: '' });
  for (const word of THOUGHTS.split(/(?<= )/)) {
    send({ reasoning_content: word });
    await pause(25);
  }
  if (!cut) {
    for (const word of ANSWER.split(/(?<= )/)) {
      send({ content: word });
      await pause(25);
    }
    send({}, 'stop');
    response.write('data: [DONE]\n\n');
  }
  response.end();
};

/** Starts it; resolves to its address and how to stop it. Port 0: any that is free. */
export const serve = (port = 0) =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      if (request.url === '/api/chat') return void chat(request, response).catch(() => response.destroy());
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(PAGE(request.url?.startsWith('/careless') ?? false));
    });
    server.listen(port, '127.0.0.1', () => {
      const url = `http://localhost:${server.address().port}`;
      const close = () => {
        server.closeAllConnections();
        server.close();
      };
      resolve({ url, close });
    });
  });

if (process.argv[1] === import.meta.filename) console.log(`Open ${(await serve(4173)).url}/careless`);
