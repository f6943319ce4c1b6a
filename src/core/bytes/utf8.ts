/**
 * UTF-8 in both directions, incrementally, because the core has no TextDecoder and recordings cut bytes inside characters.
 * Follows the WHATWG decoder exactly: the same replacement characters, a leading byte order mark dropped, any chunking
 * giving the same text. Counts what was not UTF-8, so that a reader can say so.
 */

export interface Utf8Decoder {
  push(bytes: Uint8Array): string;
  /** The replacement character for a character that never was finished, or ''. */
  end(): string;
  /** True while the last bytes are the beginning of a character. */
  readonly midCharacter: boolean;
  /** How many replacement characters were put in, and the byte offset of the first fault (-1: none). */
  readonly invalid: number;
  readonly firstInvalid: number;
}

/** Units gathered before they become a string: small enough for `apply`, large enough to amortise it. */
const UNITS = 8192;

export const createUtf8Decoder = (): Utf8Decoder => {
  const units = new Uint16Array(UNITS + 2);
  let point = 0;
  let needed = 0;
  let lower = 0x80;
  let upper = 0xbf;
  let start = true;
  let offset = 0;
  let invalid = 0;
  let firstInvalid = -1;

  const fault = (at: number): void => {
    invalid++;
    if (firstInvalid < 0) firstInvalid = at;
  };

  return {
    push(bytes) {
      const parts: string[] = [];
      let used = 0;
      for (let i = 0; i < bytes.length; i++) {
        if (used >= UNITS) {
          parts.push(String.fromCharCode.apply(null, units.subarray(0, used) as unknown as number[]));
          used = 0;
        }
        const byte = bytes[i]!;
        if (needed === 0) {
          if (byte < 0x80) units[used++] = byte;
          else if (byte >= 0xc2 && byte <= 0xdf) {
            needed = 1;
            point = byte & 0x1f;
          } else if (byte >= 0xe0 && byte <= 0xef) {
            if (byte === 0xe0) lower = 0xa0;
            if (byte === 0xed) upper = 0x9f;
            needed = 2;
            point = byte & 0xf;
          } else if (byte >= 0xf0 && byte <= 0xf4) {
            if (byte === 0xf0) lower = 0x90;
            if (byte === 0xf4) upper = 0x8f;
            needed = 3;
            point = byte & 0x7;
          } else {
            units[used++] = 0xfffd;
            fault(offset + i);
          }
          continue;
        }
        if (byte < lower || byte > upper) {
          point = 0;
          needed = 0;
          lower = 0x80;
          upper = 0xbf;
          units[used++] = 0xfffd;
          fault(offset + i);
          i--; // The byte may begin a character of its own.
          continue;
        }
        lower = 0x80;
        upper = 0xbf;
        point = (point << 6) | (byte & 0x3f);
        if (--needed > 0) continue;
        if (point > 0xffff) {
          units[used++] = 0xd800 + ((point - 0x10000) >> 10);
          units[used++] = 0xdc00 + ((point - 0x10000) & 0x3ff);
        } else units[used++] = point;
        point = 0;
      }
      offset += bytes.length;
      parts.push(String.fromCharCode.apply(null, units.subarray(0, used) as unknown as number[]));
      const text = parts.length === 1 ? parts[0]! : parts.join('');
      if (!start || text === '') return text;
      start = false;
      return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    },
    end() {
      if (needed === 0) return '';
      needed = 0;
      lower = 0x80;
      upper = 0xbf;
      point = 0;
      start = false;
      fault(offset);
      return '\ufffd';
    },
    get midCharacter() {
      return needed > 0;
    },
    get invalid() {
      return invalid;
    },
    get firstInvalid() {
      return firstInvalid;
    },
  };
};

/** Lone surrogates become U+FFFD, as everywhere on the web. */
export const encodeUtf8 = (text: string): Uint8Array => {
  let bytes = new Uint8Array(text.length + (text.length >> 1) + 4);
  let used = 0;
  for (let i = 0; i < text.length; i++) {
    if (used + 4 > bytes.length) {
      const larger = new Uint8Array(bytes.length * 2);
      larger.set(bytes);
      bytes = larger;
    }
    let point = text.charCodeAt(i);
    if (point < 0x80) {
      bytes[used++] = point;
      continue;
    }
    if (point >= 0xd800 && point <= 0xdfff) {
      const low = point < 0xdc00 ? text.charCodeAt(i + 1) : 0;
      if (low >= 0xdc00 && low <= 0xdfff) {
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
        i++;
      } else point = 0xfffd;
    }
    if (point < 0x800) bytes[used++] = 0xc0 | (point >> 6);
    else {
      if (point < 0x10000) bytes[used++] = 0xe0 | (point >> 12);
      else {
        bytes[used++] = 0xf0 | (point >> 18);
        bytes[used++] = 0x80 | ((point >> 12) & 0x3f);
      }
      bytes[used++] = 0x80 | ((point >> 6) & 0x3f);
    }
    bytes[used++] = 0x80 | (point & 0x3f);
  }
  return bytes.subarray(0, used);
};
