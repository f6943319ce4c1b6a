import { expect, test } from 'vitest';
import { choicesAround } from './choices';

test('a list that can be read is whole', () => {
  expect(choicesAround(0, 0)).toEqual({ from: 0, to: 0 });
  expect(choicesAround(150, 200)).toEqual({ from: 0, to: 200 });
});

test('of very many there are those around one, at the ends no fewer', () => {
  expect(choicesAround(10_000, 20_000)).toEqual({ from: 9_900, to: 10_100 });
  expect(choicesAround(0, 20_000)).toEqual({ from: 0, to: 200 });
  expect(choicesAround(-1, 20_000)).toEqual({ from: 0, to: 200 });
  expect(choicesAround(19_999, 20_000)).toEqual({ from: 19_800, to: 20_000 });
});

test('going on from either end leads through all of them', () => {
  let { from, to } = choicesAround(10_000, 20_000);
  for (let steps = 0; from > 0 && steps < 1_000; steps++) {
    const next = choicesAround(from - 1, 20_000);
    expect(next.to).toBeGreaterThanOrEqual(from);
    expect(next.from).toBeLessThan(from);
    from = next.from;
  }
  for (let steps = 0; to < 20_000 && steps < 1_000; steps++) {
    const next = choicesAround(to, 20_000);
    expect(next.from).toBeLessThanOrEqual(to);
    expect(next.to).toBeGreaterThan(to);
    to = next.to;
  }
  expect([from, to]).toEqual([0, 20_000]);
});
