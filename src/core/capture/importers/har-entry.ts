/**
 * One entry of a HAR log to records: what HAR files and Playwright traces have in common. HAR keeps a body whole and not
 * when its pieces came, so a body arrives at once when the answer began; where Chrome noted the time of each event of an
 * event stream, the body is cut at those.
 */
import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { createUtf8Decoder, encodeUtf8 } from '../../bytes/utf8';
import { isObject } from '../../json/json';
import type { FlowEnd, Transport } from '../../model';
import { cleanBody, cleanHeaders, IMPORTED, isBinary, type Unsequenced } from './importer';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
const list = (value: unknown): readonly Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);
const object = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

const headersOf = (value: unknown): Readonly<Record<string, string>> =>
  cleanHeaders(Object.fromEntries(list(value).map(({ name, value: content }) => [String(name), content])));

const STATIC =
  /^(?:image|font|video|audio)\/|^text\/(?:html|css|javascript)|^application\/(?:javascript|x-javascript|ecmascript|wasm|manifest\+json|font)/iu;

/** False for what no agent stream is: pages, styles, scripts, pictures. */
export const canStream = (entry: Record<string, unknown>): boolean => {
  const kind = text(entry._resourceType);
  if (kind !== null && /^(?:document|stylesheet|image|font|script|media|manifest|texttrack|preflight)$/u.test(kind)) return false;
  if (object(entry.request).method === 'OPTIONS') return false;
  return !STATIC.test(text(object(object(entry.response).content).mimeType) ?? '');
};

/** When the entry began, in epoch milliseconds; null if it does not say. */
export const startOf = (entry: Record<string, unknown>): number | null => {
  const time = Date.parse(text(entry.startedDateTime) ?? '');
  return Number.isNaN(time) ? null : time;
};

/** Milliseconds from the start of the request to the first byte of the answer. */
const headAfter = (timings: Record<string, unknown>): number => {
  let sum = 0;
  // `ssl` is part of `connect`.
  for (const phase of ['blocked', 'dns', 'connect', 'send', 'wait']) sum += Math.max(0, number(timings[phase]) ?? 0);
  return sum;
};

/** The body of an entry, where it has one: as text, or as bytes where it is not text. */
export interface HarBody {
  readonly text: string;
  readonly encoding: 'text' | 'base64';
}

export const bodyOf = (content: Record<string, unknown>, mimeType: string): HarBody | null => {
  const body = text(content.text);
  if (body === null) return null;
  const base64 = content.encoding === 'base64';
  if (isBinary(mimeType)) return { text: base64 ? body : encodeBase64(encodeUtf8(body)), encoding: 'base64' };
  if (!base64) return { text: body, encoding: 'text' };
  const bytes = decodeBase64(body);
  if (bytes === null) return null;
  const decoder = createUtf8Decoder();
  return { text: decoder.push(bytes) + decoder.end(), encoding: 'text' };
};

/** An event stream cut after each event, if there are as many events as times. */
const cutAtEvents = (body: string, times: readonly number[]): readonly string[] | null => {
  const pieces = body.split(/(?<=(?:\r\n|\n|\r)(?:\r\n|\n|\r))/u);
  const cut: string[] = [];
  for (const piece of pieces) {
    // Comments and blank lines belong to the event after them.
    if (cut.length > 0 && !/(?:^|\n|\r)data(?::|\r|\n|$)/u.test(cut.at(-1)!)) cut[cut.length - 1] += piece;
    else cut.push(piece);
  }
  const events = cut.filter((piece) => /(?:^|\n|\r)data(?::|\r|\n|$)/u.test(piece));
  return events.length === times.length && times.length > 0 ? cut : null;
};

const WEB_SOCKET_BINARY = 2;
const WEB_SOCKET_CLOSE = 8;

/** The records of one entry, in order. `flow` is their flow, `zero` the epoch time that counts as 0. */
export const recordsOf = (
  entry: Record<string, unknown>,
  flow: string,
  zero: number,
  found: HarBody | null | undefined = undefined,
): readonly Unsequenced[] => {
  const request = object(entry.request);
  const response = object(entry.response);
  const content = object(response.content);
  const opened = (startOf(entry) ?? zero) - zero;
  const duration = Math.max(0, number(entry.time) ?? 0);
  const headAt = opened + Math.min(headAfter(object(entry.timings)), duration > 0 ? duration : Number.POSITIVE_INFINITY);
  const url = text(request.url) ?? '';
  const kind = text(entry._resourceType);
  const messages = list(entry._webSocketMessages);
  const events = list(entry._eventSourceMessages);
  const socket = kind === 'websocket' || messages.length > 0 || /^wss?:/u.test(url) || number(response.status) === 101;
  const headers = headersOf(response.headers);
  const mimeType = headers['content-type'] ?? text(content.mimeType) ?? '';
  const body = found === undefined ? bodyOf(content, mimeType) : found;
  const onlyEvents = !socket && events.length > 0 && (body === null || body.text === '');
  const transport: Transport = socket ? 'websocket' : onlyEvents ? 'eventsource' : kind === 'xhr' ? 'xhr' : 'fetch';

  const out: Unsequenced[] = [
    {
      at: opened,
      type: 'flow.opened',
      flow,
      document: IMPORTED.key,
      transport,
      method: text(request.method) ?? 'GET',
      url,
      requestHeaders: headersOf(request.headers),
      requestBody: cleanBody(object(request.postData).text),
    },
  ];
  const status = number(response.status) ?? 0;
  if (status > 0)
    out.push({
      at: headAt,
      type: 'flow.head',
      flow,
      status,
      headers: 'content-type' in headers || mimeType === '' ? headers : { ...headers, 'content-type': mimeType },
    });
  const chunk = (
    at: number,
    direction: 'sent' | 'received',
    piece: string,
    encoding: 'text' | 'base64',
    noted: boolean,
    event: string | null = null,
    id: string | null = null,
  ): void => {
    out.push({ at, type: 'flow.chunk', flow, direction, text: piece, encoding, event, id, ...(noted ? {} : { untimed: true }) });
  };
  const end = (at: number, how: FlowEnd, code: number | null, detail: string | null): void => {
    out.push({ at, type: 'flow.ended', flow, how, code, detail });
  };
  const hasTime = (message: Record<string, unknown>): boolean => number(message.time) !== null;
  const timeOf = (message: Record<string, unknown>, fallback: number): number => {
    const seconds = number(message.time);
    return seconds === null ? fallback : Math.max(opened, seconds * 1000 - zero);
  };

  if (socket) {
    let last = headAt;
    for (const message of messages) {
      last = Math.max(last, timeOf(message, last));
      const data = text(message.data) ?? '';
      const direction = message.type === 'send' ? 'sent' : 'received';
      const opcode = number(message.opcode) ?? 1;
      if (opcode === WEB_SOCKET_CLOSE) end(last, direction === 'sent' ? 'aborted-by-page' : 'closed-by-server', number(message.code), null);
      else if (opcode === 1 || opcode === WEB_SOCKET_BINARY)
        chunk(last, direction, data, opcode === WEB_SOCKET_BINARY ? 'base64' : 'text', hasTime(message));
    }
    // HAR does not say whether a socket was closed.
    return out;
  }
  const failed = text(response._error) ?? text(response._failureText);
  let last = Math.max(headAt, opened + duration);
  if (onlyEvents) {
    last = headAt;
    for (const event of events) {
      last = Math.max(last, timeOf(event, last));
      chunk(last, 'received', text(event.data) ?? '', 'text', hasTime(event), text(event.eventName), text(event.eventId));
    }
  } else if (body !== null && body.text !== '') {
    const times = events.map((event) => timeOf(event, headAt));
    const pieces = body.encoding === 'text' ? cutAtEvents(body.text, times) : null;
    if (pieces === null) chunk(headAt, 'received', body.text, body.encoding, false);
    else {
      let at = headAt;
      pieces.forEach((piece, i) => {
        at = Math.max(at, times[i] ?? at);
        chunk(at, 'received', piece, 'text', i >= events.length || hasTime(events[i]!));
      });
      last = Math.max(last, at);
    }
  } else if ((number(content.size) ?? 0) > 0 || (body === null && status > 0 && status !== 204 && status !== 304))
    // The answer had a body, as far as can be told, and the file does not have it; also where it was broken off.
    out.push({ at: headAt, type: 'gap', flow, reason: 'read-natively', lost: Math.max(0, number(content.size) ?? 0) });
  if (failed !== null) end(last, /abort|cancel/iu.test(failed) ? 'aborted-by-page' : 'network-error', null, failed);
  // An event source has no end of its own; where its events were noted one by one, it may have been open still.
  else if (!onlyEvents && (status > 0 || duration > 0)) end(last, 'eof', null, null);
  return out;
};

/** The records of many entries, in order of time; equal times keep the order of the entries. */
export const inOrderOfTime = (records: readonly Unsequenced[]): readonly Unsequenced[] =>
  records
    .map((record, index) => ({ record, index }))
    .sort((a, b) => a.record.at - b.record.at || a.index - b.index)
    .map(({ record }) => record);
