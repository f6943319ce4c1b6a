import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from './crc32';
import { encodeUtf8 } from './utf8';

test('the check value of the polynomial', () => {
  expect(crc32(encodeUtf8('123456789'))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array())).toBe(0);
});

test('agrees with zlib, and takes a part of the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(), fc.nat(), (bytes, a, b) => {
      const [from, to] = [a % (bytes.length + 1), b % (bytes.length + 1)].sort((x, y) => x - y) as [number, number];
      expect(crc32(bytes, from, to)).toBe(zlibCrc32(bytes.subarray(from, to)));
    }),
  );
});
