/** fetch: the call, its promise and the request that reaches the server. */
import type { Behaviour } from '../behaviour';

export const FETCH_REQUEST: readonly Behaviour[] = [
  {
    name: 'fetch: looks native',
    run: (t) => [t.shape(globalThis, 'fetch'), typeof fetch, Object.keys(globalThis).includes('fetch'), fetch === window.fetch],
    records: [],
  },
  {
    name: 'fetch: is no constructor and has no prototype',
    run: (t) => [t.outcomeNow(() => new (fetch as unknown as new (url: string) => object)('/')), 'prototype' in fetch],
  },
  {
    name: 'fetch: without arguments, with a bad address, with a bad method, with a body on GET',
    run: (t) =>
      Promise.all([
        t.outcome(() => (fetch as unknown as () => unknown)()),
        t.outcome(() => fetch('http://')),
        t.outcome(() => fetch('/', { method: 'a b' })),
        t.outcome(() => fetch('/', { body: 'x' })),
        t.outcome(() => fetch('/', { headers: { 'a b': 'c' } })),
        t.outcome(() => fetch(Symbol() as unknown as string)),
      ]),
  },
  {
    name: 'fetch: still works after many bad calls',
    run: async (t) => {
      for (let i = 0; i < 12; i++) await t.outcome(() => fetch(`http://${i}:bad`));
      return (await fetch(t.url('/sse', { n: 2 }))).text();
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:2', how: 'eof' }],
  },
  {
    name: 'fetch: bad calls answer with a rejected promise, never by throwing',
    run: (t) => {
      const result = t.outcomeNow(() => {
        const promise = fetch('http://');
        promise.catch(() => {});
        return [promise instanceof Promise, promise.constructor === Promise, Object.getOwnPropertyNames(promise)];
      });
      return result;
    },
  },
  {
    name: 'fetch: called on another object, detached, and by apply',
    run: (t) =>
      Promise.all([
        t.outcome(async () => (await fetch.call(undefined as unknown as typeof window, t.url('/html'))).status),
        t.outcome(async () => (await Reflect.apply(fetch, window, [t.url('/html')])).status),
        t.outcome(async () => (await fetch.call({} as typeof window, t.url('/html'))).status),
        t.outcome(async () => {
          const { fetch: detached } = window;
          return (await detached(t.url('/html'))).status;
        }),
      ]),
  },
  {
    name: 'fetch: options are read once, getters included',
    run: async (t) => {
      const reads: string[] = [];
      const init = {};
      for (const name of ['method', 'headers', 'body', 'signal', 'mode', 'credentials'])
        Object.defineProperty(init, name, {
          enumerable: true,
          get: () => {
            reads.push(name);
            return { method: 'POST', body: 'hello' }[name];
          },
        });
      const echo = await (await fetch(t.url('/echo'), init)).json();
      return [reads, echo];
    },
  },
  {
    name: 'fetch: an address object is converted once',
    run: async (t) => {
      let conversions = 0;
      const address = {
        toString: () => {
          conversions++;
          return t.url('/sse', { n: 1 });
        },
      };
      const text = await (await fetch(address as unknown as string)).text();
      return [conversions, text];
    },
    records: [{ transport: 'fetch', path: '/sse', method: 'GET', received: 'sse:1', how: 'eof' }],
  },
  {
    name: 'fetch: a POST with a string reaches the server as it was sent',
    run: async (t) => {
      const answer = await fetch(t.url('/echo'), {
        method: 'POST',
        body: '{"prompt":"é😀"}',
        headers: { 'content-type': 'application/json', authorization: 'Bearer secret', 'x-mine': '1' },
      });
      return answer.json();
    },
    records: [
      {
        transport: 'fetch',
        path: '/echo',
        method: 'POST',
        requestBody: '{"prompt":"é😀"}',
        requestHeaders: { 'content-type': 'application/json' },
        status: 200,
        headers: { 'content-type': 'application/json' },
        received: '{"method":"POST","body":"{\\"prompt\\":\\"é😀\\"}"}',
        how: 'eof',
      },
    ],
  },
  {
    name: 'fetch: bodies of every kind reach the server',
    run: async (t) => {
      const form = new FormData();
      form.append('a', 'b');
      const send = async (body: BodyInit): Promise<unknown> => {
        const answer = (await (await fetch(t.url('/echo'), { method: 'POST', body })).json()) as { body: string };
        return answer.body.replace(/-{4,}(?:WebKit|gecko)\w+/gu, 'boundary');
      };
      return [
        await send('text'),
        await send(new URLSearchParams({ q: 'é' })),
        await send(new Blob(['blob'])),
        await send(new TextEncoder().encode('bytes')),
        await send(form),
      ];
    },
  },
  {
    name: 'fetch: a Request object is not read by anybody else',
    run: async (t) => {
      const request = new Request(t.url('/echo'), { method: 'POST', body: 'from a request', headers: { 'x-request-id': 'r1' } });
      const before = request.bodyUsed;
      const answer = await fetch(request);
      return [before, request.bodyUsed, await answer.json(), await t.outcome(() => request.text())];
    },
    records: [
      {
        transport: 'fetch',
        path: '/echo',
        method: 'POST',
        requestBody: null,
        requestHeaders: { 'content-type': 'text/plain;charset=UTF-8', 'x-request-id': 'r1' },
        how: 'eof',
      },
    ],
  },
  {
    name: 'fetch: a Request object with options over it',
    run: async (t) => {
      const request = new Request(t.url('/echo'), { method: 'POST', body: 'first' });
      return (await fetch(request, { method: 'PUT', body: 'second' })).json();
    },
    records: [{ transport: 'fetch', path: '/echo', method: 'PUT', requestBody: 'second', how: 'eof' }],
  },
  {
    name: 'fetch: a URL object, and a relative address against a base element',
    run: async (t) => {
      const base = document.createElement('base');
      base.href = '/elsewhere/';
      document.head.append(base);
      const one = await (await fetch(new URL(t.url('/json')))).json();
      const two = await fetch(`../json?${t.url('/json').split('?')[1]}`);
      return [one, new URL(two.url).pathname, await two.json()];
    },
    records: [
      { transport: 'fetch', path: '/json', how: 'eof' },
      { transport: 'fetch', path: '/json', how: 'eof' },
    ],
  },
  {
    name: 'fetch: keepalive and other options',
    run: async (t) => {
      const answer = await fetch(t.url('/echo'), { method: 'POST', body: 'k', keepalive: true, cache: 'no-store', credentials: 'omit' });
      return [answer.type, await answer.json()];
    },
    records: [{ transport: 'fetch', path: '/echo', requestBody: 'k', how: 'eof' }],
  },
  {
    name: 'fetch: redirects followed, refused and made opaque',
    run: async (t) => {
      const to = t.url('/json');
      const followed = await fetch(t.url('/redirect', { to }));
      const opaque = await fetch(t.url('/redirect', { to }), { redirect: 'manual' });
      return [
        [followed.redirected, new URL(followed.url).pathname, await followed.json()],
        [opaque.type, opaque.status, opaque.url, opaque.body, await opaque.text()],
        await t.outcome(() => fetch(t.url('/redirect', { to }), { redirect: 'error' })),
      ];
    },
    records: [{ transport: 'fetch', path: '/redirect', status: 200, how: 'eof' }],
  },
  {
    name: 'fetch: opaque, cors and blocked responses',
    run: async (t) => {
      const opaque = await fetch(t.otherUrl('/json'), { mode: 'no-cors' });
      const cors = await fetch(t.otherUrl('/json', { cors: 1 }));
      return [
        [opaque.type, opaque.status, opaque.body, opaque.url, await opaque.text()],
        [cors.type, cors.status, await cors.json()],
        await t.outcome(() => fetch(t.otherUrl('/json'))),
      ];
    },
    records: [{ transport: 'fetch', path: '/json', status: 200, how: 'eof' }],
  },
  {
    name: 'fetch: a request adds no preflight that the page did not cause',
    run: async (t) => {
      await (await fetch(t.otherUrl('/json', { cors: 1 }))).text();
      await (await fetch(t.otherUrl('/json', { cors: 1 }), { headers: { 'x-mine': '1' } })).text();
      return 'compared by the server';
    },
  },
  {
    name: 'fetch: error responses keep status and body',
    run: async (t) => {
      const out: unknown[] = [];
      for (const n of [404, 500, 204]) {
        const answer = await fetch(t.url('/status', { n }));
        out.push([answer.ok, answer.status, answer.statusText, answer.body === null, await answer.text()]);
      }
      return out;
    },
    records: [
      { transport: 'fetch', path: '/status', status: 404, received: '{"error":"no"}', how: 'eof' },
      { transport: 'fetch', path: '/status', status: 500, received: '{"error":"no"}', how: 'eof' },
      { transport: 'fetch', path: '/status', status: 204, received: '', how: 'eof' },
    ],
  },
  {
    name: 'fetch: a failed request rejects once, and is reported once if nobody handles it',
    run: async (t) => {
      const seen: unknown[] = [];
      window.addEventListener('unhandledrejection', (event) => {
        seen.push(t.error(event.reason));
        event.preventDefault();
      });
      let later = 0;
      window.addEventListener('rejectionhandled', () => later++);
      const ignored = fetch(t.url('/drop'));
      await t.until(() => seen.length > 0);
      await fetch(t.url('/drop')).catch(() => {});
      await t.pause(50);
      ignored.catch(() => {});
      await t.until(() => later > 0);
      return [seen, later];
    },
    // How often the platform tries a dropped connection again is its own affair.
    serverBlind: true,
  },
  {
    name: 'fetch: a failed prompt is in the record',
    run: (t) => t.outcome(() => fetch(t.url('/drop'), { method: 'POST', body: 'prompt' })),
    records: [{ transport: 'fetch', path: '/drop', requestBody: 'prompt', how: 'network-error' }],
    // How often the platform tries a dropped connection again is its own affair.
    serverBlind: true,
  },
  {
    name: 'fetch: the unhandledrejection event carries the promise the page got',
    run: async (t) => {
      const promise = fetch(t.url('/drop'));
      const event = (await t.event(window, 'unhandledrejection')) as PromiseRejectionEvent;
      event.preventDefault();
      return event.promise === promise;
    },
    serverBlind: true,
  },
  {
    name: 'fetch: promise methods of the page are not called by others',
    run: async (t) => {
      const calls: string[] = [];
      const { then } = Promise.prototype;
      Reflect.set(Promise.prototype, 'then', function (this: Promise<unknown>, ...args: never[]) {
        calls.push('then');
        return Reflect.apply(then, this, args);
      });
      const promise = fetch(t.url('/json'));
      const direct = calls.length;
      const answer = await promise;
      const body = await answer.json();
      Reflect.set(Promise.prototype, 'then', then);
      return [direct, calls.length, body];
    },
    records: [{ transport: 'fetch', path: '/json', how: 'eof' }],
  },
  {
    name: 'fetch: markup, images and code are not looked at',
    run: async (t) => {
      const answer = await fetch(t.url('/html'));
      return [answer.headers.get('content-type'), await answer.text()];
    },
    records: [],
  },
  {
    name: 'fetch: only allow-listed headers are recorded',
    run: async (t) => {
      const answer = await fetch(t.url('/sse', { n: 1 }), {
        headers: {
          accept: 'text/event-stream',
          authorization: 'Bearer secret',
          'x-api-key': 'k',
          'last-event-id': '7',
          'x-kestrel-token': 't',
        },
      });
      return [answer.headers.get('x-private'), await answer.text()];
    },
    records: [
      {
        transport: 'fetch',
        path: '/sse',
        requestHeaders: { accept: 'text/event-stream', 'last-event-id': '7' },
        headers: { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' },
        received: 'sse:1',
        how: 'eof',
      },
    ],
  },
];
