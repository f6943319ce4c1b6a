/** For tests: what the tap says of flows, a record at a time. */
import type { Unstamped } from '../link/messages';
import type { TapEntry } from './intake';

let at = 0;
/** A moment after all before it. */
export const later = (): number => ++at;
export const opened = (flow: string, transport: 'fetch' | 'websocket' = 'fetch'): TapEntry => ({
  at: later(),
  type: 'flow.opened',
  flow,
  document: 'd',
  transport,
  method: 'POST',
  url: 'http://localhost/api',
  requestHeaders: {},
  requestBody: null,
});
export const head = (flow: string, type: string): TapEntry => ({
  at: later(),
  type: 'flow.head',
  flow,
  status: 200,
  headers: { 'content-type': type },
});
export const chunk = (flow: string, text: string): TapEntry => ({
  at: later(),
  type: 'flow.chunk',
  flow,
  direction: 'received',
  text,
  encoding: 'text',
  event: null,
  id: null,
});
export const ended = (flow: string): TapEntry => ({ at: later(), type: 'flow.ended', flow, how: 'eof', code: null, detail: null });
export const tick = (): Unstamped => ({ at: later(), type: 'tick' });
/** What came out, in a word each. */
export const kinds = (entries: readonly Unstamped[]): string[] =>
  entries.map((e) => ('flow' in e && e.flow !== null ? `${e.type}:${e.flow}` : e.type));
