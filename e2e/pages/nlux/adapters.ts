/** What developers write between a stream of responses and NLUX' observer. */
import type { StreamingAdapterObserver } from '@nlux/react';
import { eventsOf } from '../sse';

/** What a page says besides the answer. */
export interface Besides {
  readonly note?: string;
  readonly question?: string;
  readonly thinking?: boolean;
}

type Adapt = (prompt: string, observer: StreamingAdapterObserver<string>, say: (besides: Besides) => void) => Promise<void>;

interface Event {
  readonly type?: string;
  readonly delta?: string;
  readonly arguments?: string;
}

async function* ask(prompt: string): AsyncGenerator<Event> {
  const response = await fetch('/v1/responses', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted-1', stream: true, input: prompt }),
  });
  yield* eventsOf(response) as AsyncGenerator<Event>;
}

const isText = ({ type }: Event): boolean => type === 'response.output_text.delta';

/** As in the first example: words until the body ends. */
const start: Adapt = async (prompt, observer) => {
  for await (const event of ask(prompt)) if (isText(event)) observer.next(event.delta!);
  observer.complete();
};

/** The text is complete, so the answer is. */
const said: Adapt = async (prompt, observer) => {
  for await (const event of ask(prompt)) {
    if (isText(event)) observer.next(event.delta!);
    if (event.type === 'response.output_text.done') observer.complete();
  }
};

/** Errors go to the console, and whatever happened, it is complete. */
const swallow: Adapt = async (prompt, observer) => {
  try {
    for await (const event of ask(prompt)) {
      if (isText(event)) observer.next(event.delta!);
      if (event.type === 'response.failed') throw new Error('The response failed.');
    }
  } catch (error) {
    console.error(error);
  } finally {
    observer.complete();
  }
};

/** Every delta is a word of the answer. */
const thoughts: Adapt = async (prompt, observer) => {
  for await (const event of ask(prompt)) if (event.type!.endsWith('_text.delta')) observer.next(event.delta!);
  observer.complete();
};

/** Knows each end, and says what is not a plain one. */
const careful: Adapt = async (prompt, observer, say) => {
  let question: string | undefined;
  const end = (note?: string): void => {
    say({ note, question });
    observer.complete();
  };
  say({});
  try {
    for await (const event of ask(prompt)) {
      if (event.type === 'response.reasoning_summary_text.delta') say({ thinking: true });
      else if (isText(event)) {
        say({});
        observer.next(event.delta!);
      } else if (event.type === 'response.function_call_arguments.done') question = JSON.parse(event.arguments!).question;
      else if (event.type === 'response.completed') return end();
      else if (event.type === 'response.incomplete') return end('The answer reached its limit of length and was cut off.');
      else if (event.type === 'response.failed') return end('The model failed before the answer was complete.');
    }
    end('The connection ended before the answer was complete.');
  } catch {
    end('The connection was lost before the answer was complete.');
  }
};

/** The library's own error: it takes the turn back and shows a message of its own. */
const error: Adapt = async (prompt, observer) => {
  try {
    for await (const event of ask(prompt)) {
      if (isText(event)) observer.next(event.delta!);
      if (event.type === 'response.failed') throw new Error('The response failed.');
    }
    observer.complete();
  } catch (cause) {
    observer.error(cause as Error);
  }
};

export const ADAPTERS: Readonly<Record<string, Adapt>> = { '': start, said, swallow, thoughts, careful, error };
