/**
 * Framings where the transport itself delimits: socket messages, EventSource events, and bare text, where each read is
 * all the delimiting there is.
 */
import type { Framer, RawFrame } from './framing';

const whole = (make: (text: string, meta: { event: string | null; id: string | null }, at: number) => RawFrame): Framer => {
  let offset = 0;
  return {
    push(text, meta) {
      const frame = make(text, meta, offset);
      offset += text.length;
      return [frame];
    },
    end: () => [],
  };
};

export const messageFramer = (encoding: 'text' | 'base64' = 'text'): Framer =>
  whole((data, _meta, at) => ({
    framing: 'message',
    kind: 'data',
    event: null,
    id: null,
    data,
    encoding,
    span: [at, at + data.length],
    complete: true,
  }));

/** EventSource: the browser has parsed the event already. */
export const eventFramer = (): Framer =>
  whole((data, { event, id }, at) => ({
    framing: 'sse',
    kind: 'data',
    // The platform reports unnamed events as `message`; on the wire they have no name.
    event: event === 'message' ? null : event,
    id: id === '' ? null : id,
    data,
    encoding: 'text',
    span: [at, at + data.length],
    complete: true,
  }));

export const textFramer = (): Framer =>
  whole((data, _meta, at) => ({
    framing: 'text',
    kind: 'data',
    event: null,
    id: null,
    data,
    encoding: 'text',
    span: [at, at + data.length],
    complete: true,
  }));
