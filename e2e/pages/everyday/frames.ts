/** What a protocol is to the everyday pages' server, and how its events are framed. */
import type { Script } from './words';

/** How the producer ends it. */
export type Ends = 'done' | 'failed' | 'length' | 'waiting';

export interface Tongue {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  begin(): readonly string[];
  reason(pieces: readonly string[], closes: boolean): readonly string[];
  /** Opens the text and says it. */
  say(pieces: readonly string[]): readonly string[];
  /** Closes the text where something follows it; otherwise the end does. */
  said?(): readonly string[];
  readonly tool?: { called(): readonly string[]; answered(): readonly string[] };
  /** What comes when the text is there and the end is not: a draft under review. */
  before?(): readonly string[];
  end(how: Ends, text: string): readonly string[];
}

export type Speak = (script: Script, n: number) => Tongue;

export const SSE = 'text/event-stream; charset=utf-8';
export const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
export const event = (value: { readonly type: string; readonly [more: string]: unknown }): string => `event: ${value.type}\n${data(value)}`;
