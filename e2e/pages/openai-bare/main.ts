/**
 * The shortest page there is on the `openai` client: the streaming loop of its README, run in the browser, with the text
 * written where it comes. Nothing on it tells a run from the time after it. `form`: `thoughts` shows whatever comes,
 * reasoning too; `transcript` puts each answer under the question.
 */
import OpenAI from 'openai';

const client = new OpenAI({ apiKey: 'none', baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true, maxRetries: 0 });
const form = new URLSearchParams(location.search).get('form') ?? '';
const output = document.getElementById('output')!;
const prompt = document.getElementById('prompt') as HTMLTextAreaElement;

document.getElementById('ask')!.addEventListener('click', async () => {
  let target: HTMLElement = output;
  if (form === 'transcript') {
    const question = document.createElement('h2');
    question.textContent = prompt.value;
    target = document.createElement('p');
    output.append(question, target);
  } else output.textContent = '';
  const stream = await client.chat.completions.create({
    model: 'scripted-1',
    messages: [{ role: 'user', content: prompt.value }],
    stream: true,
  });
  for await (const chunk of stream) {
    const delta = chunk.choices[0]?.delta as { content?: string; reasoning_content?: string } | undefined;
    const text = form === 'thoughts' ? (delta?.content ?? delta?.reasoning_content) : delta?.content;
    target.append(text ?? '');
  }
});
