/**
 * React ChatBotify on a server of chat completions, embedded, with the loop of its streaming example. `form`: '' as the example has
 * it, which tells its own error only; `careful` says each end that is not a plain one, shows a line while it writes, and asks
 * what the model asks.
 */
import { useMemo, useState } from 'react';
import ChatBot, { type Flow, type Params } from 'react-chatbotify';
import { createRoot } from 'react-dom/client';
import { eventsOf } from '../sse';

const careful = new URLSearchParams(location.search).get('form') === 'careful';

const NOTES: Readonly<Record<string, string>> = {
  length: 'The answer was cut off at the limit of length.',
  error: 'The model failed before the answer was complete.',
  lost: 'The connection ended before the answer was complete.',
};

interface Completion {
  readonly error?: object;
  readonly choices?: readonly {
    readonly delta: { readonly content?: string; readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[] };
    readonly finish_reason: string | null;
  }[];
}

const App = () => {
  const [writing, setWriting] = useState(false);
  const flow = useMemo((): Flow => {
    let isAsked = false;
    const answer = async (params: Params): Promise<void> => {
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'scripted-1', stream: true, messages: [{ role: 'user', content: params.userInput }] }),
      });
      let text = '';
      let call = '';
      let ended = 'lost';
      for await (const { error, choices } of eventsOf(response) as AsyncGenerator<Completion>) {
        if (error) ended = 'error';
        const [choice] = choices ?? [];
        if (choice === undefined) continue;
        call += choice.delta.tool_calls?.[0]?.function.arguments ?? '';
        ended = choice.finish_reason ?? ended;
        if (!choice.delta.content) continue;
        text += choice.delta.content;
        await params.streamMessage(text);
      }
      await params.endStreamMessage('BOT');
      if (!careful) return;
      if (NOTES[ended] !== undefined) await params.injectMessage(NOTES[ended]);
      isAsked = ended === 'tool_calls';
      if (isAsked) await params.injectMessage(JSON.parse(call).question);
    };
    return {
      start: { message: 'Hello, what would you like to know?', path: 'loop' },
      loop: {
        message: async (params) => {
          setWriting(true);
          try {
            await answer(params);
          } catch {
            await params.injectMessage(careful ? NOTES.lost! : 'Unable to load model, is your API Key valid?');
          }
          setWriting(false);
        },
        options: () => (isAsked ? ['Yes', 'No'] : []),
        path: 'loop',
      },
    };
  }, []);
  return (
    <>
      {careful && <p className="state">{writing ? 'The assistant is writing…' : ''}</p>}
      <ChatBot
        flow={flow}
        settings={{
          general: { embedded: true, showFooter: false },
          chatHistory: { storageKey: 'page-chatbotify' },
          notification: { disabled: true },
          audio: { disabled: true },
        }}
        styles={{ chatWindowStyle: { height: 480, width: 560 } }}
      />
    </>
  );
};

createRoot(document.getElementById('root')!).render(<App />);
