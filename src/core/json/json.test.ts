import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, parseJsonFrom } from './json';

describe('JSON from a place in a text', () => {
  test('is what the parser makes of the rest of the text, of any string', () => {
    const said = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', '\\', '\t', '\u007f', 'n', ' ') }),
    );
    fc.assert(
      fc.property(fc.string(), said, fc.boolean(), (before, text, escaped) => {
        const value = escaped ? JSON.stringify(text) : `"${text}"`;
        expect(parseJsonFrom(before + value, before.length)).toEqual(parseJson(value));
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['', '"', '""', '"a', 'a"', ' "a" ', '"a" ', '"a"b"', '12', '{"a":1}', '[1]', 'null', '"a\nb"', '"\\u0041"', '"a\\"'])(
    '%j',
    (text) => {
      expect(parseJsonFrom(`0:${text}`, 2)).toEqual(parseJson(text));
    },
  );
});
