/** The page as a whole: what other scripts see of us, strict policies, frames, other instruments, coming back, memory. */
import type { Behaviour } from '../behaviour';

/** An instrument that replaces functions the plain way, as most do. One that was there before us is the platform to us, and sees us listen. */
const PATCHER = (name: 'before' | 'after'): string => `(() => {
  const calls = (globalThis.patcherCalls ??= []);
  const realFetch = globalThis.fetch;
  globalThis.fetch = function (...args) { calls.push('${name} fetch'); return realFetch.apply(this, args); };
  const realText = Response.prototype.text;
  Response.prototype.text = function () { calls.push('${name} text'); return realText.call(this); };
  const realSend = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) { calls.push('${name} send'); return realSend.call(this, data); };
  const realOpen = XMLHttpRequest.prototype.open;
  XMLHttpRequest.prototype.open = function (...args) { calls.push('${name} open'); return realOpen.apply(this, args); };
  const realAdd = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (...args) { if (${name === 'after'} && this instanceof WebSocket) calls.push('${name} add ' + args[0]); return realAdd.apply(this, args); };
  const Real = globalThis.WebSocket;
  globalThis.WebSocket = class extends Real { constructor(...args) { calls.push('${name} new'); super(...args); } };
})();`;

const useEverything: Behaviour['run'] = async (t) => {
  const body = await (await fetch(t.url('/sse', { n: 2 }))).text();
  const socket = new WebSocket(t.url('/ws'));
  await t.event(socket, 'open');
  socket.send('hello');
  const message = ((await t.event(socket, 'message')) as MessageEvent).data as unknown;
  const x = new XMLHttpRequest();
  x.open('GET', t.url('/json'));
  x.send();
  await t.event(x, 'loadend');
  const calls = (globalThis as { patcherCalls?: string[] }).patcherCalls;
  return [body, message, x.responseText, calls, socket instanceof WebSocket, socket.constructor === WebSocket];
};

const EVERYTHING = [
  { transport: 'fetch', path: '/sse', received: 'sse:2', how: 'eof' },
  { transport: 'websocket', path: '/ws', sent: 'hello', received: 'hello' },
  { transport: 'xhr', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' },
] as const;

export const PAGE: readonly Behaviour[] = [
  {
    name: 'page: nothing is added to the window, and no message is seen',
    run: async (t) => {
      const seen: unknown[] = [];
      window.addEventListener('message', (event) => seen.push(event.data));
      await t.pause(100);
      return [
        seen,
        Object.keys(window)
          .filter((name) => name !== '__kept')
          .sort(),
        Object.getOwnPropertyNames(window).filter((name) => name !== '__kept').length,
        document.documentElement.outerHTML,
        [...document.scripts].length,
      ];
    },
    records: [],
  },
  {
    name: 'page: a listener that the page added first gets no message either',
    after: `globalThis.messages = []; addEventListener('message', (event) => messages.push(event.data), true);`,
    run: async (t) => {
      await t.pause(100);
      return (globalThis as unknown as { messages: unknown[] }).messages;
    },
  },
  {
    name: 'page: whoever asks for the port once the page runs gets no answer',
    run: async (t) => {
      const offers: unknown[] = [];
      addEventListener('unsettled:offer', (event) => offers.push((event as MessageEvent).data), true);
      addEventListener('message', (event) => offers.push(event.data), true);
      dispatchEvent(new Event('unsettled:greet'));
      await (await fetch(t.url('/sse'))).text();
      dispatchEvent(new Event('unsettled:greet'));
      await t.pause(50);
      return offers;
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:4', how: 'eof' }],
  },
  {
    name: 'page: nor where the tap has had no answer itself',
    unwitnessed: true,
    run: async (t) => {
      const offers: unknown[] = [];
      addEventListener('unsettled:offer', (event) => offers.push((event as MessageEvent).data), true);
      addEventListener('message', (event) => offers.push(event.data), true);
      dispatchEvent(new Event('unsettled:greet'));
      const text = await (await fetch(t.url('/sse'))).text();
      dispatchEvent(new Event('unsettled:greet'));
      await t.pause(50);
      return [offers, text];
    },
  },
  {
    name: 'page: a witness that began after the tap still gets its port',
    unwitnessed: true,
    after: `(() => {
      let records = [];
      globalThis.__kept = { records, flush: () => new Promise((done) => setTimeout(done, 400)) };
      addEventListener('unsettled:offer', (event) => {
        event.preventDefault();
        const [port] = event.ports;
        port.onmessage = ({ data }) => {
          for (const record of data.records)
            if (record.type !== 'flow.chunks') records.push(record);
            else {
              const { at: [at], ends, text, ...rest } = record;
              records.push({ ...rest, at, text, type: 'flow.chunk', event: null, id: null });
            }
        };
        port.postMessage({ link: 1, do: 'go', bell: 'late' });
      }, { capture: true, once: true });
      dispatchEvent(new Event('unsettled:greet'));
    })()`,
    run: async (t) => (await fetch(t.url('/sse'))).text(),
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:4', how: 'eof' }],
  },
  {
    name: 'page: nothing is written to the console',
    after: `globalThis.said = []; for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace']) { const real = console[level]; console[level] = (...args) => { said.push(level); real(...args); }; }`,
    run: async (t) => {
      await (await fetch(t.url('/sse'))).text();
      await t.outcome(() => fetch(t.url('/drop')));
      return (globalThis as unknown as { said: string[] }).said;
    },
    serverBlind: true,
  },
  {
    name: 'page: the strictest content security policy',
    page: '?csp',
    run: async (t) => {
      const broken: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => broken.push(event.violatedDirective));
      const text = await (await fetch(t.url('/sse', { n: 2 }))).text();
      await t.pause(50);
      return [text, broken];
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:2', how: 'eof' }],
  },
  { name: 'page: another instrument that patched before us', before: PATCHER('before'), run: useEverything, records: EVERYTHING },
  { name: 'page: another instrument that patched after us', after: PATCHER('after'), run: useEverything, records: EVERYTHING },
  { name: 'page: instruments on both sides', before: PATCHER('before'), after: PATCHER('after'), run: useEverything, records: EVERYTHING },
  {
    name: 'page: an instrument that takes its patch back takes only its own',
    run: async (t) => {
      const real = globalThis.fetch;
      globalThis.fetch = () => Promise.resolve(new Response('mocked'));
      const mocked = await (await fetch(t.url('/sse'))).text();
      globalThis.fetch = real;
      return [mocked, await (await fetch(t.url('/sse', { n: 1 }))).text()];
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:1', how: 'eof' }],
  },
  {
    name: 'page: intrinsics broken by the page',
    after: `
      WeakMap.prototype.get = WeakMap.prototype.set = Set.prototype.add = () => { throw new Error('broken'); };
      Array.prototype.push = () => { throw new Error('broken'); };
      Object.prototype.get = () => { throw new Error('trap'); };
      Object.prototype.apply = () => { throw new Error('trap'); };
      Reflect.apply = Reflect.construct = () => { throw new Error('broken'); };
      ReadableStreamDefaultReader.prototype.releaseLock = () => { throw new Error('broken'); };
      TextDecoder.prototype.decode = () => 'broken';`,
    run: async (t) => {
      const body = await (await fetch(t.url('/json'))).text();
      return body;
    },
    records: [{ transport: 'fetch', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' }],
  },
  {
    name: 'page: built-ins broken before us cost the record, three times, and the page nothing',
    before: `Headers.prototype.forEach = () => { throw new Error('broken'); };`,
    run: async (t) => {
      const texts: string[] = [];
      for (let i = 0; i < 5; i++) texts.push(await (await fetch(t.url('/sse', { n: 1 }))).text());
      const x = new XMLHttpRequest();
      x.open('GET', t.url('/json'));
      x.send();
      await t.event(x, 'loadend');
      return [texts, x.responseText];
    },
    faults: 3,
    records: [{ transport: 'xhr', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' }],
  },
  {
    name: 'page: frames without an address of their own',
    run: async (t) => {
      const frame = document.createElement('iframe');
      frame.srcdoc = '<p>frame</p>';
      document.body.append(frame);
      await t.event(frame, 'load');
      const inner = frame.contentWindow as Window & typeof globalThis;
      const r = await inner.fetch(t.url('/json'));
      return [r instanceof inner.Response, r instanceof Response, await r.json(), inner.fetch.name];
    },
  },
  {
    name: 'page: a response read by the methods of another frame',
    run: async (t) => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const { Response: Other } = frame.contentWindow as Window & typeof globalThis;
      const r = await fetch(t.url('/json'));
      return [await Other.prototype.text.call(r), r.bodyUsed, await t.outcome(() => r.text())];
    },
  },
  {
    name: 'page: in a worker everything is as it was',
    run: async (t) => {
      const code = `onmessage = async (e) => { const r = await fetch(e.data); postMessage([await r.text(), fetch.name]); };`;
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
      worker.postMessage(t.url('/json'));
      const answer = ((await t.event(worker, 'message')) as MessageEvent).data as unknown;
      worker.terminate();
      return answer;
    },
    records: [],
  },
  {
    name: 'page: left and come back to through the back/forward cache',
    run: async (t) => {
      const state = globalThis as unknown as { shown: boolean[]; mark: number };
      state.mark = 42;
      state.shown = [];
      window.addEventListener('pageshow', (event) => state.shown.push(event.persisted));
      return (await fetch(t.url('/sse', { n: 1 }))).text();
    },
    comeBack: async (t) => {
      const state = globalThis as unknown as { shown: boolean[]; mark: number };
      return [state.mark, state.shown, await (await fetch(t.url('/json'))).json()];
    },
    observes: '[42,[true],',
    records: [
      { transport: 'fetch', path: '/sse', received: 'sse:1', how: 'eof' },
      { transport: 'fetch', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' },
    ],
  },
  {
    name: 'page: switched off, everything passes through; switched on, it is recorded again',
    run: async (t) => {
      const kept = (globalThis as unknown as { __kept: { control?: (what: string) => void } }).__kept;
      kept.control?.('stop');
      await t.pause(50);
      const off = await (await fetch(t.url('/sse', { n: 1 }))).text();
      kept.control?.('go');
      await t.pause(50);
      return [off, await (await fetch(t.url('/sse', { n: 2 }))).text()];
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:2', how: 'eof' }],
  },
  {
    name: 'page: memory after a thousand streams',
    only: 'chromium',
    run: async (t) => {
      const { gc } = globalThis as unknown as { gc: () => void };
      const { memory } = performance as unknown as { memory: { usedJSHeapSize: number } };
      const used = async (): Promise<number> => {
        for (let i = 0; i < 4; i++) {
          gc();
          await t.pause(20);
        }
        return memory.usedJSHeapSize;
      };
      const stream = async (i: number): Promise<void> => {
        const r = await fetch(t.url('/sse', { n: 3, every: 0 }));
        if (i % 3 === 0) await r.text();
        else if (i % 3 === 1) await r.body?.cancel();
        else await t.read(r.body as ReadableStream<Uint8Array>);
      };
      for (let i = 0; i < 100; i++) await stream(i);
      const before = await used();
      for (let i = 0; i < 1_000; i += 4) await Promise.all([stream(i), stream(i + 1), stream(i + 2), stream(i + 3)]);
      const kept = (globalThis as unknown as { __kept: { records: unknown[]; flush?: () => Promise<void> } }).__kept;
      await kept.flush?.();
      kept.records.length = 0;
      const grown = (await used()) - before;
      // The records that a page keeps for a witness are the witness's; a stream of our own must leave nothing behind.
      return grown < 1_500_000 ? 'little' : `grown by ${grown}`;
    },
    serverBlind: true,
  },
];
