/**
 * A chat page as the documentation of `@ai-sdk/react` shows it: `useChat`, the message's parts, a stop button while the
 * status says that something is going on. Nothing in it knows of Unsettled. The query goes on to the server (`?cut=N` asks
 * it to close early), and `form` says which of the forms people give such a page:
 *
 *   (none)      as documented: reasoning in a disclosure, an error notice
 *   no-notice   the error is not shown
 *   thoughts    reasoning is a paragraph like any other
 *   tools       tool calls are shown, with buttons that answer them
 *   careful     says what cut the answer short, from the message's own finish reason
 */
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, isToolUIPart } from 'ai';
import { type FormEvent, useState } from 'react';
import { createRoot } from 'react-dom/client';

const transport = new DefaultChatTransport({ api: `/api/chat${location.search}` });
const query = new URLSearchParams(location.search);
const form = query.get('form') ?? '';
if (query.get('words') === 'arabic') document.documentElement.dir = 'rtl';

const CUT: Readonly<Record<string, string>> = {
  length: 'The answer was cut off at the length limit.',
  'content-filter': 'The answer was held back by a filter.',
};

const Chat = () => {
  const [note, setNote] = useState<string | null>(null);
  const { messages, sendMessage, status, stop, error, addToolOutput } = useChat({
    transport,
    onFinish({ isAbort, isDisconnect, isError, finishReason }) {
      if (form !== 'careful') return;
      if (isAbort) setNote('You stopped this answer.');
      else if (isDisconnect || isError) setNote('The connection was lost before the answer was complete.');
      else if (finishReason === undefined) setNote('The answer ended before it was complete.');
      else setNote(CUT[finishReason] ?? null);
    },
  });
  const [input, setInput] = useState('Where is the retention window set?');
  const busy = status === 'submitted' || status === 'streaming';

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setNote(null);
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
            if (part.type === 'text' || (part.type === 'reasoning' && form === 'thoughts')) return <p key={key}>{part.text}</p>;
            if (part.type === 'reasoning')
              return (
                <details key={key}>
                  <summary>Reasoning</summary>
                  {part.text}
                </details>
              );
            if (isToolUIPart(part) && form === 'tools') {
              const { question } = (part.input ?? {}) as { question?: string };
              const answer = (output: string): void =>
                void addToolOutput({ tool: 'askForConfirmation', toolCallId: part.toolCallId, output });
              return (
                <div key={key} className="ask">
                  <p>{question}</p>
                  {part.state === 'input-available' && (
                    <>
                      <button type="button" onClick={() => answer('yes')}>
                        Yes
                      </button>
                      <button type="button" onClick={() => answer('no')}>
                        No
                      </button>
                    </>
                  )}
                </div>
              );
            }
            return null;
          })}
        </article>
      ))}
      {error !== undefined && form !== 'no-notice' && <p role="alert">Something went wrong.</p>}
      {note !== null && <p className="note">{note}</p>}
      <form onSubmit={submit}>
        <input aria-label="Message" value={input} onChange={(event) => setInput(event.target.value)} disabled={busy} />
        {busy ? (
          // Keys of their own: the button that is clicked must not turn into one that submits.
          <button key="stop" id="stop" type="button" onClick={() => void stop()}>
            Stop
          </button>
        ) : (
          <button key="send" id="send" type="submit">
            Send
          </button>
        )}
      </form>
    </main>
  );
};

createRoot(document.getElementById('root')!).render(<Chat />);
