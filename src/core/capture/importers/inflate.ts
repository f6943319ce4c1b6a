/** Inflate (RFC 1951), for the entries of zip files. Small rather than fast: traces hold text, and the core has no zlib. */

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
  24577,
];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Codes by length: how many there are of each length, and the symbols in order of their codes. */
interface Codes {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

const codesOf = (lengths: Uint8Array): Codes => {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  const offsets = new Uint16Array(17);
  for (let length = 1; length < 16; length++) offsets[length + 1] = offsets[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length > 0) symbols[offsets[length]!++] = symbol;
  });
  return { counts, symbols };
};

const fixedLengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
const FIXED = { literals: codesOf(fixedLengths), distances: codesOf(new Uint8Array(30).fill(5)) };

/** The bytes, or null if the data is damaged or does not come to `size`. */
export const inflate = (data: Uint8Array, size: number): Uint8Array | null => {
  const out = new Uint8Array(size);
  let used = 0;
  let at = 0;
  let held = 0;
  let bits = 0;
  let broken = false;

  const take = (count: number): number => {
    while (bits < count) {
      if (at >= data.length) {
        broken = true;
        return 0;
      }
      held |= data[at++]! << bits;
      bits += 8;
    }
    const value = held & ((1 << count) - 1);
    held >>>= count;
    bits -= count;
    return value;
  };
  const symbol = ({ counts, symbols }: Codes): number => {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length < 16; length++) {
      code |= take(1);
      if (broken) return -1;
      const count = counts[length]!;
      if (code - count < first) return symbols[index + (code - first)]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    broken = true;
    return -1;
  };
  const block = (literals: Codes, distances: Codes): void => {
    for (;;) {
      const literal = symbol(literals);
      if (broken || literal === 256) return;
      if (literal < 256) {
        if (used >= size) {
          broken = true;
          return;
        }
        out[used++] = literal;
        continue;
      }
      const length = (LENGTH_BASE[literal - 257] ?? 0) + take(LENGTH_BITS[literal - 257] ?? 0);
      const code = symbol(distances);
      const distance = (DISTANCE_BASE[code] ?? 0) + take(DISTANCE_BITS[code] ?? 0);
      if (broken || length === 0 || distance === 0 || distance > used || used + length > size) {
        broken = true;
        return;
      }
      for (let i = 0; i < length; i++, used++) out[used] = out[used - distance]!;
    }
  };
  const dynamic = (): void => {
    const literalCount = take(5) + 257;
    const distanceCount = take(5) + 1;
    const lengthCount = take(4) + 4;
    const lengths = new Uint8Array(19);
    for (let i = 0; i < lengthCount; i++) lengths[ORDER[i]!] = take(3);
    const codes = codesOf(lengths);
    const all = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < all.length; ) {
      const code = symbol(codes);
      if (broken) return;
      if (code < 16) {
        all[i++] = code;
        continue;
      }
      const repeat = code === 16 ? 3 + take(2) : code === 17 ? 3 + take(3) : 11 + take(7);
      if ((code === 16 && i === 0) || i + repeat > all.length) {
        broken = true;
        return;
      }
      all.fill(code === 16 ? all[i - 1]! : 0, i, i + repeat);
      i += repeat;
    }
    block(codesOf(all.subarray(0, literalCount)), codesOf(all.subarray(literalCount)));
  };

  for (let last = 0; last === 0 && !broken; ) {
    last = take(1);
    const type = take(2);
    if (broken) break;
    if (type === 0) {
      held = 0;
      bits = 0;
      const length = (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8);
      const check = (data[at + 2] ?? 0) | ((data[at + 3] ?? 0) << 8);
      at += 4;
      if ((length ^ check) !== 0xffff || at + length > data.length || used + length > size) return null;
      out.set(data.subarray(at, at + length), used);
      at += length;
      used += length;
    } else if (type === 1) block(FIXED.literals, FIXED.distances);
    else if (type === 2) dynamic();
    else return null;
  }
  return broken || used !== size ? null : out;
};
