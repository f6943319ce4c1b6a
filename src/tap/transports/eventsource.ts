/**
 * EventSource: the page gets the real object and our listeners are its first. The platform has parsed the stream already,
 * and shows an event only to listeners of its name, so names are learned as the page listens for them; comments and events
 * that nobody listens for stay unseen, which each flow says once. Every connection is a flow of its own: a reconnect is a
 * new request, and tells the server where the last one broke off.
 */
import { createRegistry, eventData, eventLastId, hear, known, learn } from '../intrinsics';
import { argument, ask, getterOf, table } from '../language';
import type { Flow } from '../outbox';
import { wrapConstructor, wrapFunction } from '../patch';
import type { TransportTap } from './transport';

interface Source {
  flow: Flow | null;
  lastId: string;
  /** Event names that we listen for. */
  readonly names: Record<string, true>;
}

const install: TransportTap['install'] = (scope, out, guard) => {
  const { EventSource } = scope;
  const { prototype } = EventSource;
  const url = getterOf<string>(EventSource, 'url');
  const readyState = getterOf<number>(EventSource, 'readyState');
  const CLOSED = 2;
  const sources = createRegistry<object, Source>();

  const open = (object: object, source: Source): Flow => {
    const requestHeaders = table<string>();
    requestHeaders.accept = 'text/event-stream';
    if (source.lastId !== '') requestHeaders['last-event-id'] = source.lastId;
    const flow = out.open({ transport: 'eventsource', method: 'GET', url: url(object), requestHeaders, requestBody: null });
    source.flow = flow;
    flow.announce();
    return flow;
  };

  const hearNamed = (object: object, source: Source, name: string, other?: () => void): void => {
    if (source.names[name]) return;
    source.names[name] = true;
    hear(object as EventTarget, name, guard, (event) => {
      const lastId = ask(eventLastId, event);
      if (lastId === undefined) {
        other?.();
        return;
      }
      source.lastId = lastId;
      source.flow?.chunk('received', eventData(event) as string, 'text', name, lastId);
    });
  };

  const attach = (object: object): void => {
    const source: Source = { flow: null, lastId: '', names: table() };
    learn(sources, object, source);
    open(object, source);
    hearNamed(object, source, 'message');
    // A server may name its events so, too: those are messages.
    hearNamed(object, source, 'open', () => {
      const flow = source.flow ?? open(object, source);
      // The platform accepts nothing else.
      flow.head(200, { 'content-type': 'text/event-stream' });
      flow.gap('read-natively', 0);
    });
    hearNamed(object, source, 'error', () => {
      // Whether the server closed or the line broke is not told; both times the platform tries again.
      if (readyState(object) === CLOSED) source.flow?.end('network-error');
      else source.flow?.end('closed-by-server', null, 'reconnecting');
      source.flow = null;
    });
  };

  wrapConstructor(scope, 'EventSource', (object) => {
    guard.awake(() => attach(object));
  });
  wrapFunction(scope.EventTarget.prototype, 'addEventListener', (call, self, args) => {
    const source = known(sources, self);
    const name = argument(args, 0);
    if (source !== undefined && typeof name === 'string') guard.awake(() => hearNamed(self as object, source, name));
    return call();
  });
  wrapFunction(prototype, 'close', (call, self) => {
    const result = call();
    const source = known(sources, self);
    if (source !== undefined)
      guard(() => {
        source.flow?.end('aborted-by-page');
        source.flow = null;
      });
    return result;
  });
};

export const eventSourceTap: TransportTap = { install };
