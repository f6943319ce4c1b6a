/** Inflate (RFC 1951), for zip files and for gzip that zlib gives up. Small rather than fast: it is text, and the core has no zlib. */

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

/** What a distance may reach back, and what is handed on at a time. */
const WINDOW = 32_768;
const FRESH = 65_536;

export interface Inflated {
  /** Where the data ends. */
  readonly end: number;
  /** `cut`: it goes on after the last byte that is there. */
  readonly failed: 'cut' | 'damaged' | null;
}

/** The bytes as they come, up to the damage if there is any. */
export function* inflating(data: Uint8Array, from = 0): Generator<Uint8Array<ArrayBuffer>, Inflated> {
  const out = new Uint8Array(WINDOW + FRESH);
  /** Of `out`: what has been handed on, and what is filled. */
  let given = 0;
  let used = 0;
  let at = from;
  let held = 0;
  let bits = 0;
  let failed: Inflated['failed'] = null;

  const take = (count: number): number => {
    while (bits < count) {
      if (at >= data.length) {
        failed ??= 'cut';
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
      if (failed !== null) return -1;
      const count = counts[length]!;
      if (code - count < first) return symbols[index + (code - first)]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    failed = 'damaged';
    return -1;
  };
  /** What is new; the window moves on. */
  const handOn = (): Uint8Array<ArrayBuffer> => {
    const fresh = out.slice(given, used);
    if (used > WINDOW) {
      out.copyWithin(0, used - WINDOW, used);
      used = WINDOW;
    }
    given = used;
    return fresh;
  };
  function* block(literals: Codes, distances: Codes): Generator<Uint8Array<ArrayBuffer>, void> {
    for (;;) {
      const literal = symbol(literals);
      if (failed !== null || literal === 256) return;
      if (literal < 256) {
        if (used === out.length) yield handOn();
        out[used++] = literal;
        continue;
      }
      const length = (LENGTH_BASE[literal - 257] ?? 0) + take(LENGTH_BITS[literal - 257] ?? 0);
      const code = symbol(distances);
      const distance = (DISTANCE_BASE[code] ?? 0) + take(DISTANCE_BITS[code] ?? 0);
      if (length === 0 || distance === 0 || distance > used) failed ??= 'damaged';
      if (failed !== null) return;
      for (let i = 0; i < length; i++, used++) {
        if (used === out.length) yield handOn();
        out[used] = out[used - distance]!;
      }
    }
  }
  function* dynamic(): Generator<Uint8Array<ArrayBuffer>, void> {
    const literalCount = take(5) + 257;
    const distanceCount = take(5) + 1;
    const lengthCount = take(4) + 4;
    const lengths = new Uint8Array(19);
    for (let i = 0; i < lengthCount; i++) lengths[ORDER[i]!] = take(3);
    const codes = codesOf(lengths);
    const all = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < all.length; ) {
      const code = symbol(codes);
      if (failed !== null) return;
      if (code < 16) {
        all[i++] = code;
        continue;
      }
      const repeat = code === 16 ? 3 + take(2) : code === 17 ? 3 + take(3) : 11 + take(7);
      if ((code === 16 && i === 0) || i + repeat > all.length) failed ??= 'damaged';
      if (failed !== null) return;
      all.fill(code === 16 ? all[i - 1]! : 0, i, i + repeat);
      i += repeat;
    }
    yield* block(codesOf(all.subarray(0, literalCount)), codesOf(all.subarray(literalCount)));
  }
  function* stored(): Generator<Uint8Array<ArrayBuffer>, void> {
    held = 0;
    bits = 0;
    const length = take(16);
    if ((length ^ take(16)) !== 0xffff) failed ??= 'damaged';
    for (let left = length; left > 0 && failed === null; ) {
      if (used === out.length) yield handOn();
      const some = Math.min(left, out.length - used, data.length - at);
      if (some === 0) failed = 'cut';
      out.set(data.subarray(at, at + some), used);
      at += some;
      used += some;
      left -= some;
    }
  }

  for (let last = 0; last === 0 && failed === null; ) {
    last = take(1);
    const type = take(2);
    if (failed !== null) break;
    if (type === 0) yield* stored();
    else if (type === 1) yield* block(FIXED.literals, FIXED.distances);
    else if (type === 2) yield* dynamic();
    else failed = 'damaged';
  }
  if (used > given) yield handOn();
  return { end: at, failed };
}

/** The bytes, or null if the data is damaged or does not come to `size`. */
export const inflate = (data: Uint8Array, size: number): Uint8Array | null => {
  const out = new Uint8Array(size);
  let used = 0;
  const pieces = inflating(data);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value.failed === null && used === size ? out : null;
    if (used + value.length > size) return null;
    out.set(value, used);
    used += value.length;
  }
};
