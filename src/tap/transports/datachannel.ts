/**
 * WebRTC data channels: realtime agents speak JSON events over one beside the audio. The channels are the page's own,
 * whether it made them or the other side did; audio and video are never touched.
 */
import { createRegistry, hear, known, learn } from '../intrinsics';
import { getterOf, type List, list } from '../language';
import { wrapConstructor, wrapFunction } from '../patch';
import { type Socket, socketTap } from './socket';
import type { TransportTap } from './transport';

const install: TransportTap['install'] = (scope, out, guard) => {
  const { RTCPeerConnection, RTCDataChannel, RTCDataChannelEvent } = scope;
  // Absent where WebRTC is switched off by policy.
  if (RTCPeerConnection === undefined || RTCDataChannel === undefined) return;
  const label = getterOf<string>(RTCDataChannel, 'label');
  const eventChannel = getterOf<EventTarget>(RTCDataChannelEvent, 'channel');
  const take = socketTap(RTCDataChannel, 'datachannel', 'connecting', 'open', out, guard);
  /** The channels of a connection: closing it closes them without an event. */
  const ofConnection = createRegistry<object, List<Socket>>();

  const attach = (connection: object, object: EventTarget): void => {
    const channel = take(object, `datachannel:${label(object)}`);
    const channels = known(ofConnection, connection) ?? list<Socket>();
    channels[channels.length] = channel;
    learn(ofConnection, connection, channels);
    channel.on('close', () => channel.flow.end(channel.closed ? 'aborted-by-page' : 'closed-by-server'));
  };

  wrapConstructor(scope, 'RTCPeerConnection', (connection) => {
    guard(() => hear(connection as EventTarget, 'datachannel', guard, (event) => attach(connection, eventChannel(event))));
  });
  wrapFunction(RTCPeerConnection.prototype, 'createDataChannel', (call, self) => {
    const channel = call();
    guard.awake(() => attach(self as object, channel as EventTarget));
    return channel;
  });
  wrapFunction(RTCPeerConnection.prototype, 'close', (call, self) => {
    const result = call();
    guard(() => {
      const channels = known(ofConnection, self);
      if (channels === undefined) return;
      for (let i = 0; i < channels.length; i++) channels[i]!.flow.end('aborted-by-page');
    });
    return result;
  });
};

export const dataChannelTap: TransportTap = { install };
