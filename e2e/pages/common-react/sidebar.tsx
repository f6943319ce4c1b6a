/**
 * An editor's sidebar over the responses protocol, thoughts in an accordion. Slips: `flat` prints the thoughts before the answer,
 * in the answer; `pause` takes a second without a token for the end; `eof` knows no other end than that of the body.
 */
import { useRef, useState } from 'react';
import { events, slip } from '../common-plain/read.js';

type Phase = 'ready' | 'thinking' | 'answering' | 'complete' | 'cut' | 'failed' | 'lost' | 'cancelled';

const LABELS: Readonly<Record<Phase, string>> = {
  ready: 'Ready',
  thinking: 'Thinking…',
  answering: 'Answering…',
  complete: 'Finished',
  cut: 'Cut off: output limit',
  failed: 'Request failed',
  lost: 'Connection lost',
  cancelled: 'Cancelled',
};

export const Sidebar = () => {
  const [question, setQuestion] = useState('');
  const [asked, setAsked] = useState('');
  const [thought, setThought] = useState('');
  const [answer, setAnswer] = useState('');
  const [detail, setDetail] = useState('');
  const [open, setOpen] = useState(true);
  const [phase, setPhase] = useState<Phase>('ready');
  const control = useRef<AbortController | null>(null);
  const busy = phase === 'thinking' || phase === 'answering';

  const ask = async (): Promise<void> => {
    setAsked(question);
    setQuestion('');
    setThought('');
    setAnswer('');
    setDetail('');
    setOpen(true);
    setPhase('thinking');
    control.current = new AbortController();
    let end: Phase = 'lost';
    let silence: ReturnType<typeof setTimeout> | undefined;
    try {
      const body = { model: 'gpt-5.6', stream: true, input: question };
      for await (const { data } of events('/v1/responses', body, control.current.signal)) {
        clearTimeout(silence);
        if (data.type === 'response.reasoning_summary_text.delta') {
          if (slip === 'flat') setAnswer((text) => text + data.delta);
          else setThought((text) => text + data.delta);
        }
        if (data.type === 'response.reasoning_summary_text.done' && slip === 'flat') setAnswer((text) => `${text}\n\n`);
        if (data.type === 'response.output_text.delta') {
          setOpen(false);
          setPhase('answering');
          setAnswer((text) => text + data.delta);
          if (slip === 'pause') silence = setTimeout(() => setPhase('complete'), 1_000);
        }
        if (slip === 'eof') continue;
        if (data.type === 'response.completed') end = 'complete';
        if (data.type === 'response.incomplete') end = 'cut';
        if (data.type === 'response.failed') {
          end = 'failed';
          setDetail(data.response.error.message);
        }
        if (end !== 'lost') break;
      }
      clearTimeout(silence);
      setPhase(slip === 'eof' ? 'complete' : end);
    } catch (error) {
      console.warn(error);
      setPhase(slip === 'eof' ? 'complete' : control.current.signal.aborted ? 'cancelled' : 'lost');
    }
  };

  return (
    <div className="ide">
      <pre className="code" aria-hidden="true">
        {'1  useEffect(() => {\n2    const id = setInterval(tick, 1000);\n3    setTimer(id);\n4  }, [timer]);\n5'}
      </pre>
      <aside>
        <div className="bar">
          <b>Assist</b>
          <span className={`badge ${phase}`}>{LABELS[phase]}</span>
        </div>
        <div className="scroll">
          {asked !== '' && <div className="asked">{asked}</div>}
          {thought !== '' && (
            <div className="thinking">
              <button type="button" className="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? '▾' : '▸'} {phase === 'thinking' ? <span className="shimmer">Thinking</span> : 'Reasoned about this'}
              </button>
              {open && <div className="thoughts">{thought}</div>}
            </div>
          )}
          {answer !== '' && (
            <div className="answer">
              {answer.split('\n\n').map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs only come at the end
                <p key={at}>{line}</p>
              ))}
            </div>
          )}
          {['cut', 'failed', 'lost', 'cancelled'].includes(phase) && (
            <div className="problem">
              {LABELS[phase]}. {detail}
            </div>
          )}
          {phase === 'complete' && (
            <div className="tools">
              <button type="button">Insert at cursor</button> <button type="button">Copy</button>
            </div>
          )}
        </div>
        <div className="ask">
          <textarea
            value={question}
            placeholder="Ask about this file"
            disabled={busy}
            onChange={(event) => setQuestion(event.target.value)}
          />
          {busy ? (
            <button type="button" onClick={() => control.current?.abort()}>
              Cancel
            </button>
          ) : (
            <button type="button" disabled={question === ''} onClick={() => void ask()}>
              Ask
            </button>
          )}
        </div>
      </aside>
    </div>
  );
};
