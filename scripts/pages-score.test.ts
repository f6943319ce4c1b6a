/** How labels and findings come to precision and recall, and what is wrong with a labels file in words. */
import { describe, expect, it } from 'vitest';
import { readLabels, scoreCase, shortcomings, TARGET, total } from '../e2e/pages/score';

const ids = new Set(['severed-stream', 'final-never-settled', 'busy-after-settle']);
const label = { true: ['severed-stream', 'final-never-settled'], seen: 'Half a text.', allowed: { 'busy-after-settle': 'arguable' } };

describe('the score of a case', () => {
  it('counts what was told rightly, what was missed, and what is not true', () => {
    const score = scoreCase('page', 'case', { true: ['severed-stream', 'final-never-settled'], seen: 'x' }, [
      'severed-stream',
      'busy-after-settle',
    ]);
    expect(score).toMatchObject({
      right: ['severed-stream'],
      missed: ['final-never-settled'],
      falseAlarms: ['busy-after-settle'],
      honest: false,
    });
  });
  it('counts what is arguable neither way, told or not', () => {
    for (const told of [label.true, [...label.true, 'busy-after-settle']])
      expect(scoreCase('page', 'case', label, told)).toMatchObject({ missed: [], falseAlarms: [] });
  });
  it('counts a finding told of two runs once', () => {
    expect(scoreCase('page', 'case', label, [...label.true, ...label.true]).right).toHaveLength(2);
  });
});

describe('the score of all', () => {
  const honest = scoreCase('page', 'honest', { true: [], seen: 'x' }, []);
  const good = scoreCase('page', 'good', label, label.true);
  const bad = scoreCase('page', 'bad', label, ['severed-stream', 'x']);

  it('is a share of what was told, and of what is true', () => {
    expect(total([honest, good, bad])).toMatchObject({
      cases: 3,
      honest: 1,
      labelled: 4,
      right: 3,
      missed: 1,
      falseAlarms: 1,
      precision: 0.75,
      recall: 0.75,
    });
    expect(total([honest])).toMatchObject({ precision: 1, recall: 1 });
  });
  it('says what is below the target', () => {
    const enough = total([...Array<typeof honest>(TARGET.honest).fill(honest), ...Array<typeof good>(TARGET.cases).fill(good)]);
    expect(shortcomings(enough)).toEqual([]);
    expect(shortcomings(total([honest, bad]))).toHaveLength(4);
  });
});

describe('a labels file', () => {
  const read = (value: unknown): unknown => readLabels('page', typeof value === 'string' ? value : JSON.stringify(value), ids, ['case']);
  it('is read', () => {
    expect(read({ case: label })).toEqual({ case: label });
  });
  it.each([
    ['no JSON', '{', /labels.json: not JSON/u],
    ['no object', [], /wanted an object/u],
    ['an unknown case', { other: label }, /no case "other"; it has case/u],
    ['no list', { case: { seen: 'x' } }, /"case" has no list "true"/u],
    ['no sentence', { case: { true: [] } }, /does not say what one sees/u],
    ['an unknown finding', { case: { true: ['none'], seen: 'x' } }, /names "none"/u],
    ['an unknown allowance', { case: { true: [], seen: 'x', allowed: { none: 'x' } } }, /names "none"/u],
  ])('with %s is refused in words', (_name, value, words) => {
    expect(() => read(value)).toThrow(words);
  });
});
