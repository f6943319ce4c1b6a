import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './base64';
import { createUtf8Decoder, encodeUtf8 } from './utf8';

const cutInto = (bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] => {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...at, bytes.length]) {
    pieces.push(bytes.slice(from, cut));
    from = cut;
  }
  return pieces;
};

const decodeIn = (pieces: readonly Uint8Array[]): string => {
  const decoder = createUtf8Decoder();
  let text = '';
  for (const piece of pieces) text += decoder.push(piece);
  return text + decoder.end();
};

/** Bytes that are mostly the beginnings and middles of characters, where decoders go wrong. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x00, 0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xbb, 0xf0, 0xf4, 0xf5, 0xff),
      fc.integer({ min: 0, max: 255 }),
    ),
    {
      maxLength: 60,
    },
  )
  .map((list) => Uint8Array.from(list));

describe('the UTF-8 decoder', () => {
  it('agrees with TextDecoder on any bytes, cut anywhere', () => {
    fc.assert(
      fc.property(nasty, fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
        expect(decodeIn(cutInto(bytes, cuts))).toBe(new TextDecoder().decode(bytes));
      }),
      { numRuns: 3000 },
    );
  });
  it('gives well-formed text back, one byte at a time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(decodeIn([...bytes].map((byte) => Uint8Array.of(byte)))).toBe(new TextDecoder().decode(bytes));
        expect(encodeUtf8(text)).toEqual(bytes);
      }),
    );
  });
  it('is right where its inner buffer fills up', () => {
    const text = `${'a'.repeat(8190)}${'\u{1f600}€é'.repeat(6000)}`;
    expect(decodeIn([new TextEncoder().encode(text)])).toBe(text);
  });
  it('says where the first fault is, and when it is inside a character', () => {
    const decoder = createUtf8Decoder();
    decoder.push(Uint8Array.of(0x41, 0xe2, 0x82));
    expect(decoder.midCharacter).toBe(true);
    decoder.push(Uint8Array.of(0x41));
    expect(decoder.midCharacter).toBe(false);
    expect([decoder.invalid, decoder.firstInvalid]).toEqual([1, 3]);
  });
});

describe('base64', () => {
  it('agrees with the platform in both directions', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(encodeBase64(bytes)).toBe(text);
        expect(decodeBase64(text)).toEqual(bytes);
        expect(decodeBase64(Buffer.from(bytes).toString('base64url'))).toEqual(bytes);
      }),
    );
  });
  it('refuses what is not base64', () => {
    for (const text of ['a', 'ab%c', 'aa=a', '\u00e9']) expect(decodeBase64(text)).toBeNull();
  });
});
