/** Base64 in both directions (the core has no atob). Reading also takes the URL alphabet and missing padding. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const VALUE: Readonly<Record<number, number>> = (() => {
  const value: Record<number, number> = {};
  for (let i = 0; i < 64; i++) value[ALPHABET.charCodeAt(i)] = i;
  value[45] = 62; // -
  value[95] = 63; // _
  return value;
})();

/** The bytes, or null if the text is not base64. White space is skipped. */
export const decodeBase64 = (text: string): Uint8Array | null => {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4) + 1);
  let used = 0;
  let bits = 0;
  let held = 0;
  let padded = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 32 || code === 10 || code === 13 || code === 9) continue;
    if (code === 61) {
      padded = true;
      continue;
    }
    const value = VALUE[code];
    if (value === undefined || padded) return null;
    held = (held << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[used++] = (held >> bits) & 0xff;
    }
    held &= 0xfff;
  }
  return bits === 6 ? null : bytes.subarray(0, used);
};

export const encodeBase64 = (bytes: Uint8Array): string => {
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const a = bytes[i]!;
    const b = bytes[i + 1];
    const c = bytes[i + 2];
    part += ALPHABET[a >> 2]! + ALPHABET[((a & 3) << 4) | ((b ?? 0) >> 4)]!;
    part += b === undefined ? '==' : ALPHABET[((b & 15) << 2) | ((c ?? 0) >> 6)]! + (c === undefined ? '=' : ALPHABET[c & 63]!);
    if (part.length > 4096) {
      parts.push(part);
      part = '';
    }
  }
  parts.push(part);
  return parts.join('');
};
