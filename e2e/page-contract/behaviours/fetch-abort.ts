/** fetch: the page's abort, at every moment of a request. */
import type { Behaviour } from '../behaviour';

export const FETCH_ABORT: readonly Behaviour[] = [
  {
    name: 'abort: before the call',
    run: async (t) => [
      await t.outcome(() => fetch(t.url('/json'), { signal: AbortSignal.abort() })),
      await t.outcome(() => fetch(t.url('/json'), { signal: AbortSignal.abort(new RangeError('mine')) })),
    ],
  },
  {
    name: 'abort: the page gets its own reason, the same object',
    run: async (t) => {
      const stop = new AbortController();
      const reason = { mine: true };
      const promise = fetch(t.url('/never'), { signal: stop.signal });
      stop.abort(reason);
      return promise.then(
        () => 'answered',
        (error: unknown) => error === reason,
      );
    },
    // Whether the request left at all is a matter of timing.
    serverBlind: true,
  },
  {
    name: 'abort: while waiting for the head',
    run: async (t) => {
      const stop = new AbortController();
      const result = t.outcome(() => fetch(t.url('/never'), { method: 'POST', body: 'prompt', signal: stop.signal }));
      await t.until(async () => (await t.server()).notes.length > 0);
      stop.abort();
      const ended = await result;
      await t.until(async () => (await t.server()).notes.includes('cut short by the client'));
      return ended;
    },
    records: [{ transport: 'fetch', path: '/never', requestBody: 'prompt', how: 'aborted-by-page' }],
  },
  {
    name: 'abort: after the head, with a read under way',
    run: async (t) => {
      const stop = new AbortController();
      const r = await fetch(t.url('/sse', { n: 1, end: 'hang' }), { signal: stop.signal });
      const reader = (r.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      const waiting = reader.read().catch((error: unknown) => [t.error(error), error === stop.signal.reason]);
      stop.abort();
      const failed = await waiting;
      await t.until(async () => (await t.server()).open === 0);
      return [failed, await t.outcome(() => reader.closed), await t.outcome(() => reader.read()), r.bodyUsed];
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:1', how: 'aborted-by-page' }],
  },
  {
    name: 'abort: after the head, between reads',
    run: async (t) => {
      const stop = new AbortController();
      const r = await fetch(t.url('/sse', { n: 1, end: 'hang' }), { signal: stop.signal });
      const reader = (r.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      stop.abort(new RangeError('enough'));
      return [await t.outcome(() => reader.closed), await t.outcome(() => reader.read())];
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:1', how: 'aborted-by-page' }],
  },
  {
    name: 'abort: before anything was read',
    run: async (t) => {
      const stop = new AbortController();
      const r = await fetch(t.url('/sse', { n: 1, end: 'hang' }), { signal: stop.signal });
      stop.abort();
      return [await t.outcome(() => r.text()), r.bodyUsed, await t.outcome(() => r.body?.getReader().read())];
    },
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'abort: a body locked but not read fails at once',
    run: async (t) => {
      const stop = new AbortController();
      const r = await fetch(t.url('/sse', { n: 1, end: 'hang' }), { signal: stop.signal });
      const reader = (r.body as ReadableStream<Uint8Array>).getReader();
      const closed = t.outcome(() => reader.closed);
      stop.abort();
      return closed;
    },
  },
  {
    name: 'abort: while text, json, blob and arrayBuffer are reading',
    run: async (t) => {
      const one = async (read: (r: Response) => Promise<unknown>): Promise<unknown> => {
        const stop = new AbortController();
        const r = await fetch(t.url('/sse', { n: 1, end: 'hang' }), { signal: stop.signal });
        const result = read(r).catch((error: unknown) => [t.error(error), error === stop.signal.reason]);
        await t.pause(30);
        stop.abort();
        return result;
      };
      return [await one((r) => r.text()), await one((r) => r.json()), await one((r) => r.blob()), await one((r) => r.arrayBuffer())];
    },
  },
  {
    name: 'abort: with a reason while text is reading',
    run: async (t) => {
      const stop = new AbortController();
      const r = await fetch(t.url('/sse', { n: 1, end: 'hang' }), { signal: stop.signal });
      const reason = new TypeError('the page says so');
      const result = r.text().catch((error: unknown) => error === reason);
      await t.pause(30);
      stop.abort(reason);
      return result;
    },
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'abort: while a body that was looked at is read as a whole',
    run: async (t) => {
      const stop = new AbortController();
      const r = await fetch(t.url('/sse', { n: 1, end: 'hang' }), { signal: stop.signal });
      const { body } = r;
      const result = r.text().catch((error: unknown) => [t.error(error), error === stop.signal.reason]);
      await t.pause(30);
      stop.abort();
      const failed = await result;
      await t.until(async () => (await t.server()).open === 0);
      return [failed, r.bodyUsed, body === r.body, body?.locked, await t.outcome(() => r.text())];
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:1', how: 'aborted-by-page' }],
  },
  {
    name: 'abort: a timeout signal',
    run: async (t) =>
      // Long enough for the head to come first on a machine that others keep busy: what is aborted is the reading.
      t.outcome(async () => (await fetch(t.url('/sse', { n: 1, end: 'hang' }), { signal: AbortSignal.timeout(2_500) })).text()),
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'abort: after the end changes nothing',
    run: async (t) => {
      const stop = new AbortController();
      const r = await fetch(t.url('/sse'), { signal: stop.signal });
      const text = await r.text();
      stop.abort();
      return [text, r.bodyUsed];
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:4', how: 'eof' }],
  },
  {
    name: 'abort: reaches both halves of a clone',
    run: async (t) => {
      const stop = new AbortController();
      const r = await fetch(t.url('/sse', { n: 1, end: 'hang' }), { signal: stop.signal });
      const copy = r.clone();
      const results = [t.outcome(() => r.text()), t.outcome(() => copy.text())];
      await t.pause(30);
      stop.abort();
      return Promise.all(results);
    },
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'abort: the signal of a Request object',
    run: async (t) => {
      const stop = new AbortController();
      const request = new Request(t.url('/sse', { n: 1, end: 'hang' }), { signal: stop.signal });
      const r = await fetch(request);
      const result = t.outcome(() => r.text());
      await t.pause(30);
      stop.abort();
      return result;
    },
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'abort: listeners of the signal run as often and in the same order',
    run: async (t) => {
      const stop = new AbortController();
      const order: string[] = [];
      stop.signal.addEventListener('abort', () => order.push('before'));
      const promise = fetch(t.url('/never'), { signal: stop.signal }).catch(() => order.push('rejected'));
      stop.signal.addEventListener('abort', () => order.push('after'));
      stop.abort();
      order.push('returned');
      await promise;
      return order;
    },
    // Whether the request left at all is a matter of timing.
    serverBlind: true,
  },
];
