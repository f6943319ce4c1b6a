import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createUtf8Decoder } from '../core/bytes/utf8';
import { nativeUtf8 } from './utf8';

/** Pieces of text, genuine replacement characters and broken bytes, cut anywhere. */
const pieces = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }).map((text) => new TextEncoder().encode(text)),
    fc.constant(new TextEncoder().encode('a\ufffdb')),
    fc.constantFrom([0xff], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc3, 0x28], [0xef, 0xbf]).map((bytes) => Uint8Array.from(bytes)),
  ),
  { maxLength: 12 },
);

it('gives the text of the core\u2019s decoder, and notices what was not UTF-8', () => {
  fc.assert(
    fc.property(pieces, (list) => {
      const [own, native] = [createUtf8Decoder(), nativeUtf8()];
      let [a, b] = ['', ''];
      for (const piece of list) {
        a += own.push(piece);
        b += native.push(piece);
      }
      expect(b + native.end()).toBe(a + own.end());
      expect(native.invalid > 0).toBe(own.invalid > 0);
    }),
    { numRuns: 3000 },
  );
});

it('says where the first fault is', () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode('é€ ok '), 0xff, 0x41]);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const native = nativeUtf8();
    native.push(bytes.subarray(0, cut));
    native.push(bytes.subarray(cut));
    native.end();
    expect([native.invalid, native.firstInvalid]).toEqual([1, 9]);
  }
});
