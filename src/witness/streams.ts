/** Whether a flow streams for all that is known of it by now, whatever it says: then it is kept, understood or not. */
import type { WireFrame } from '../core/model';

const STREAM_TYPES = /event-stream|ndjson|jsonl|json-?lines|json-seq|stream\+json|\.event\+|eventstream/u;

/** `type`: the media type of its answer. `frames`: data frames so far. */
export const streams = (type: string, framing: WireFrame['framing'] | null, frames: number): boolean => {
  if (STREAM_TYPES.test(type)) return true;
  switch (framing) {
    case 'sse':
    case 'message':
      return true;
    case 'text':
      return type !== 'application/json';
    case 'ndjson':
      return frames > 1;
    default:
      return false;
  }
};
