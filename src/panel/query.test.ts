import { describe, expect, test } from 'vitest';
import { FIELDS, markText, parseQuery, type Searchable } from './query';
import { LANES, STANDINGS } from './voices';

const row = (more: Partial<Searchable> = {}): Searchable => ({
  text: 'I should verify the Migration.',
  lower: 'i should verify the migration.',
  type: 'run.model.reasoning.delta',
  voice: 'reasoning',
  standing: 'provisional',
  ids: 'run-8f2c msg-1',
  run: 'flow-1#1',
  size: 281,
  gap: 38,
  ...more,
});
const passes = (source: string, more: Partial<Searchable> = {}): boolean => parseQuery(source).test(row(more));

describe('words', () => {
  test('nothing lets everything pass', () => {
    expect(parseQuery('  ').empty).toBe(true);
    expect(passes('')).toBe(true);
  });
  test('are looked for in text, type and ids, without case', () => {
    expect(passes('MIGRATION')).toBe(true);
    expect(passes('reasoning.delta')).toBe(true);
    expect(passes('8f2c')).toBe(true);
    expect(passes('absent')).toBe(false);
  });
  test('must all hold', () => {
    expect(passes('verify migration')).toBe(true);
    expect(passes('verify absent')).toBe(false);
  });
  test('quotes hold spaces together, closed or not', () => {
    expect(passes('"verify the"')).toBe(true);
    expect(passes('"the verify"')).toBe(false);
    expect(passes('"verify th')).toBe(true);
  });
  test('a minus negates', () => {
    expect(passes('-heartbeat')).toBe(true);
    expect(passes('verify -migration')).toBe(false);
    expect(passes('-"verify the"')).toBe(false);
  });
  test('a URL is a word, not a field', () => {
    expect(passes('https://ops.example', { text: 'see https://ops.example', lower: 'see https://ops.example' })).toBe(true);
    expect(parseQuery('https://ops.example').error).toBeNull();
  });
});

describe('expressions', () => {
  test('match with and without flags', () => {
    expect(passes('/verif(y|ied)/')).toBe(true);
    expect(passes('/migration/')).toBe(false);
    expect(passes('/migration/i')).toBe(true);
    expect(passes('-/migration/i')).toBe(false);
  });
  test('may hold spaces and escaped slashes', () => {
    expect(passes('/verify the/')).toBe(true);
    expect(passes('/a\\/b/', { text: 'a/b', lower: 'a/b' })).toBe(true);
  });
  test('keep no state between rows', () => {
    const query = parseQuery('/verify/g');
    expect([query.test(row()), query.test(row()), query.test(row())]).toEqual([true, true, true]);
  });
  test('a broken one is an error and hides nothing', () => {
    const query = parseQuery('/(/');
    expect(query.error).toEqual({ term: '/(/', reason: 'expression', possible: [] });
    expect(query.test(row())).toBe(true);
  });
  test('one that may never end is an error, and not run', () => {
    const query = parseQuery('/(a+)+$/ verify');
    expect(query.error).toEqual({ term: '/(a+)+$/', reason: 'endless', possible: [] });
    expect(query.mark?.source).toBe('verify');
    expect(query.test(row({ text: `${'a'.repeat(60)}! verify`, lower: `${'a'.repeat(60)}! verify` }))).toBe(true);
    expect(parseQuery('-/(\\w|\\d)*x/i').error?.reason).toBe('endless');
    expect(parseQuery('/verif(y|ied)+/').error).toBeNull();
  });
  test('a path is words, not an expression with flags nobody knows', () => {
    const path = { text: 'POST /api/chat', lower: 'post /api/chat' };
    expect(parseQuery('/api/chat').error).toBeNull();
    expect(passes('/api/chat', path)).toBe(true);
    expect(passes('/api/chat')).toBe(false);
  });
  test.each(['/verif(y', '-/verif', '/verify/iq', 'text:/verif'])('%s may be meant as one: looked for as text, and in doubt', (source) => {
    const query = parseQuery(source);
    expect(query.error).toBeNull();
    expect(query.doubt).toEqual({ term: source, reason: 'expression', possible: [] });
  });
});

describe('fields', () => {
  test('look in one place only', () => {
    expect(passes('type:reasoning')).toBe(true);
    expect(passes('type:migration')).toBe(false);
    expect(passes('voice:reasoning standing:prov')).toBe(true);
    expect(passes('-voice:reasoning')).toBe(false);
    expect(passes('id:msg-1')).toBe(true);
    expect(passes('text:"verify the"')).toBe(true);
    expect(passes('type:/delta$/')).toBe(true);
  });
  test('compare numbers', () => {
    expect(passes('size:>280')).toBe(true);
    expect(passes('size:<=280')).toBe(false);
    expect(passes('gap:38')).toBe(true);
    expect(parseQuery('size:big').error).toEqual({ term: 'size:big', reason: 'number', possible: [] });
  });
  test.each([
    ['voice', 'nobody', LANES],
    ['standing', 'withdrawn', STANDINGS],
  ] as const)('%s: has few values; none of them is %s, which is an error that names them and hides nothing', (field, value, possible) => {
    for (const source of [`${field}:${value}`, `-${field}:"${value}"`]) {
      const query = parseQuery(source);
      expect(query.error).toEqual({ term: source, reason: 'value', possible });
      expect(query.test(row())).toBe(true);
    }
    for (const known of possible) expect(parseQuery(`${field}:${known.slice(0, 4).toUpperCase()}`).error).toBeNull();
  });
  test('a field that is still without a value hides nothing', () => {
    expect(parseQuery('voice:').empty).toBe(true);
    expect(passes('verify TYPE:')).toBe(true);
  });
  test('an unknown one is looked for as text, and in doubt', () => {
    const query = parseQuery('verify foo:bar');
    expect(query.error).toBeNull();
    expect(query.doubt).toEqual({ term: 'foo:bar', reason: 'field', possible: FIELDS });
    expect(passes('foo:bar', { lower: 'a foo:bar', text: 'a foo:bar' })).toBe(true);
    expect(parseQuery('https://ops.example "foo:bar" 10:30').doubt).toBeNull();
  });
  test('an unknown one before an expression is an error', () => {
    expect(parseQuery('note:/x/').error?.reason).toBe('field');
  });
});

test('marks what was found, as text', () => {
  const { mark } = parseQuery('verify /mig\\w+/ -hidden');
  expect(markText('I should verify the migration.', mark).filter((piece) => piece.hit)).toEqual([
    { text: 'verify', hit: true },
    { text: 'migration', hit: true },
  ]);
  expect(markText('nothing here', mark)).toEqual([{ text: 'nothing here', hit: false }]);
  expect(markText('', mark)).toEqual([{ text: '', hit: false }]);
});
test('an expression that matches the empty text marks nothing and ends', () => {
  expect(markText('abc', parseQuery('/x*/').mark)).toEqual([{ text: 'abc', hit: false }]);
});
