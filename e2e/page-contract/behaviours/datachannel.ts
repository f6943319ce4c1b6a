/** WebRTC data channels, between two connections of the same page. */
import type { Behaviour } from '../behaviour';

export const DATA_CHANNEL: readonly Behaviour[] = [
  {
    name: 'datachannel: constructor and prototype',
    run: (t) => {
      const c = new RTCPeerConnection();
      const channel = c.createDataChannel('x');
      const facts = [
        t.shape(globalThis, 'RTCPeerConnection'),
        t.shape(globalThis, 'webkitRTCPeerConnection'),
        (globalThis as { webkitRTCPeerConnection?: unknown }).webkitRTCPeerConnection === RTCPeerConnection,
        ['constructor', 'createDataChannel', 'close'].map((name) => t.shape(RTCPeerConnection.prototype, name)),
        ['send', 'close'].map((name) => t.shape(RTCDataChannel.prototype, name)),
        c.constructor === RTCPeerConnection,
        c instanceof RTCPeerConnection,
        [channel.label, channel.readyState, channel.binaryType, Reflect.ownKeys(channel).length],
        t.outcomeNow(() => channel.send('too early')),
        t.outcomeNow(() => Reflect.apply(c.createDataChannel, c, [])),
      ];
      c.close();
      return [facts, channel.readyState, c.connectionState];
    },
    records: [{ transport: 'datachannel', path: 'x', how: 'aborted-by-page', sent: '' }],
  },
  {
    name: 'datachannel: both ways, on both ends',
    run: async (t) => {
      const a = new RTCPeerConnection();
      const b = new RTCPeerConnection();
      a.onicecandidate = ({ candidate }) => void b.addIceCandidate(candidate ?? undefined);
      b.onicecandidate = ({ candidate }) => void a.addIceCandidate(candidate ?? undefined);
      const mine = a.createDataChannel('events');
      const theirs = new Promise<RTCDataChannel>((resolve) => {
        b.ondatachannel = (event) => resolve(event.channel);
      });
      await a.setLocalDescription();
      await b.setRemoteDescription(a.localDescription as RTCSessionDescription);
      await b.setLocalDescription();
      await a.setRemoteDescription(b.localDescription as RTCSessionDescription);
      const other = await theirs;
      const seen: unknown[] = [];
      other.onmessage = (event) => {
        seen.push(typeof event.data === 'string' ? event.data : [...new Uint8Array(event.data as ArrayBuffer)]);
        if (typeof event.data === 'string') other.send(`echo ${event.data}`);
      };
      const back: unknown[] = [];
      mine.onmessage = (event) => back.push(event.data);
      if (mine.readyState !== 'open') await t.event(mine, 'open');
      mine.send('{"type":"one"}');
      mine.binaryType = other.binaryType = 'arraybuffer';
      mine.send(new Uint8Array([1, 2, 3]));
      await t.until(() => seen.length === 2 && back.length === 1);
      const gone = t.event(other, 'close');
      mine.close();
      await gone;
      a.close();
      b.close();
      return [seen, back, other.label];
    },
    records: [
      { transport: 'datachannel', path: 'events', sent: '{"type":"one"}|AQID', received: 'echo {"type":"one"}', how: 'aborted-by-page' },
      { transport: 'datachannel', path: 'events', received: '{"type":"one"}|AQID', sent: 'echo {"type":"one"}', how: 'closed-by-server' },
    ],
  },
];
