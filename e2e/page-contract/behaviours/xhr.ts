/** XMLHttpRequest. */
import type { Behaviour } from '../behaviour';

export const XHR: readonly Behaviour[] = [
  {
    name: 'xhr: constructor, constants and prototype',
    run: (t) => {
      const x = new XMLHttpRequest();
      return [
        t.shape(globalThis, 'XMLHttpRequest'),
        ['constructor', 'open', 'send', 'setRequestHeader', 'abort', 'responseText'].map((name) => t.shape(XMLHttpRequest.prototype, name)),
        x.constructor === XMLHttpRequest,
        x instanceof XMLHttpRequest,
        Reflect.ownKeys(x).map(String),
        Reflect.ownKeys(XMLHttpRequest.prototype).map(String),
        [XMLHttpRequest.DONE, x.DONE, x.readyState, x.responseText, x.status, x.onload],
        t.outcomeNow(() => (XMLHttpRequest as unknown as () => void)()),
        t.outcomeNow(() => x.send()),
        t.outcomeNow(() => x.setRequestHeader('a', 'b')),
        t.outcomeNow(() => x.open('BAD METHOD', '/')),
        t.outcomeNow(() => x.open('GET', 'http://')),
      ];
    },
    records: [],
  },
  {
    name: 'xhr: events and states of a plain answer',
    run: async (t) => {
      const x = new XMLHttpRequest();
      const order: unknown[] = [];
      for (const type of ['readystatechange', 'loadstart', 'load', 'loadend', 'error', 'abort', 'timeout'])
        x.addEventListener(type, () => order.push([type, x.readyState, x.status]));
      x.open('GET', t.url('/json'));
      x.send();
      order.push('sent');
      await t.event(x, 'loadend');
      return [order, x.responseText, x.response === x.responseText, x.getResponseHeader('content-type'), new URL(x.responseURL).pathname];
    },
    records: [{ transport: 'xhr', path: '/json', method: 'GET', status: 200, received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' }],
  },
  {
    name: 'xhr: responseText grows while a stream runs',
    run: async (t) => {
      const x = new XMLHttpRequest();
      let last = 0;
      let grew = 0;
      let shrank = 0;
      x.onprogress = () => {
        if (x.responseText.length > last) grew++;
        if (x.responseText.length < last) shrank++;
        last = x.responseText.length;
      };
      x.open('GET', t.url('/sse', { n: 5, every: 100 }));
      x.send();
      await t.event(x, 'loadend');
      return [grew > 1, shrank, x.responseText];
    },
    records: [{ transport: 'xhr', path: '/sse', received: 'sse:5', how: 'eof' }],
  },
  {
    name: 'xhr: POST of a string, with headers',
    run: async (t) => {
      const x = new XMLHttpRequest();
      x.open('POST', t.url('/echo'));
      x.setRequestHeader('content-type', 'application/json');
      x.setRequestHeader('authorization', 'Bearer secret');
      x.setRequestHeader('x-mine', '1');
      x.setRequestHeader('x-mine', '2');
      x.send('{"prompt":"é😀"}');
      await t.event(x, 'loadend');
      return x.responseText;
    },
    records: [
      {
        transport: 'xhr',
        path: '/echo',
        method: 'POST',
        requestBody: '{"prompt":"é😀"}',
        requestHeaders: { 'content-type': 'application/json' },
        how: 'eof',
      },
    ],
  },
  {
    name: 'xhr: bodies of every kind',
    run: async (t) => {
      const send = async (body: XMLHttpRequestBodyInit | Document | null): Promise<string> => {
        const x = new XMLHttpRequest();
        x.open('POST', t.url('/echo'));
        x.send(body);
        await t.event(x, 'loadend');
        return x.responseText.replace(/-{4,}(?:WebKit|gecko)\w+/gu, 'boundary');
      };
      const form = new FormData();
      form.append('a', 'b');
      return [
        await send('text'),
        await send(new URLSearchParams({ q: 'é' })),
        await send(new Blob(['blob'])),
        await send(new TextEncoder().encode('bytes')),
        await send(form),
        await send(document.implementation.createHTMLDocument('d')),
        await send(null),
      ];
    },
  },
  {
    name: 'xhr: every response type',
    run: async (t) => {
      const get = async (type: XMLHttpRequestResponseType): Promise<unknown> => {
        const x = new XMLHttpRequest();
        x.open('GET', t.url('/json'));
        x.responseType = type;
        x.send();
        await t.event(x, 'loadend');
        const { response } = x;
        return [
          typeof response,
          response === x.response,
          response instanceof ArrayBuffer ? response.byteLength : response instanceof Blob ? response.size : response,
          t.outcomeNow(() => x.responseText.length),
        ];
      };
      return [await get(''), await get('text'), await get('json'), await get('arraybuffer'), await get('blob')];
    },
    records: [
      { transport: 'xhr', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', gaps: [] },
      { transport: 'xhr', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', gaps: [] },
      { transport: 'xhr', path: '/json', received: '', gaps: ['read-natively'] },
      { transport: 'xhr', path: '/json', received: '', gaps: ['read-natively'] },
      { transport: 'xhr', path: '/json', received: '', gaps: ['read-natively'] },
    ],
  },
  {
    name: 'xhr: abort while a stream runs',
    run: async (t) => {
      const x = new XMLHttpRequest();
      const order: unknown[] = [];
      for (const type of ['readystatechange', 'abort', 'loadend', 'error'])
        x.addEventListener(type, () => {
          if (x.readyState !== 3) order.push([type, x.readyState, x.status, x.responseText.length]);
        });
      x.open('GET', t.url('/sse', { n: 500, every: 10 }));
      x.send();
      await t.until(() => x.responseText.length > 0);
      x.abort();
      order.push(['after', x.readyState, x.status, x.responseText]);
      await t.until(async () => (await t.server()).open === 0);
      return order;
    },
    records: [{ transport: 'xhr', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'xhr: timeout',
    run: async (t) => {
      const x = new XMLHttpRequest();
      x.open('GET', t.url('/sse', { n: 1, end: 'hang' }));
      x.timeout = 150;
      x.send();
      const order: string[] = [];
      x.onload = x.onerror = x.onabort = () => order.push('other');
      await t.event(x, 'timeout');
      return [order, x.readyState, x.status, x.responseText];
    },
    records: [{ transport: 'xhr', path: '/sse', how: 'aborted-by-page' }],
  },
  {
    name: 'xhr: a server that breaks off',
    run: async (t) => {
      const x = new XMLHttpRequest();
      x.open('GET', t.url('/sse', { n: 2, every: 80, end: 'reset' }));
      x.send();
      const event = await t.event(x, 'error');
      return [event.constructor === ProgressEvent, x.readyState, x.status, x.responseText];
    },
    records: [{ transport: 'xhr', path: '/sse', received: 'sse:2', how: 'network-error' }],
  },
  {
    name: 'xhr: dropped before an answer',
    run: async (t) => {
      const x = new XMLHttpRequest();
      x.open('POST', t.url('/drop'));
      x.send('prompt');
      await t.event(x, 'error');
      return [x.readyState, x.status];
    },
    records: [{ transport: 'xhr', path: '/drop', requestBody: 'prompt', status: null, how: 'network-error' }],
    serverBlind: true,
  },
  {
    name: 'xhr: synchronous',
    run: (t) => {
      const x = new XMLHttpRequest();
      const order: unknown[] = [];
      for (const type of ['readystatechange', 'load', 'loadend']) x.addEventListener(type, () => order.push([type, x.readyState]));
      x.open('GET', t.url('/json'), false);
      x.send();
      const y = new XMLHttpRequest();
      y.open('GET', t.url('/drop'), false);
      return [order, x.status, x.responseText, t.outcomeNow(() => y.send()), y.readyState];
    },
    records: [{ transport: 'xhr', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' }],
    serverBlind: true,
  },
  {
    name: 'xhr: used again, and opened again while under way',
    run: async (t) => {
      const x = new XMLHttpRequest();
      x.open('GET', t.url('/json', { body: '1' }));
      x.send();
      await t.event(x, 'loadend');
      const first = x.responseText;
      x.open('GET', t.url('/sse', { n: 1, end: 'hang' }));
      x.send();
      await t.until(() => x.responseText.length > 0);
      x.open('GET', t.url('/json', { body: '2' }));
      const between = [x.readyState, x.responseText];
      x.send();
      await t.event(x, 'loadend');
      return [first, between, x.responseText];
    },
    records: [
      { transport: 'xhr', path: '/json', received: '1', how: 'eof' },
      { transport: 'xhr', path: '/sse', received: 'sse:1', how: 'aborted-by-page' },
      { transport: 'xhr', path: '/json', received: '2', how: 'eof' },
    ],
  },
  {
    name: 'xhr: order of listeners and handlers',
    run: async (t) => {
      const x = new XMLHttpRequest();
      const order: string[] = [];
      x.addEventListener('load', () => order.push('first'));
      x.onload = () => order.push('handler');
      x.addEventListener('load', () => order.push('capture'), true);
      x.addEventListener('load', () => order.push('last'));
      x.open('GET', t.url('/json'));
      x.send();
      await t.event(x, 'loadend');
      return order;
    },
  },
  {
    name: 'xhr: a subclass, and methods on a wrong receiver',
    run: async (t) => {
      class Mine extends XMLHttpRequest {
        tries = 0;
        override send(body?: string): void {
          this.tries++;
          super.send(body);
        }
      }
      const x = new Mine();
      x.open('GET', t.url('/json'));
      x.send();
      await t.event(x, 'loadend');
      return [
        x instanceof Mine,
        x.constructor === Mine,
        x.tries,
        x.responseText,
        t.outcomeNow(() => Reflect.apply(XMLHttpRequest.prototype.open, {}, ['GET', '/'])),
        t.outcomeNow(() => XMLHttpRequest.prototype.send.call({} as XMLHttpRequest)),
      ];
    },
    records: [{ transport: 'xhr', path: '/json', received: '{"a":[1,2,"aé漢😀"]}', how: 'eof' }],
  },
  {
    name: 'xhr: cross-origin, without and with upload listeners',
    run: async (t) => {
      const one = async (upload: boolean): Promise<unknown> => {
        const x = new XMLHttpRequest();
        if (upload) x.upload.onprogress = () => {};
        x.open('POST', t.otherUrl('/echo', { cors: 1 }));
        x.send('x');
        await t.event(x, 'loadend');
        return [x.status, x.responseText, x.getAllResponseHeaders().includes('content-type')];
      };
      return [await one(false), await one(true)];
    },
  },
  {
    name: 'xhr: markup and pictures are not looked at',
    run: async (t) => {
      const x = new XMLHttpRequest();
      x.open('GET', t.url('/html'));
      x.send();
      await t.event(x, 'loadend');
      return x.responseText;
    },
    records: [],
  },
];
