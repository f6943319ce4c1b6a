/**
 * A travel assistant over AG-UI that reveals the answer word by word and speaks of trouble in toasts. Slips: `brief` takes the toast
 * away after four seconds; `blind` takes every RUN_FINISHED for success and has no ear for errors. `lag` is honest: its button
 * is back with the run's end, while words are still being revealed.
 */
import { useEffect, useRef, useState } from 'react';
import { events, slip } from '../common-plain/read.js';

interface Toast {
  readonly title: string;
  readonly text: string;
}

const WORD_MS = 60;

const useReveal = (text: string): string => {
  const [shown, setShown] = useState(0);
  useEffect(() => {
    if (shown > text.length) setShown(0);
    else if (shown < text.length) {
      const timer = setTimeout(() => {
        const next = text.indexOf(' ', shown + 1);
        setShown(next < 0 ? text.length : next);
      }, WORD_MS);
      return () => clearTimeout(timer);
    }
  }, [text, shown]);
  return text.slice(0, shown);
};

export const Smooth = () => {
  const [asked, setAsked] = useState('');
  const [prompt, setPrompt] = useState('');
  const [answer, setAnswer] = useState('');
  const [step, setStep] = useState<{ name: string; done: boolean } | null>(null);
  const [question, setQuestion] = useState('');
  const [toast, setToast] = useState<Toast | null>(null);
  const [open, setOpen] = useState(false);
  const control = useRef<AbortController | null>(null);
  const shown = useReveal(answer);
  const lagging = slip !== 'lag' && shown.length < answer.length;
  const busy = open || lagging;

  const warn = (title: string, text: string): void => {
    setToast({ title, text });
    if (slip === 'brief') setTimeout(() => setToast(null), 4_000);
  };

  const go = async (): Promise<void> => {
    setAsked(prompt);
    setPrompt('');
    setAnswer('');
    setStep(null);
    setQuestion('');
    setToast(null);
    setOpen(true);
    control.current = new AbortController();
    let settled = false;
    try {
      const body = {
        threadId: 'thread_1',
        runId: 'run_1',
        state: {},
        messages: [{ id: 'u1', role: 'user', content: prompt }],
        tools: [],
        context: [],
      };
      for await (const { data } of events('/agui', body, control.current.signal)) {
        if (data.type === 'TEXT_MESSAGE_CONTENT') setAnswer((text) => text + data.delta);
        if (data.type === 'TOOL_CALL_START' && data.toolCallName === 'run_python') setStep({ name: 'Searching timetables', done: false });
        if (data.type === 'TOOL_CALL_RESULT') setStep({ name: 'Searched timetables', done: true });
        if (data.type === 'RUN_ERROR') {
          settled = true;
          if (slip !== 'blind') warn('The assistant ran into a problem', data.message);
        }
        if (data.type === 'RUN_FINISHED') {
          settled = true;
          if (slip !== 'blind' && data.outcome?.type === 'interrupt') setQuestion(data.outcome.interrupts[0].message);
        }
        if (settled && slip !== 'blind') break;
      }
      if (!settled && slip !== 'blind') warn('Connection lost', 'The answer is incomplete. Ask again to get the rest.');
    } catch (error) {
      console.warn(error);
      if (slip !== 'blind')
        warn(
          ...(control.current.signal.aborted
            ? (['Stopped', 'The answer was stopped by you.'] as const)
            : (['Connection lost', 'The answer is incomplete.'] as const)),
        );
    } finally {
      setOpen(false);
    }
  };

  return (
    <div className="travel">
      <nav>
        <b>Wayfare</b> <span>Trips</span> <span>Tickets</span> <span>Account</span>
      </nav>
      <section>
        {asked !== '' && <h2>{asked}</h2>}
        {step !== null && (
          <div className="step">
            {step.done ? '✓' : <i className="spinner" />} {step.name}
          </div>
        )}
        <p className={busy ? 'reveal on' : 'reveal'}>{shown}</p>
        {open && answer === '' && step === null && <div className="skeleton" />}
        {question !== '' && (
          <div className="question">
            <p>{question}</p>
            <button type="button" onClick={() => setQuestion('')}>
              Yes, book
            </button>
            <button type="button" className="plain" onClick={() => setQuestion('')}>
              No
            </button>
          </div>
        )}
      </section>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void go();
        }}
      >
        <input value={prompt} onChange={(event) => setPrompt(event.target.value)} placeholder="Where to?" />
        {busy ? (
          <button type="button" className="stop" onClick={() => control.current?.abort()}>
            Stop
          </button>
        ) : (
          <button type="submit">Search</button>
        )}
      </form>
      <div className="toasts" aria-live="polite">
        {toast !== null && (
          <div className="toast">
            <b>{toast.title}</b>
            <div>{toast.text}</div>
            <button type="button" aria-label="Close" onClick={() => setToast(null)}>
              ×
            </button>
          </div>
        )}
      </div>
    </div>
  );
};
