/**
 * XMLHttpRequest: the text as it grows. XHR hands out what has arrived without being asked, so here `at` is the moment the
 * platform tells the page, not a read. Responses that the page takes as bytes, Blob, document or parsed JSON are read by
 * the platform alone and are gaps.
 */
import { bodyText, createRegistry, getterOf, listen, resolveUrl, uncurry } from '../intrinsics';
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
  const { prototype } = scope.XMLHttpRequest;
  const readyState = getterOf<number>(prototype, 'readyState');
  const responseText = getterOf<string>(prototype, 'responseText');
  const responseType = getterOf<string>(prototype, 'responseType');
  const responseOf = getterOf<unknown>(prototype, 'response');
  const responseUrl = getterOf<string>(prototype, 'responseURL');
  const statusOf = getterOf<number>(prototype, 'status');
  const allHeaders = uncurry(prototype.getAllResponseHeaders);
  const OPENED = 1;
  const HEADERS_RECEIVED = 2;
  const exchanges = createRegistry<object, Exchange>();

  const head = (xhr: object, exchange: Exchange): void => {
    const headers: Record<string, string> = {};
    let type: string | null = null;
    const lines = allHeaders(xhr as XMLHttpRequest).split('\r\n');
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!;
      const colon = line.indexOf(':');
      if (colon < 0) continue;
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      if (name === 'content-type') type = value;
      keepHeader(headers, name, value, 'response');
    }
    exchange.how = watched(type);
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
    const fresh = text.slice(exchange.seen);
    if (how === 'sniffed' && exchange.seen === 0 && binary(fresh)) exchange.omit = 'binary';
    if (text.length > MOST[how]) exchange.omit = 'over-budget';
    exchange.seen = text.length;
    if (exchange.omit === null) flow.chunk('received', fresh, 'text', null, null);
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
      listen(xhr, type, (event) => {
        const exchange = exchanges.get(xhr);
        if (exchange !== undefined && event.isTrusted && !guard.quiet) guard(() => note(exchange));
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
    on('error', (exchange) => exchange.flow?.end('network-error', null, null));
    on('abort', (exchange) => exchange.flow?.end('aborted-by-page', null, null));
    on('timeout', (exchange) => exchange.flow?.end('aborted-by-page', null, 'timeout'));
  };

  wrapConstructor(scope, 'XMLHttpRequest', (object) => {
    if (!guard.quiet) guard(() => attach(object as EventTarget));
  });
  wrapFunction(prototype, 'open', (call, self, args) => {
    const result = call();
    if (!guard.quiet)
      guard(() => {
        // Opening again ends what was under way, without an event.
        exchanges.get(self)?.flow?.end('aborted-by-page', null, null);
        const method = typeof args[0] === 'string' ? args[0].toUpperCase() : 'GET';
        const headers: Record<string, string> = {};
        exchanges.set(self as object, {
          method,
          url: resolveUrl(args[1]),
          headers,
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
    const exchange = exchanges.get(self);
    if (exchange !== undefined && typeof args[0] === 'string' && typeof args[1] === 'string')
      keepHeader(exchange.headers, args[0], args[1], 'request');
    return result;
  });
  wrapFunction(prototype, 'send', (call, self, args) => {
    const exchange = exchanges.get(self);
    if (exchange === undefined || guard.quiet || exchange.flow !== null || readyState(self as object) !== OPENED) return call();
    guard(() => {
      const body = bodyText(args[0]);
      const { method, url, headers } = exchange;
      exchange.flow = openFlow(exchange, url ?? '', body);
      if (url !== null && telling(method, headers, body)) exchange.flow.announce();
    });
    let returned = false;
    try {
      const result = call();
      returned = true;
      return result;
    } finally {
      // A synchronous request that fails throws, and fires no event.
      if (!returned) guard(() => exchange.flow?.end('network-error', null, null));
    }
  });
};

export const xhrTap: TransportTap = { install };
