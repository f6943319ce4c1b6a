/**
 * A capture as HAR 1.2, for tools that know nothing of ours: Chrome's lists for socket messages and event-stream events are
 * written too, with their times. What HAR has no place for (what the page showed, gaps) is left out and counted.
 */
import { decodeBase64, encodeBase64 } from '../bytes/base64';
import type { Capture, TapRecord } from '../model';
import { outcomeOf } from './steps';

export interface HarExport {
  /** The HAR object, ready for JSON; made when it is asked for. */
  readonly har: { readonly log: Readonly<Record<string, unknown>> };
  /** The same as text, in pieces that are small whatever the capture: as one string it could be longer than a string may be. */
  text(): Generator<string>;
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

/** Text and lists that may be as long as the capture: written piece by piece. */
class LongText {
  constructor(readonly pieces: () => Iterable<string>) {}
}
class LongList {
  constructor(readonly items: () => Iterable<unknown>) {}
}

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Made whole. */
const whole = (value: unknown): unknown => {
  if (value instanceof LongText) return [...value.pieces()].join('');
  if (value instanceof LongList) return Array.from(value.items(), whole);
  return isGroup(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, whole(each)])) : value;
};

/** As `JSON.stringify` writes it with an indent of one, in pieces. */
function* written(value: unknown, margin: string): Generator<string> {
  const inner = `${margin} `;
  if (value instanceof LongText) {
    yield '"';
    for (const piece of value.pieces()) yield JSON.stringify(piece).slice(1, -1);
    yield '"';
  } else if (value instanceof LongList || isGroup(value)) {
    const list = value instanceof LongList;
    let any = false;
    for (const each of list ? value.items() : Object.entries(value)) {
      if (!list && (each as [string, unknown])[1] === undefined) continue;
      const [name, content] = list ? ['', each] : [`${JSON.stringify((each as [string, unknown])[0])}: `, (each as [string, unknown])[1]];
      yield `${any ? ',' : list ? '[' : '{'}\n${inner}${name}`;
      yield* written(content, inner);
      any = true;
    }
    yield any ? `\n${margin}${list ? ']' : '}'}` : list ? '[]' : '{}';
  } else yield JSON.stringify(value, null, 1).replaceAll('\n', `\n${margin}`);
}

const SLICE = 65_536;

const paddingOf = (text: string): number => (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

/** Base64 as it is written everywhere, which may be cut after any four characters. */
const isPlain = (text: string): boolean => text.length % 4 === 0 && !/[^A-Za-z0-9+/]/u.test(text.slice(0, text.length - paddingOf(text)));

const slicesOf = (text: string): readonly string[] =>
  isPlain(text) ? Array.from({ length: Math.ceil(text.length / SLICE) }, (_, i) => text.slice(i * SLICE, (i + 1) * SLICE)) : [text];

type Chunks = readonly { readonly text: string }[];

const byteCount = (chunks: Chunks): number =>
  chunks.reduce((sum, { text }) => sum + (isPlain(text) ? (text.length / 4) * 3 - paddingOf(text) : (decodeBase64(text)?.length ?? 0)), 0);

function* textsOf(chunks: Chunks): Generator<string> {
  for (const { text } of chunks) yield text;
}

/** Base64 of all chunks together, each of which is base64 of its own. */
function* joinedBase64(chunks: Chunks): Generator<string> {
  let rest = new Uint8Array();
  for (const chunk of chunks)
    for (const slice of slicesOf(chunk.text)) {
      const bytes = decodeBase64(slice) ?? new Uint8Array();
      const all = new Uint8Array(rest.length + bytes.length);
      all.set(rest);
      all.set(bytes, rest.length);
      const usable = all.length - (all.length % 3);
      yield encodeBase64(all.subarray(0, usable));
      rest = all.slice(usable);
    }
  yield encodeBase64(rest);
}

const entryOf = (flow: FlowEntries, timeOrigin: number): Record<string, unknown> => {
  const { opened, head, chunks, end } = flow;
  const epoch = (at: number): number => timeOrigin + at;
  const received = chunks.filter((chunk) => chunk.direction === 'received');
  const last = end?.at ?? chunks.at(-1)?.at ?? head?.at ?? opened.at;
  const socket = opened.transport === 'websocket' || opened.transport === 'datachannel';
  const source = opened.transport === 'eventsource';
  const binary = !socket && received.some((chunk) => chunk.encoding === 'base64');
  const mimeType = head?.headers['content-type'] ?? (source ? 'text/event-stream' : 'x-unknown');
  const body = socket || source ? null : new LongText(() => (binary ? joinedBase64(received) : textsOf(received)));
  const size = binary ? Math.ceil(byteCount(received) / 3) * 4 : received.reduce((sum, chunk) => sum + chunk.text.length, 0);
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
      content: {
        size: body === null ? 0 : size,
        mimeType,
        ...(body === null ? {} : { text: body }),
        ...(binary ? { encoding: 'base64' } : {}),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      ...(end && ERROR[end.how] && !socket ? { _error: ERROR[end.how] } : {}),
    },
    cache: {},
    timings: { send: 0, wait: Math.max(0, (head?.at ?? opened.at) - opened.at), receive: Math.max(0, last - (head?.at ?? opened.at)) },
    ...(socket
      ? {
          _webSocketMessages: new LongList(function* () {
            for (const chunk of chunks)
              yield {
                type: chunk.direction === 'sent' ? 'send' : 'receive',
                time: epoch(chunk.at) / 1000,
                opcode: chunk.encoding === 'base64' ? 2 : 1,
                data: chunk.text,
              };
            if (end !== null)
              yield {
                type: end.how === 'aborted-by-page' ? 'send' : 'receive',
                time: epoch(end.at) / 1000,
                opcode: 8,
                data: '',
                code: end.code,
              };
          }),
        }
      : {}),
    ...(source
      ? {
          _eventSourceMessages: new LongList(function* () {
            for (const chunk of received)
              yield { time: epoch(chunk.at) / 1000, eventName: chunk.event ?? 'message', eventId: chunk.id ?? '', data: chunk.text };
          }),
        }
      : {}),
  };
};

/** Entries looked at in one step. */
const STRIDE = 4096;

/** In steps, each of which says what share is done. */
export function* exportHarSteps(capture: Capture): Generator<number, HarExport> {
  const flows = new Map<string, FlowEntries>();
  let leftOut = 0;
  for (const [i, entry] of capture.entries.entries()) {
    if (i % STRIDE === STRIDE - 1) yield i / capture.entries.length;
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
  const har = {
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
      entries: new LongList(function* () {
        for (const flow of flows.values()) yield entryOf(flow, origins.get(flow.opened.document) ?? 0);
      }),
    },
  };
  return {
    leftOut,
    get har() {
      return whole(har) as HarExport['har'];
    },
    *text() {
      yield* written(har, '');
      yield '\n';
    },
  };
}

export const exportHar = (capture: Capture): HarExport => outcomeOf(exportHarSteps(capture));
