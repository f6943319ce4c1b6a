/**
 * fetch: says which requests were made, and hands the responses that may be agent streams to the body tap. The request is
 * the page's own: called first, with the page's own arguments, and what is recorded of it is read afterwards and only
 * where reading cannot be noticed (no getter of the page runs, no stream is touched).
 */
import {
  bodyText,
  chain,
  eachHeader,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  getterOf,
  headerOf,
  isHeaders,
  isPromise,
  now,
  ownKeys,
  resolveUrl,
  responseBody,
  responseHeaders,
} from '../intrinsics';
import { keepHeader, telling, watched } from '../media';
import type { Flow, Opening, Outbox } from '../outbox';
import { wrapFunction } from '../patch';
import { createBodyTap, endOf } from './fetch-body';
import type { TransportTap } from './transport';

const NativeRequest = Request;
const requestUrl = getterOf<string>(Request.prototype, 'url');
const requestMethod = getterOf<string>(Request.prototype, 'method');
const requestHeaders = getterOf<Headers>(Request.prototype, 'headers');
const requestSignal = getterOf<AbortSignal>(Request.prototype, 'signal');
const responseUrl = getterOf<string>(Response.prototype, 'url');
const responseStatus = getterOf<number>(Response.prototype, 'status');
const NativeSignal = AbortSignal;

/** The value of a data property, its own or inherited. Undefined for accessors: calling the page's code would be seen. */
const dataOf = (object: unknown, name: string): unknown => {
  let holder: unknown = object;
  for (let depth = 0; depth < 4 && typeof holder === 'object' && holder !== null; depth++) {
    const descriptor = getOwnPropertyDescriptor(holder, name);
    if (descriptor !== undefined) return descriptor.value;
    holder = getPrototypeOf(holder);
  }
  return undefined;
};

/** Allow-listed headers out of what `fetch` accepts as headers. */
const readHeaders = (headers: unknown, into: Record<string, string>): void => {
  if (isHeaders(headers)) {
    eachHeader(headers, (value, name) => keepHeader(into, name, value, 'request'));
    return;
  }
  if (typeof headers !== 'object' || headers === null) return;
  const keys = ownKeys(headers);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (typeof key !== 'string') continue;
    const value: unknown = getOwnPropertyDescriptor(headers, key)?.value;
    if (typeof value === 'string') keepHeader(into, key, value, 'request');
    // A list of pairs.
    else if (typeof value === 'object') {
      const name = dataOf(value, '0');
      const text = dataOf(value, '1');
      if (typeof name === 'string' && typeof text === 'string') keepHeader(into, name, text, 'request');
    }
  }
};

/** What can be told of a request without being noticed. */
interface RequestNote {
  /** Its address is '' where only the response will tell it. */
  readonly opening: Opening;
  /** Whether the request is worth a record before anything is known of its response. */
  readonly telling: boolean;
  readonly signal: AbortSignal | null;
}

const readRequest = (args: readonly unknown[]): RequestNote => {
  const input = args[0];
  const init = args[1];
  const request = input instanceof NativeRequest ? input : null;
  const url = request === null ? resolveUrl(input) : requestUrl(request);
  const given = dataOf(init, 'method');
  const method = typeof given === 'string' ? given.toUpperCase() : request === null ? 'GET' : requestMethod(request);
  const headers: Record<string, string> = {};
  const ownHeaders = dataOf(init, 'headers');
  if (ownHeaders !== undefined) readHeaders(ownHeaders, headers);
  else if (request !== null) readHeaders(requestHeaders(request), headers);
  const body = bodyText(dataOf(init, 'body'));
  const ownSignal = dataOf(init, 'signal');
  const signal = ownSignal instanceof NativeSignal ? ownSignal : request === null ? null : requestSignal(request);
  return {
    opening: { transport: 'fetch', method, url: url ?? '', requestHeaders: headers, requestBody: body },
    telling: telling(method, headers, body),
    signal,
  };
};

const install = (scope: Window & typeof globalThis, out: Outbox, guard: Parameters<TransportTap['install']>[2]): void => {
  const watch = createBodyTap(scope, guard);

  const note = (response: Response, { opening, signal }: RequestNote, at: number, known: Flow | null): void => {
    const headers = responseHeaders(response);
    const how = watched(headerOf(headers, 'content-type'));
    if (how === null && known === null) return;
    const body = responseBody(response);
    if (body === null && known === null) return;
    const flow = known ?? out.open(opening.url !== '' ? opening : { ...opening, url: responseUrl(response) }, at);
    const kept: Record<string, string> = {};
    eachHeader(headers, (value, name) => keepHeader(kept, name, value, 'response'));
    flow.head(responseStatus(response), kept);
    if (body === null) flow.end('eof', null, null);
    else if (how === null) {
      // Markup, code, images: the body is none of our business, and not looked at.
      flow.gap('read-natively', 0);
      flow.end('eof', null, 'not watched');
    } else watch(response, { flow, how, signal });
  };

  const begin = (promise: Promise<unknown>, args: readonly unknown[]): Promise<unknown> => {
    const at = now();
    const request = readRequest(args);
    const flow = request.telling && request.opening.url !== '' ? out.open(request.opening, at) : null;
    flow?.announce();
    // The derived promise goes to the page: a handler on the one it gets would change its unhandledrejection.
    return chain(
      promise,
      (response) => {
        guard(() => note(response as Response, request, at, flow));
        return response;
      },
      (error: unknown) => {
        guard(() => flow?.end(endOf(request.signal), null, null));
        throw error;
      },
    );
  };

  wrapFunction(scope, 'fetch', (call, _self, args) => {
    const promise = call();
    if (guard.quiet || !out.recording || !isPromise(promise)) return promise;
    return guard(() => begin(promise, args)) ?? promise;
  });
};

export const fetchTap: TransportTap = { install };
