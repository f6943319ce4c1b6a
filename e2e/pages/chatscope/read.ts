/** Reads a stream of UI messages by hand, and gives it on in the page's own words. */
import { eventsOf } from '../sse';

interface Chunk {
  readonly type?: string;
  readonly delta?: string;
  readonly finishReason?: string;
  readonly errorText?: string;
  readonly input?: { readonly question?: string };
}

/** What the answer is so far. `ended`: how it ended, where somebody said so. */
export interface Said {
  readonly text: string;
  readonly thought: string;
  readonly question?: string;
  readonly ended?: string;
}

/** The answer, grown by each chunk, until the body ends; a broken one throws. */
export async function* ask(question: string, signal: AbortSignal): AsyncGenerator<Said> {
  const response = await fetch(`/api/chat${location.search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }] }),
    signal,
  });
  let said: Said = { text: '', thought: '' };
  for await (const chunk of eventsOf(response) as AsyncGenerator<Chunk>) {
    if (chunk.type === 'text-delta') said = { ...said, text: said.text + chunk.delta };
    else if (chunk.type === 'reasoning-delta') said = { ...said, thought: said.thought + chunk.delta };
    else if (chunk.type === 'tool-input-available') said = { ...said, question: chunk.input!.question };
    else if (chunk.type === 'error') said = { ...said, ended: 'failed' };
    else if (chunk.type === 'finish') said = { ...said, ended: said.ended ?? chunk.finishReason };
    yield said;
  }
}
