/**
 * WebRTC data channels: realtime agents speak JSON events over one beside the audio. The channels are the page's own,
 * whether it made them or the other side did; audio and video are never touched.
 */
import { createRegistry, getterOf, listen } from '../intrinsics';
import { wrapConstructor, wrapFunction } from '../patch';
import { type Socket, socketTap } from './socket';
import type { TransportTap } from './transport';

const install: TransportTap['install'] = (scope, out, guard) => {
  const { RTCPeerConnection, RTCDataChannel, RTCDataChannelEvent } = scope;
  // Absent where WebRTC is switched off by policy.
  if (RTCPeerConnection === undefined || RTCDataChannel === undefined) return;
  const label = getterOf<string>(RTCDataChannel.prototype, 'label');
  const eventChannel = getterOf<EventTarget>(RTCDataChannelEvent.prototype, 'channel');
  const take = socketTap(RTCDataChannel.prototype, 'datachannel', 'connecting', 'open', out, guard);
  /** The channels of a connection: closing it closes them without an event. */
  const ofConnection = createRegistry<object, Socket[]>();

  const attach = (connection: object, object: EventTarget): void => {
    const channel = take(object, `datachannel:${label(object)}`);
    const list = ofConnection.get(connection) ?? [];
    list[list.length] = channel;
    ofConnection.set(connection, list);
    channel.on('close', () => channel.flow.end(channel.closed ? 'aborted-by-page' : 'closed-by-server', null, null));
  };

  wrapConstructor(scope, 'RTCPeerConnection', (connection) => {
    guard(() =>
      listen(connection as EventTarget, 'datachannel', (event: Event) => {
        if (event.isTrusted && !guard.quiet) guard(() => attach(connection, eventChannel(event)));
      }),
    );
  });
  wrapFunction(RTCPeerConnection.prototype, 'createDataChannel', (call, self) => {
    const channel = call();
    if (!guard.quiet) guard(() => attach(self as object, channel as EventTarget));
    return channel;
  });
  wrapFunction(RTCPeerConnection.prototype, 'close', (call, self) => {
    const result = call();
    guard(() => {
      const list = ofConnection.get(self) ?? [];
      for (let i = 0; i < list.length; i++) list[i]!.flow.end('aborted-by-page', null, null);
    });
    return result;
  });
};

export const dataChannelTap: TransportTap = { install };
