/**
 * fetch: says which requests were made, and hands the responses that may be agent streams to the body tap. The request is
 * the page's own: called first, with the page's own arguments, and what is recorded of it is read afterwards and only
 * where reading cannot be noticed (no getter of the page runs, no stream is touched).
 */
import { bodyText, chain, eachHeader, headerOf, isPromise, now, resolveUrl, responseBody, responseHeaders } from '../intrinsics';
import { argument, ask, descriptorOf, getPrototypeOf, getterOf, isObject, ownKeys, table, upper } from '../language';
import { keepHeader, telling, watched } from '../media';
import type { Flow, Opening, Outbox } from '../outbox';
import { wrapFunction } from '../patch';
import { createBodyTap, endOf, signalAborted } from './fetch-body';
import type { TransportTap } from './transport';

const requestUrl = getterOf<string>(Request, 'url');
const requestMethod = getterOf<string>(Request, 'method');
const requestHeaders = getterOf<Headers>(Request, 'headers');
const requestSignal = getterOf<AbortSignal>(Request, 'signal');
const responseUrl = getterOf<string>(Response, 'url');
const responseStatus = getterOf<number>(Response, 'status');

/** The value of a data property, its own or inherited. Undefined for accessors: calling the page's code would be seen. */
const dataOf = (object: unknown, name: string): unknown => {
  let holder: unknown = object;
  for (let depth = 0; depth < 4 && isObject(holder); depth++) {
    const descriptor = descriptorOf(holder, name);
    if (descriptor !== undefined) return descriptor.value;
    holder = getPrototypeOf(holder);
  }
  return undefined;
};

/** Allow-listed headers out of what `fetch` accepts as headers. */
const readHeaders = (headers: unknown, into: Record<string, string>): void => {
  if (!isObject(headers)) return;
  const each = (from: Headers): true => {
    eachHeader(from, (value, name) => keepHeader(into, name, value, 'request'));
    return true;
  };
  if (ask(each, headers)) return;
  const keys = ownKeys(headers);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (typeof key !== 'string') continue;
    const value: unknown = descriptorOf(headers, key)?.value;
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
  const input = argument(args, 0);
  const init = argument(args, 1);
  const ownUrl = ask(requestUrl, input);
  const request = ownUrl === undefined ? null : (input as Request);
  const url = ownUrl ?? resolveUrl(input);
  const given = dataOf(init, 'method');
  const method = typeof given === 'string' ? upper(given) : request === null ? 'GET' : requestMethod(request);
  const headers = table<string>();
  const ownHeaders = dataOf(init, 'headers');
  if (ownHeaders !== undefined) readHeaders(ownHeaders, headers);
  else if (request !== null) readHeaders(requestHeaders(request), headers);
  const body = bodyText(dataOf(init, 'body'));
  const ownSignal = dataOf(init, 'signal');
  const signal = ask(signalAborted, ownSignal) !== undefined ? (ownSignal as AbortSignal) : request && requestSignal(request);
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
    const kept = table<string>();
    eachHeader(headers, (value, name) => keepHeader(kept, name, value, 'response'));
    flow.head(responseStatus(response), kept);
    if (body === null) flow.end('eof');
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
        guard(() => flow?.end(endOf(request.signal)));
        throw error;
      },
    );
  };

  wrapFunction(scope, 'fetch', (call, _self, args) => {
    const promise = call();
    if (guard.quiet() || !out.recording || !isPromise(promise)) return promise;
    return guard(() => begin(promise, args)) ?? promise;
  });
};

export const fetchTap: TransportTap = { install };
