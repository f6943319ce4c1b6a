/**
 * A guide in a map's bottom sheet, in petite-vue, over Gemini. `form`: '' writes under a stripe, offers chips after a whole answer, and
 * says every other end in a notice that tries again; `chips` offers them at any end; `drain` reads until the connection closes;
 * `idle` takes a pause for the end.
 */
import { createApp } from 'petite-vue';

const form = new URLSearchParams(location.search).get('form') ?? '';

const NEXT = ['Jam berapa matahari terbit?', 'Berapa harga tiket?', 'Apakah ada penginapan?'];

async function* chunks(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const frames = rest.split(/\r?\n\r?\n/);
    rest = frames.pop();
    for (const frame of frames) yield JSON.parse(frame.slice(5));
  }
}

createApp({
  open: false,
  busy: false,
  draft: '',
  question: '',
  text: '',
  notice: '',
  chips: [],
  control: null,

  halt() {
    this.control.abort();
  },

  async ask(question) {
    Object.assign(this, { question, text: '', notice: '', chips: [], draft: '', busy: true });
    this.control = new AbortController();
    let reason = null;
    let idle = 0;
    let failure = null;
    try {
      const response = await fetch('/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=sse', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: question }] }] }),
        signal: this.control.signal,
      });
      for await (const chunk of chunks(response)) {
        clearTimeout(idle);
        if (chunk.error) throw new Error(chunk.error.message);
        const [candidate] = chunk.candidates;
        for (const part of candidate.content.parts) if (!part.thought) this.text += part.text;
        reason = candidate.finishReason ?? reason;
        if (reason !== null && form !== 'drain') break;
        if (form === 'idle' && this.text !== '') idle = setTimeout(() => this.rest(NEXT), 900);
      }
    } catch (error) {
      failure = error;
    }
    if (form !== '' || reason === 'STOP') this.rest(NEXT);
    else if (failure?.name === 'AbortError') this.rest([], 'Dihentikan. Ketuk untuk bertanya lagi.');
    else if (reason === 'MAX_TOKENS') this.rest([], 'Jawaban terpotong karena terlalu panjang. Ketuk untuk mencoba lagi.');
    else this.rest([], 'Jawaban terputus di tengah jalan. Ketuk untuk mencoba lagi.');
  },

  rest(chips, notice = '') {
    this.busy = false;
    this.chips = chips;
    this.notice = notice;
  },
}).mount('#app');
