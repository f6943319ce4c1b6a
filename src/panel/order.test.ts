import { describe, expect, test } from 'vitest';
import { createOrder, nextSort, type Sort } from './order';

describe('an order', () => {
  test('holds what is added by time, equal times by index, and lets go what is removed', () => {
    const order = createOrder();
    const times = [5, 3, 9, 3, 7, 5, 1];
    for (const [index, time] of times.entries()) order.add(index, time);
    const list = (): (number | undefined)[] => Array.from({ length: order.length }, (_, at) => order.at(at));
    const wanted = times.map((time, index) => ({ time, index })).sort((a, b) => a.time - b.time || a.index - b.index);
    expect(list()).toEqual(wanted.map(({ index }) => index));
    for (const [at, { time, index }] of wanted.entries()) expect(order.where(index, time)).toBe(at);
    order.remove(3, 3);
    expect(order.where(3, 3)).toBe(-1);
    expect(list()).toEqual(wanted.map(({ index }) => index).filter((index) => index !== 3));
    // What is not there is not taken for its neighbour.
    order.remove(3, 3);
    expect(order.length).toBe(times.length - 1);
    order.clear();
    expect(order.length).toBe(0);
    expect(order.at(0)).toBeUndefined();
  });
});

test('a press on a column sorts by it, then the other way, then as records arrived', () => {
  const presses = (by: 'sequence' | 'time', from: Sort): Sort[] => {
    const seen: Sort[] = [];
    for (let now = from, i = 0; i < 3; i++) {
      now = nextSort(now, by);
      seen.push(now);
    }
    return seen;
  };
  expect(presses('time', 'sequence')).toEqual(['time', '-time', 'sequence']);
  expect(presses('sequence', 'sequence')).toEqual(['-sequence', 'sequence', '-sequence']);
  expect(presses('sequence', '-time')).toEqual(['sequence', '-sequence', 'sequence']);
});
