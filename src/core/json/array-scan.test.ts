import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createArrayScan } from './array-scan';

const scan = (text: string, size = text.length || 1) => {
  const found: [string, unknown, number][] = [];
  const scanned = createArrayScan('log', ['entries', 'pages'], (name, element, index) => found.push([name, JSON.parse(element), index]));
  for (let at = 0; at < text.length; at += size) scanned.push(text.slice(at, at + size));
  return { found, end: scanned.end() };
};

describe('the elements of arrays in a document that comes in pieces', () => {
  it('are those that JSON.parse finds, for any values, spacing and pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.array(fc.jsonValue()),
        fc.jsonValue(),
        fc.constantFrom(undefined, 1, '\t'),
        fc.integer({ min: 1, max: 60 }),
        (entries, pages, other, indent, size) => {
          const document = { log: { version: '1.2', other, pages, nested: { entries: [1] }, entries, last: other }, entries: [2] };
          const { found, end } = scan(JSON.stringify(document, null, indent), size);
          const right = JSON.parse(JSON.stringify(document)) as typeof document;
          expect(found).toEqual([
            ...right.log.pages.map((value, i) => ['pages', value, i]),
            ...right.log.entries.map((value, i) => ['entries', value, i]),
          ]);
          expect(end).toMatchObject({ closed: true, inside: null });
          expect([...end.arrays]).toEqual(['pages', 'entries']);
        },
      ),
    );
  });
  it('before a cut are all there, and where it is cut is said, with the line', () => {
    const entries = Array.from({ length: 20 }, (_, i) => ({ i, text: `"}],{[ \\ line ${i}` }));
    const text = JSON.stringify({ log: { version: '1.2', entries } }, null, 1);
    for (let cut = text.indexOf('"entries"') + 12; cut < text.length - 4; cut++) {
      const { found, end } = scan(text.slice(0, cut), 13);
      expect(found.map(([, value]) => value)).toEqual(entries.slice(0, found.length));
      expect(end.closed).toBe(false);
      if (end.inside !== null) expect(end.inside).toEqual({ name: 'entries', index: found.length });
      expect(end.line).toBeLessThanOrEqual(text.slice(0, cut).split('\n').length);
    }
  });
});
