/**
 * A mail window in Preact and htm: an assistant drafts the body right into the textarea, over chat completions. `form`: '' locks the
 * box while it writes and says each end in a chip; `finally` calls every draft ready; `pause` takes a second of silence for the
 * end; `stuck` comes out of its state only when all went well.
 */
import { html } from 'htm/preact';
import { render } from 'preact';
import { useRef, useState } from 'preact/hooks';

const form = new URLSearchParams(location.search).get('form') ?? '';

type State = 'idle' | 'writing' | 'ready' | 'cut' | 'lost' | 'failed' | 'stopped';

const CHIPS: Readonly<Record<State, readonly [string, string] | null>> = {
  idle: null,
  writing: ['work', '✎ Skriver utkast …'],
  ready: ['ok', '✓ Utkast klart'],
  cut: ['warn', 'Utkastet kapades vid maxlängden'],
  lost: ['bad', 'Anslutningen bröts – utkastet är inte färdigt'],
  failed: ['bad', 'Assistenten kunde inte skriva klart'],
  stopped: ['warn', 'Avbrutet – utkastet är ofullständigt'],
};

async function* deltas(response: Response): AsyncGenerator<{ text: string; finish: string | null }> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    buffer += value;
    const lines = buffer.split('\n');
    buffer = lines.pop()!;
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
      const chunk = JSON.parse(line.slice(6));
      if (chunk.error !== undefined) throw new Error(chunk.error.message);
      yield { text: chunk.choices[0].delta.content ?? '', finish: chunk.choices[0].finish_reason };
    }
  }
}

const Compose = () => {
  const [wish, setWish] = useState('');
  const [body, setBody] = useState('');
  const [state, setState] = useState<State>('idle');
  const control = useRef<AbortController | null>(null);

  const draft = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBody('');
    setState('writing');
    control.current = new AbortController();
    let silence: ReturnType<typeof setTimeout> | undefined;
    let finish: string | null = null;
    const read = async (): Promise<void> => {
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'scripted-1', stream: true, messages: [{ role: 'user', content: `Skriv ett mejl: ${wish}` }] }),
        signal: control.current!.signal,
      });
      for await (const delta of deltas(response)) {
        clearTimeout(silence);
        if (delta.text !== '') setBody((before) => before + delta.text);
        finish = delta.finish ?? finish;
        if (form === 'pause' && delta.text !== '') silence = setTimeout(() => setState('ready'), 1_000);
      }
    };
    if (form === 'stuck') {
      await read();
      setState('ready');
      return;
    }
    try {
      await read();
      setState(form !== '' || finish === 'stop' ? 'ready' : finish === 'length' ? 'cut' : 'lost');
    } catch (error) {
      console.warn(error);
      const aborted = control.current?.signal.aborted === true;
      setState(form === 'finally' ? 'ready' : aborted ? 'stopped' : error instanceof TypeError ? 'lost' : 'failed');
    }
  };

  const writing = state === 'writing';
  const broken = state === 'lost' || state === 'failed';
  const chip = CHIPS[state];
  return html`
    <div class="window">
      <div class="title">Nytt meddelande</div>
      <div class="line"><label>Till</label><input value="styrelsen@brfeken.example" /></div>
      <div class="line"><label>Ämne</label><input value="Trapphuset" /></div>
      <form class="line assist" onSubmit=${draft}>
        <label>✨</label>
        <input
          class="wish"
          placeholder="Vad ska mejlet handla om?"
          value=${wish}
          onInput=${(event: InputEvent) => setWish((event.target as HTMLInputElement).value)}
        />
        <button disabled=${writing}>Skriv åt mig</button>
      </form>
      <textarea
        class=${writing ? 'drafting' : broken ? 'broken' : ''}
        readonly=${writing}
        aria-label="Meddelande"
        value=${body}
        onInput=${(event: InputEvent) => setBody((event.target as HTMLTextAreaElement).value)}
      ></textarea>
      <div class="foot">
        <button class="send" disabled=${writing || state === 'idle'}>Skicka</button>
        ${chip === null ? null : html`<span class=${`chip ${chip[0]}`}>${chip[1]}</span>`}
        ${writing ? html`<button class="link stop" onClick=${() => control.current?.abort()}>Avbryt</button>` : null}
        ${broken ? html`<button class="link" onClick=${draft}>Försök igen</button>` : null}
      </div>
    </div>
  `;
};

render(html`<${Compose} />`, document.querySelector('#app')!);
