/**
 * What WebSocket and data channels have in common: messages both ways on an object of the page's own, whose listeners of ours
 * are its first, and whose `send` and `close` are noted. A message is a chunk: text as it is; bytes as base64 up to a bound,
 * because whether they are text at all is not ours to guess; a Blob is read later and keeps its place.
 */
import type { Direction } from '../../core/model';
import type { Guard } from '../guard';
import { base64, blobBuffer, blobSize, bytesOf, chain, createRegistry, eventData, hear, known, learn, lengthOf } from '../intrinsics';
import { argument, ask, type Class, getterOf, isObject } from '../language';
import type { Flow, Outbox } from '../outbox';
import { wrapFunction } from '../patch';

/** Larger binary messages are media or files, not events. */
const BINARY_BYTES = 64_000;

export const recordMessage = (flow: Flow, direction: Direction, data: unknown, guard: Guard): void => {
  if (typeof data === 'string') {
    flow.chunk(direction, data);
    return;
  }
  const bytes = bytesOf(data);
  if (bytes !== null) {
    const size = lengthOf(bytes);
    if (size > BINARY_BYTES) flow.gap('binary', size);
    else flow.chunk(direction, base64(bytes), 'base64');
    return;
  }
  const size = ask(blobSize, data);
  if (size !== undefined) {
    if (size > BINARY_BYTES) {
      flow.gap('binary', size);
      return;
    }
    const settle = flow.later(direction);
    chain(
      blobBuffer(data as Blob),
      (buffer) => guard(() => settle(base64(bytesOf(buffer)!), size)),
      () => guard(() => settle(null, size)),
    );
    return;
  }
  // The platform turns anything else into a string. For an object that runs the page's code, which must run once only.
  if (isObject(data)) flow.gap('read-natively', 1);
  else flow.chunk(direction, `${data}`);
};

export interface Socket {
  readonly flow: Flow;
  /** The page asked for the end. */
  closed: boolean;
  /** Our listener, before any of the page's. */
  on<E extends Event>(type: string, note: (event: E) => void): void;
}

/**
 * Wraps `send` and `close` of the prototype. The returned function takes a new socket in. `connecting` and `open` are ready
 * states.
 */
export const socketTap = (
  { prototype }: Class,
  transport: 'websocket' | 'datachannel',
  connecting: unknown,
  open: unknown,
  out: Outbox,
  guard: Guard,
): ((object: EventTarget, url: string) => Socket) => {
  const readyState = getterOf<unknown>({ prototype }, 'readyState');
  const sockets = createRegistry<object, Socket>();

  wrapFunction(prototype, 'send', (call, self, args) => {
    const socket = guard.quiet() ? undefined : known(sockets, self);
    // What is sent while closing is thrown away by the platform without a word.
    const goes = socket !== undefined && readyState(self as object) === open;
    const result = call();
    if (goes) guard(() => recordMessage(socket.flow, 'sent', argument(args, 0), guard));
    return result;
  });
  wrapFunction(prototype, 'close', (call, self) => {
    const socket = known(sockets, self);
    const state = socket === undefined ? undefined : readyState(self as object);
    const result = call();
    if (socket !== undefined && (state === connecting || state === open)) socket.closed = true;
    return result;
  });

  return (object, url) => {
    const flow = out.open({ transport, method: 'GET', url, requestHeaders: {}, requestBody: null });
    const socket: Socket = {
      flow,
      closed: false,
      on: (type, note) => hear(object, type, guard, note),
    };
    learn(sockets, object, socket);
    flow.announce();
    socket.on('message', (event) => recordMessage(flow, 'received', eventData(event), guard));
    return socket;
  };
};
