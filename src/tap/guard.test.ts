import { expect, test } from 'vitest';
import { createGuard } from './guard';

test('a fault is counted and goes no further; after three the transport is quiet, and each of the three was told', () => {
  let told = 0;
  const guard = createGuard(() => told++);
  const fail = (): never => {
    throw new Error('ours');
  };
  expect(guard(() => 7)).toBe(7);
  expect(guard(fail)).toBeUndefined();
  expect(guard(fail)).toBeUndefined();
  expect(guard.quiet()).toBe(false);
  expect(guard(fail)).toBeUndefined();
  expect(guard.quiet()).toBe(true);
  expect(guard(fail)).toBeUndefined();
  expect(guard(() => 8)).toBe(8);
  expect(told).toBe(3);
});
