/**
 * useChat with what bigger pages add: a virtualised list (`react-virtuoso`) with a long history, a typewriter that smooths
 * the text, and words that fade in one by one. `form=quiet` shows no connection strip.
 */
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { type FormEvent, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Virtuoso } from 'react-virtuoso';

const transport = new DefaultChatTransport({ api: `/api/chat${location.search}` });
const quiet = new URLSearchParams(location.search).get('form') === 'quiet';

const history: UIMessage[] = Array.from(
  { length: 60 },
  (_, at): UIMessage => ({
    id: `old-${at}`,
    role: at % 2 === 0 ? 'user' : 'assistant',
    parts: [
      { type: 'text', text: at % 2 === 0 ? `Question ${at / 2 + 1}` : `An earlier answer, number ${(at + 1) / 2}, about something else.` },
    ],
  }),
);

/** A few characters per frame, faster the further behind: the usual smoothing. */
const useSmooth = (text: string, live: boolean): string => {
  const [shown, setShown] = useState(live ? 0 : text.length);
  useEffect(() => {
    if (shown >= text.length) return;
    const frame = requestAnimationFrame(() => setShown((now) => Math.min(text.length, now + 1 + Math.floor((text.length - now) / 30))));
    return () => cancelAnimationFrame(frame);
  }, [shown, text]);
  return text.slice(0, shown);
};

const Text = ({ text, live }: { readonly text: string; readonly live: boolean }) => {
  const shown = useSmooth(text, live);
  // Words keep their place, so the index is their identity.
  return (
    <>
      {(shown.match(/\s*\S+/gu) ?? []).map((word, at) => {
        const key = `word-${at}`;
        return (
          <span key={key} className="word">
            {word}
          </span>
        );
      })}
    </>
  );
};

const Chat = () => {
  const { messages, sendMessage, status, stop, error } = useChat({ transport, messages: history });
  const [input, setInput] = useState('');
  const busy = status === 'submitted' || status === 'streaming';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void sendMessage({ text: input });
    setInput('');
  };
  return (
    <main>
      <Virtuoso
        className="list"
        data={messages}
        followOutput="auto"
        initialTopMostItemIndex={history.length - 1}
        itemContent={(_, message) => (
          <div className={`row ${message.role}`}>
            <div className="bubble">
              {message.parts.map((part, at) => {
                const key = `${message.id}-${at}`;
                return part.type === 'text' ? (
                  <Text key={key} text={part.text} live={!message.id.startsWith('old-') && message.role === 'assistant'} />
                ) : null;
              })}
            </div>
          </div>
        )}
      />
      {error !== undefined && !quiet && <div className="strip">Connection lost. The answer above is not complete.</div>}
      <form onSubmit={submit}>
        <input aria-label="Message" value={input} onChange={(event) => setInput(event.target.value)} />
        {busy ? (
          <button key="stop" type="button" aria-label="Stop" onClick={() => void stop()}>
            ◼
          </button>
        ) : (
          <button key="send" type="submit" aria-label="Send" disabled={input.trim() === ''}>
            ➤
          </button>
        )}
      </form>
    </main>
  );
};

createRoot(document.getElementById('root')!).render(<Chat />);
