/**
 * A handyman's adviser in Vue, over chat completions, in French: a state on each message, and Arrêter beside the field. Slips:
 * `eof` calls every end "Terminé"; `quiet` is done when the person has stopped it; `hang` leaves its state when all went well, only.
 */
import { createApp } from 'vue';
import { events, slip } from '../common-plain/read.js';
import './style.css';

const STATES: Readonly<Record<string, string>> = {
  writing: 'En cours de rédaction…',
  stop: 'Terminé',
  length: 'Réponse tronquée (limite de longueur)',
  lost: 'Connexion perdue, réponse incomplète',
  error: 'Erreur du serveur',
  stopped: 'Interrompu',
};

interface Message {
  from: string;
  text: string;
  state: string;
}

interface Data {
  messages: Message[];
  draft: string;
  busy: boolean;
  control: AbortController | null;
}

createApp({
  data: (): Data => ({
    messages: [{ from: 'bot', text: 'Bonjour ! Que souhaitez-vous réparer ou rénover ?', state: '' }],
    draft: '',
    busy: false,
    control: null,
  }),
  methods: {
    label: (state: string) => STATES[state] ?? '',
    async send(this: Data & { read(message: Message): Promise<void> }) {
      if (this.busy || this.draft.trim() === '') return;
      this.messages.push({ from: 'me', text: this.draft, state: '' }, { from: 'bot', text: '', state: 'writing' });
      this.draft = '';
      this.busy = true;
      const message = this.messages.at(-1)!;
      if (slip === 'hang') {
        await this.read(message);
        message.state = 'stop';
        this.busy = false;
        return;
      }
      try {
        await this.read(message);
        if (message.state === 'writing') message.state = slip === 'eof' ? 'stop' : 'lost';
      } catch (error) {
        const stopped = this.control?.signal.aborted === true;
        if (slip === 'eof' || (slip === 'quiet' && stopped)) message.state = 'stop';
        else message.state = stopped ? 'stopped' : error instanceof TypeError ? 'lost' : 'error';
      } finally {
        this.busy = false;
      }
    },
    async read(this: Data, message: Message) {
      this.control = new AbortController();
      const body = { model: 'scripted-1', stream: true, messages: this.messages.map(({ from, text }) => ({ role: from, content: text })) };
      for await (const { data } of events('/v1/chat/completions', body, this.control.signal)) {
        if (data === '[DONE]') break;
        if (data.error !== undefined) throw new Error(data.error.message);
        const [{ delta, finish_reason: reason }] = data.choices;
        message.text += delta.content ?? '';
        if (reason !== null) message.state = slip === 'eof' ? 'stop' : reason;
      }
    },
    stop(this: Data) {
      this.control?.abort();
    },
  },
  template: `
    <div class="shop">
      <h1>L’atelier</h1>
      <ul class="log">
        <li v-for="(m, i) in messages" :key="i" :class="['msg', m.from]">
          <div class="text">{{ m.text }}</div>
          <div v-if="m.state" :class="['state', m.state]">
            <span v-if="m.state === 'writing'" class="dot"></span>{{ label(m.state) }}
          </div>
        </li>
      </ul>
      <form @submit.prevent="send">
        <input v-model="draft" placeholder="Votre question" :readonly="busy" />
        <button :disabled="busy">Envoyer</button>
        <button type="button" class="stop" v-show="busy" @click="stop">Arrêter</button>
      </form>
    </div>`,
}).mount('#app');
