/**
 * Messages of `application/vnd.amazon.eventstream`: total length, headers length and their CRC, then headers, payload and
 * the CRC of it all. Reads cut anywhere give the same messages. Both checksums are checked: bytes that are no message are
 * skipped to the next place where a message begins, so damage costs only what it hit.
 */
import { crc32 } from '../bytes/crc32';
import { createUtf8Decoder } from '../bytes/utf8';

export interface StreamMessage {
  /** String headers only; the service uses no others to say what a message is. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

export interface MessageReader {
  /** The messages completed by these bytes; null stands for damage that was skipped. */
  push(bytes: Uint8Array): readonly (StreamMessage | null)[];
  /** Whether the bytes end inside a message. */
  readonly unfinished: boolean;
}

/** Lengths of header values by type; -1: a length of two bytes comes first. */
const VALUE_LENGTHS = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16] as const;
const STRING = 7;
const PRELUDE = 12;
/** A message is at most 24 MB; a length beyond that is no length. */
const MOST = 25_165_824;

const u32 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;

const textOf = (bytes: Uint8Array): string => {
  const decoder = createUtf8Decoder();
  return decoder.push(bytes) + decoder.end();
};

const headersOf = (bytes: Uint8Array): Readonly<Record<string, string>> | null => {
  const headers: Record<string, string> = {};
  let at = 0;
  while (at < bytes.length) {
    const nameLength = bytes[at++]!;
    const name = textOf(bytes.subarray(at, at + nameLength));
    at += nameLength;
    const type = bytes[at++];
    let length: number | undefined = VALUE_LENGTHS[type ?? -1];
    if (length === undefined) return null;
    if (length < 0) {
      length = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
      at += 2;
    }
    if (at + length > bytes.length) return null;
    if (type === STRING) headers[name] = textOf(bytes.subarray(at, at + length));
    at += length;
  }
  return headers;
};

export const messageReader = (): MessageReader => {
  let held = new Uint8Array();
  /** Bytes that came while the message at the start of `held` is still short of its end: joined once it is there. */
  let waiting: Uint8Array[] = [];
  let waited = 0;
  let need = 0;

  /** Whether a message can begin here: its lengths make sense and their checksum is right. */
  const begins = (at: number): boolean => {
    const total = u32(held, at);
    const headers = u32(held, at + 4);
    return total >= PRELUDE + 4 && total <= MOST && headers <= total - PRELUDE - 4 && crc32(held, at, at + 8) === u32(held, at + 8);
  };

  return {
    get unfinished() {
      return held.length + waited > 0;
    },
    push(bytes) {
      waiting.push(bytes);
      waited += bytes.length;
      if (held.length + waited < need) return [];
      const all = new Uint8Array(held.length + waited);
      let end = 0;
      for (const some of [held, ...waiting]) {
        all.set(some, end);
        end += some.length;
      }
      held = all;
      waiting = [];
      waited = 0;
      need = 0;
      const out: (StreamMessage | null)[] = [];
      let at = 0;
      while (held.length - at >= PRELUDE) {
        if (!begins(at)) {
          let next = at + 1;
          while (held.length - next >= PRELUDE && !begins(next)) next++;
          if (out.at(-1) !== null) out.push(null);
          at = next;
          continue;
        }
        const total = u32(held, at);
        if (held.length - at < total) {
          need = total;
          break;
        }
        const headersEnd = at + PRELUDE + u32(held, at + 4);
        const sound = crc32(held, at, at + total - 4) === u32(held, at + total - 4);
        const headers = sound ? headersOf(held.subarray(at + PRELUDE, headersEnd)) : null;
        out.push(headers === null ? null : { headers, payload: textOf(held.subarray(headersEnd, at + total - 4)) });
        at += total;
      }
      held = held.slice(at);
      return out;
    },
  };
};
