/**
 * Binary streams of `application/vnd.amazon.eventstream`: where in the bytes the JSON payloads lie, and their checksums put
 * right after a payload was written over. Bytes are given as text, one character a byte.
 */
import { crc32 } from '../../bytes/crc32';

export interface Payload {
  readonly from: number;
  readonly to: number;
  /** Where the message begins; its checksum follows the payload. */
  readonly message: number;
}

const u32 = (text: string, at: number): number =>
  ((text.charCodeAt(at) << 24) | (text.charCodeAt(at + 1) << 16) | (text.charCodeAt(at + 2) << 8) | text.charCodeAt(at + 3)) >>> 0;

const bytesOf = (text: string, from: number, to: number): Uint8Array => {
  const bytes = new Uint8Array(to - from);
  for (let i = from; i < to; i++) bytes[i - from] = text.charCodeAt(i);
  return bytes;
};

/** Total length, length of the headers, checksum of both. */
const PRELUDE = 12;

/**
 * The length of the message that begins here, by a prelude that checks; null where none begins; undefined where not enough of
 * it is there to tell.
 */
export const preludeAt = (text: string, at: number): number | null | undefined => {
  if (at + PRELUDE > text.length) return undefined;
  const total = u32(text, at);
  const headers = u32(text, at + 4);
  const sound = total >= PRELUDE + 4 && headers <= total - PRELUDE - 4 && crc32(bytesOf(text, at, at + 8)) === u32(text, at + 8);
  return sound ? total : null;
};

/** The payloads in order, or null if the bytes are no such stream. What follows the last whole message is left alone. */
export const payloadsOf = (text: string): readonly Payload[] | null => {
  const payloads: Payload[] = [];
  let at = 0;
  while (at + PRELUDE + 4 <= text.length) {
    const total = preludeAt(text, at);
    if (typeof total !== 'number' || at + total > text.length) break;
    payloads.push({ from: at + PRELUDE + u32(text, at + 4), to: at + total - 4, message: at });
    at += total;
  }
  return payloads.length > 0 ? payloads : null;
};

/** The text with the checksum of every message made to fit. */
export const withChecksums = (text: string, payloads: readonly Payload[]): string => {
  const parts: string[] = [];
  let done = 0;
  for (const { message, to } of payloads) {
    const sum = crc32(bytesOf(text, message, to));
    parts.push(text.slice(done, to), String.fromCharCode(sum >>> 24, (sum >>> 16) & 0xff, (sum >>> 8) & 0xff, sum & 0xff));
    done = to + 4;
  }
  parts.push(text.slice(done));
  return parts.join('');
};
