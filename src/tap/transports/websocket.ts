/** WebSocket, both ways: the page gets the real socket. */
import { getterOf } from '../language';
import { wrapConstructor } from '../patch';
import { socketTap } from './socket';
import type { TransportTap } from './transport';

const install: TransportTap['install'] = (scope, out, guard) => {
  const { WebSocket } = scope;
  const url = getterOf<string>(WebSocket, 'url');
  const protocol = getterOf<string>(WebSocket, 'protocol');
  const closeCode = getterOf<number>(CloseEvent, 'code');
  const closeReason = getterOf<string>(CloseEvent, 'reason');
  const wasClean = getterOf<boolean>(CloseEvent, 'wasClean');
  const take = socketTap(WebSocket, 'websocket', 0, 1, out, guard);

  wrapConstructor(scope, 'WebSocket', (object) => {
    guard.awake(() => {
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
