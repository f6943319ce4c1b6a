import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Run } from './model';
import { around, type Bounds, type By, createOverlap, EVER } from './overlap';

type Point = { readonly opened: number; readonly at: number; readonly settled: number | null };
const runOf = ({ opened, at, settled }: Point): Run =>
  ({ openedSeq: opened, openedAt: at, settlement: settled === null ? null : { seq: settled, at: settled * 10 } }) as unknown as Run;

const within = (bounds: Bounds, run: Run): boolean => {
  const seq = run.settlement?.seq ?? Number.POSITIVE_INFINITY;
  const at = run.settlement?.at ?? Number.POSITIVE_INFINITY;
  return (
    run.openedSeq > (bounds.openedAfter ?? -1) &&
    run.openedSeq < (bounds.openedBefore ?? Number.POSITIVE_INFINITY) &&
    run.openedAt >= (bounds.openedFrom ?? -1) &&
    run.openedAt <= (bounds.openedUntil ?? Number.POSITIVE_INFINITY) &&
    seq > (bounds.settledAfter ?? -1) &&
    (bounds.settledBefore === undefined || seq < bounds.settledBefore) &&
    at >= (bounds.settledFrom ?? -1) &&
    at <= (bounds.settledUntil ?? Number.POSITIVE_INFINITY)
  );
};

const number = fc.integer({ min: 0, max: 60 });
const point: fc.Arbitrary<Point> = fc.record({ opened: number, at: fc.integer({ min: 0, max: 600 }), settled: fc.option(number) });
const bounds: fc.Arbitrary<Bounds> = fc.record(
  {
    openedAfter: number,
    openedBefore: number,
    settledAfter: fc.oneof(number, fc.constant(EVER)),
    settledBefore: number,
    openedFrom: fc.integer({ min: 0, max: 600 }),
    openedUntil: fc.integer({ min: 0, max: 600 }),
    settledFrom: fc.integer({ min: 0, max: 600 }),
    settledUntil: fc.integer({ min: 0, max: 600 }),
  },
  { requiredKeys: [] },
);

test('says of any runs what going through all of them says, as they come, change and go', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(point, { maxLength: 150 }), { minLength: 1, maxLength: 4 }),
      fc.array(bounds, { maxLength: 6 }),
      fc.nat(),
      (lists, questions, which) => {
        const overlap = createOverlap<{ readonly run: Run }>();
        for (const list of lists) {
          const items = list.map((each) => ({ run: runOf(each) }));
          for (const [at, item] of items.entries()) overlap.set(at, item);
          overlap.cut(items.length);
          const runs = items.map(({ run }) => run);
          expect(overlap.items.map(({ run }) => run)).toEqual(runs);
          for (const question of questions) {
            const found = runs.filter((run) => within(question, run));
            expect(overlap.first(question)?.run).toBe(found[0]);
            const odd = (run: Run): boolean => run.openedAt % 2 === 1;
            expect(overlap.first(question, ({ run }) => odd(run))?.run).toBe(found.find(odd));
            const self = runs[which % Math.max(1, runs.length)];
            if (self !== undefined) {
              expect(overlap.but(self).some(question)).toBe(found.some((run) => run !== self));
              expect(overlap.but(self).some(question, odd)).toBe(found.some((run) => run !== self && odd(run)));
            }
            for (const by of ['opened', 'settled'] satisfies By[]) {
              const of = (run: Run): number => (by === 'opened' ? run.openedSeq : (run.settlement?.seq ?? Number.POSITIVE_INFINITY));
              const last = overlap.last(question, by)?.run;
              expect(last === undefined ? undefined : of(last)).toBe(found.length === 0 ? undefined : Math.max(...found.map(of)));
              if (last !== undefined) expect(found).toContain(last);
            }
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a settlement that came, or was taken back, counts once the run is set anew', () => {
  const overlap = createOverlap<{ readonly run: Run }>();
  const runs = Array.from({ length: 40 }, (_, at) => ({ run: runOf({ opened: at, at, settled: null }) }));
  for (const [at, item] of runs.entries()) overlap.set(at, item);
  expect(overlap.first({ settledBefore: 100 })).toBeUndefined();
  Object.assign(runs[30]!.run, { settlement: { seq: 50, at: 5 } });
  overlap.set(30, runs[30]!);
  expect(overlap.first({ settledBefore: 100 })).toBe(runs[30]);
  Object.assign(runs[30]!.run, { settlement: null });
  overlap.set(30, runs[30]!);
  expect(overlap.first({ settledBefore: 100 })).toBeUndefined();
  expect(overlap.but(runs[0]!.run).some({ openedAfter: -1, openedBefore: 1 })).toBe(false);
});

test('around a time is a little wider than asked for', () => {
  expect(around('opened', 100, 50)).toEqual({ openedFrom: 49, openedUntil: 151 });
  expect(around('settled', 0, 1)).toEqual({ settledFrom: -2, settledUntil: 2 });
});
