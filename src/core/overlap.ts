/**
 * When each of many runs was opened and settled, so that a question about the others is answered without going through all of them.
 * A tree of bounds over the runs in order of opening: whole branches that cannot hold an answer are passed over. Runs mostly open and
 * settle in their order, so what is looked at is a handful of them, however many there are.
 */
import type { PageTime, Run, Seq } from './model';

/** What is asked for, by record: these excluded. What nothing has settled yet counts as settled after all there is. */
export interface Bounds {
  readonly openedAfter?: Seq;
  readonly openedBefore?: Seq;
  readonly settledAfter?: Seq;
  readonly settledBefore?: Seq;
  /** Times, both ends included. */
  readonly openedFrom?: PageTime;
  readonly openedUntil?: PageTime;
  readonly settledFrom?: PageTime;
  readonly settledUntil?: PageTime;
}

/** All runs of a list but one. */
export interface Others {
  /** Whether one of them is within the bounds, and `is` holds for it. */
  some(within: Bounds, is?: (other: Run) => boolean): boolean;
}

/** What each run is known by here. What is not settled has no end: its settlement is at infinity. */
const FIELDS = 4;
const OPENED_SEQ = 0;
const OPENED_AT = 1;
const SETTLED_SEQ = 2;
const SETTLED_AT = 3;
const NEVER = Number.POSITIVE_INFINITY;
/** Children of a node. */
const WIDTH = 8;

/** No record comes so late: only what nothing has settled is settled after it. */
export const EVER: Seq = Number.MAX_VALUE;

export type By = 'opened' | 'settled';

/** Within so many milliseconds of a time. A little wide, since sums of times are rounded: what is asked of each decides. */
export const around = <B extends By>(by: B, time: PageTime, ms: number) =>
  ({ [`${by}From`]: time - ms - 1, [`${by}Until`]: time + ms + 1 }) as { readonly [K in `${B}From` | `${B}Until`]: number };

const always = (): boolean => true;

/** `T`: what stands in the list for a run. */
export const createOverlap = <T extends { readonly run: Run }>() => {
  const items: T[] = [];
  /** Of each item, what it is known by, one after the other. */
  const points: number[] = [];
  /** The settlement that was last seen of each, to tell cheaply whether it is still that. */
  const settlements: Run['settlement'][] = [];
  /** From the lowest: the least and the most of each field of the children of a node. */
  const levels: number[][] = [];

  const refreshNode = (level: number, node: number): void => {
    const nodes = levels[level]!;
    const below = level === 0 ? points : levels[level - 1]!;
    const step = level === 0 ? FIELDS : 2 * FIELDS;
    const to = Math.min(below.length, (node + 1) * WIDTH * step);
    const first = node * WIDTH * step;
    for (let field = 0; field < FIELDS; field++) {
      let least = NEVER;
      let most = -NEVER;
      for (let at = first; at < to; at += step) {
        const low = below[at + (level === 0 ? field : 2 * field)]!;
        const high = level === 0 ? low : below[at + 2 * field + 1]!;
        if (low < least) least = low;
        if (high > most) most = high;
      }
      nodes[node * 2 * FIELDS + 2 * field] = least;
      nodes[node * 2 * FIELDS + 2 * field + 1] = most;
    }
  };

  const refreshAbove = (at: number): void => {
    let node = at;
    let count = items.length;
    for (let level = 0; count > 1; level++) {
      node = Math.floor(node / WIDTH);
      count = Math.ceil(count / WIDTH);
      if (levels.length === level) {
        levels.push([]);
        // A new root stands over all there was.
        for (let other = 0; other < count; other++) refreshNode(level, other);
      } else refreshNode(level, node);
    }
  };

  const set = (at: number, item: T): void => {
    const { run } = item;
    const { settlement } = run;
    if (items[at] === item && settlements[at] === settlement) return;
    items[at] = item;
    settlements[at] = settlement;
    points[at * FIELDS + OPENED_SEQ] = run.openedSeq;
    points[at * FIELDS + OPENED_AT] = run.openedAt;
    points[at * FIELDS + SETTLED_SEQ] = settlement?.seq ?? NEVER;
    points[at * FIELDS + SETTLED_AT] = settlement?.at ?? NEVER;
    refreshAbove(at);
  };

  /** Nothing from here on. */
  const cut = (length: number): void => {
    if (items.length <= length) return;
    items.length = length;
    settlements.length = length;
    points.length = length * FIELDS;
    let count = length;
    for (const nodes of levels) {
      count = Math.ceil(count / WIDTH);
      nodes.length = Math.min(nodes.length, count * 2 * FIELDS);
    }
    if (length > 0) refreshAbove(length - 1);
  };

  /** Whether anything between these could be within the bounds; a point is between itself. */
  const reaches = (within: Bounds, from: readonly number[], at: number, step: 1 | 2): boolean => {
    const high = step - 1;
    return (
      from[at + OPENED_SEQ * step + high]! > (within.openedAfter ?? -NEVER) &&
      from[at + OPENED_SEQ * step]! < (within.openedBefore ?? NEVER) &&
      from[at + OPENED_AT * step + high]! >= (within.openedFrom ?? -NEVER) &&
      from[at + OPENED_AT * step]! <= (within.openedUntil ?? NEVER) &&
      from[at + SETTLED_SEQ * step + high]! > (within.settledAfter ?? -NEVER) &&
      (within.settledBefore === undefined || from[at + SETTLED_SEQ * step]! < within.settledBefore) &&
      from[at + SETTLED_AT * step + high]! >= (within.settledFrom ?? -NEVER) &&
      from[at + SETTLED_AT * step]! <= (within.settledUntil ?? NEVER)
    );
  };

  /** The place of the first in the list for which `is` holds; -1 if there is none. `level` -1: the items themselves. */
  const firstIn = (within: Bounds, is: (item: T) => boolean, level: number, node: number): number => {
    if (level < 0) return reaches(within, points, node * FIELDS, 1) && is(items[node]!) ? node : -1;
    if (!reaches(within, levels[level]!, node * 2 * FIELDS, 2)) return -1;
    const below = level === 0 ? items.length : levels[level - 1]!.length / (2 * FIELDS);
    const to = Math.min(below, (node + 1) * WIDTH);
    for (let child = node * WIDTH; child < to; child++) {
      const found = firstIn(within, is, level - 1, child);
      if (found >= 0) return found;
    }
    return -1;
  };

  /** The place of the one that is the last by a field; -1 if there is none. `best`: one that is known to be so late. */
  const lastIn = (within: Bounds, field: number, level: number, node: number, best: number): number => {
    const most = level < 0 ? points[node * FIELDS + field]! : levels[level]![node * 2 * FIELDS + 2 * field + 1]!;
    if (best >= 0 && most <= points[best * FIELDS + field]!) return best;
    if (level < 0) return reaches(within, points, node * FIELDS, 1) ? node : best;
    if (!reaches(within, levels[level]!, node * 2 * FIELDS, 2)) return best;
    const below = level === 0 ? items.length : levels[level - 1]!.length / (2 * FIELDS);
    let found = best;
    for (let child = Math.min(below, (node + 1) * WIDTH) - 1; child >= node * WIDTH; child--)
      found = lastIn(within, field, level - 1, child, found);
    return found;
  };

  const top = (): number => {
    let count = items.length;
    let level = -1;
    while (count > 1) {
      count = Math.ceil(count / WIDTH);
      level++;
    }
    return level;
  };
  const first = (within: Bounds, is: (item: T) => boolean = always): T | undefined =>
    items.length === 0 ? undefined : items[firstIn(within, is, top(), 0)];

  return {
    /** In order of opening. */
    items: items as readonly T[],
    set,
    cut,
    /** The first in the list within the bounds for which `is` holds. */
    first,
    /** Of those within the bounds, the one that was opened, or settled, last. */
    last: (within: Bounds, by: By): T | undefined =>
      items.length === 0 ? undefined : items[lastIn(within, by === 'opened' ? OPENED_SEQ : SETTLED_SEQ, top(), 0, -1)],
    /** All but one of them. */
    but: (run: Run): Others => ({
      some: (within, is) => first(within, (item) => item.run !== run && (is === undefined || is(item.run))) !== undefined,
    }),
  };
};

export type Overlap<T extends { readonly run: Run }> = ReturnType<typeof createOverlap<T>>;
