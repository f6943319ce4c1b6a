/**
 * Picks a framer for a flow and defines what a framer is: text in, frames out, any chunking giving the same frames.
 * Leaves the meaning of frames to dialects. Nothing is tidied away: comments are frames, and an unfinished tail is a
 * frame with `complete: false`.
 */
import type { FlowEnd, Transport } from '../model';
import { bodyFramer } from './body';
import { eventFramer, messageFramer, textFramer } from './message';
import { ndjsonFramer } from './ndjson';
import type { RawFrame } from './raw-frame';
import { sseFramer } from './sse';

export type { RawFrame } from './raw-frame';

export interface Framer {
  /** `event` and `id` are only given by EventSource flows. The list may be used again by the next call. */
  push(text: string, meta: { readonly event: string | null; readonly id: string | null }): readonly RawFrame[];
  /** The unfinished tail, if there is one. */
  end(how: FlowEnd): readonly RawFrame[];
}

const NDJSON = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonl',
  'application/jsonlines',
  'application/x-jsonlines',
  'application/json-lines',
  'application/json-seq',
  'application/stream+json',
]);

/** Media types whose bodies are bytes, not text; the tap sends them as base64. */
export const BINARY_TYPES = ['application/vnd.ag-ui.event+proto', 'application/vnd.amazon.eventstream'];

/**
 * The framer for a flow, or null while that cannot be told yet (no type said, and no text seen).
 * `head` is the text so far in this direction.
 */
export const pickFramer = (transport: Transport, mediaType: string, head: string, encoding: 'text' | 'base64'): Framer | null => {
  if (transport === 'websocket' || transport === 'datachannel') return messageFramer();
  if (transport === 'eventsource') return eventFramer();
  if (encoding === 'base64') return messageFramer('base64');
  if (mediaType === 'text/event-stream') return sseFramer();
  if (NDJSON.has(mediaType)) return ndjsonFramer();
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return bodyFramer();
  const start = head.replace(/^[\s\uFEFF]+/u, '');
  if (start === '') return null;
  // A few characters decide; wait for them rather than guess from one.
  if (start.length < 8 && !head.includes('\n')) return null;
  // A lower-case word may still become `code:`; prose has a space before long.
  if (/^[0-9a-z][0-9a-z-]{0,40}$/u.test(start) && !head.includes('\n')) return null;
  if (/^(?:data|event|id|retry)?:/u.test(start)) return sseFramer();
  if (/^[0-9a-z][0-9a-z-]{0,40}:(?:[[{"\dtfn-]|$)/u.test(start)) return ndjsonFramer();
  if (start.startsWith('{')) return ndjsonFramer();
  if (start.startsWith('[')) return bodyFramer();
  return textFramer();
};
