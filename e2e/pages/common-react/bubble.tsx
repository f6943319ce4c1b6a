/**
 * Utility classes, bubbles, three dots while one waits; Anthropic's messages. Slips: `dots` shows nothing but the dots before the
 * first word; `block` takes the end of the text block for the end of the answer; `hush` catches everything and says nothing.
 */
import { useState } from 'react';
import { events, slip } from '../common-plain/read.js';

interface Bubble {
  readonly me: boolean;
  readonly text: string;
}

type State = 'idle' | 'waiting' | 'writing';

const ENDS: Readonly<Record<string, string>> = {
  max_tokens: '⚠️ The reply was too long and has been cut off here.',
  refusal: '⚠️ The assistant declined to go on.',
};

export const Bubble = () => {
  const [bubbles, setBubbles] = useState<readonly Bubble[]>([]);
  const [draft, setDraft] = useState('');
  const [state, setState] = useState<State>('idle');
  const [running, setRunning] = useState('');
  const [problem, setProblem] = useState('');
  const [asks, setAsks] = useState('');
  const [abort, setAbort] = useState<AbortController | null>(null);

  const send = async (): Promise<void> => {
    const prompt = draft.trim();
    if (prompt === '') return;
    setBubbles((all) => [...all, { me: true, text: prompt }]);
    setDraft('');
    setProblem('');
    setState('waiting');
    const control = new AbortController();
    setAbort(control);
    let begun = false;
    let reason: string | null = null;
    let block = '';
    let tool = '';
    try {
      const body = { model: 'claude-sonnet-5', stream: true, max_tokens: 1024, messages: [{ role: 'user', content: prompt }] };
      for await (const { data } of events('/v1/messages', body, control.signal)) {
        if (data.type === 'error' && slip === '') throw new Error(data.error.message);
        if (data.type === 'content_block_start') {
          block = data.content_block.type;
          if (block === 'server_tool_use') setRunning('Checking your calendar…');
          if (block === 'code_execution_tool_result') setRunning('');
          if (block === 'tool_use') tool = data.content_block.name;
        }
        if (data.type === 'content_block_delta' && data.delta.type === 'text_delta') {
          const piece = data.delta.text;
          if (!begun) {
            begun = true;
            setState(slip === 'dots' ? 'idle' : 'writing');
            setBubbles((all) => [...all, { me: false, text: piece }]);
          } else setBubbles((all) => [...all.slice(0, -1), { me: false, text: all.at(-1)!.text + piece }]);
        }
        if (data.type === 'content_block_stop' && block === 'text' && slip === 'block') setState('idle');
        if (data.type === 'message_delta') reason = data.delta.stop_reason;
        if (data.type === 'message_stop') break;
      }
      if (slip === '') {
        if (reason === null) setProblem('⚠️ We lost the connection. The reply above is incomplete.');
        else if (reason === 'tool_use') setAsks(tool);
        else if (ENDS[reason] !== undefined) setProblem(ENDS[reason]);
      }
    } catch (error) {
      if (slip === '')
        setProblem(control.signal.aborted ? '✋ You stopped this reply.' : `⚠️ ${(error as Error).message}. Please try again.`);
    }
    setRunning('');
    setState('idle');
  };

  const busy = state !== 'idle';
  return (
    <div className="flex flex-col h-screen bg-slate-50 text-slate-900">
      <div className="flex items-center gap-2 px-4 py-3 border-b bg-white">
        <div className="rounded-full bg-indigo-600 text-white w-8 h-8 grid place-center">N</div>
        <div>
          <div className="font-semibold">Nora</div>
          <div className="text-xs text-slate-500">Scheduling assistant</div>
        </div>
      </div>
      <div className="flex-1 overflow-y-auto p-4 space-y-3">
        <div className="max-w-md rounded-2xl bg-white shadow-sm px-4 py-2">Hi! I keep your week in order. What do you need?</div>
        {bubbles.map(({ me, text }, at) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: bubbles only come at the end
            key={at}
            className={
              me ? 'max-w-md rounded-2xl bg-indigo-600 text-white px-4 py-2 ml-auto' : 'max-w-md rounded-2xl bg-white shadow-sm px-4 py-2'
            }
          >
            {text}
          </div>
        ))}
        {state === 'waiting' && (
          <div className="inline-flex gap-1 rounded-2xl bg-white shadow-sm px-4 py-3">
            <span className="w-2 h-2 rounded-full bg-slate-400 animate-bounce" />
            <span className="w-2 h-2 rounded-full bg-slate-400 animate-bounce delay-150" />
            <span className="w-2 h-2 rounded-full bg-slate-400 animate-bounce delay-300" />
          </div>
        )}
        {running !== '' && slip !== 'block' && <div className="text-xs text-slate-500 animate-pulse">{running}</div>}
        {problem !== '' && <div className="text-sm rounded bg-amber-50 px-3 py-2">{problem}</div>}
        {asks !== '' && (
          <div className="max-w-md rounded bg-white shadow-sm px-4 py-2">
            <div className="text-sm">
              Nora wants to use <b>{asks}</b>
            </div>
            <button type="button" className="btn-indigo" onClick={() => setAsks('')}>
              Allow
            </button>{' '}
            <button type="button" className="btn-ghost" onClick={() => setAsks('')}>
              Not now
            </button>
          </div>
        )}
      </div>
      <div className="flex gap-2 p-3 border-t bg-white">
        <input
          className="flex-1 rounded-full border px-4 py-2"
          placeholder="Message Nora"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && (slip === 'dots' || !busy) && void send()}
        />
        {slip !== 'dots' && busy ? (
          <button type="button" className="btn-ghost" onClick={() => abort?.abort()}>
            Stop
          </button>
        ) : (
          <button type="button" className="btn-indigo" onClick={() => void send()}>
            Send
          </button>
        )}
      </div>
    </div>
  );
};
