/**
 * Framings where the transport itself delimits: socket messages, EventSource events, and bare text, where each read is
 * all the delimiting there is.
 */
import type { Framer } from './framing';
import { type RawFrame, rawFrame } from './raw-frame';

const whole = (make: (text: string, meta: { event: string | null; id: string | null }, at: number) => RawFrame): Framer => {
  let offset = 0;
  const frames: RawFrame[] = [];
  return {
    push(text, meta) {
      frames[0] = make(text, meta, offset);
      offset += text.length;
      return frames;
    },
    end: () => [],
  };
};

export const messageFramer = (encoding: 'text' | 'base64' = 'text'): Framer =>
  whole((data, _meta, at) => rawFrame('message', data, at, at + data.length, true, null, null, 'data', encoding));

/** EventSource: the browser has parsed the event already. */
export const eventFramer = (): Framer =>
  whole((data, { event, id }, at) =>
    // The platform reports unnamed events as `message`; on the wire they have no name.
    rawFrame('sse', data, at, at + data.length, true, event === 'message' ? null : event, id === '' ? null : id),
  );

export const textFramer = (): Framer => whole((data, _meta, at) => rawFrame('text', data, at, at + data.length));
