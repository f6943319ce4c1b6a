/**
 * A chat on `useStream`, along its documentation: messages, an interrupt with its answer, stop while it is loading. The
 * graph's name is the scenario. `?variant=errors` also shows `error`, which the shortest example leaves out.
 */
import type { Message } from '@langchain/langgraph-sdk';
import { useStream } from '@langchain/langgraph-sdk/react';
import { type FormEvent, useState } from 'react';
import { createRoot } from 'react-dom/client';

const query = new URLSearchParams(location.search);

const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : content.map((block) => (block.type === 'text' ? block.text : '')).join('');

const Chat = () => {
  const thread = useStream<{ messages: Message[] }, { InterruptType: string }>({
    apiUrl: `${location.origin}/api`,
    assistantId: query.get('scenario') ?? 'completed',
    messagesKey: 'messages',
  });
  const [input, setInput] = useState('');

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void thread.submit({ messages: [{ type: 'human', content: input }] });
    setInput('');
  };

  return (
    <main>
      {thread.messages.map((message, index) => (
        <div key={message.id ?? index} className={`message ${message.type}`}>
          {textOf(message)}
        </div>
      ))}
      {thread.interrupt !== undefined && (
        <div className="interrupt">
          <p>{thread.interrupt.value}</p>
          <button type="button" onClick={() => void thread.submit(undefined, { command: { resume: true } })}>
            Resume
          </button>
        </div>
      )}
      {query.get('variant') === 'errors' && thread.error !== undefined && <p role="alert">Something went wrong. Please try again.</p>}
      <form onSubmit={submit}>
        <input aria-label="Message" value={input} onChange={(event) => setInput(event.target.value)} />
        {thread.isLoading ? (
          <button key="stop" id="stop" type="button" onClick={() => void thread.stop()}>
            Stop
          </button>
        ) : (
          <button key="submit" type="submit">
            Send
          </button>
        )}
      </form>
    </main>
  );
};

createRoot(document.getElementById('root')!).render(<Chat />);
