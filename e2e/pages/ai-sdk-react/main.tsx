/**
 * A chat page as the documentation of `@ai-sdk/react` shows it: `useChat`, the message's parts, a stop button while the
 * status says that something is going on. Nothing in it knows of Unsettled. `?cut=N` asks the server to close early.
 */
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';
import { type FormEvent, useState } from 'react';
import { createRoot } from 'react-dom/client';

const transport = new DefaultChatTransport({ api: `/api/chat${location.search}` });

const Chat = () => {
  const { messages, sendMessage, status, stop, error } = useChat({ transport });
  const [input, setInput] = useState('Where is the retention window set?');
  const busy = status === 'submitted' || status === 'streaming';

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void sendMessage({ text: input });
    setInput('');
  };

  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {message.parts.map((part, index) => {
            // Parts of one message keep their place, so the index is their identity.
            const key = `${message.id}-${index}`;
            if (part.type === 'text') return <p key={key}>{part.text}</p>;
            if (part.type === 'reasoning')
              return (
                <details key={key}>
                  <summary>Reasoning</summary>
                  {part.text}
                </details>
              );
            return null;
          })}
        </article>
      ))}
      {error !== undefined && <p role="alert">Something went wrong.</p>}
      <form onSubmit={submit}>
        <input aria-label="Message" value={input} onChange={(event) => setInput(event.target.value)} disabled={busy} />
        {busy ? (
          <button id="stop" type="button" onClick={() => void stop()}>
            Stop
          </button>
        ) : (
          <button id="send" type="submit">
            Send
          </button>
        )}
      </form>
    </main>
  );
};

createRoot(document.getElementById('root')!).render(<Chat />);
