/**
 * A help desk's page over UI messages, its parts drawn by type: text, tool cards, an approval. Slips: `tick` ticks every card as
 * soon as it is there and knows no approval; `spin` never takes the result into the card; `idle` is idle at the end of the body
 * and reads no error.
 */
import { useReducer, useRef, useState } from 'react';
import { events, slip } from '../common-plain/read.js';

type Part =
  | { readonly type: 'text'; readonly id: string; readonly text: string }
  | {
      readonly type: 'tool';
      readonly id: string;
      readonly name: string;
      readonly state: 'running' | 'done' | 'asks';
      readonly input?: { question?: string };
    };

type Status = 'ready' | 'submitted' | 'streaming' | 'error';

// biome-ignore lint/suspicious/noExplicitAny: an event of the wire, as the page's author typed it
const reduce = (parts: readonly Part[], event: any): readonly Part[] => {
  const change = (id: string, how: (part: Part) => Part): readonly Part[] => parts.map((part) => (part.id === id ? how(part) : part));
  switch (event.type) {
    case 'clear':
      return [];
    case 'text-start':
      return [...parts, { type: 'text', id: event.id, text: '' }];
    case 'text-delta':
      return change(event.id, (part) => ({ ...part, text: (part as { text: string }).text + event.delta }) as Part);
    case 'tool-input-start':
      return [...parts, { type: 'tool', id: event.toolCallId, name: event.toolName, state: 'running' }];
    case 'tool-input-available':
      return change(event.toolCallId, (part) => ({ ...part, input: event.input }) as Part);
    case 'tool-output-available':
      return slip === 'spin' ? parts : change(event.toolCallId, (part) => ({ ...part, state: 'done' }) as Part);
    case 'tool-approval-request':
      return slip === 'tick' ? parts : change(event.toolCallId, (part) => ({ ...part, state: 'asks' }) as Part);
    default:
      return parts;
  }
};

const TITLES: Readonly<Record<string, string>> = { lookUpOrder: 'Look up order', pushFix: 'Refund payment' };

const ToolCard = ({ name, state, input }: Extract<Part, { type: 'tool' }>) => {
  const [answered, setAnswered] = useState(false);
  const shown = slip === 'tick' ? 'done' : state;
  return (
    <div className="card" data-tool={name}>
      <div className="card-head">
        <span className="icon">🔧</span>
        <span>{TITLES[name]}</span>
        <span className={`pill ${shown}`}>
          {shown === 'running' && <i className="spinner" />}
          {shown === 'running' ? 'Running' : shown === 'done' ? '✓ Completed' : answered ? 'Answered' : 'Needs approval'}
        </span>
      </div>
      {shown === 'asks' && !answered && (
        <div className="card-body">
          <p>{input?.question}</p>
          <button type="button" onClick={() => setAnswered(true)}>
            Approve
          </button>
          <button type="button" className="plain" onClick={() => setAnswered(true)}>
            Deny
          </button>
        </div>
      )}
    </div>
  );
};

export const Tools = () => {
  const [parts, dispatch] = useReducer(reduce, []);
  const [status, setStatus] = useState<Status>('ready');
  const [input, setInput] = useState('');
  const [asked, setAsked] = useState('');
  const [notice, setNotice] = useState('');
  const control = useRef<AbortController | null>(null);
  const busy = status === 'submitted' || status === 'streaming';

  const submit = async (): Promise<void> => {
    setAsked(input);
    setInput('');
    setNotice('');
    dispatch({ type: 'clear' });
    setStatus('submitted');
    control.current = new AbortController();
    let reason: string | null = null;
    try {
      const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: input }] }];
      for await (const { data } of events('/api/chat', { id: 'chat-1', messages, trigger: 'submit-message' }, control.current.signal)) {
        setStatus('streaming');
        dispatch(data);
        if (slip === 'idle') continue;
        if (data.type === 'error') throw new Error(data.errorText);
        if (data.type === 'finish') {
          reason = data.finishReason;
          break;
        }
      }
      if (slip === '' && reason === null) throw new Error('The stream ended before the reply was complete');
      if (slip === '' && reason === 'length') setNotice('The reply hit the token limit and is incomplete.');
      setStatus('ready');
    } catch (error) {
      if (slip === 'idle') return setStatus('ready');
      if (control.current.signal.aborted) {
        setNotice('Interrupted by you.');
        return setStatus('ready');
      }
      setNotice(`Error: ${(error as Error).message}`);
      setStatus('error');
    }
  };

  return (
    <div className="desk">
      <header>
        <b>Helpdesk copilot</b>
        <a href="#tickets">Tickets</a>
      </header>
      <main>
        {asked !== '' && <div className="me">{asked}</div>}
        <div className="agent">
          {parts.map((part) => (part.type === 'text' ? <p key={part.id}>{part.text}</p> : <ToolCard key={part.id} {...part} />))}
          {status === 'submitted' && <div className="loading">Loading…</div>}
          {notice !== '' && <div className={status === 'error' ? 'notice bad' : 'notice'}>{notice}</div>}
          {status === 'error' && (
            <button type="button" className="plain" onClick={() => void submit()}>
              Retry
            </button>
          )}
        </div>
      </main>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void submit();
        }}
      >
        <input value={input} onChange={(event) => setInput(event.target.value)} placeholder="Describe the case" disabled={busy} />
        <button type="submit" disabled={busy || input === ''}>
          Send
        </button>
        {busy && (
          <button type="button" className="plain stop" onClick={() => control.current?.abort()}>
            Stop
          </button>
        )}
      </form>
    </div>
  );
};
