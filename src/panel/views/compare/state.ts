/** Which two runs are compared, if any. Apart from the view, whose code is loaded only when it is needed. */
import { signal } from '@preact/signals';
import type { Run } from '../../../core/model';
import type { Feed } from '../../feed';
import type { Store } from '../../store';

/** A run, and where it is from. */
export interface Side {
  /** '' where none is chosen (yet). */
  readonly run: string;
  /** Null: what the panel shows, whatever that is. */
  readonly feed: Feed | null;
}

export const comparing = signal<{ readonly a: Side; readonly b: Side } | null>(null);
/** A second file, opened to be compared with and shown nowhere else; it stays until the comparison is closed. */
export const otherFeed = signal<Feed | null>(null);

/** The other file is still being read: which of its runs is the likeliest is not known before. */
export const otherReading = signal(false);

export const endComparison = (): void => {
  comparing.value = null;
  otherFeed.value = null;
};

export const feedOf = (store: Store, side: Side): Feed => side.feed ?? store.feed.value;

/** What a run is most usefully compared with: the one before it to the same place, else the one before it, else the one after. */
const rivalOf = (store: Store, run: Run): Run | undefined => {
  const roots = store.runs.peek().filter((each) => each.parent === null || each.key === run.key);
  const at = roots.indexOf(run);
  const urlOf = (each: Run): string => store.session().flows.get(each.attempts[0]?.flows[0] ?? '')?.url ?? '';
  const before = roots.slice(0, at).reverse();
  return before.find((each) => urlOf(each) === urlOf(run)) ?? before[0] ?? roots[at + 1];
};

/** Opens the comparison of a run with `other`, or with the likeliest; where there is none, it is still to be chosen. */
export const compareRun = (store: Store, key: string, other?: string): boolean => {
  const run = store.session().run(key);
  if (run === undefined) return false;
  const rival = other === undefined || other === key ? rivalOf(store, run)?.key : other;
  const side = (of: string): Side => ({ run: of, feed: null });
  const order = store.runs.peek().map((each) => each.key);
  if (rival === undefined) comparing.value = { a: side(key), b: side('') };
  else comparing.value = order.indexOf(rival) < order.indexOf(key) ? { a: side(rival), b: side(key) } : { a: side(key), b: side(rival) };
  return true;
};
