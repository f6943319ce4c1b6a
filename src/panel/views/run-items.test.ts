import { expect, test } from 'vitest';
import type { Flow, Run } from '../../core/model';
import { createItems, drawnOf, type Item, offsetsOf } from './run-items';

const run = (key: string, parent: string | null = null, attempts = 1): Run =>
  ({ key, parent, attempts: Array.from({ length: attempts }, (_, at) => ({ key: `${key}/${at + 1}` })) }) as unknown as Run;
const flow = (id: string): Flow => ({ id }) as unknown as Flow;
const NONE = new Set<string>();
const told = (items: readonly Item[]) => items.map(({ key, depth, place, siblings }) => `${'  '.repeat(depth)}${key} ${place}/${siblings}`);

test('runs, their attempts and their children are rows, each with its place among its like', () => {
  const runs = [run('a'), run('b', null, 2), run('c', 'b'), run('d', 'gone')];
  expect(told(createItems()(runs, [flow('s')], NONE))).toEqual([
    'all 1/5',
    'run a 2/5',
    'run b 3/5',
    '  attempt b/1 1/3',
    '  attempt b/2 2/3',
    '  run c 3/3',
    'run d 4/5',
    'flow s 5/5',
  ]);
  expect(told(createItems()(runs, [], new Set(['b'])))).toEqual(['all 1/4', 'run a 2/4', 'run b 3/4', 'run d 4/4']);
});

test('the rows are made anew only where something about them is', () => {
  const items = createItems();
  const runs = [run('a'), run('b')];
  const first = items(runs, [], NONE);
  expect(items([...runs], [], NONE)).toBe(first);
  expect(items([...runs, run('c')], [], NONE)).not.toBe(first);
  const again = items(runs, [], NONE);
  (runs[0]!.attempts as unknown[]).push({ key: 'a/2' });
  expect(items(runs, [], NONE)).not.toBe(again);
  const open = items(runs, [], NONE);
  expect(items(runs, [], new Set(['a']))).not.toBe(open);
});

test('with more runs the rows that stand stay, and all are as if made anew', () => {
  const items = createItems();
  const runs = [run('a'), run('b', null, 2)];
  const first = items(runs, [], NONE);
  for (const more of [[run('c')], [run('d'), run('e', null, 2)], [run('f'), run('g', 'a')], [run('h'), run('i')]]) {
    runs.push(...more);
    expect(told(items([...runs], [], NONE))).toEqual(told(createItems()(runs, [], NONE)));
    expect(
      items([...runs], [], NONE)
        .filter((item) => item.kind === 'run')
        .map(({ ordinal }) => ordinal),
    ).toHaveLength(runs.length);
  }
  const plain = createItems();
  const few = [run('a'), run('b')];
  const before = plain(few, [], NONE);
  const after = plain([...few, run('c')], [], NONE);
  expect(after.slice(0, 3).every((item, at) => item === before[at])).toBe(true);
  expect(told(plain([...few, run('c'), run('x', 'late')], [], NONE)).at(-1)).toBe('run x 5/5');
  expect(told(plain([...few, run('c'), run('x', 'late'), run('late')], [], NONE))).toContain('  run x 1/1');
  expect(first.length).toBe(5);
});

test('of many rows those in view are drawn, a few around them, and those that are asked for', () => {
  const items = createItems()(
    Array.from({ length: 20_000 }, (_, at) => run(`r${at}`)),
    [],
    NONE,
  );
  const offsets = offsetsOf(items, { all: 30, run: 60, attempt: 30, flow: 30 });
  expect(offsets.at(-1)).toBe(30 + 20_000 * 60);
  for (const top of [0, 59, 60_000, 1_199_430, 5_000_000]) {
    const drawn = drawnOf(offsets, top, 600, [3, 19_999, -1]);
    expect(drawn.length).toBeLessThan(30);
    expect(drawn).toContain(3);
    expect(drawn).toContain(19_999);
    expect([...new Set(drawn)].sort((a, b) => a - b)).toEqual(drawn);
    // Whatever is in view is there.
    const inView = offsets.slice(0, -1).flatMap((from, at) => (offsets[at + 1]! > top && from < top + 600 ? [at] : []));
    for (const at of inView) expect(drawn).toContain(at);
  }
});

test('of few rows all are drawn, whatever is in view', () => {
  const items = createItems()([run('a'), run('b')], [], NONE);
  expect(drawnOf(offsetsOf(items, { all: 30, run: 60, attempt: 30, flow: 30 }), 0, 0, [])).toEqual([0, 1, 2]);
});
