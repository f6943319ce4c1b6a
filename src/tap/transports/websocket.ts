/** WebSocket, both ways: the page gets the real socket. */
import { getterOf } from '../intrinsics';
import { wrapConstructor } from '../patch';
import { socketTap } from './socket';
import type { TransportTap } from './transport';

const install: TransportTap['install'] = (scope, out, guard) => {
  const { prototype } = scope.WebSocket;
  const url = getterOf<string>(prototype, 'url');
  const protocol = getterOf<string>(prototype, 'protocol');
  const closeCode = getterOf<number>(CloseEvent.prototype, 'code');
  const closeReason = getterOf<string>(CloseEvent.prototype, 'reason');
  const wasClean = getterOf<boolean>(CloseEvent.prototype, 'wasClean');
  const take = socketTap(prototype, 'websocket', 0, 1, out, guard);

  wrapConstructor(scope, 'WebSocket', (object) => {
    if (guard.quiet) return;
    guard(() => {
      const socket = take(object as EventTarget, url(object));
      socket.on('open', () => {
        const chosen = protocol(object);
        socket.flow.head(101, chosen === '' ? {} : { 'sec-websocket-protocol': chosen });
      });
      socket.on('close', (event) => {
        const how = socket.closed ? 'aborted-by-page' : wasClean(event) ? 'closed-by-server' : 'network-error';
        const reason = closeReason(event);
        socket.flow.end(how, closeCode(event), reason === '' ? null : reason);
      });
    });
  });
};

export const websocketTap: TransportTap = { install };
