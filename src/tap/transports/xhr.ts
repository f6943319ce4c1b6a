/**
 * XMLHttpRequest: the text as it grows. XHR hands out what has arrived without being asked, so here `at` is the moment the
 * platform tells the page, not a read. Responses that the page takes as bytes, Blob, document or parsed JSON are read by
 * the platform alone and are gaps.
 */
import { bodyText, createRegistry, hear, known, learn, resolveUrl } from '../intrinsics';
import { argument, getterOf, indexOf, methodOf, slice, table, trim, upper } from '../language';
import { binary, keepHeader, MOST, telling, type Watched, watched } from '../media';
import type { Flow } from '../outbox';
import { wrapConstructor, wrapFunction } from '../patch';
import { recordMessage } from './socket';
import type { TransportTap } from './transport';

interface Exchange {
  readonly method: string;
  readonly url: string | null;
  readonly headers: Record<string, string>;
  flow: Flow | null;
  headed: boolean;
  how: Watched | null;
  /** UTF-16 units of the response text recorded or counted as lost. */
  seen: number;
  omit: 'binary' | 'over-budget' | null;
}

const install: TransportTap['install'] = (scope, out, guard) => {
  const { XMLHttpRequest } = scope;
  const { prototype } = XMLHttpRequest;
  const readyState = getterOf<number>(XMLHttpRequest, 'readyState');
  const responseText = getterOf<string>(XMLHttpRequest, 'responseText');
  const responseType = getterOf<string>(XMLHttpRequest, 'responseType');
  const responseOf = getterOf<unknown>(XMLHttpRequest, 'response');
  const responseUrl = getterOf<string>(XMLHttpRequest, 'responseURL');
  const statusOf = getterOf<number>(XMLHttpRequest, 'status');
  const allHeaders = methodOf(XMLHttpRequest, 'getAllResponseHeaders');
  const OPENED = 1;
  const HEADERS_RECEIVED = 2;
  const exchanges = createRegistry<object, Exchange>();

  const head = (xhr: object, exchange: Exchange): void => {
    const headers = table<string>();
    // Names come in lower case, each line with its end.
    const lines = allHeaders(xhr as XMLHttpRequest);
    let start = 0;
    for (let end = indexOf(lines, '\r\n'); end >= 0; end = indexOf(lines, '\r\n', start)) {
      const colon = indexOf(lines, ':', start);
      keepHeader(headers, slice(lines, start, colon), trim(slice(lines, colon + 1, end)), 'response');
      start = end + 2;
    }
    exchange.how = watched(headers['content-type'] ?? null);
    if (exchange.how === null && exchange.flow?.announced !== true) return;
    if (exchange.url === null && exchange.flow !== null && !exchange.flow.announced)
      exchange.flow = openFlow(exchange, responseUrl(xhr), null);
    exchange.flow?.head(statusOf(xhr), headers);
  };

  const grow = (xhr: object, exchange: Exchange): void => {
    const { flow, how } = exchange;
    const type = responseType(xhr);
    if (flow === null || how === null || how === 'base64' || (type !== '' && type !== 'text')) return;
    const text = responseText(xhr);
    if (text.length <= exchange.seen) return;
    const fresh = slice(text, exchange.seen);
    if (how === 'sniffed' && exchange.seen === 0 && binary(fresh)) exchange.omit = 'binary';
    if (text.length > MOST[how]) exchange.omit = 'over-budget';
    exchange.seen = text.length;
    if (exchange.omit === null) flow.chunk('received', fresh);
    else flow.gap(exchange.omit, fresh.length);
  };

  /** What the page takes whole: bytes of a binary event type are recorded, the rest is said to be missing. */
  const whole = (xhr: object, exchange: Exchange): void => {
    const { flow, how } = exchange;
    const type = responseType(xhr);
    if (flow === null || how === null || type === '' || type === 'text') return;
    if (how === 'base64' && type === 'arraybuffer') recordMessage(flow, 'received', responseOf(xhr), guard);
    else flow.gap('read-natively', 0);
  };

  const openFlow = ({ method, headers }: Exchange, url: string, requestBody: string | null): Flow =>
    out.open({ transport: 'xhr', method, url, requestHeaders: headers, requestBody });

  const attach = (xhr: EventTarget): void => {
    const on = (type: string, note: (exchange: Exchange) => void): void =>
      hear(xhr, type, guard, () => {
        const exchange = known(exchanges, xhr);
        if (exchange !== undefined) note(exchange);
      });
    on('readystatechange', (exchange) => {
      // A synchronous request goes straight to its end; a failed one has no head.
      if (readyState(xhr) < HEADERS_RECEIVED || statusOf(xhr) === 0) return;
      if (!exchange.headed) head(xhr, exchange);
      exchange.headed = true;
      if (readyState(xhr) > HEADERS_RECEIVED) grow(xhr, exchange);
    });
    // The last of the text may be told by this alone, before the state says that it is the end.
    on('progress', (exchange) => {
      if (exchange.headed) grow(xhr, exchange);
    });
    on('load', (exchange) => {
      whole(xhr, exchange);
      if (exchange.how === null && exchange.flow?.announced) exchange.flow.gap('read-natively', 0);
      exchange.flow?.end('eof', null, exchange.how === null ? 'not watched' : null);
    });
    on('error', (exchange) => exchange.flow?.end('network-error'));
    on('abort', (exchange) => exchange.flow?.end('aborted-by-page'));
    on('timeout', (exchange) => exchange.flow?.end('aborted-by-page', null, 'timeout'));
  };

  wrapConstructor(scope, 'XMLHttpRequest', (object) => {
    guard.awake(() => attach(object as EventTarget));
  });
  wrapFunction(prototype, 'open', (call, self, args) => {
    const result = call();
    guard.awake(() => {
      // Opening again ends what was under way, without an event.
      known(exchanges, self)?.flow?.end('aborted-by-page');
      const method = argument(args, 0);
      learn(exchanges, self as object, {
        method: typeof method === 'string' ? upper(method) : 'GET',
        url: resolveUrl(argument(args, 1)),
        headers: table<string>(),
        flow: null,
        headed: false,
        how: null,
        seen: 0,
        omit: null,
      });
    });
    return result;
  });
  wrapFunction(prototype, 'setRequestHeader', (call, self, args) => {
    const result = call();
    const exchange = known(exchanges, self);
    const name = argument(args, 0);
    const value = argument(args, 1);
    if (exchange !== undefined && typeof name === 'string' && typeof value === 'string')
      keepHeader(exchange.headers, name, value, 'request');
    return result;
  });
  wrapFunction(prototype, 'send', (call, self, args) => {
    const exchange = known(exchanges, self);
    if (exchange === undefined || guard.quiet() || exchange.flow !== null || readyState(self as object) !== OPENED) return call();
    guard(() => {
      const body = bodyText(argument(args, 0));
      const { method, url, headers } = exchange;
      exchange.flow = openFlow(exchange, url ?? '', body);
      if (url !== null && telling(method, headers, body)) exchange.flow.announce();
    });
    try {
      return call();
    } catch (error) {
      // A synchronous request that fails throws, and fires no event.
      guard(() => exchange.flow?.end('network-error'));
      throw error;
    }
  });
};

export const xhrTap: TransportTap = { install };
