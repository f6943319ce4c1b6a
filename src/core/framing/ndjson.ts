/**
 * One record a line: NDJSON, JSON sequences (RFC 7464 record separators) and `code:json` lines. A tail without its line
 * end is a record if it is a whole value, else a frame with `complete: false`.
 */
import type { Framer } from './framing';
import { type RawFrame, rawFrame } from './raw-frame';

export const ndjsonFramer = (): Framer => {
  let pending: string[] = [];
  let offset = 0;
  const frame = (line: string, start: number, complete: boolean): RawFrame => {
    const first = line.charCodeAt(0);
    const from = first === 0x1e || first === 0xfeff ? 1 : 0;
    const to = line.charCodeAt(line.length - 1) === 13 ? line.length - 1 : line.length;
    const data = from > 0 || to < line.length ? line.slice(from, to) : line;
    return rawFrame('ndjson', data, start, start + line.length, complete);
  };
  return {
    push(text) {
      let cut = text.indexOf('\n');
      if (cut < 0) {
        if (text !== '') pending.push(text);
        return [];
      }
      const frames: RawFrame[] = [];
      let start = 0;
      for (; cut >= 0; cut = text.indexOf('\n', start)) {
        const line = pending.length === 0 ? text.slice(start, cut) : pending.join('') + text.slice(start, cut);
        pending = [];
        // Nearly all lines begin with a visible character of ASCII: then there is nothing to trim.
        const first = line.charCodeAt(0);
        if ((first > 0x20 && first < 0x7f) || line.trim() !== '') frames.push(frame(line, offset, true));
        offset += line.length + 1;
        start = cut + 1;
      }
      if (start < text.length) pending.push(text.slice(start));
      return frames;
    },
    end() {
      const rest = pending.join('');
      pending = [];
      if (rest.trim() === '') return [];
      return [frame(rest, offset, isWhole(rest.trim()))];
    },
  };
};

/** Whether the line holds a complete JSON value, after a `code:` prefix if there is one. */
const isWhole = (line: string): boolean => {
  const value = line.replace(/^\u001e?(?:[0-9a-z][0-9a-z-]{0,40}:)?/u, '');
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
};
