/** Which two runs are compared, if any. Apart from the view, whose code is loaded only when it is needed. */
import { signal } from '@preact/signals';
import type { Run } from '../../../core/model';
import type { Store } from '../../store';

export const comparing = signal<{ readonly a: string; readonly b: string } | null>(null);

/** What a run is most usefully compared with: the one before it to the same place, else the one before it, else the one after. */
const rivalOf = (store: Store, run: Run): Run | undefined => {
  const roots = store.runs.peek().filter((each) => each.parent === null || each.key === run.key);
  const at = roots.indexOf(run);
  const urlOf = (each: Run): string => store.session().flows.get(each.attempts[0]?.flows[0] ?? '')?.url ?? '';
  const before = roots.slice(0, at).reverse();
  return before.find((each) => urlOf(each) === urlOf(run)) ?? before[0] ?? roots[at + 1];
};

/** Opens the comparison of a run with `other`, or with the likeliest. False if there is nothing to compare it with. */
export const compareRun = (store: Store, key: string, other?: string): boolean => {
  const run = store.session().run(key);
  if (run === undefined) return false;
  const rival = other === undefined || other === key ? rivalOf(store, run)?.key : other;
  if (rival === undefined) return false;
  const order = store.runs.peek().map((each) => each.key);
  comparing.value = order.indexOf(rival) < order.indexOf(key) ? { a: rival, b: key } : { a: key, b: rival };
  return true;
};
