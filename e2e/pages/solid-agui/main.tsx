/**
 * Solid over AG-UI's own client. `form`: '' has a ripple, a button that turns into Διακοπή, and a line under the answer for each end;
 * `counts` is the same with the words and the time in that line, whatever the end was; `button` has only the button's turn, and no line;
 * `told` stops its ripple when the message ends and not the run; `bare` shows the messages and an input.
 */
import { HttpAgent } from '@ag-ui/client';
import { createSignal, Show } from 'solid-js';
import { render } from 'solid-js/web';

const form = new URLSearchParams(location.search).get('form') ?? '';
const agent = new HttpAgent({ url: '/agui', threadId: 'thread-el' });

const Chat = () => {
  const [draft, setDraft] = createSignal('');
  const [asked, setAsked] = createSignal('');
  const [text, setText] = createSignal('');
  const [thought, setThought] = createSignal('');
  const [busy, setBusy] = createSignal(false);
  const [end, setEnd] = createSignal<{ readonly words: string; readonly bad: boolean } | null>(null);
  const [question, setQuestion] = createSignal('');
  let stopped = false;

  const ask = async (): Promise<void> => {
    setAsked(draft());
    setDraft('');
    setText('');
    setThought('');
    setEnd(null);
    setQuestion('');
    stopped = false;
    setBusy(true);
    const from = performance.now();
    let finished = false;
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: asked() });
    try {
      await agent.runAgent(
        {},
        {
          onTextMessageContentEvent: ({ event }) => void setText(text() + event.delta),
          onReasoningMessageContentEvent: ({ event }) => void setThought(thought() + event.delta),
          onTextMessageEndEvent: () => {
            if (form === 'told') setBusy(false);
          },
          onRunFinishedEvent: (run) => {
            finished = true;
            if (form === '' && run.outcome === 'interrupt') setQuestion(run.interrupts[0]?.message ?? '');
          },
          onRunErrorEvent: () => {
            finished = true;
            if (form === '') setEnd({ words: 'Ο βοηθός απέτυχε. Η απάντηση είναι ελλιπής.', bad: true });
          },
        },
      );
      if (form === '' && stopped) setEnd({ words: 'Το σταματήσατε εσείς.', bad: true });
      else if (form === '' && !finished) setEnd({ words: 'Η σύνδεση χάθηκε. Η απάντηση είναι ελλιπής.', bad: true });
    } catch (error) {
      console.error(error);
      if (form === '' && end() === null)
        setEnd({ words: stopped ? 'Το σταματήσατε εσείς.' : 'Η σύνδεση χάθηκε. Η απάντηση είναι ελλιπής.', bad: true });
    } finally {
      setBusy(false);
      const took = `${text().split(' ').length} λέξεις · ${((performance.now() - from) / 1000).toFixed(1)} δ.`;
      if (form === 'counts' || (form === '' && end() === null && question() === '')) setEnd({ words: took, bad: false });
    }
  };

  return (
    <>
      <h1>Ακτοπλοϊκά</h1>
      <section aria-live="polite">
        <Show when={asked()}>
          <article class="me">{asked()}</article>
          <article>
            <Show when={thought() && form !== 'bare'}>
              <details class="why" open={text() === ''}>
                <summary>Σκέψη</summary>
                {thought()}
              </details>
            </Show>
            <span>{text()}</span>
            <Show when={busy() && form !== 'button' && form !== 'bare'}>
              {' '}
              <i class="ripple" />
            </Show>
            <Show when={question()}>
              <p>
                <b>{question()}</b> <button type="button">Ναι</button> <button type="button">Όχι</button>
              </p>
            </Show>
            <Show when={end()}>{(it) => <div class={it().bad ? 'end bad' : 'end'}>{it().words}</div>}</Show>
          </article>
        </Show>
      </section>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <input value={draft()} onInput={(event) => setDraft(event.currentTarget.value)} placeholder="Ρωτήστε κάτι" />
        <Show
          when={busy() && form !== 'bare'}
          fallback={
            <button type="submit" class="send">
              Αποστολή
            </button>
          }
        >
          <button
            class="stop"
            type="button"
            onClick={() => {
              stopped = true;
              agent.abortRun();
            }}
          >
            Διακοπή
          </button>
        </Show>
      </form>
    </>
  );
};

render(() => <Chat />, document.getElementById('root')!);
