/** The list of runs as rows one under the other, and which of them are in view. Pure. */
import type { Attempt, Flow, Run } from '../../core/model';

/** Its level, and its place among those of one parent, which is told since not all of them are drawn. */
interface Placed {
  readonly key: string;
  readonly depth: number;
  place: number;
  siblings: number;
}
export type Item =
  | (Placed & { readonly kind: 'all' })
  | (Placed & { readonly kind: 'run'; readonly run: Run; readonly ordinal: number; readonly inside: boolean; readonly open: boolean })
  | (Placed & { readonly kind: 'attempt'; readonly run: Run; readonly attempt: Attempt })
  | (Placed & { readonly kind: 'flow'; readonly flow: Flow });
export type Kind = Item['kind'];

const itemsOf = (runs: readonly Run[], strangers: readonly Flow[], closed: ReadonlySet<string>): readonly Item[] => {
  const children = new Map<string, Run[]>();
  const ordinals = new Map(runs.map((run, index) => [run.key, index + 1]));
  for (const run of runs) {
    if (run.parent === null) continue;
    const list = children.get(run.parent);
    if (list) list.push(run);
    else children.set(run.parent, [run]);
  }
  const items: Item[] = [];
  const group = (begin: (put: (item: Item) => void) => void): void => {
    const members: Item[] = [];
    begin((item) => {
      item.place = members.push(item);
      items.push(item);
    });
    for (const member of members) member.siblings = members.length;
  };
  const draw = (run: Run, depth: number, put: (item: Item) => void): void => {
    const nested = children.get(run.key) ?? [];
    const many = run.attempts.length > 1;
    const inside = nested.length > 0 || many;
    const open = !closed.has(run.key);
    put({ kind: 'run', key: `run ${run.key}`, depth, place: 0, siblings: 0, run, ordinal: ordinals.get(run.key)!, inside, open });
    if (!inside || !open) return;
    group((within) => {
      if (many)
        for (const attempt of run.attempts)
          within({ kind: 'attempt', key: `attempt ${attempt.key}`, depth: depth + 1, place: 0, siblings: 0, run, attempt });
      for (const child of nested) draw(child, depth + 1, within);
    });
  };
  group((put) => {
    // From the first run on, so that the second moves nothing.
    put({ kind: 'all', key: 'all', depth: 0, place: 0, siblings: 0 });
    for (const run of runs) if (run.parent === null || !ordinals.has(run.parent)) draw(run, 0, put);
    for (const flow of strangers) put({ kind: 'flow', key: `flow ${flow.id}`, depth: 0, place: 0, siblings: 0, flow });
  });
  return items;
};

/** The rows with those of the runs from one on, each a single row. Where thousands are taken in, the rows that stand stay the same objects. */
const withMore = (items: readonly Item[], runs: readonly Run[], from: number): readonly Item[] => {
  const all = [...items];
  let place = items[0]!.siblings;
  for (const [at, run] of runs.slice(from).entries())
    all.push({
      kind: 'run',
      key: `run ${run.key}`,
      depth: 0,
      place: ++place,
      siblings: 0,
      run,
      ordinal: from + at + 1,
      inside: false,
      open: true,
    });
  for (const item of all) if (item.depth === 0) item.siblings = place;
  return all;
};

/** The rows, made anew only where runs, attempts or what is closed are others: a stream changes them seldom. */
export const createItems = () => {
  let items: readonly Item[] = [];
  let of: { runs: readonly Run[]; strangers: readonly Flow[]; closed: ReadonlySet<string> } | null = null;
  let parents: (string | null)[] = [];
  let attempts: number[] = [];
  /** None of them is inside of another. */
  let single = true;
  return (runs: readonly Run[], strangers: readonly Flow[], closed: ReadonlySet<string>): readonly Item[] => {
    const before = of;
    const stands =
      before !== null &&
      before.closed === closed &&
      before.runs.length <= runs.length &&
      before.strangers.length === strangers.length &&
      before.runs.every((run, at) => run === runs[at] && run.parent === parents[at] && run.attempts.length === attempts[at]) &&
      strangers.every((flow, at) => flow === before.strangers[at]);
    of = { runs, strangers, closed };
    if (stands && before.runs.length === runs.length) return items;
    const more = stands ? runs.slice(before.runs.length) : [];
    // A run that comes may be what one that stands is inside of, or the other way round.
    if (!stands) {
      parents = [];
      attempts = [];
      single = strangers.length === 0;
    }
    for (const { parent, attempts: each } of stands ? more : runs) {
      single &&= parent === null;
      parents.push(parent);
      attempts.push(each.length);
    }
    items =
      stands && single && more.every((run) => run.attempts.length < 2)
        ? withMore(items, runs, before.runs.length)
        : itemsOf(runs, strangers, closed);
    return items;
  };
};

/** Where each row begins; one more for the end of the last. */
export const offsetsOf = (items: readonly Item[], heights: Readonly<Record<Kind, number>>): readonly number[] => {
  const offsets = [0];
  let sum = 0;
  for (const { kind } of items) {
    sum += heights[kind];
    offsets.push(sum);
  }
  return offsets;
};

/** As many are simply drawn. */
const FEW = 80;
/** Rows drawn above and below those in view. */
const BEYOND = 6;

/** The rows to draw, ascending: those in view, a few around them, and those of `also`, wherever they are. */
export const drawnOf = (offsets: readonly number[], top: number, height: number, also: readonly number[]): readonly number[] => {
  const count = offsets.length - 1;
  if (count <= FEW) return Array.from({ length: count }, (_, at) => at);
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle + 1]! <= top) low = middle + 1;
    else high = middle;
  }
  const first = Math.max(0, Math.min(low, count - 1) - BEYOND);
  let end = low;
  while (end < count && offsets[end]! < top + height) end++;
  end = Math.min(count, end + BEYOND);
  const drawn = Array.from({ length: end - first }, (_, at) => first + at);
  const apart = [...new Set(also)].filter((at) => at >= 0 && at < count && (at < first || at >= end));
  return [...drawn, ...apart].sort((a, b) => a - b);
};
