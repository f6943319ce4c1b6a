/**
 * useChat with its answers rendered by streamdown, word by word, as its documentation puts them together: `animated` while
 * the status is streaming. The reasoning is a disclosure that opens while it grows; the submit button is stop, send or
 * retry by the status. The address says the scenario and the words; `?errors` also shows the error.
 */
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';
import { type FormEvent, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Streamdown } from 'streamdown';
import 'streamdown/styles.css';

const query = new URLSearchParams(location.search);
const transport = new DefaultChatTransport({ api: `/api/chat${location.search}` });

const Chat = () => {
  const { messages, sendMessage, status, stop, error } = useChat({ transport });
  const [input, setInput] = useState('');
  const busy = status === 'submitted' || status === 'streaming';

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) {
      void stop();
      return;
    }
    void sendMessage({ text: input });
    setInput('');
  };

  return (
    <main>
      <div role="log">
        {messages.map((message, at) => {
          const streaming = status === 'streaming' && at === messages.length - 1;
          return (
            <div key={message.id} className={`message ${message.role}`} dir="auto">
              {message.parts.map((part, index) => {
                const key = `${message.id}-${index}`;
                if (part.type === 'text')
                  return (
                    <Streamdown key={key} animated={{ animation: 'fadeIn', duration: 150 }} isAnimating={streaming}>
                      {part.text}
                    </Streamdown>
                  );
                if (part.type === 'reasoning')
                  return (
                    <details key={key} className="reasoning" open={streaming && index === message.parts.length - 1}>
                      <summary>{streaming && index === message.parts.length - 1 ? 'Thinking…' : 'Thought for a few seconds'}</summary>
                      <Streamdown>{part.text}</Streamdown>
                    </details>
                  );
                return null;
              })}
            </div>
          );
        })}
        {status === 'submitted' && <div className="loader" />}
      </div>
      {query.has('errors') && error !== undefined && <p role="alert">Something went wrong. Please try again.</p>}
      <form onSubmit={submit}>
        <textarea aria-label="Message" rows={2} value={input} onChange={(event) => setInput(event.target.value)} />
        <button type="submit" aria-label={busy ? 'Stop' : 'Submit'} data-status={status}>
          {busy ? '■' : status === 'error' ? '✕' : '↵'}
        </button>
      </form>
    </main>
  );
};

createRoot(document.getElementById('root')!).render(<Chat />);
