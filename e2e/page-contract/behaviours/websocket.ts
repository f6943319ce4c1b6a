/** WebSocket. */
import type { Behaviour } from '../behaviour';

export const WEB_SOCKET: readonly Behaviour[] = [
  {
    name: 'websocket: constructor, constants and prototype',
    run: (t) => {
      const s = new WebSocket(t.url('/ws'));
      const facts = [
        t.shape(globalThis, 'WebSocket'),
        ['constructor', 'send', 'close', 'url', 'binaryType'].map((name) => t.shape(WebSocket.prototype, name)),
        s.constructor === WebSocket,
        s instanceof WebSocket,
        Object.prototype.toString.call(s),
        [WebSocket.CONNECTING, WebSocket.OPEN, WebSocket.CLOSING, WebSocket.CLOSED, s.CLOSED],
        Reflect.ownKeys(WebSocket).map(String),
        Reflect.ownKeys(WebSocket.prototype).map(String),
        Reflect.ownKeys(s).map(String),
        [s.readyState, s.binaryType, s.bufferedAmount, s.protocol, s.extensions, s.onmessage],
        t.outcomeNow(() => (WebSocket as unknown as (url: string) => void)('ws://localhost')),
        t.outcomeNow(() => new WebSocket('ws://bad bad')),
        t.outcomeNow(() => new WebSocket(t.url('/ws'), ['a', 'a'])),
      ];
      s.close();
      return facts;
    },
    serverBlind: true,
  },
  {
    name: 'websocket: text both ways',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      await t.event(s, 'open');
      const seen: unknown[] = [];
      s.onmessage = (event) => seen.push([event.data, event.origin, event.lastEventId, event.isTrusted]);
      s.send('{"one":"é😀"}');
      s.send('two');
      await t.until(() => seen.length === 2);
      s.close(4000, 'done');
      const close = (await t.event(s, 'close')) as CloseEvent;
      return [seen.map((one) => String(one).replace(/:\d+/u, '')), close.code, close.reason, close.wasClean];
    },
    records: [
      {
        transport: 'websocket',
        path: '/ws',
        status: 101,
        sent: '{"one":"é😀"}two',
        received: '{"one":"é😀"}two',
        how: 'aborted-by-page',
        code: 4000,
      },
    ],
  },
  {
    name: 'websocket: closed by the server with a code',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      const order: string[] = [];
      for (const type of ['open', 'message', 'error', 'close']) s.addEventListener(type, () => order.push(`${type} ${s.readyState}`));
      await t.event(s, 'open');
      s.send('close:4321:the end');
      const close = (await t.event(s, 'close')) as CloseEvent;
      return [order, close.code, close.reason, close.wasClean];
    },
    records: [{ transport: 'websocket', path: '/ws', sent: 'close:4321:the end', how: 'closed-by-server', code: 4321 }],
  },
  {
    name: 'websocket: line dropped',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      await t.event(s, 'open');
      s.send('drop');
      const close = (await t.event(s, 'close')) as CloseEvent;
      return [close.code, close.wasClean];
    },
    records: [{ transport: 'websocket', path: '/ws', how: 'network-error', code: 1006 }],
  },
  {
    name: 'websocket: refused connection',
    run: async (t) => {
      const s = new WebSocket('ws://localhost:1/nobody');
      const order: unknown[] = [];
      s.onerror = (event) => order.push([event.type, event.constructor === Event]);
      const close = (await t.event(s, 'close')) as CloseEvent;
      return [order, close.code, s.readyState];
    },
    records: [{ transport: 'websocket', path: '/nobody', status: null, how: 'network-error', code: 1006 }],
  },
  {
    name: 'websocket: protocols',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'), ['agent.v1', 'agent.v2']);
      await t.event(s, 'open');
      s.close();
      return [s.protocol, s.readyState];
    },
    records: [{ transport: 'websocket', path: '/ws', headers: { 'sec-websocket-protocol': 'agent.v1' } }],
  },
  {
    name: 'websocket: ArrayBuffers and views',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      s.binaryType = 'arraybuffer';
      await t.event(s, 'open');
      const seen: unknown[] = [];
      s.onmessage = (event) =>
        seen.push([
          event.data instanceof ArrayBuffer,
          [...new Uint8Array(event.data as ArrayBuffer)],
          Object.is(event.data, Reflect.get(event, 'data')),
        ]);
      s.send(new Uint8Array([1, 2, 3]).buffer);
      s.send(new Uint8Array([9, 4, 5, 9]).subarray(1, 3));
      s.send(new DataView(new ArrayBuffer(2)));
      await t.until(() => seen.length === 3);
      s.close();
      return [seen, s.binaryType];
    },
    records: [{ transport: 'websocket', path: '/ws', sent: 'AQID BAU= AAA=', receivedBase64: 'AQID BAU= AAA=' }],
  },
  {
    name: 'websocket: Blobs, in order with text',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      await t.event(s, 'open');
      const seen: unknown[] = [];
      s.onmessage = (event) =>
        seen.push(typeof event.data === 'string' ? event.data : [event.data instanceof Blob, (event.data as Blob).size]);
      s.send('burst:6');
      await t.until(() => seen.length === 6);
      s.send(new Blob(['hi']));
      await t.until(() => seen.length === 7);
      return [seen, s.binaryType];
    },
    records: [{ transport: 'websocket', path: '/ws', received: 'text 0|AA==|text 2|AAcO|text 4|AAcOFRw=|aGk=', sent: 'burst:6|aGk=' }],
  },
  {
    name: 'websocket: large binary messages are a gap, and reach the page',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      s.binaryType = 'arraybuffer';
      await t.event(s, 'open');
      s.send('bytes:200000');
      const event = (await t.event(s, 'message')) as MessageEvent<ArrayBuffer>;
      return event.data.byteLength;
    },
    records: [{ transport: 'websocket', path: '/ws', received: '', gaps: ['binary'] }],
  },
  {
    name: 'websocket: send too early, too late, of odd things',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      const early = t.outcomeNow(() => s.send('early'));
      await t.event(s, 'open');
      let conversions = 0;
      const odd = {
        toString: () => {
          conversions++;
          return 'odd';
        },
      };
      s.send(odd as unknown as string);
      s.send(12 as unknown as string);
      s.send(null as unknown as string);
      const none = t.outcomeNow(() => (s.send as () => void)());
      const symbol = t.outcomeNow(() => s.send(Symbol() as unknown as string));
      const seen: unknown[] = [];
      s.onmessage = (event) => seen.push(event.data);
      await t.until(() => seen.length === 3);
      s.close();
      const late = t.outcomeNow(() => s.send('late'));
      await t.event(s, 'close');
      return [early, none, symbol, conversions, seen, late, t.outcomeNow(() => WebSocket.prototype.send.call({} as WebSocket, 'x'))];
    },
    records: [
      { transport: 'websocket', path: '/ws', received: 'odd12null', sent: '12null', gaps: ['read-natively'], how: 'aborted-by-page' },
    ],
  },
  {
    name: 'websocket: close with bad codes and reasons',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      await t.event(s, 'open');
      const bad = [
        t.outcomeNow(() => s.close(1)),
        t.outcomeNow(() => s.close(1001)),
        t.outcomeNow(() => s.close(3000, 'x'.repeat(200))),
        s.readyState,
      ];
      s.send('close:4001:server first');
      const close = (await t.event(s, 'close')) as CloseEvent;
      return [bad, close.code];
    },
    records: [{ transport: 'websocket', path: '/ws', how: 'closed-by-server', code: 4001 }],
  },
  {
    name: 'websocket: closed before it opened',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      const order: string[] = [];
      for (const type of ['open', 'error']) s.addEventListener(type, () => order.push(type));
      s.close();
      const state = s.readyState;
      const close = (await t.event(s, 'close')) as CloseEvent;
      return [state, order, close.code, close.wasClean];
    },
    records: [{ transport: 'websocket', path: '/ws', how: 'aborted-by-page', code: 1006 }],
    serverBlind: true,
  },
  {
    name: 'websocket: a subclass that overrides send and close',
    run: async (t) => {
      const calls: string[] = [];
      class Mine extends WebSocket {
        override send(data: string): void {
          calls.push('send');
          super.send(data.toUpperCase());
        }
        override close(code?: number): void {
          calls.push('close');
          super.close(code);
        }
      }
      const s = new Mine(t.url('/ws'), 'agent.v1');
      await t.event(s, 'open');
      s.send('abc');
      const event = (await t.event(s, 'message')) as MessageEvent;
      s.close(4000);
      const close = (await t.event(s, 'close')) as CloseEvent;
      return [s instanceof Mine, s instanceof WebSocket, s.constructor === Mine, Mine.OPEN, s.protocol, event.data, close.code, calls];
    },
    records: [{ transport: 'websocket', path: '/ws', sent: 'ABC', received: 'ABC', how: 'aborted-by-page' }],
  },
  {
    name: 'websocket: order of listeners and handler attributes',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      const order: string[] = [];
      s.addEventListener('message', () => order.push('first'));
      s.onmessage = () => order.push('handler');
      s.addEventListener('message', () => order.push('capture'), true);
      s.addEventListener('message', (event) => {
        order.push('stops');
        event.stopImmediatePropagation();
      });
      s.addEventListener('message', () => order.push('never'));
      await t.event(s, 'open');
      s.send('x');
      await t.until(() => order.includes('stops'));
      s.onmessage = null;
      s.send('y');
      await t.until(() => order.filter((what) => what === 'stops').length === 2);
      return order;
    },
    records: [{ transport: 'websocket', path: '/ws', sent: 'xy', received: 'xy' }],
  },
  {
    name: 'websocket: a listener that throws is reported once and stops nobody',
    run: async (t) => {
      const errors: unknown[] = [];
      window.addEventListener('error', (event) => {
        errors.push(event.message);
        event.preventDefault();
      });
      const s = new WebSocket(t.url('/ws'));
      await t.event(s, 'open');
      let after = 0;
      s.onmessage = () => {
        throw new Error('the page fails');
      };
      s.addEventListener('message', () => after++);
      s.send('x');
      await t.until(() => after === 1);
      return errors;
    },
    records: [{ transport: 'websocket', path: '/ws', received: 'x' }],
  },
  {
    name: 'websocket: ten thousand messages arrive in order',
    run: async (t) => {
      const s = new WebSocket(t.url('/ws'));
      await t.event(s, 'open');
      let next = 0;
      let wrong = 0;
      s.onmessage = (event) => {
        if (event.data !== `message ${next++}`) wrong++;
      };
      for (let i = 0; i < 10_000; i++) s.send(`message ${i}`);
      await t.until(() => next === 10_000);
      return wrong;
    },
    records: [{ transport: 'websocket', path: '/ws', received: 'messages:10000', sent: 'messages:10000' }],
    serverBlind: true,
  },
];
