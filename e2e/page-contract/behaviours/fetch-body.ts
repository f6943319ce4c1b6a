/** fetch: the response and its body, in every way a page can read one. */
import type { Behaviour } from '../behaviour';

const SSE = { transport: 'fetch', path: '/sse', received: 'sse:4', how: 'eof' } as const;
const JSON_BODY = { transport: 'fetch', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' } as const;

export const FETCH_BODY: readonly Behaviour[] = [
  {
    name: 'response: identity and properties',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const facts = {
        instance: r instanceof Response,
        prototype: Object.getPrototypeOf(r) === Response.prototype,
        constructor: r.constructor === Response,
        tag: Object.prototype.toString.call(r),
        own: Reflect.ownKeys(r),
        values: [r.type, new URL(r.url).pathname, r.redirected, r.status, r.ok, r.statusText, r.bodyUsed],
        headers: [...r.headers.keys()].sort(),
        sameHeaders: Object.is(r.headers, Reflect.get(r, 'headers')),
      };
      await r.text();
      return facts;
    },
    records: [SSE],
  },
  {
    name: 'response: prototype methods look native',
    run: (t) => [
      ['body', 'bodyUsed', 'text', 'json', 'blob', 'arrayBuffer', 'bytes', 'formData', 'textStream', 'clone', 'headers'].map((name) =>
        t.shape(Response.prototype, name),
      ),
      Reflect.ownKeys(Response.prototype).map(String),
      Reflect.ownKeys(Response).map(String),
      t.shape(globalThis, 'Response'),
      Response.prototype.constructor === Response,
    ],
  },
  {
    name: 'response: methods on a wrong receiver',
    run: async (t) => [
      t.outcomeNow(() => Reflect.get(Response.prototype, 'body')),
      await t.outcome(() => Response.prototype.text.call({} as Response)),
      await t.outcome(() => Response.prototype.json.call(new Request('/') as unknown as Response)),
      t.outcomeNow(() => Response.prototype.clone.call({} as Response)),
    ],
  },
  {
    name: 'response: made by the page itself',
    run: async (t) => {
      const r = new Response('{"mine":1}', { headers: { 'content-type': 'application/json' } });
      const copy = r.clone();
      return [Object.is(r.body, Reflect.get(r, 'body')), await r.json(), await copy.text(), r.bodyUsed, await t.outcome(() => r.text())];
    },
    records: [],
  },
  {
    name: 'body: is a byte stream, always the same one',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const { body } = r;
      const facts = [
        body instanceof ReadableStream,
        body === r.body,
        Object.prototype.toString.call(body),
        Reflect.ownKeys(body as object),
        body?.locked,
        r.bodyUsed,
      ];
      await t.read(body as ReadableStream<Uint8Array>);
      return [facts, body?.locked, r.bodyUsed, body === r.body];
    },
    records: [SSE],
  },
  {
    name: 'body: bodyUsed and locked at every step',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const body = r.body as ReadableStream<Uint8Array>;
      const steps: unknown[] = [[r.bodyUsed, body.locked]];
      const reader = body.getReader();
      steps.push([r.bodyUsed, body.locked]);
      const first = reader.read();
      steps.push(['at once', r.bodyUsed, body.locked]);
      await first;
      steps.push([r.bodyUsed, body.locked]);
      reader.releaseLock();
      steps.push([r.bodyUsed, body.locked, await t.outcome(() => r.text())]);
      const again = body.getReader();
      for (;;) if ((await again.read()).done) break;
      steps.push([r.bodyUsed, body.locked, await t.outcome(() => again.closed)]);
      return steps;
    },
    records: [SSE],
  },
  {
    name: 'body: chunks own their memory',
    run: async (t) => {
      const reader = ((await fetch(t.url('/json'))).body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      const chunk = value as Uint8Array;
      return [
        chunk.constructor === Uint8Array,
        chunk.byteOffset,
        chunk.byteLength === chunk.buffer.byteLength,
        t.text(chunk),
        (await reader.read()).done,
        structuredClone(chunk.buffer, { transfer: [chunk.buffer] }).byteLength,
      ];
    },
    records: [JSON_BODY],
  },
  {
    name: 'body: a page may change a chunk without changing the record',
    run: async (t) => {
      const reader = ((await fetch(t.url('/json'))).body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      value?.fill(0);
      return (await reader.read()).done;
    },
    records: [JSON_BODY],
  },
  {
    name: 'body: characters cut in two arrive whole',
    run: async (t) => t.read((await fetch(t.url('/split'))).body as ReadableStream<Uint8Array>),
    records: [{ transport: 'fetch', path: '/split', received: 'sse:1', how: 'eof' }],
  },
  {
    name: 'body: async iteration to the end',
    run: async (t) => {
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of (await fetch(t.url('/sse'))).body as ReadableStream<Uint8Array>)
        text += decoder.decode(chunk, { stream: true });
      return text;
    },
    records: [SSE],
  },
  {
    name: 'body: async iteration left early cancels',
    run: async (t) => {
      const r = await fetch(t.url('/sse', { n: 500, every: 10 }));
      for await (const chunk of r.body as ReadableStream<Uint8Array>) if (chunk.length > 0) break;
      await t.until(async () => (await t.server()).open === 0);
      return [r.bodyUsed, r.body?.locked];
    },
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'body: pipeThrough a decoder',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const reader = (r.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        text += value;
      }
      return [text, r.bodyUsed, r.body?.locked];
    },
    records: [SSE],
  },
  {
    name: 'body: pipeTo a writable stream',
    run: async (t) => {
      const parts: string[] = [];
      let closed = 0;
      const r = await fetch(t.url('/sse'));
      await r.body?.pipeTo(
        new WritableStream({
          write: (chunk: Uint8Array) => void parts.push(t.text(chunk)),
          close: () => void closed++,
        }),
      );
      return [parts.join(''), closed, r.body?.locked];
    },
    records: [SSE],
  },
  {
    name: 'body: pipeTo a sink that fails cancels the request',
    run: async (t) => {
      const r = await fetch(t.url('/sse', { n: 500, every: 10 }));
      const result = await t.outcome(() =>
        r.body?.pipeTo(
          new WritableStream({
            write: () => {
              throw new RangeError('full');
            },
          }),
        ),
      );
      await t.until(async () => (await t.server()).open === 0);
      return result;
    },
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'body: pipeTo stopped by a signal',
    run: async (t) => {
      const r = await fetch(t.url('/sse', { n: 500, every: 10 }));
      const stop = new AbortController();
      let chunks = 0;
      const result = await t.outcome(() =>
        r.body?.pipeTo(
          new WritableStream({
            write: () => {
              if (++chunks === 2) stop.abort();
            },
          }),
          { signal: stop.signal },
        ),
      );
      await t.until(async () => (await t.server()).open === 0);
      return [result, r.body?.locked];
    },
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'body: tee gives both halves everything, recorded once',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const [a, b] = (r.body as ReadableStream<Uint8Array>).tee();
      return [await Promise.all([t.read(a), t.read(b)]), r.body?.locked, r.bodyUsed];
    },
    records: [SSE],
  },
  {
    name: 'body: tee with one half cancelled',
    run: async (t) => {
      const [a, b] = ((await fetch(t.url('/sse'))).body as ReadableStream<Uint8Array>).tee();
      void a.cancel('half');
      return t.read(b);
    },
    records: [SSE],
  },
  {
    name: 'body: BYOB reader',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const reader = (r.body as ReadableStream<Uint8Array>).getReader({ mode: 'byob' });
      let buffer = new ArrayBuffer(16);
      const decoder = new TextDecoder();
      let text = '';
      let sizes = 0;
      for (;;) {
        const { done, value } = await reader.read(new Uint8Array(buffer));
        if (done) {
          return [
            text + decoder.decode(),
            sizes > 0,
            value?.byteLength,
            value?.buffer.byteLength,
            await t.outcome(() => reader.closed),
            r.bodyUsed,
          ];
        }
        sizes += value.byteLength;
        text += decoder.decode(value, { stream: true });
        buffer = value.buffer;
      }
    },
    records: [SSE],
  },
  {
    name: 'body: BYOB reader with a wide view and a minimum',
    run: async (t) => {
      const reader = ((await fetch(t.url('/text', { body: 'exactly16bytes!!' }))).body as ReadableStream<Uint8Array>).getReader({
        mode: 'byob',
      });
      const first = await reader.read(new Uint32Array(8), { min: 4 } as ReadableStreamBYOBReaderReadOptions);
      const end = await reader.read(new Uint32Array(2));
      return [first.value?.constructor === Uint32Array, first.value?.length, first.done, end.done, end.value?.length];
    },
    records: [{ transport: 'fetch', path: '/text', received: 'exactly16bytes!!', how: 'eof' }],
  },
  {
    name: 'body: BYOB and default readers in turn',
    run: async (t) => {
      const body = (await fetch(t.url('/sse'))).body as ReadableStream<Uint8Array>;
      const byob = body.getReader({ mode: 'byob' });
      const { value } = await byob.read(new Uint8Array(5));
      byob.releaseLock();
      return t.text(value as Uint8Array) + (await t.read(body));
    },
    records: [SSE],
  },
  {
    name: 'body: cancel before reading, with a reason',
    run: async (t) => {
      const r = await fetch(t.url('/sse', { n: 500, every: 10 }));
      const body = r.body as ReadableStream<Uint8Array>;
      const result = body.cancel('changed my mind');
      const used = r.bodyUsed;
      const value = await t.outcome(() => result);
      await t.until(async () => (await t.server()).open === 0);
      return [value, used, body.locked, await t.outcome(() => r.text()), await t.outcome(() => body.getReader().read())];
    },
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page', received: '' }],
  },
  {
    name: 'body: cancel while reading stops the server',
    run: async (t) => {
      const r = await fetch(t.url('/sse', { n: 500, every: 10 }));
      const reader = (r.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      const value = await t.outcome(() => reader.cancel(new Error('why')));
      await t.until(async () => (await t.server()).open === 0);
      return [value, await t.outcome(() => reader.read()), await t.outcome(() => reader.closed)];
    },
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'body: cancel with a read under way',
    run: async (t) => {
      const reader = ((await fetch(t.url('/sse', { n: 1, end: 'hang' }))).body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      const waiting = t.outcome(() => reader.read());
      const cancelled = await t.outcome(() => reader.cancel());
      return [cancelled, await waiting];
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:1', how: 'aborted-by-page' }],
  },
  {
    name: 'body: cancel on a locked body is refused',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const body = r.body as ReadableStream<Uint8Array>;
      const reader = body.getReader();
      const refused = await t.outcome(() => body.cancel());
      reader.releaseLock();
      return [refused, t.outcomeNow(() => body.getReader().releaseLock()), r.bodyUsed, await t.read(body)];
    },
    records: [SSE],
  },
  {
    name: 'body: release of a lock with a read under way',
    run: async (t) => {
      // Far enough apart for one read to be one piece, even where a page is slow.
      const body = (await fetch(t.url('/sse', { n: 2, every: 800 }))).body as ReadableStream<Uint8Array>;
      const reader = body.getReader();
      await reader.read();
      const waiting = t.outcome(() => reader.read());
      reader.releaseLock();
      return [await waiting, body.locked, (await t.read(body)).length];
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:2', how: 'eof' }],
  },
  {
    name: 'body: two readers are refused',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const reader = r.body?.getReader();
      return [
        t.outcomeNow(() => r.body?.getReader()),
        await t.outcome(() => r.text()),
        t.outcomeNow(() => r.clone()),
        (await reader?.read())?.done,
        // To its end: a stream left half read is cut short by the page's leaving, or not, as it happens.
        await t.until(async () => (await reader?.read())?.done !== false),
      ];
    },
  },
  {
    name: 'body: a server that breaks off fails the read with the network error',
    run: async (t) => {
      const reader = ((await fetch(t.url('/sse', { n: 2, end: 'reset', every: 30 }))).body as ReadableStream<Uint8Array>).getReader();
      const closed = t.outcome(() => reader.closed);
      const steps: unknown[] = [];
      for (;;) {
        const step = (await t.outcome(async () => (await reader.read()).done)) as { value?: boolean; failed?: unknown };
        if (step.failed !== undefined || step.value === true) {
          steps.push(step);
          break;
        }
      }
      return [steps, await closed, await t.outcome(() => reader.read())];
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:2', how: 'network-error' }],
  },
  {
    name: 'body: transferred to another port',
    run: async (t) => {
      const body = (await fetch(t.url('/sse'))).body as ReadableStream<Uint8Array>;
      const { port1, port2 } = new MessageChannel();
      const arrived = new Promise<ReadableStream<Uint8Array>>((resolve) => {
        port2.onmessage = (event) => resolve(event.data as ReadableStream<Uint8Array>);
      });
      port1.postMessage(body, [body as unknown as Transferable]);
      return [body.locked, await t.read(await arrived)];
    },
    records: [SSE],
  },
  {
    name: 'body: put into a response of the page',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const mine = new Response(r.body, { headers: r.headers });
      return [mine.headers.get('content-type'), await mine.text(), r.bodyUsed];
    },
    records: [SSE],
  },
  {
    name: 'body: put into a response of the page, which is then read in every way',
    run: async (t) => {
      const get = async (query: Record<string, string | number> = {}) => {
        const r = await fetch(t.url('/sse', query));
        return { r, body: r.body, mine: new Response(r.body, { status: 201, headers: { 'x-mine': '1' } }) };
      };
      type Pair = Awaited<ReturnType<typeof get>>;
      const bodies = ({ r, body, mine }: Pair) => [
        [body?.locked, r.body?.locked, mine.body?.locked],
        [r.body === body, mine.body === body, mine.body === r.body, mine.status, [...mine.headers.keys()]],
      ];
      const used = ({ r, mine }: Pair) => [r.bodyUsed, mine.bodyUsed];
      const after = async (read: (pair: Pair) => unknown, query = {}): Promise<unknown> => {
        const pair = await get(query);
        const steps: unknown[] = [bodies(pair), used(pair)];
        const result = t.outcome(() => read(pair));
        steps.push(bodies(pair));
        await t.pause(0);
        steps.push(bodies(pair), used(pair), await result, bodies(pair), used(pair));
        return [steps, await t.outcome(() => pair.r.text()), await t.outcome(() => pair.mine.text())];
      };
      return [
        await after(({ mine }) => mine.text()),
        await after(({ mine }) => t.read(mine.body as ReadableStream<Uint8Array>)),
        await after(({ r }) => r.text()),
        await after(({ r }) => t.read(r.body as ReadableStream<Uint8Array>)),
        await after(({ mine }) => Promise.all([mine.clone().text(), mine.text()])),
        await after(({ mine }) => mine.text(), { n: 2, end: 'reset', every: 30 }),
        await after(({ mine }) => mine.body?.cancel('enough'), { n: 400, every: 5 }),
        await after(({ mine }) => new Response(mine.body).text()),
      ];
    },
    records: [
      SSE,
      SSE,
      SSE,
      SSE,
      SSE,
      { ...SSE, received: 'sse:2', how: 'network-error' },
      { ...SSE, received: '', how: 'aborted-by-page' },
      SSE,
    ],
  },
  {
    name: 'body: not put into a response of the page that cannot be made',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const { body } = r;
      const refused = [
        t.outcomeNow(() => new Response(body, { status: 1 })),
        t.outcomeNow(() => new Response(body, { status: 204 })),
        t.outcomeNow(() => (Response as unknown as (body: unknown) => unknown)(body)),
      ];
      const state = [r.bodyUsed, body?.locked, body === r.body];
      const reader = body?.getReader();
      refused.push(t.outcomeNow(() => new Response(body)));
      reader?.releaseLock();
      class Mine extends Response {
        also = 'mine';
      }
      const mine = new Mine(body);
      return [refused, state, mine.also, mine instanceof Response, mine.constructor === Mine, await mine.text()];
    },
    records: [SSE],
  },
  {
    name: 'readers: text, json, blob, arrayBuffer, bytes, formData',
    run: async (t) => {
      const get = (type = 'application/json') => fetch(t.url('/json', { type }));
      const blob = await (await get()).blob();
      return [
        await (await get()).text(),
        await (await get()).json(),
        [blob.type, blob.size, await blob.text()],
        (await (await get()).arrayBuffer()).byteLength,
        t.text(await (await get()).bytes()),
        await t.outcome(async () => (await get()).formData()),
      ];
    },
    records: [JSON_BODY, JSON_BODY, JSON_BODY, JSON_BODY, JSON_BODY, JSON_BODY],
  },
  {
    name: 'readers: formData of what is no form',
    run: async (t) => {
      const one = async (look: boolean): Promise<unknown> => {
        const r = await fetch(t.url('/sse', { n: 40, every: 20 }));
        const before = look ? r.body : null;
        const form = t.outcome(() => r.formData());
        const state = () => [r.bodyUsed, r.body?.locked, before === null || before === r.body];
        const steps: unknown[] = [state(), await t.settled(form), state(), (await t.server()).open];
        steps.push(await form, state(), await t.outcome(() => r.text()));
        await t.until(async () => (await t.server()).open === 0);
        return steps;
      };
      return [await one(false), await one(true)];
    },
    records: [
      { transport: 'fetch', path: '/sse', received: 'sse:40', how: 'eof' },
      { transport: 'fetch', path: '/sse', received: 'sse:40', how: 'eof' },
    ],
  },
  {
    name: 'readers: textStream',
    run: async (t) => {
      const r = (await fetch(t.url('/sse'))) as Response & { textStream?: () => ReadableStream<string> };
      if (r.textStream === undefined) return 'not on this platform';
      let text = '';
      for await (const part of r.textStream()) text += part;
      return [text, r.bodyUsed, t.outcomeNow(() => r.textStream?.())];
    },
  },
  {
    name: 'readers: leave the response used and its body locked',
    run: async (t) => {
      const r = await fetch(t.url('/json'));
      const promise = r.json();
      const atOnce = [r.bodyUsed, r.body?.locked];
      await promise;
      return [atOnce, r.bodyUsed, r.body?.locked, promise instanceof Promise, promise.constructor === Promise];
    },
    records: [JSON_BODY],
  },
  {
    name: 'readers: a second one is refused, whichever it is',
    run: async (t) => {
      const r = await fetch(t.url('/json'));
      await r.text();
      return [
        await t.outcome(() => r.text()),
        await t.outcome(() => r.json()),
        await t.outcome(() => r.blob()),
        await t.outcome(() => r.arrayBuffer()),
        t.outcomeNow(() => r.clone()),
        t.outcomeNow(() => r.body?.getReader()),
      ];
    },
    records: [JSON_BODY],
  },
  {
    name: 'readers: two at once, the second is refused',
    run: async (t) => {
      const r = await fetch(t.url('/json'));
      return Promise.all([t.outcome(() => r.json()), t.outcome(() => r.text())]);
    },
    records: [JSON_BODY],
  },
  {
    name: 'readers: after body was only looked at',
    run: async (t) => {
      const r = await fetch(t.url('/json'));
      const had = r.body !== null;
      const json = await r.json();
      return [had, json, r.body?.locked];
    },
    records: [JSON_BODY],
  },
  {
    name: 'readers: after a reader was taken and released unread',
    run: async (t) => {
      const r = await fetch(t.url('/json'));
      r.body?.getReader().releaseLock();
      return r.json();
    },
    records: [JSON_BODY],
  },
  {
    name: 'readers: bad JSON, empty JSON',
    run: async (t) => {
      const bad = async (body: string): Promise<unknown> => {
        const r = await fetch(t.url('/json', { body }));
        return r.json().catch((error: SyntaxError) => [
          error.constructor === SyntaxError,
          // Chromium says this part or not, depending on whether the body had arrived before the call.
          error.message.replace("Failed to execute 'json' on 'Response': ", ''),
          r.bodyUsed,
        ]);
      };
      return [await bad('{"a":'), await bad('{"a":x}'), await bad('')];
    },
  },
  {
    name: 'readers: a byte order mark',
    run: async (t) => [
      await (await fetch(t.url('/bom'))).text(),
      (await (await fetch(t.url('/bom'))).arrayBuffer()).byteLength,
      await t.read((await fetch(t.url('/bom'))).body as ReadableStream<Uint8Array>),
    ],
    records: [
      { transport: 'fetch', path: '/bom', received: 'after a mark', how: 'eof' },
      { transport: 'fetch', path: '/bom', received: 'after a mark', how: 'eof' },
      { transport: 'fetch', path: '/bom', received: 'after a mark', how: 'eof' },
    ],
  },
  {
    name: 'readers: text of a stream that is still running',
    run: async (t) => (await fetch(t.url('/sse', { n: 6, every: 20 }))).text(),
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:6', how: 'eof' }],
  },
  {
    name: 'readers: a server that breaks off',
    run: async (t) => {
      const get = () => fetch(t.url('/sse', { n: 2, end: 'reset', every: 30 }));
      return [
        await t.outcome(async () => (await get()).text()),
        await t.outcome(async () => (await get()).json()),
        await t.outcome(async () => (await get()).blob()),
        await t.outcome(async () => (await get()).arrayBuffer()),
      ];
    },
    records: [
      { transport: 'fetch', path: '/sse', received: 'sse:2', how: 'network-error' },
      { transport: 'fetch', path: '/sse', received: 'sse:2', how: 'network-error' },
      { transport: 'fetch', path: '/sse', received: 'sse:2', how: 'network-error' },
      { transport: 'fetch', path: '/sse', received: 'sse:2', how: 'network-error' },
    ],
  },
  {
    name: 'readers: a server that breaks off after body was looked at',
    run: async (t) => {
      const get = async () => {
        const r = await fetch(t.url('/sse', { n: 2, end: 'reset', every: 30 }));
        r.body?.getReader().releaseLock();
        return r;
      };
      return [
        await t.outcome(async () => (await get()).text()),
        await t.outcome(async () => (await get()).json()),
        await t.outcome(async () => (await get()).blob()),
        await t.outcome(async () => (await get()).arrayBuffer()),
      ];
    },
    records: [
      { transport: 'fetch', path: '/sse', received: 'sse:2', how: 'network-error' },
      { transport: 'fetch', path: '/sse', received: 'sse:2', how: 'network-error' },
      { transport: 'fetch', path: '/sse', received: 'sse:2', how: 'network-error' },
      { transport: 'fetch', path: '/sse', received: 'sse:2', how: 'network-error' },
    ],
  },
  {
    name: 'readers: under way, they let nobody else in',
    run: async (t) => {
      const one = async (look: boolean): Promise<unknown> => {
        const r = await fetch(t.url('/sse', { n: 6, every: 20 }));
        const before = look ? r.body : null;
        const text = r.text();
        const state = () => [r.bodyUsed, r.body?.locked, before === null || before === r.body];
        const refused = async () => [
          t.outcomeNow(() => r.clone()),
          t.outcomeNow(() => r.body?.getReader()),
          await t.outcome(() => r.body?.cancel()),
          await t.outcome(() => r.json()),
        ];
        const steps: unknown[] = [state(), await refused()];
        await t.pause(50);
        steps.push(state(), await refused(), await text, state(), await refused());
        return steps;
      };
      return [await one(false), await one(true)];
    },
    records: [
      { transport: 'fetch', path: '/sse', received: 'sse:6', how: 'eof' },
      { transport: 'fetch', path: '/sse', received: 'sse:6', how: 'eof' },
    ],
  },
  {
    name: 'readers: what they give is in the record already',
    run: async (t) => {
      const kept = (globalThis as unknown as { __kept: { records: ArrayLike<{ at: number; type: string }>; flush?: () => Promise<void> } })
        .__kept;
      const late: unknown[] = [];
      const look = async (read: (r: Response) => Promise<unknown>, path: string, query: Record<string, number>): Promise<void> => {
        await read(await fetch(t.url(path, query))).catch(() => null);
        const given = performance.now();
        await kept.flush?.();
        const { records } = kept;
        for (let i = 0; i < records.length; i++) {
          const record = records[i] as { at: number; type: string };
          if (record.type !== 'tick' && record.at > given) late.push(record);
        }
      };
      await look((r) => r.text(), '/sse', { n: 40, every: 2 });
      await look((r) => r.json(), '/big', { n: 1_000_000 });
      await look((r) => r.blob(), '/sse', { n: 2, every: 30 });
      return late;
    },
    records: [
      { transport: 'fetch', path: '/sse', received: 'sse:40', how: 'eof' },
      { transport: 'fetch', path: '/big', how: 'eof', gaps: [] },
      { transport: 'fetch', path: '/sse', received: 'sse:2', how: 'eof' },
    ],
  },
  {
    name: 'readers: hundreds at once, none loses a byte',
    run: async (t) => {
      const readers = ['text', 'blob', 'arrayBuffer', 'bytes', 'json'] as const;
      const sizes = await Promise.all(
        Array.from({ length: 300 }, async (_, i) => {
          const r = await fetch(t.url(i % 2 === 0 ? '/json' : '/ndjson', { n: 1, every: 0 }));
          if (i % 3 === 0) await t.pause(i % 7);
          const value: unknown = await r[readers[i % readers.length] as (typeof readers)[number]]();
          if (typeof value === 'string') return new Blob([value]).size;
          if (value instanceof Blob) return value.size;
          if (value instanceof ArrayBuffer || value instanceof Uint8Array) return value.byteLength;
          return new Blob([JSON.stringify(value)]).size;
        }),
      );
      return [...new Set(sizes)].sort();
    },
  },
  {
    name: 'body: hundreds of streams at once, read in every way, all whole and all recorded whole',
    run: async (t) => {
      const ways: readonly ((r: Response) => Promise<string>)[] = [
        (r) => r.text(),
        async (r) => (await r.blob()).text(),
        async (r) => t.text(new Uint8Array(await r.arrayBuffer())),
        (r) => t.read(r.body as ReadableStream<Uint8Array>),
        async (r) => {
          const [a, b] = (r.body as ReadableStream<Uint8Array>).tee();
          return (await Promise.all([t.read(a), t.read(b)]))[0];
        },
        async (r) => (await Promise.all([r.clone().text(), r.text()]))[1],
        async (r) => new Response((r.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TransformStream())).text(),
      ];
      const texts = await Promise.all(
        Array.from({ length: 280 }, async (_, i) => {
          const r = await fetch(t.url('/sse', { n: 3, every: i % 4 }));
          if (i % 3 === 0) await t.pause(i % 9);
          return (ways[i % ways.length] as (typeof ways)[number])(r);
        }),
      );
      return [...new Set(texts)];
    },
    eachRecord: { count: 280, like: { transport: 'fetch', path: '/sse', received: 'sse:3', how: 'eof', gaps: [] } },
  },
  {
    name: 'readers: a rejected text() is reported once if nobody handles it',
    run: async (t) => {
      const seen: unknown[] = [];
      window.addEventListener('unhandledrejection', (event) => {
        seen.push(t.error(event.reason));
        event.preventDefault();
      });
      void (await fetch(t.url('/sse', { n: 1, end: 'reset', every: 30 }))).text();
      await t.until(() => seen.length > 0);
      await t.pause(60);
      return seen;
    },
  },
  {
    name: 'readers: an errored body nobody reads is not reported',
    run: async (t) => {
      let seen = 0;
      window.addEventListener('unhandledrejection', () => seen++);
      const r = await fetch(t.url('/sse', { n: 1, end: 'reset', every: 30 }));
      const had = r.body !== null;
      await t.until(async () => (await t.server()).open === 0);
      await t.pause(60);
      return [had, seen];
    },
  },
  {
    name: 'clone: before body, both read in full, recorded once',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const copy = r.clone();
      const facts = [
        copy instanceof Response,
        copy !== r,
        copy.url === r.url,
        copy.type,
        copy.status,
        r.bodyUsed,
        copy.bodyUsed,
        r.body !== copy.body,
      ];
      return [facts, await Promise.all([r.text(), copy.text()])];
    },
    records: [SSE],
  },
  {
    name: 'clone: after body was looked at gives the response the body it would have',
    run: async (t) => {
      const r = await fetch(t.url('/sse'));
      const old = r.body as ReadableStream<Uint8Array>;
      const copy = r.clone();
      return [
        old === r.body,
        old.locked,
        r.body?.locked,
        t.outcomeNow(() => old.getReader().releaseLock()),
        await t.read(r.body as ReadableStream<Uint8Array>),
        await copy.text(),
      ];
    },
    records: [SSE],
  },
  {
    name: 'clone: after body was looked at, both go on as they would',
    run: async (t) => {
      const get = async (n = 4) => {
        const r = await fetch(t.url('/sse', { n }));
        const { body } = r;
        return { r, body: body as ReadableStream<Uint8Array>, copy: r.clone() };
      };
      const texts = await get();
      const state = () => [texts.body === texts.r.body, texts.body.locked, texts.r.body?.locked, texts.r.bodyUsed, texts.copy.bodyUsed];
      const steps: unknown[] = [state()];
      steps.push(await t.outcome(() => texts.copy.text()), state());
      steps.push(await t.outcome(() => texts.r.text()), state());
      const again = await get();
      const third = t.outcomeNow(() => void again.r.clone());
      steps.push(third, await t.outcome(() => again.copy.text()), await t.outcome(() => again.r.text()));
      const cut = await get(400);
      steps.push(await t.outcome(() => cut.copy.body?.cancel('a')), await t.outcome(() => cut.r.body?.cancel('b')));
      await t.until(async () => (await t.server()).open === 0);
      return steps;
    },
    records: [SSE, SSE, { transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'clone: read one after the other',
    run: async (t) => {
      const r = await fetch(t.url('/json'));
      const copy = r.clone();
      return [await copy.json(), r.bodyUsed, await r.text()];
    },
    records: [JSON_BODY],
  },
  {
    name: 'clone: used at once in the same task',
    run: async (t) => {
      const copy = (await fetch(t.url('/sse'))).clone();
      const reader = (copy.body as ReadableStream<Uint8Array>).getReader();
      const first = reader.read();
      const used = copy.bodyUsed;
      await first;
      // To its end: a stream left half read is cut short by the page's leaving, or not, as it happens.
      while (!(await reader.read()).done);
      reader.releaseLock();
      return [used, copy.bodyUsed];
    },
  },
  {
    name: 'clone: of a clone, all read',
    run: async (t) => {
      const r = await fetch(t.url('/json'));
      const two = r.clone();
      const three = two.clone();
      return Promise.all([r.text(), two.text(), three.text()]);
    },
    records: [JSON_BODY],
  },
  {
    name: 'clone: one half cancelled does not end the other',
    run: async (t) => {
      const r = await fetch(t.url('/sse', { n: 6, every: 20 }));
      const copy = r.clone();
      const reader = (copy.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      void reader.cancel();
      return r.text();
    },
    records: [{ transport: 'fetch', path: '/sse', received: 'sse:6', how: 'eof' }],
  },
  {
    name: 'clone: both halves cancelled stops the server',
    run: async (t) => {
      const r = await fetch(t.url('/sse', { n: 500, every: 10 }));
      const copy = r.clone();
      const results = await Promise.all([t.outcome(() => r.body?.cancel('a')), t.outcome(() => copy.body?.cancel('b'))]);
      await t.until(async () => (await t.server()).open === 0);
      return results;
    },
    records: [{ transport: 'fetch', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'clone: the copy only, the original never read',
    run: async (t) => (await fetch(t.url('/json'))).clone().json(),
    records: [JSON_BODY],
  },
  {
    name: 'cache: a response can be put into it after body was looked at',
    run: async (t) => {
      const cache = await caches.open('contract');
      const r = await fetch(t.url('/json'));
      const had = r.body !== null;
      const address = t.url('/json');
      await cache.put(address, r);
      const kept = await (await cache.match(address))?.json();
      await caches.delete('contract');
      return [had, kept, r.bodyUsed, await t.outcome(() => r.text())];
    },
    records: [{ transport: 'fetch', path: '/json', received: '', gaps: ['read-natively'] }],
  },
  {
    name: 'cache: a used or locked response is refused',
    run: async (t) => {
      const cache = await caches.open('contract');
      const used = await fetch(t.url('/json'));
      await used.text();
      const locked = await fetch(t.url('/json'));
      locked.body?.getReader();
      const results = [await t.outcome(() => cache.put('/a', used)), await t.outcome(() => cache.put('/b', locked))];
      await caches.delete('contract');
      return results;
    },
  },
  {
    name: 'media: ndjson, untyped, bytes that are no text, wrong types',
    run: async (t) => [
      await (await fetch(t.url('/ndjson', { n: 3 }))).text(),
      await (await fetch(t.url('/untyped'))).text(),
      (await (await fetch(t.url('/binary', { n: 300 }))).arrayBuffer()).byteLength,
      await (await fetch(t.url('/json', { type: 'application/vnd.api+json; charset=utf-8' }))).json(),
      await (await fetch(t.url('/json', { type: 'image/png' }))).text(),
    ],
    records: [
      { transport: 'fetch', path: '/ndjson', received: 'ndjson:3', how: 'eof' },
      { transport: 'fetch', path: '/untyped', received: '{"untyped":true}', how: 'eof' },
      { transport: 'fetch', path: '/binary', received: '', gaps: ['binary'], how: 'eof' },
      { transport: 'fetch', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' },
    ],
  },
  {
    name: 'media: binary event types are recorded as base64',
    run: async (t) =>
      (await (await fetch(t.url('/binary', { n: 40, type: 'application/vnd.amazon.eventstream' }))).arrayBuffer()).byteLength,
    records: [{ transport: 'fetch', path: '/binary', receivedBase64: 'binary:40', how: 'eof' }],
  },
  {
    name: 'media: a JSON document over two megabytes passes whole and is a gap from there on',
    run: async (t) => ((await (await fetch(t.url('/big', { n: 3_000_000 }))).json()) as { fill: string }).fill.length,
    records: [{ transport: 'fetch', path: '/big', gaps: ['over-budget'], how: 'eof' }],
  },
  {
    name: 'pressure: a page that never reads holds the server back',
    // Firefox reads ahead without bound by itself.
    only: 'chromium',
    run: async (t) => {
      const r = await fetch(t.url('/flood'));
      const had = r.body !== null;
      let last = -1;
      // Until the server is stuck: the platform's own buffers are full.
      await t.until(async () => {
        await t.pause(150);
        const { taken } = await t.server();
        const stuck = taken === last;
        last = taken;
        return stuck;
      });
      const stuck = last < 40_000_000;
      await r.body?.cancel();
      return [had, stuck];
    },
    records: [{ transport: 'fetch', path: '/flood', received: '', how: 'aborted-by-page' }],
    serverBlind: true,
  },
  {
    name: 'pressure: a page that reads slowly is not read ahead of',
    // Firefox takes as much as comes, read or not: a gigabyte and more in these three seconds.
    only: 'chromium',
    run: async (t) => {
      const reader = ((await fetch(t.url('/flood'))).body as ReadableStream<Uint8Array>).getReader();
      let read = 0;
      for (let i = 0; i < 3; i++) {
        read += (await reader.read()).value?.length ?? 0;
        await t.pause(1000);
      }
      const { taken } = await t.server();
      await reader.cancel();
      return [read > 0, taken < 40_000_000];
    },
    serverBlind: true,
  },
  {
    name: 'pressure: bodies that the page drops live as long as they would',
    only: 'chromium',
    run: async (t) => {
      const drop = async () => {
        void (await fetch(t.url('/sse', { n: 1, end: 'hang' }))).body;
        await fetch(t.url('/sse', { n: 1, end: 'hang' }));
        void (await fetch(t.url('/sse', { n: 1, end: 'hang' }))).body?.getReader().read();
      };
      await drop();
      const { gc } = globalThis as unknown as { gc: () => void };
      for (let i = 0; i < 10; i++) {
        gc();
        await t.pause(20);
      }
      return (await t.server()).open;
    },
  },
];
