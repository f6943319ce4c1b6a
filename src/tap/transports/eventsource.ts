/**
 * EventSource: the page gets the real object and our listeners are its first. The platform has parsed the stream already,
 * and shows an event only to listeners of its name, so names are learned as the page listens for them; comments and events
 * that nobody listens for stay unseen, which each flow says once. Every connection is a flow of its own: a reconnect is a
 * new request, and tells the server where the last one broke off.
 */
import { createRegistry, eventData, eventLastId, getterOf, listen, NativeMessage } from '../intrinsics';
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
  const { prototype } = scope.EventSource;
  const url = getterOf<string>(prototype, 'url');
  const readyState = getterOf<number>(prototype, 'readyState');
  const CLOSED = 2;
  const sources = createRegistry<object, Source>();
  let any = false;

  const open = (object: object, source: Source): Flow => {
    const requestHeaders: Record<string, string> = { accept: 'text/event-stream' };
    if (source.lastId !== '') requestHeaders['last-event-id'] = source.lastId;
    const flow = out.open({ transport: 'eventsource', method: 'GET', url: url(object), requestHeaders, requestBody: null });
    source.flow = flow;
    flow.announce();
    return flow;
  };

  const hear = (object: object, source: Source, name: string, other?: () => void): void => {
    if (source.names[name]) return;
    source.names[name] = true;
    listen(object as EventTarget, name, (event) => {
      if (!event.isTrusted || guard.quiet) return;
      guard(() => {
        if (!(event instanceof NativeMessage)) return other?.();
        source.lastId = eventLastId(event);
        source.flow?.chunk('received', String(eventData(event)), 'text', name, source.lastId);
      });
    });
  };

  const attach = (object: object): void => {
    any = true;
    const names = Object.create(null) as Source['names'];
    const source: Source = { flow: null, lastId: '', names };
    sources.set(object, source);
    open(object, source);
    hear(object, source, 'message');
    // A server may name its events so, too: those are messages.
    hear(object, source, 'open', () => {
      const flow = source.flow ?? open(object, source);
      // The platform accepts nothing else.
      flow.head(200, { 'content-type': 'text/event-stream' });
      flow.gap('read-natively', 0);
    });
    hear(object, source, 'error', () => {
      // Whether the server closed or the line broke is not told; both times the platform tries again.
      if (readyState(object) === CLOSED) source.flow?.end('network-error', null, null);
      else source.flow?.end('closed-by-server', null, 'reconnecting');
      source.flow = null;
    });
  };

  wrapConstructor(scope, 'EventSource', (object) => {
    if (!guard.quiet) guard(() => attach(object));
  });
  wrapFunction(scope.EventTarget.prototype, 'addEventListener', (call, self, args) => {
    const source = any && !guard.quiet ? sources.get(self) : undefined;
    const name = args[0];
    if (source !== undefined && typeof name === 'string') guard(() => hear(self as object, source, name));
    return call();
  });
  wrapFunction(prototype, 'close', (call, self) => {
    const result = call();
    const source = sources.get(self);
    if (source !== undefined)
      guard(() => {
        source.flow?.end('aborted-by-page', null, null);
        source.flow = null;
      });
    return result;
  });
};

export const eventSourceTap: TransportTap = { install };
