/** WebSocket, both ways: the page gets the real socket, our listeners are its first, and `send` and `close` are noted. */
import { eventData, getterOf, listen, Registry } from '../intrinsics';
import type { Flow } from '../outbox';
import { wrapConstructor, wrapFunction } from '../patch';
import { recordMessage } from './message';
import type { TransportTap } from './transport';

interface Socket {
  readonly flow: Flow;
  /** The page asked for the end. */
  closed: boolean;
}

const install: TransportTap['install'] = (scope, out, guard) => {
  const { prototype } = scope.WebSocket;
  const url = getterOf<string>(prototype, 'url');
  const protocol = getterOf<string>(prototype, 'protocol');
  const readyState = getterOf<number>(prototype, 'readyState');
  const closeCode = getterOf<number>(CloseEvent.prototype, 'code');
  const closeReason = getterOf<string>(CloseEvent.prototype, 'reason');
  const wasClean = getterOf<boolean>(CloseEvent.prototype, 'wasClean');
  const OPEN = 1;
  const CLOSING = 2;
  const sockets = new Registry<object, Socket>();

  const attach = (object: EventTarget): void => {
    const flow = out.open({ transport: 'websocket', method: 'GET', url: url(object), requestHeaders: {}, requestBody: null });
    const socket: Socket = { flow, closed: false };
    sockets.set(object, socket);
    flow.announce();
    const on = <E extends Event>(type: string, note: (event: E) => void): void =>
      listen<E>(object, type, (event) => {
        if (event.isTrusted && !guard.quiet) guard(() => note(event));
      });
    on('open', () => {
      const chosen = protocol(object);
      flow.head(101, chosen === '' ? {} : { 'sec-websocket-protocol': chosen });
    });
    on('message', (event) => recordMessage(flow, 'received', eventData(event), guard));
    on('close', (event) => {
      const how = socket.closed ? 'aborted-by-page' : wasClean(event) ? 'closed-by-server' : 'network-error';
      const reason = closeReason(event);
      flow.end(how, closeCode(event), reason === '' ? null : reason);
    });
  };

  wrapConstructor(scope, 'WebSocket', (object) => {
    if (!guard.quiet) guard(() => attach(object as EventTarget));
  });
  wrapFunction(prototype, 'send', (call, self, args) => {
    const socket = guard.quiet ? undefined : sockets.get(self);
    // What is sent while closing is thrown away by the platform without a word.
    const open = socket !== undefined && readyState(self as object) === OPEN;
    const result = call();
    if (open) guard(() => recordMessage(socket.flow, 'sent', args[0], guard));
    return result;
  });
  wrapFunction(prototype, 'close', (call, self) => {
    const socket = sockets.get(self);
    const first = socket !== undefined && readyState(self as object) < CLOSING;
    const result = call();
    if (first) socket.closed = true;
    return result;
  });
};

export const websocketTap: TransportTap = { name: 'websocket', install };
