import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayNeverEnd } from './pattern';

describe('may never end', () => {
  test.each([
    '^(a+)+$',
    '(a*)*',
    '(?:a+){2,}',
    '(?<n>a{1,})+?',
    '((a+)b?)*',
    '(?:[a-z]+_)*id',
    '(\\d+,)*',
    // Not without bound inside, and yet each letter doubles the ways.
    '^(aa?)+$',
    '(a{1,2})*',
    '^(a?){30}a{30}$',
    '(a|a)*',
    '(a|ab)*c',
    '(\\w|\\d)+x',
    '(?:A|a)+',
    '((a|b)|a)+',
    '(.|\\n)*',
    '(?=(a+)+$)b',
    '(?!(a+)+$)b',
    '(?<=(a+)+)b',
    '(a*)(\\1b)*',
    '(?<x>a*)(?:\\k<x>)+',
    '(\\u{61}+)+',
    '(\\p{L}+)+',
    '([)]+)+',
    '([\\]]+)+',
    '(\\(+)+',
    '(((a+)+)+)+',
    '((a+)b)*',
    '(?i:a+)*',
    '(a?){30}?',
    // Not endless, but not told from what is.
    '(?:,|;|\\.)*',
  ])('%s', (source) => expect(mayNeverEnd(source)).toBe(true));
});

describe('ends', () => {
  test.each([
    '^data-(\\w+)$',
    '(foo|bar)+',
    '(?:,|;|-)*',
    '(?:是|否)+',
    '\\d+(\\.\\d+)?',
    '(\\d{1,3}\\.){3}\\d{1,3}',
    '(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}',
    '^(?:GET|POST) .*/v\\d+/(chat|complete|c)',
    '(\\d{3}-)+',
    '[(a+)+]+',
    '\\(a+\\)+',
    '(?<year>\\d+)-(?<month>\\d+)',
    '(["\']).*?\\1',
    '(?=.*a)(?=.*b).+',
    '\\u{61}+',
    '^\\[(\\d+)\\]\\s+(\\w+)\\s+(\\S+)\\s+"(.*)"$',
    'a{2}',
    '',
  ])('%s', (source) => expect(mayNeverEnd(source)).toBe(false));
});

test('any text: an answer; and what is said to end does, on what it is made of', () => {
  const piece = fc.constantFrom('a', 'b', 'a', '(', ')', '|', '*', '+', '?', '{1,2}', '{9}', '[ab]', '\\w', '\\1', '(?:', '(?=', '.');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 14 }).map((all) => all.join('')),
      ),
      (source) => {
        if (mayNeverEnd(source)) return;
        let expression: RegExp;
        try {
          expression = new RegExp(`^(?:${source})$`, 'u');
        } catch {
          return;
        }
        const start = performance.now();
        expression.test(`${'a'.repeat(40)}!`);
        expression.test(`${'ab'.repeat(20)}!`);
        expect(performance.now() - start).toBeLessThan(5_000);
      },
    ),
    { numRuns: 3_000 },
  );
}, 60_000);
