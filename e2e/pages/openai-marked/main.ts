/**
 * A plain page on the `openai` client without a framework: markdown through `marked` and DOMPurify, the whole message
 * rendered anew at every piece. As made by somebody careful: a stop button and a line of status while it runs, reasoning
 * in a disclosure, and whatever cut the answer short is said under it. `form=hasty` is the same page without those words.
 */
import DOMPurify from 'dompurify';
import { marked } from 'marked';
import OpenAI from 'openai';

const client = new OpenAI({ apiKey: 'none', baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true, maxRetries: 0 });
const hasty = new URLSearchParams(location.search).get('form') === 'hasty';
const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const log = byId('log');
const prompt = byId<HTMLTextAreaElement>('prompt');
const send = byId<HTMLButtonElement>('send');
const stop = byId<HTMLButtonElement>('stop');

const add = (parent: HTMLElement, name: string, className: string, text = ''): HTMLElement => {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  parent.append(element);
  return element;
};

const setBusy = (busy: boolean): void => {
  send.hidden = busy;
  stop.hidden = !busy;
  prompt.disabled = busy;
};

const ask = async (question: string): Promise<void> => {
  add(log, 'div', 'message user', question);
  const message = add(log, 'div', 'message assistant');
  const status = add(message, 'div', 'status', 'Thinking…');
  const thoughts = add(message, 'details', 'thoughts');
  thoughts.hidden = true;
  add(thoughts, 'summary', '', 'Reasoning');
  const working = add(thoughts, 'div', 'text');
  const body = add(message, 'div', 'markdown');
  const notice = (text: string): void => {
    if (!hasty) add(message, 'p', 'notice', text);
  };
  setBusy(true);
  const controller = new AbortController();
  stop.onclick = () => controller.abort();
  let text = '';
  let finish: string | null = null;
  try {
    const stream = await client.chat.completions.create(
      { model: 'scripted-1', messages: [{ role: 'user', content: question }], stream: true },
      { signal: controller.signal },
    );
    for await (const chunk of stream) {
      const choice = chunk.choices[0];
      const delta = choice?.delta as { content?: string; reasoning_content?: string } | undefined;
      if (delta?.reasoning_content !== undefined) {
        thoughts.hidden = false;
        working.append(delta.reasoning_content);
      }
      if (delta?.content) {
        status.textContent = 'Writing…';
        text += delta.content;
        body.innerHTML = DOMPurify.sanitize(await marked.parse(text));
      }
      finish = choice?.finish_reason ?? finish;
    }
    if (controller.signal.aborted) notice('Stopped.');
    else if (finish === null) notice('The connection was lost before the answer was complete.');
    else if (finish === 'length') notice('The answer was cut off: it reached the length limit.');
  } catch (error) {
    if (controller.signal.aborted) notice('Stopped.');
    else notice(`Something went wrong: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    status.remove();
    setBusy(false);
    prompt.focus();
  }
};

byId('composer').addEventListener('submit', (event) => {
  event.preventDefault();
  const question = prompt.value.trim();
  prompt.value = '';
  if (question !== '') void ask(question);
});
