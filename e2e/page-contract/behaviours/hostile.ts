/**
 * Pages that turn what the language looks up by itself against whoever shares their world: setters where lists grow, members
 * where objects have none, patched methods, promises, iterators and species. None of it may be asked because of us, and none of
 * it may break the page's streams, or the record of them.
 */
import type { Behaviour, ExpectedFlow, PageTools } from '../behaviour';

/** What the pages here have at hand (HARNESS). It uses nothing that it has made hostile. */
interface Harness {
  /** Addresses for `everything`, made while nothing is hostile yet. */
  addresses(t: PageTools): object;
  /** Uses every transport in its plain ways, and says what came of it. */
  everything(addresses: object): Promise<unknown>;
  /** Puts a property in place, of which a call says its name in the log. */
  watch(holder: object, name: PropertyKey, label: string): void;
  put(holder: object, name: PropertyKey, descriptor: object): void;
  /** Replaces every method and accessor of the platform's classes that can be replaced by one that is logged and goes on as ever. */
  watchPlatform(): void;
  /** `promise.then` of which nothing is logged. */
  on(promise: Promise<unknown>, fulfilled: (value: never) => void, rejected: (error: unknown) => void): void;
  /** Everything back as it was; the answer is what was logged. */
  off(): string;
  note(what: string): void;
}

const HARNESS = `globalThis.hostile = (() => {
  const { apply, defineProperty, deleteProperty, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const method = (f) => (self, ...args) => apply(f, self, args);
  const getter = (Class, name) => {
    const { get } = getOwnPropertyDescriptor(Class.prototype, name);
    return (self) => apply(get, self, []);
  };
  const [bodyOf, sizeOf, dataOf, xhrText] = [
    getter(Response, 'body'), getter(Blob, 'size'), getter(MessageEvent, 'data'), getter(XMLHttpRequest, 'responseText'),
  ];
  const lengthOf = getter({ prototype: getPrototypeOf(Uint8Array.prototype) }, 'length');
  const bufferLength = getter(ArrayBuffer, 'byteLength');
  const { text, clone, blob, arrayBuffer } = Response.prototype;
  const { arrayBuffer: blobBuffer } = Blob.prototype;
  const [getReader, read] = [method(ReadableStream.prototype.getReader), method(ReadableStreamDefaultReader.prototype.read)];
  const add = method(EventTarget.prototype.addEventListener);
  const [send, close, open, sendXhr, header] = [
    method(WebSocket.prototype.send), method(WebSocket.prototype.close),
    method(XMLHttpRequest.prototype.open), method(XMLHttpRequest.prototype.send), method(XMLHttpRequest.prototype.setRequestHeader),
  ];
  const closeSource = method(EventSource.prototype.close);
  const { fetch, setTimeout, Promise, WebSocket: Socket, EventSource: Source, XMLHttpRequest: Xhr, Uint8Array: Bytes } = globalThis;
  const event = (target, type) => new Promise((resolve) => add(target, type, resolve, true));
  const failure = async (work) => {
    try { await work(); return 'passes'; } catch (error) { return getOwnPropertyDescriptor(error, 'message').value; }
  };
  const { then } = Promise.prototype;
  let log = '';
  let mine = false;
  let last = null;
  const put = (holder, name, descriptor) => {
    const was = getOwnPropertyDescriptor(holder, name);
    if (was && !was.configurable) return;
    last = { __proto__: null, holder, name, was, before: last };
    defineProperty(holder, name, { __proto__: null, ...descriptor, configurable: true });
  };
  const note = (what) => { if (!mine) log += what + '; '; };
  return {
    put, note,
    addresses: (t) => ({
      __proto__: null,
      stream: t.url('/sse', { n: 6, every: 1 }), json: t.url('/json'), hang: t.url('/sse', { n: 1, end: 'hang' }), echo: t.url('/echo'),
      socket: t.url('/ws').replace('http', 'ws'), source: t.url('/es', { n: 2, end: 'hang' }),
    }),
    everything: async (url) => {
      const seen = { __proto__: null, read: 0 };
      const reader = getReader(bodyOf(await fetch(url.stream)));
      for (;;) {
        const { done, value } = await read(reader);
        if (done) break;
        seen.read += lengthOf(value);
      }
      seen.text = await apply(text, await fetch(url.stream), []);
      const first = await fetch(url.json);
      const second = apply(clone, first, []);
      seen.first = await apply(text, first, []);
      seen.second = bufferLength(await apply(arrayBuffer, second, []));
      seen.blob = sizeOf(await apply(blob, await fetch(url.json), []));
      seen.echo = await apply(text, await fetch(url.echo, {
        __proto__: null, method: 'POST', body: 'hello', headers: { __proto__: null, accept: 'text/event-stream', 'content-type': 'text/plain' },
      }), []);
      seen.nothing = await failure(() => fetch());
      const xhr = new Xhr();
      seen.noOpen = await failure(() => open(xhr));
      open(xhr, 'POST', url.echo);
      header(xhr, 'content-type', 'text/plain');
      sendXhr(xhr, 'by xhr');
      await event(xhr, 'loadend');
      seen.xhr = xhrText(xhr);
      seen.noListener = await failure(() => add(xhr));
      const socket = new Socket(url.socket);
      await event(socket, 'open');
      seen.noSend = await failure(() => send(socket));
      send(socket, 'hello');
      seen.word = dataOf(await event(socket, 'message'));
      send(socket, new Bytes(3));
      const blobbed = dataOf(await event(socket, 'message'));
      seen.bytes = sizeOf(blobbed);
      // The record has read it, too, before anything else comes.
      await apply(blobBuffer, blobbed, []);
      close(socket, 1000);
      await event(socket, 'close');
      const source = new Source(url.source);
      seen.event = dataOf(await event(source, 'message'));
      seen.next = dataOf(await event(source, 'message'));
      closeSource(source);
      // What the tap has put off until the next frame is done while the page is hostile, too.
      await new Promise((resolve) => setTimeout(resolve, 300));
      return seen;
    },
    watch: (holder, name, label) => put(holder, name, { get() { note('get ' + label); }, set() { note('set ' + label); } }),
    watchPlatform() {
      const classes = { Object, Function, Array, String, Number, Promise, WeakMap, Map, Set, FinalizationRegistry, ArrayBuffer, DataView,
        Uint8Array, TextDecoder, URL, URLSearchParams, Blob, FileReader, Headers, Request, Response, ReadableStream,
        ReadableStreamDefaultReader, ReadableByteStreamController, ReadableStreamBYOBRequest, AbortSignal, EventTarget, Event,
        MessageEvent, CloseEvent, MessagePort, MessageChannel, WebSocket, EventSource, XMLHttpRequest, Node, Document, Performance,
        DOMException, TypedArray: getPrototypeOf(Uint8Array) };
      const holders = [[Reflect, 'Reflect.'], [JSON, 'JSON.'], [Math, 'Math.'], [getPrototypeOf([][Symbol.iterator]()), 'an iterator.']];
      for (const [label, Class] of Object.entries(classes)) holders.push([Class.prototype, label + '.prototype.'], [Class, label + '.']);
      const plan = [];
      const logged = (f, told) => typeof f !== 'function' ? f : function (...args) { note(told); return apply(f, this, args); };
      const take = (holder, name, label) => {
        const { get, set, value, configurable, enumerable } = getOwnPropertyDescriptor(holder, name);
        const told = label + String(name);
        if (!configurable || name === 'constructor' || name === 'prototype') return;
        if (get || set) plan.push([holder, name, { get: logged(get, told), set: logged(set, told), enumerable }]);
        else if (typeof value === 'function') plan.push([holder, name, { value: logged(value, told), writable: true, enumerable }]);
      };
      for (const [holder, label] of holders) for (const name of ownKeys(holder)) take(holder, name, label);
      for (const name of ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame', 'queueMicrotask', 'btoa'])
        take(globalThis, name, '');
      // From here on only what was saved is used.
      for (let i = 0; i < plan.length; i++) put(plan[i][0], plan[i][1], plan[i][2]);
      log = '';
    },
    on(promise, fulfilled, rejected) {
      mine = true;
      apply(then, promise, [fulfilled, rejected]);
      mine = false;
    },
    off() {
      for (let one = last; one; one = one.before)
        if (one.was) defineProperty(one.holder, one.name, { __proto__: null, ...one.was });
        else deleteProperty(one.holder, one.name);
      last = null;
      return log;
    },
  };
})();`;

const EVERYTHING: readonly ExpectedFlow[] = [
  { transport: 'fetch', path: '/sse', received: 'sse:6', how: 'eof' },
  { transport: 'fetch', path: '/sse', received: 'sse:6', how: 'eof' },
  { transport: 'fetch', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' },
  { transport: 'fetch', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' },
  {
    transport: 'fetch',
    path: '/echo',
    method: 'POST',
    received: '{"method":"POST","body":"hello"}',
    requestBody: 'hello',
    requestHeaders: { accept: 'text/event-stream', 'content-type': 'text/plain' },
    headers: { 'content-type': 'application/json' },
    how: 'eof',
  },
  { transport: 'xhr', path: '/echo', received: '{"method":"POST","body":"by xhr"}', requestBody: 'by xhr', how: 'eof' },
  { transport: 'websocket', path: '/ws', sent: 'helloAAAA', received: 'helloAAAA', how: 'aborted-by-page' },
  { transport: 'eventsource', path: '/es', received: 'message 0message 1', how: 'aborted-by-page' },
];

/** Uses everything while the page is as `after` leaves it by `turn()`. */
const run = async (t: PageTools): Promise<unknown> => {
  const { hostile, turn } = globalThis as unknown as { hostile: Harness; turn: () => void };
  const addresses = hostile.addresses(t);
  turn();
  const seen = await hostile.everything(addresses);
  return [hostile.off(), seen];
};

const hostile = (name: string, turn: string): Behaviour => ({
  name: `hostile: ${name}`,
  after: `${HARNESS}\nglobalThis.turn = () => { ${turn} };`,
  run,
  observes: ',{"read":',
  records: EVERYTHING,
});

/** Names that we, or the platform on our behalf, could look for on an object that has no such property of its own. */
const MEMBERS = `[
  'at', 'get', 'set', 'value', 'writable', 'enumerable', 'apply', 'construct', 'done', 'next', 'return', 'length', 'flow', 'type', 'text',
  'event', 'id', 'how', 'code', 'detail', 'lost', 'reason', 'records', 'owners', 'slots', 'hole', 'first', 'chars', 'run', 'ends', 'link', 'do',
  'bell', 'url', 'method', 'transport', 'requestHeaders', 'requestBody', 'headers', 'status', 'statusText', 'body', 'signal', 'accept',
  'content-type', 'content-location', 'last-event-id', 'x-vercel-ai-ui-message-stream', 'message', 'open', 'error', 'stream', 'controller',
  'branch', 'reader', 'ahead', 'failure', 'start', 'pull', 'cancel', 'autoAllocateChunkSize', 'size', 'highWaterMark', 'mode', 'min', 'fatal',
  'ignoreBOM', 'capture', 'passive', 'once', 'transfer', 'data', 'ports', 'bubbles', 'cancelable', 'composed', 'alphabet', 'omitPadding',
]`;

export const HOSTILE: readonly Behaviour[] = [
  hostile(
    'accessors on the indexes of every list',
    `for (let i = 0; i < 200; i++) for (const holder of [Object.prototype, Array.prototype]) hostile.watch(holder, i, 'index ' + i);
     hostile.watch(Object.prototype, -1, 'index -1');`,
  ),
  hostile(
    'indexes of lists that cannot be written',
    `for (let i = 0; i < 200; i++) hostile.put(Array.prototype, i, { value: 'theirs', writable: false });`,
  ),
  hostile(
    'members of every object are watched',
    `const names = ${MEMBERS}; for (const name of names) hostile.watch(Object.prototype, name, name);`,
  ),
  hostile(
    'members of every object that cannot be written and mean something',
    `const names = ${MEMBERS};
     const meant = { __proto__: null, status: 204, size: () => 1, highWaterMark: -1, start: 1, pull: 1, cancel: 1, method: 'GET', signal: 1, body: 1,
       get: 1, set: 1, autoAllocateChunkSize: 0, accept: 'text/event-stream', headers: 1, capture: true, once: true, passive: true };
     for (const name of names) hostile.put(Object.prototype, name, { value: name in meant ? meant[name] : 'theirs', writable: false });`,
  ),
  hostile(
    'built-in prototypes frozen',
    `for (const Class of [Object, Array, Promise, String, Uint8Array, ArrayBuffer, Response, Headers, ReadableStream, MessageEvent, Blob])
       Object.freeze(Class.prototype), Class === Object || Object.freeze(Class);`,
  ),
  hostile('every method and accessor of the platform replaced', `hostile.watchPlatform();`),
  hostile(
    'instanceof is the page’s own matter',
    `for (const Class of [Promise, Request, Headers, Response, Blob, ArrayBuffer, Uint8Array, URL, URLSearchParams, AbortSignal, DOMException,
       MessageEvent, ReadableStream, Object, Event])
       hostile.put(Class, Symbol.hasInstance, { value: () => { hostile.note('instanceof ' + Class.name); return false; } });`,
  ),
  {
    name: 'hostile: constructor, species and then of promises are not looked up',
    after: HARNESS,
    run: (t) => {
      const h = (globalThis as unknown as { hostile: Harness }).hostile;
      const { stream, json } = h.addresses(t) as Record<string, string>;
      const { then } = Promise.prototype;
      const { getReader } = ReadableStream.prototype;
      const { read } = ReadableStreamDefaultReader.prototype;
      const { apply } = Reflect;
      return new Promise((resolve, reject) => {
        const next = (promise: Promise<unknown>, go: (value: never) => void): void => h.on(promise, go, reject);
        const seen = { bytes: 0, text: '', size: 0, log: '' };
        const end = (): void => {
          seen.log = h.off();
          resolve(seen);
        };
        const sized = (): void =>
          next(fetch(json as string), (r: Response) =>
            next(r.blob(), (b: Blob) => {
              seen.size = b.size;
              end();
            }),
          );
        const texts = (): void =>
          next(fetch(json as string), (r: Response) =>
            next(r.text(), (words: string) => {
              seen.text = words;
              sized();
            }),
          );
        setTimeout(() => {
          h.watch(Promise.prototype, 'constructor', 'constructor');
          h.watch(Promise, Symbol.species, 'species');
          h.put(Promise.prototype, 'then', {
            value(this: Promise<unknown>, ...args: never[]) {
              h.note('then');
              return apply(then, this, args);
            },
          });
          next(fetch(stream as string), (r: Response) => {
            const reader = apply(getReader, r.body, []) as ReadableStreamDefaultReader<Uint8Array>;
            const step = (): void =>
              next(apply(read, reader, []) as Promise<unknown>, ({ done, value }: ReadableStreamReadResult<Uint8Array>) => {
                if (done) return texts();
                seen.bytes += value.length;
                step();
              });
            step();
          });
        }, 20);
      });
    },
    observes: '"size":24',
    records: [
      { transport: 'fetch', path: '/sse', received: 'sse:6', how: 'eof' },
      { transport: 'fetch', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' },
      { transport: 'fetch', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' },
    ],
  },
  {
    name: 'hostile: nor where a body is cancelled',
    after: HARNESS,
    run: async (t) => {
      const h = (globalThis as unknown as { hostile: Harness }).hostile;
      const { body } = await fetch((h.addresses(t) as Record<string, string>).hang as string);
      const { then } = Promise.prototype;
      const { cancel } = ReadableStream.prototype;
      const { apply } = Reflect;
      return new Promise((resolve, reject) => {
        setTimeout(() => {
          h.watch(Promise.prototype, 'constructor', 'constructor');
          h.watch(Promise, Symbol.species, 'species');
          h.put(Promise.prototype, 'then', {
            value(this: Promise<unknown>, ...args: never[]) {
              h.note('then');
              return apply(then, this, args);
            },
          });
          h.on(apply(cancel, body, ['enough']) as Promise<void>, () => setTimeout(() => resolve(h.off()), 50), reject);
        }, 20);
      });
    },
    records: [{ transport: 'fetch', path: '/sse', received: '', how: 'aborted-by-page' }],
  },
];
