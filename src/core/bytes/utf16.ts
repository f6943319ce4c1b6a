/** UTF-16 to text, incrementally: what some shells write when the output of a program goes to a file. */

export type ByteOrder = 'little' | 'big';

/**
 * The byte order, if the bytes begin as UTF-16 does: with a byte order mark, or with ASCII of two bytes a character. JSON and event streams
 * begin with ASCII.
 */
export const utf16Order = (bytes: Uint8Array): ByteOrder | null => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'little';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'big';
  const looked = Math.min(bytes.length & ~1, 64);
  if (looked < 8) return null;
  let [even, odd] = [0, 0];
  for (let i = 0; i < looked; i++) if (bytes[i] === 0) i % 2 === 0 ? even++ : odd++;
  if (even === 0 && odd === looked / 2) return 'little';
  return odd === 0 && even === looked / 2 ? 'big' : null;
};

export interface Utf16Decoder {
  push(bytes: Uint8Array): string;
  end(): string;
  /** As of the UTF-8 decoder. Only a last odd byte is wrong here: any pair is a unit. */
  readonly invalid: number;
  readonly firstInvalid: number;
}

export const createUtf16Decoder = (order: ByteOrder): Utf16Decoder => {
  let held = -1;
  let start = true;
  let offset = 0;
  let invalid = 0;
  const unit = (a: number, b: number): number => (order === 'little' ? a | (b << 8) : (a << 8) | b);
  return {
    push(bytes) {
      offset += bytes.length;
      const parts: string[] = [];
      const units = new Uint16Array(8192);
      let used = 0;
      const put = (value: number): void => {
        if (start) {
          start = false;
          if (value === 0xfeff) return;
        }
        units[used++] = value;
        if (used < units.length) return;
        parts.push(String.fromCharCode.apply(null, units as unknown as number[]));
        used = 0;
      };
      let at = 0;
      if (held >= 0 && bytes.length > 0) {
        put(unit(held, bytes[0]!));
        held = -1;
        at = 1;
      }
      for (; at + 1 < bytes.length; at += 2) put(unit(bytes[at]!, bytes[at + 1]!));
      if (at < bytes.length) held = bytes[at]!;
      parts.push(String.fromCharCode.apply(null, units.subarray(0, used) as unknown as number[]));
      return parts.join('');
    },
    end() {
      if (held < 0) return '';
      invalid++;
      held = -1;
      return '\ufffd';
    },
    get invalid() {
      return invalid;
    },
    get firstInvalid() {
      return invalid === 0 ? -1 : offset - 1;
    },
  };
};
