/** EventSource. */
import type { Behaviour } from '../behaviour';

export const EVENT_SOURCE: readonly Behaviour[] = [
  {
    name: 'eventsource: constructor, constants and prototype',
    run: (t) => {
      const s = new EventSource(t.url('/es', { n: 1, end: 'hang' }));
      const facts = [
        t.shape(globalThis, 'EventSource'),
        t.shape(EventSource.prototype, 'constructor'),
        t.shape(EventSource.prototype, 'close'),
        t.shape(EventTarget.prototype, 'addEventListener'),
        s.constructor === EventSource,
        s instanceof EventSource,
        Object.getPrototypeOf(s) === EventSource.prototype,
        [EventSource.CONNECTING, EventSource.OPEN, EventSource.CLOSED, s.OPEN],
        Reflect.ownKeys(s).map(String),
        Reflect.ownKeys(EventSource.prototype).map(String),
        [s.readyState, s.withCredentials, s.onmessage, new URL(s.url).pathname],
        t.outcomeNow(() => (EventSource as unknown as (url: string) => void)('/')),
        t.outcomeNow(() => new EventSource('http://')),
      ];
      s.close();
      return [facts, s.readyState];
    },
    // Whether the request still reached the server is a matter of timing.
    serverBlind: true,
  },
  {
    name: 'eventsource: messages, ids and origin',
    run: async (t) => {
      const s = new EventSource(t.url('/es', { n: 3, end: 'hang' }));
      const seen: unknown[] = [];
      s.onmessage = (event) => seen.push([event.type, event.data, event.lastEventId, event.origin === location.origin, event.isTrusted]);
      await t.until(() => seen.length === 3);
      s.close();
      return seen;
    },
    records: [
      {
        transport: 'eventsource',
        path: '/es',
        received: 'message 0message 1message 2',
        events: ['message', 'message', 'message'],
        status: 200,
        gaps: ['read-natively'],
        how: 'aborted-by-page',
      },
    ],
  },
  {
    name: 'eventsource: named events, listened to by name; an event named error',
    run: async (t) => {
      const s = new EventSource(t.url('/es-named'));
      const seen: unknown[] = [];
      s.addEventListener('ready', (event) => seen.push(['ready', event.data]));
      s.addEventListener('error', (event) => seen.push(['error', (event as MessageEvent).data]));
      s.addEventListener('message', (event) => seen.push(['message', event.data]));
      await t.until(() => seen.length === 3);
      s.close();
      return seen;
    },
    records: [
      {
        transport: 'eventsource',
        path: '/es-named',
        received: 'onethreefour',
        events: ['ready', 'error', 'message'],
        how: 'aborted-by-page',
      },
    ],
  },
  {
    name: 'eventsource: reconnects with the last event id, and gives up when told',
    run: async (t) => {
      const s = new EventSource(t.url('/es', { n: 2 }));
      const order: unknown[] = [];
      for (const type of ['open', 'message', 'error'])
        s.addEventListener(type, (event) => order.push([type, s.readyState, (event as MessageEvent).data ?? null]));
      await t.until(() => s.readyState === EventSource.CLOSED);
      return order;
    },
    records: [
      { transport: 'eventsource', path: '/es', received: 'message 0message 1', how: 'closed-by-server' },
      {
        transport: 'eventsource',
        path: '/es',
        received: 'message 2message 3',
        requestHeaders: { accept: 'text/event-stream', 'last-event-id': '1' },
        how: 'closed-by-server',
      },
    ],
  },
  {
    name: 'eventsource: refused for good',
    run: async (t) => {
      const s = new EventSource(t.url('/status', { n: 500 }));
      const event = await t.event(s, 'error');
      return [event.type, event.constructor === Event, s.readyState];
    },
    records: [{ transport: 'eventsource', path: '/status', how: 'network-error' }],
  },
  {
    name: 'eventsource: wrong content type',
    run: async (t) => {
      const s = new EventSource(t.url('/json'));
      await t.event(s, 'error');
      return s.readyState;
    },
    records: [{ transport: 'eventsource', path: '/json', how: 'network-error' }],
  },
  {
    name: 'eventsource: order of listeners, capture and bubble, once and signal',
    run: async (t) => {
      const s = new EventSource(t.url('/es', { n: 2, end: 'hang', every: 30 }));
      const order: string[] = [];
      const stop = new AbortController();
      s.addEventListener('message', () => order.push('bubble 1'));
      s.onmessage = () => order.push('handler');
      s.addEventListener('message', () => order.push('capture'), true);
      s.addEventListener('message', () => order.push('once'), { once: true });
      s.addEventListener('message', () => order.push('signal'), { signal: stop.signal });
      s.addEventListener('message', () => {
        order.push('bubble 2');
        stop.abort();
      });
      await t.until(() => order.filter((what) => what === 'bubble 2').length === 2);
      s.close();
      return order;
    },
  },
  {
    name: 'eventsource: stopImmediatePropagation keeps an event from the page, not from the record',
    run: async (t) => {
      const s = new EventSource(t.url('/es', { n: 1, end: 'hang' }));
      let later = 0;
      const first = new Promise<void>((resolve) => {
        s.addEventListener(
          'message',
          (event) => {
            event.stopImmediatePropagation();
            resolve();
          },
          true,
        );
      });
      s.addEventListener('message', () => later++);
      await first;
      s.close();
      return later;
    },
    records: [{ transport: 'eventsource', path: '/es', received: 'message 0', how: 'aborted-by-page' }],
  },
  {
    name: 'eventsource: events made by the page are its own affair',
    run: async (t) => {
      const s = new EventSource(t.url('/es', { n: 1, end: 'hang' }));
      const seen: unknown[] = [];
      s.onmessage = (event) => seen.push([event.data, event.isTrusted]);
      await t.until(() => seen.length === 1);
      s.dispatchEvent(new MessageEvent('message', { data: 'made up' }));
      s.close();
      return seen;
    },
    records: [{ transport: 'eventsource', path: '/es', received: 'message 0', how: 'aborted-by-page' }],
  },
  {
    name: 'eventsource: a subclass',
    run: async (t) => {
      class Mine extends EventSource {
        readonly extra = 1;
        override close(): void {
          super.close();
        }
      }
      const s = new Mine(t.url('/es', { n: 1, end: 'hang' }));
      const event = (await t.event(s, 'message')) as MessageEvent;
      s.close();
      return [s instanceof Mine, s instanceof EventSource, s.constructor === Mine, s.extra, event.data, s.readyState];
    },
    records: [{ transport: 'eventsource', path: '/es', received: 'message 0', how: 'aborted-by-page' }],
  },
  {
    name: 'eventsource: closed before it opened',
    run: async (t) => {
      const s = new EventSource(t.url('/es', { n: 1, end: 'hang' }));
      let events = 0;
      s.onopen = s.onmessage = s.onerror = () => events++;
      s.close();
      s.close();
      await t.pause(80);
      return [events, s.readyState];
    },
    records: [{ transport: 'eventsource', path: '/es', received: '', how: 'aborted-by-page' }],
    // Whether the request still reached the server is a matter of timing.
    serverBlind: true,
  },
  {
    name: 'eventsource: with credentials, on another origin',
    run: async (t) => {
      const s = new EventSource(t.otherUrl('/es', { n: 1, end: 'hang' }), { withCredentials: true });
      const event = await t.event(s, 'error');
      return [event.type, s.withCredentials, s.readyState];
    },
  },
  {
    name: 'events: addEventListener with odd arguments',
    run: (t) => {
      const target = new EventTarget();
      let calls = 0;
      const object = { handleEvent: () => calls++ };
      target.addEventListener('a', object as unknown as EventListener);
      target.addEventListener('a', null);
      let named = 0;
      const name = {
        toString: () => {
          named++;
          return 'b';
        },
      };
      target.addEventListener(name as unknown as string, () => calls++);
      target.dispatchEvent(new Event('a'));
      target.dispatchEvent(new Event('b'));
      return [
        calls,
        named,
        t.outcomeNow(() => (target.addEventListener as () => void)()),
        t.outcomeNow(() => EventTarget.prototype.addEventListener.call({} as EventTarget, 'a', null)),
        t.outcomeNow(() => addEventListener('x', () => {})),
      ];
    },
  },
];
