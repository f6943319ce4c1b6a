/**
 * The platform's UTF-8 decoder in the core's shape: ten times as fast. It does not say what was wrong, so that is worked out
 * from what it put in: a replacement character that the bytes do not spell stands for bytes that were not UTF-8.
 */
import type { TextDecoding } from '../core/capture/capture';

const REPLACEMENT = Buffer.from('\ufffd');

/** How often the bytes spell U+FFFD themselves. */
const spelled = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(REPLACEMENT); at >= 0; at = bytes.indexOf(REPLACEMENT, at + 3)) count++;
  return count;
};

export const nativeUtf8 = (): TextDecoding => {
  const decoder = new TextDecoder();
  /** The last bytes, which may be the beginning of a character. */
  let tail: Buffer = Buffer.alloc(0);
  /** Bytes whose text has been given out; exact until the first fault. */
  let given = 0;
  let invalid = 0;
  let firstInvalid = -1;
  let start = true;

  const note = (text: string, genuine: number): string => {
    let found = 0;
    let first = -1;
    for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) {
      if (first < 0) first = at;
      found++;
    }
    if (found > genuine) {
      if (firstInvalid < 0) firstInvalid = given + Buffer.byteLength(text.slice(0, first));
      invalid += found - genuine;
    }
    given += Buffer.byteLength(text);
    return text;
  };

  return {
    push(bytes) {
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      // A byte order mark is dropped, and is part of the file all the same.
      if (start && piece.length >= 3 && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf) given = 3;
      const text = decoder.decode(piece, { stream: true });
      if (text !== '') start = false;
      if (!text.includes('\ufffd')) {
        tail = piece.subarray(-2);
        return note(text, 0);
      }
      const genuine = spelled(Buffer.concat([tail, piece])) - spelled(tail);
      tail = piece.subarray(-2);
      return note(text, genuine);
    },
    end: () => note(decoder.decode(), 0),
    get invalid() {
      return invalid;
    },
    get firstInvalid() {
      return firstInvalid;
    },
  };
};
