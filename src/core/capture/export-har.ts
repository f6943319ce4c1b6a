/**
 * A capture as HAR 1.2, for tools that know nothing of ours: Chrome's lists for socket messages and event-stream events are
 * written too, with their times. What HAR has no place for (what the page showed, gaps) is left out and counted.
 */
import { decodeBase64, encodeBase64 } from '../bytes/base64';
import type { Capture, TapRecord } from '../model';

export interface HarExport {
  /** The HAR object, ready for JSON. */
  readonly har: { readonly log: Readonly<Record<string, unknown>> };
  /** Entries of the capture that HAR cannot hold. */
  readonly leftOut: number;
}

interface FlowEntries {
  opened: TapRecord & { type: 'flow.opened' };
  head: (TapRecord & { type: 'flow.head' }) | null;
  chunks: (TapRecord & { type: 'flow.chunk' })[];
  end: (TapRecord & { type: 'flow.ended' }) | null;
}

const pairs = (headers: Readonly<Record<string, string>>): readonly { name: string; value: string }[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const RESOURCE: Readonly<Record<string, string>> = {
  fetch: 'fetch',
  xhr: 'xhr',
  eventsource: 'eventsource',
  websocket: 'websocket',
  datachannel: 'other',
};

const ERROR: Readonly<Record<string, string>> = {
  'network-error': 'net::ERR_FAILED',
  'aborted-by-page': 'net::ERR_ABORTED',
  'document-gone': 'net::ERR_ABORTED',
};

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** ISO 8601 of epoch milliseconds, by arithmetic: the core has no clock and uses none of its parts. */
export const isoTime = (epoch: number): string => {
  const ms = Math.max(0, Math.round(epoch));
  const days = Math.floor(ms / 86_400_000);
  // Days to a date of the Gregorian calendar, counted from 1 March of the year 0, so that leap days come last.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const year = Math.floor((ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365);
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const rest = ms - days * 86_400_000;
  return `${digits(year + era * 400 + (month <= 2 ? 1 : 0), 4)}-${digits(month, 2)}-${digits(day, 2)}T${digits(Math.floor(rest / 3_600_000), 2)}:${digits(Math.floor(rest / 60_000) % 60, 2)}:${digits(Math.floor(rest / 1000) % 60, 2)}.${digits(rest % 1000, 3)}Z`;
};

const bytesOf = (chunks: readonly { readonly text: string }[]): Uint8Array => {
  const parts = chunks.map((chunk) => decodeBase64(chunk.text) ?? new Uint8Array());
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

const entryOf = (flow: FlowEntries, timeOrigin: number): Record<string, unknown> => {
  const { opened, head, chunks, end } = flow;
  const epoch = (at: number): number => timeOrigin + at;
  const received = chunks.filter((chunk) => chunk.direction === 'received');
  const last = end?.at ?? chunks.at(-1)?.at ?? head?.at ?? opened.at;
  const socket = opened.transport === 'websocket' || opened.transport === 'datachannel';
  const source = opened.transport === 'eventsource';
  const binary = !socket && received.some((chunk) => chunk.encoding === 'base64');
  const mimeType = head?.headers['content-type'] ?? (source ? 'text/event-stream' : 'x-unknown');
  const body = socket || source ? null : binary ? encodeBase64(bytesOf(received)) : received.map((chunk) => chunk.text).join('');
  return {
    _resourceType: RESOURCE[opened.transport],
    pageref: opened.document,
    startedDateTime: isoTime(epoch(opened.at)),
    time: last - opened.at,
    request: {
      method: opened.method,
      url: opened.url,
      httpVersion: 'unknown',
      headers: pairs(opened.requestHeaders),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: opened.requestBody?.length ?? 0,
      ...(opened.requestBody === null
        ? {}
        : { postData: { mimeType: opened.requestHeaders['content-type'] ?? '', text: opened.requestBody } }),
    },
    response: {
      status: head?.status ?? 0,
      statusText: '',
      httpVersion: 'unknown',
      headers: pairs(head?.headers ?? {}),
      cookies: [],
      content: { size: body?.length ?? 0, mimeType, ...(body === null ? {} : { text: body }), ...(binary ? { encoding: 'base64' } : {}) },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      ...(end && ERROR[end.how] && !socket ? { _error: ERROR[end.how] } : {}),
    },
    cache: {},
    timings: { send: 0, wait: Math.max(0, (head?.at ?? opened.at) - opened.at), receive: Math.max(0, last - (head?.at ?? opened.at)) },
    ...(socket
      ? {
          _webSocketMessages: [
            ...chunks.map((chunk) => ({
              type: chunk.direction === 'sent' ? 'send' : 'receive',
              time: epoch(chunk.at) / 1000,
              opcode: chunk.encoding === 'base64' ? 2 : 1,
              data: chunk.text,
            })),
            ...(end
              ? [
                  {
                    type: end.how === 'aborted-by-page' ? 'send' : 'receive',
                    time: epoch(end.at) / 1000,
                    opcode: 8,
                    data: '',
                    code: end.code,
                  },
                ]
              : []),
          ],
        }
      : {}),
    ...(source
      ? {
          _eventSourceMessages: received.map((chunk) => ({
            time: epoch(chunk.at) / 1000,
            eventName: chunk.event ?? 'message',
            eventId: chunk.id ?? '',
            data: chunk.text,
          })),
        }
      : {}),
  };
};

export const exportHar = (capture: Capture): HarExport => {
  const flows = new Map<string, FlowEntries>();
  let leftOut = 0;
  for (const entry of capture.entries) {
    if (entry.type === 'flow.opened') {
      if (!flows.has(entry.flow)) flows.set(entry.flow, { opened: entry, head: null, chunks: [], end: null });
      continue;
    }
    if (entry.type === 'tick') continue;
    const flow = 'flow' in entry && entry.flow !== null ? flows.get(entry.flow) : undefined;
    if (flow && entry.type === 'flow.head') flow.head = entry;
    else if (flow && entry.type === 'flow.chunk') flow.chunks.push(entry);
    else if (flow && entry.type === 'flow.ended') flow.end = entry;
    else leftOut++;
  }
  const origins = new Map(capture.documents.map((document) => [document.key, document.timeOrigin]));
  const { name, version, browser } = capture.producer;
  return {
    leftOut,
    har: {
      log: {
        version: '1.2',
        creator: { name, version },
        ...(browser === null ? {} : { browser: { name: browser, version: '' } }),
        pages: capture.documents.map((document) => ({
          startedDateTime: isoTime(document.timeOrigin),
          id: document.key,
          title: document.url,
          pageTimings: {},
        })),
        entries: [...flows.values()].map((flow) => entryOf(flow, origins.get(flow.opened.document) ?? 0)),
      },
    },
  };
};

/** The HAR as text in pieces, an entry each: as one string it could be longer than a string may be. */
export function* harText(har: HarExport['har']): Generator<string> {
  const { entries, ...rest } = har.log as { readonly entries: readonly object[] };
  const [before, after] = JSON.stringify({ log: { ...rest, entries: [] } }, null, 1).split('"entries": []') as [string, string];
  yield `${before}"entries": [`;
  for (const [i, entry] of entries.entries()) yield `${i === 0 ? '' : ','}\n${JSON.stringify(entry, null, 1).replace(/^/gmu, '   ')}`;
  yield `${entries.length === 0 ? '' : '\n  '}]${after}\n`;
}
