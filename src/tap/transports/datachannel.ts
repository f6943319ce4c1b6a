/**
 * WebRTC data channels: realtime agents speak JSON events over one beside the audio. The channels are the page's own,
 * whether it made them or the other side did; audio and video are never touched.
 */
import { eventData, getterOf, listen, Registry } from '../intrinsics';
import type { Flow } from '../outbox';
import { wrapConstructor, wrapFunction } from '../patch';
import { recordMessage } from './message';
import type { TransportTap } from './transport';

interface Channel {
  readonly flow: Flow;
  closed: boolean;
}

const install: TransportTap['install'] = (scope, out, guard) => {
  // Absent where WebRTC is switched off by policy.
  if (scope.RTCPeerConnection === undefined || scope.RTCDataChannel === undefined) return;
  const { prototype } = scope.RTCDataChannel;
  const label = getterOf<string>(prototype, 'label');
  const readyState = getterOf<string>(prototype, 'readyState');
  const eventChannel = getterOf<EventTarget>(scope.RTCDataChannelEvent.prototype, 'channel');
  const channels = new Registry<object, Channel>();
  /** The channels of a connection: closing it closes them without an event. */
  const ofConnection = new Registry<object, Channel[]>();

  const attach = (connection: object, object: EventTarget): void => {
    const url = `datachannel:${label(object)}`;
    const flow = out.open({ transport: 'datachannel', method: 'GET', url, requestHeaders: {}, requestBody: null });
    const channel: Channel = { flow, closed: false };
    channels.set(object, channel);
    const list = ofConnection.get(connection) ?? [];
    list[list.length] = channel;
    ofConnection.set(connection, list);
    flow.announce();
    const on = <E extends Event>(type: string, note: (event: E) => void): void =>
      listen<E>(object, type, (event) => {
        if (event.isTrusted && !guard.quiet) guard(() => note(event));
      });
    on('message', (event) => recordMessage(flow, 'received', eventData(event), guard));
    on('close', () => flow.end(channel.closed ? 'aborted-by-page' : 'closed-by-server', null, null));
  };

  wrapConstructor(scope, 'RTCPeerConnection', (connection) => {
    guard(() =>
      listen(connection as EventTarget, 'datachannel', (event: Event) => {
        if (event.isTrusted && !guard.quiet) guard(() => attach(connection, eventChannel(event)));
      }),
    );
  });
  wrapFunction(scope.RTCPeerConnection.prototype, 'createDataChannel', (call, self) => {
    const channel = call();
    if (!guard.quiet) guard(() => attach(self as object, channel as EventTarget));
    return channel;
  });
  wrapFunction(scope.RTCPeerConnection.prototype, 'close', (call, self) => {
    const result = call();
    guard(() => {
      const list = ofConnection.get(self) ?? [];
      for (let i = 0; i < list.length; i++) list[i]!.flow.end('aborted-by-page', null, null);
    });
    return result;
  });
  wrapFunction(prototype, 'send', (call, self, args) => {
    const channel = guard.quiet ? undefined : channels.get(self);
    const result = call();
    if (channel !== undefined) guard(() => recordMessage(channel.flow, 'sent', args[0], guard));
    return result;
  });
  wrapFunction(prototype, 'close', (call, self) => {
    const channel = channels.get(self);
    const first = channel !== undefined && readyState(self as object) !== 'closed' && readyState(self as object) !== 'closing';
    const result = call();
    if (first) channel.closed = true;
    return result;
  });
};

export const dataChannelTap: TransportTap = { name: 'datachannel', install };
