/**
 * Angular and its Material over the AI SDK's transport and message reader. `form`: '' shows a bar, a stop button, what went wrong and how it
 * ended; `start` is as quick-starts have it: messages, an input, and a button that waits until the chat is ready again; `bare` is a first
 * try, with messages and an input.
 */
import '@angular/compiler';
import './node_modules/@angular/material/prebuilt-themes/azure-blue.css';
import { Component, signal } from '@angular/core';
import { MatButtonModule } from '@angular/material/button';
import { MatCardModule } from '@angular/material/card';
import { MatExpansionModule } from '@angular/material/expansion';
import { MatProgressBarModule } from '@angular/material/progress-bar';
import { bootstrapApplication } from '@angular/platform-browser';
import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';

const transport = new DefaultChatTransport<UIMessage>({ api: '/api/chat' });
const form = new URLSearchParams(location.search).get('form') ?? '';

@Component({
  selector: 'app-root',
  imports: [MatButtonModule, MatCardModule, MatExpansionModule, MatProgressBarModule],
  template: `
    <h1>Fietshulp</h1>
    @for (message of messages(); track message.id) {
      <mat-card appearance="outlined" [class.user]="message.role === 'user'">
        <mat-card-content>
          @for (part of message.parts; track $index) {
            @switch (part.type) {
              @case ('text') { <p style="white-space: pre-wrap">{{ part.text }}</p> }
              @case ('reasoning') {
                @if (careful) {
                  <mat-expansion-panel>
                    <mat-expansion-panel-header>Gedachtegang</mat-expansion-panel-header>
                    {{ part.text }}
                  </mat-expansion-panel>
                }
              }
              @case ('tool-pushFix') {
                @if (careful && part.state === 'approval-requested') {
                  <p><strong>{{ question(part) }}</strong></p>
                  <button mat-flat-button type="button">Ja, graag</button>
                  <button mat-button type="button">Nee</button>
                }
              }
            }
          }
        </mat-card-content>
      </mat-card>
    }
    @if (careful && busy()) { <mat-progress-bar mode="indeterminate" /> }
    @if (careful && error()) {
      <p role="alert">Er ging iets mis. <button mat-button type="button" (click)="again()">Opnieuw proberen</button></p>
    }
    @if (careful && ended()) { <p class="mat-caption">{{ ended() }}</p> }
    <form (submit)="send($event)">
      <input name="question" placeholder="Stel je vraag" autocomplete="off" />
      @if (careful && busy()) {
        <button mat-stroked-button class="stop" type="button" (click)="stop()">Stoppen</button>
      } @else {
        <button mat-flat-button class="send" [disabled]="!careful && !bare && busy()">Verstuur</button>
      }
    </form>
  `,
})
class App {
  readonly careful = form === '';
  readonly bare = form === 'bare';
  readonly messages = signal<readonly UIMessage[]>([]);
  readonly busy = signal(false);
  readonly error = signal(false);
  readonly ended = signal('');
  #stop = new AbortController();
  #last = '';

  question(part: unknown): string {
    return (part as { readonly input?: { readonly question?: string } }).input?.question ?? '';
  }
  stop(): void {
    this.#stop.abort();
  }
  send(event: Event): void {
    event.preventDefault();
    const input = (event.target as HTMLFormElement).elements.namedItem('question') as HTMLInputElement;
    this.#last = input.value;
    input.value = '';
    void this.again();
  }
  async again(): Promise<void> {
    const question: UIMessage = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text: this.#last }] };
    const before = [...this.messages(), question];
    this.messages.set(before);
    this.ended.set('');
    this.error.set(false);
    this.busy.set(true);
    this.#stop = new AbortController();
    let reason: string | undefined;
    try {
      const stream = await transport.sendMessages({
        trigger: 'submit-message',
        chatId: 'fiets',
        messageId: undefined,
        messages: before,
        abortSignal: this.#stop.signal,
      });
      const noted = stream.pipeThrough(
        new TransformStream<UIMessageChunk, UIMessageChunk>({
          transform: (chunk, to) => {
            if (chunk.type === 'finish') reason = chunk.finishReason;
            to.enqueue(chunk);
          },
        }),
      );
      for await (const message of readUIMessageStream({ stream: noted, terminateOnError: true })) this.messages.set([...before, message]);
      if (reason === 'length') this.ended.set('Het antwoord is te lang en daarom afgebroken.');
      else if (reason === undefined) this.ended.set('De verbinding viel weg, het antwoord is niet compleet.');
    } catch (error) {
      console.error(error);
      if (this.#stop.signal.aborted) this.ended.set('Je hebt het antwoord gestopt.');
      else this.error.set(true);
    } finally {
      this.busy.set(false);
    }
  }
}

void bootstrapApplication(App);
