/**
 * Alpine.js and daisyUI over Ollama's own client. `form`: '' writes with a blinking block, has Durdur, and says each end; `dots` is the
 * tutorials' page, whose dots go with the first word; `silent` catches errors for the console; `toast` says an error for three seconds.
 */
import './styles.css';
import Alpine from 'alpinejs';
import { Ollama } from 'ollama/browser';

const form = new URLSearchParams(location.search).get('form') ?? '';
const ollama = new Ollama({ host: `${location.origin}/ollama` });

interface Message {
  role: string;
  content: string;
  thinking?: string;
  foot?: string;
}

const clock = (): string => new Date().toLocaleTimeString('tr', { hour: '2-digit', minute: '2-digit' });

Alpine.data('chat', () => ({
  messages: [] as Message[],
  question: '',
  error: '',
  toast: '',
  busy: false,
  stopped: false,
  get last(): Message | undefined {
    return this.messages.at(-1);
  },
  get waits(): boolean {
    return this.busy && this.last?.role === 'assistant' && this.last.content === '';
  },
  get caret(): boolean {
    return form !== 'dots' && this.busy && !this.waits;
  },
  get locks(): boolean {
    return this.busy && form !== 'dots';
  },
  get stoppable(): boolean {
    return this.busy && form === '';
  },
  stop() {
    this.stopped = true;
    ollama.abort();
  },
  async send() {
    this.error = '';
    this.stopped = false;
    this.messages.push({ role: 'user', content: this.question, foot: clock() });
    this.question = '';
    this.messages.push({ role: 'assistant', content: '', foot: '' });
    const answer = this.last!;
    this.busy = true;
    try {
      const stream = await ollama.chat({ model: 'qwen3', messages: this.messages.slice(0, -1), stream: true, think: true });
      for await (const part of stream) {
        answer.content += part.message.content;
        if (form !== 'dots') answer.thinking = (answer.thinking ?? '') + (part.message.thinking ?? '');
        if (part.done && part.done_reason === 'length' && form === '') this.error = 'Yanıt uzunluk sınırına takıldı, devamı gelmedi.';
      }
      answer.foot = clock();
    } catch (error) {
      console.error(error);
      if (form === '') {
        if (this.stopped) answer.foot = 'Durduruldu';
        else this.error = 'Bağlantı koptu, yanıt yarım kaldı.';
      } else if (form === 'toast') {
        this.toast = 'Bir hata oluştu';
        setTimeout(() => {
          this.toast = '';
        }, 3_000);
      } else answer.foot = clock();
    } finally {
      this.busy = false;
    }
  },
}));
Alpine.start();
