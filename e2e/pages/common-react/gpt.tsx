/**
 * A dark page like the best-known one, over chat completions. Slips: `eof` takes every end for the end, and an error for the
 * console's business; `first` is loading until the first token; `mix` appends whatever the delta carries.
 */
import { useRef, useState } from 'react';
import { events, slip } from '../common-plain/read.js';
import { Markdown } from './markdown';

type End = 'stop' | 'length' | 'lost' | 'error' | 'stopped';

interface Message {
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly thought: string;
  readonly end: End | null;
  readonly error?: string;
}

const NOTICES: Readonly<Record<Exclude<End, 'stop'>, string>> = {
  length: 'This response reached the maximum length.',
  lost: 'The connection was lost before the response was complete.',
  error: 'Something went wrong while generating the response.',
  stopped: 'You stopped this response',
};

const Actions = ({ onRetry }: { onRetry: () => void }) => {
  const [copied, setCopied] = useState(false);
  return (
    <div className="turn-actions">
      <button type="button" aria-label="Copy" onClick={() => setCopied(true)}>
        {copied ? '✓' : '⧉'}
      </button>
      <button type="button" aria-label="Good response">
        ☝
      </button>
      <button type="button" aria-label="Bad response">
        ☟
      </button>
      <button type="button" aria-label="Regenerate" onClick={onRetry}>
        ⟳
      </button>
    </div>
  );
};

export const Gpt = () => {
  const [turns, setTurns] = useState<readonly Message[]>([]);
  const [input, setInput] = useState('');
  const [streaming, setStreaming] = useState(false);
  const control = useRef<AbortController | null>(null);

  const ask = async (prompt: string): Promise<void> => {
    const id = Date.now();
    setTurns((all) => [
      ...all,
      { id: id - 1, role: 'user', text: prompt, thought: '', end: 'stop' },
      { id, role: 'assistant', text: '', thought: '', end: null },
    ]);
    const change = (how: (turn: Message) => Partial<Message>): void =>
      setTurns((all) => all.map((turn) => (turn.id === id ? { ...turn, ...how(turn) } : turn)));
    setInput('');
    setStreaming(true);
    control.current = new AbortController();
    let end: End = slip === '' ? 'lost' : 'stop';
    let error = '';
    try {
      const body = { model: 'scripted-1', stream: true, messages: [{ role: 'user', content: prompt }] };
      for await (const { data } of events('/v1/chat/completions', body, control.current.signal)) {
        if (data === '[DONE]') {
          if (slip === 'eof') continue;
          break;
        }
        if (slip === '' && data.error !== undefined) {
          end = 'error';
          error = data.error.message;
          break;
        }
        const { delta, finish_reason: reason } = data.choices[0];
        if (slip === 'mix') {
          const piece = delta.content || delta.reasoning || '';
          change(({ text }) => ({ text: text + piece }));
        } else {
          if (delta.reasoning !== undefined) change(({ thought }) => ({ thought: thought + delta.reasoning }));
          if (delta.content) {
            change(({ text }) => ({ text: text + delta.content }));
            if (slip === 'first') setStreaming(false);
          }
        }
        if (slip === '' && reason !== null) end = reason;
      }
    } catch (problem) {
      console.error(problem);
      if (slip === '') end = control.current.signal.aborted ? 'stopped' : 'lost';
    } finally {
      setStreaming(false);
      change(() => ({ end, error }));
    }
  };

  return (
    <div className="gpt">
      <header>Assistant 5 ▾</header>
      <main>
        {turns.length === 0 && <h1>What’s on your mind today?</h1>}
        {turns.map((turn, at) =>
          turn.role === 'user' ? (
            <div key={turn.id} className="turn user" data-role="user">
              <div>{turn.text}</div>
            </div>
          ) : (
            <article key={turn.id} className="turn assistant" data-role="assistant">
              {turn.thought !== '' && (
                <details>
                  <summary>{turn.text === '' && turn.end === null ? 'Thinking' : 'Thought for a few seconds'}</summary>
                  <p>{turn.thought}</p>
                </details>
              )}
              {turn.text === '' && streaming && at === turns.length - 1 && <span className="pulse" />}
              <Markdown text={turn.text} />
              {turn.end !== null && turn.end !== 'stop' && (
                <div className={turn.end === 'stopped' ? 'note' : 'alert'}>
                  {NOTICES[turn.end]} {turn.error ? <small>{turn.error}</small> : null}
                  {turn.end !== 'stopped' && (
                    <button type="button" onClick={() => ask(turns[at - 1]!.text)}>
                      {turn.end === 'length' ? 'Continue generating' : 'Retry'}
                    </button>
                  )}
                </div>
              )}
              {(at < turns.length - 1 || !streaming) && turn.text !== '' && <Actions onRetry={() => ask(turns[at - 1]!.text)} />}
            </article>
          ),
        )}
      </main>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!streaming && input.trim() !== '') void ask(input);
        }}
      >
        <textarea
          rows={1}
          placeholder="Ask anything"
          value={input}
          onChange={(event) => setInput(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        {streaming ? (
          <button type="button" className="round" aria-label="Stop streaming" onClick={() => control.current?.abort()}>
            ■
          </button>
        ) : (
          <button type="submit" className="round" aria-label="Send prompt" disabled={input.trim() === ''}>
            ↑
          </button>
        )}
      </form>
      <footer>Assistant can make mistakes. Check important info.</footer>
    </div>
  );
};
