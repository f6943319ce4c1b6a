/**
 * NLUX' `AiChat` with a stream adapter on a server of the responses protocol. `form`: '' hands on the words until the body ends, as
 * its first example does; the others are what their adapters (adapters.ts) make of it. What they have to say besides the
 * answer stands in a line under the chat.
 */
import { AiChat, useAsStreamAdapter } from '@nlux/react';
import '@nlux/themes/nova.css';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ADAPTERS, type Besides } from './adapters';

const form = new URLSearchParams(location.search).get('form') ?? '';
const adapt = ADAPTERS[form]!;

const App = () => {
  const [{ note, question, thinking }, say] = useState<Besides>({});
  const adapter = useAsStreamAdapter((prompt, observer) => adapt(prompt, observer, say), []);
  return (
    <>
      <div className="chat">
        <AiChat
          adapter={adapter}
          displayOptions={{ colorScheme: 'light' }}
          personaOptions={{
            assistant: {
              name: 'Keeper',
              tagline: 'Knows the settings',
              avatar: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E',
            },
          }}
          composerOptions={{ placeholder: 'How can I help you today?' }}
          messageOptions={form === 'careful' ? { waitTimeBeforeStreamCompletion: 'never' } : undefined}
        />
      </div>
      {thinking && <div className="below">Thinking…</div>}
      {note && (
        <div className="below warn" role="status">
          {note}
        </div>
      )}
      {question && (
        <div className="below">
          {question} <button type="button">Yes</button> <button type="button">No</button>
        </div>
      )}
    </>
  );
};

createRoot(document.getElementById('root')!).render(<App />);
