/**
 * A Lit element on Shoelace's components, with marked, over Anthropic's own client in the browser. `form`: '' says each end; `plain`
 * is what a team has who catches the error for the console; `thoughts` prints what was thought in the answer; `early` takes the end of
 * the text for the end.
 */
import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/components/alert/alert.js';
import '@shoelace-style/shoelace/dist/components/button/button.js';
import '@shoelace-style/shoelace/dist/components/card/card.js';
import '@shoelace-style/shoelace/dist/components/copy-button/copy-button.js';
import '@shoelace-style/shoelace/dist/components/details/details.js';
import '@shoelace-style/shoelace/dist/components/progress-bar/progress-bar.js';
import '@shoelace-style/shoelace/dist/components/tag/tag.js';
import '@shoelace-style/shoelace/dist/components/textarea/textarea.js';
import Anthropic from '@anthropic-ai/sdk';
import { css, html, LitElement, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { marked } from 'marked';

const form = new URLSearchParams(location.search).get('form') ?? '';
const client = new Anthropic({ apiKey: 'sk-page', baseURL: location.origin, dangerouslyAllowBrowser: true, maxRetries: 0 });

type Stream = ReturnType<typeof client.messages.stream>;

class BreadChat extends LitElement {
  static override properties = {
    question: { state: true },
    text: { state: true },
    thought: { state: true },
    busy: { state: true },
    note: { state: true },
    asks: { state: true },
  };
  static override styles = css`
    main { max-width: 36rem; margin: 0 auto; padding: 1rem; display: flex; flex-direction: column; gap: 0.75rem; }
    .me { align-self: flex-end; background: var(--sl-color-primary-100); border-radius: 0.5rem; padding: 0.5rem 0.75rem; }
    sl-progress-bar { --height: 3px; }
    form { display: flex; gap: 0.5rem; align-items: end; }
    sl-textarea { flex: 1; }
  `;
  declare question: string;
  declare text: string;
  declare thought: string;
  declare busy: boolean;
  declare note: string;
  declare asks: boolean;
  #stream: Stream | null = null;

  constructor() {
    super();
    this.question = this.text = this.thought = this.note = '';
    this.busy = this.asks = false;
  }

  async #send(event: Event): Promise<void> {
    event.preventDefault();
    const box = this.renderRoot.querySelector('sl-textarea')!;
    this.question = box.value;
    box.value = '';
    this.text = this.thought = this.note = '';
    this.asks = false;
    this.busy = true;
    const stream = client.messages.stream({
      model: 'claude-sonnet-5',
      max_tokens: 1024,
      messages: [{ role: 'user', content: this.question }],
    });
    this.#stream = stream;
    stream.on('text', (delta) => {
      this.text += delta;
    });
    stream.on('thinking', (delta) => {
      if (form === 'thoughts') this.text += delta;
      else this.thought += delta;
    });
    if (form === 'early')
      stream.on('contentBlock', ({ type }) => {
        if (type === 'text') this.busy = false;
      });
    try {
      const message = await stream.finalMessage();
      if (form === '') {
        if (message.stop_reason === 'max_tokens') this.note = 'Odpowiedź ucięta – osiągnięto limit długości.';
        this.asks = message.stop_reason === 'tool_use';
      }
    } catch (error) {
      console.error(error);
      if (form === '') this.note = stream.aborted ? 'Przerwano na Twoją prośbę.' : 'Nie udało się dokończyć odpowiedzi. Spróbuj ponownie.';
    } finally {
      this.busy = false;
    }
  }

  override render() {
    return html`<main>
      <h2>Zapytaj piekarza</h2>
      ${this.question === '' ? nothing : html`<div class="me">${this.question}</div>`}
      ${this.thought === '' ? nothing : html`<sl-details summary="Tok rozumowania">${this.thought}</sl-details>`}
      ${
        this.text === ''
          ? nothing
          : html`<sl-card>
              ${unsafeHTML(marked.parse(this.text, { async: false }))}
              ${this.busy ? nothing : html`<sl-copy-button value=${this.text} copy-label="Kopiuj"></sl-copy-button>`}
            </sl-card>`
      }
      ${this.busy ? html`<sl-progress-bar indeterminate></sl-progress-bar>` : nothing}
      ${
        this.asks
          ? html`<sl-card>
              <p>Asystent chce wykonać polecenie. Zgadzasz się?</p>
              <sl-button size="small" variant="success">Tak</sl-button> <sl-button size="small">Nie</sl-button>
            </sl-card>`
          : nothing
      }
      ${this.note === '' ? nothing : html`<sl-alert variant="warning" open>${this.note}</sl-alert>`}
      <form @submit=${(event: Event) => this.#send(event)}>
        <sl-textarea rows="1" resize="none" placeholder="Twoje pytanie" ?disabled=${this.busy && form === ''}></sl-textarea>
        ${
          this.busy && form === ''
            ? html`<sl-button class="stop" variant="danger" outline @click=${() => this.#stream?.abort()}>Przerwij</sl-button>`
            : html`<sl-button class="send" type="submit" variant="primary" ?loading=${this.busy}>Wyślij</sl-button>`
        }
      </form>
    </main>`;
  }
}
customElements.define('bread-chat', BreadChat);
