/**
 * How many events of each run pass the filter, so that a search is always a search of all runs: the list says where else
 * there are hits. Counted run by run in what time is left over, and only while something is searched for.
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Run } from '../../core/model';
import type { Scheduler } from '../feed';
import type { Query } from '../query';
import type { RowFilter } from '../row';
import type { Rows } from '../rows';

const SLICE_MS = 4;
/** A running stream is counted again this often. */
const AGAIN_MS = 400;

interface Sources {
  readonly runs: ReadonlySignal<readonly Run[]>;
  readonly revision: ReadonlySignal<number>;
  readonly filter: ReadonlySignal<RowFilter | null>;
  readonly query: ReadonlySignal<Query>;
  rowsOf(run: string): Rows;
}

/** Events passing by run key; null while nothing is searched for. */
export const createMatches = (scheduler: Scheduler, sources: Sources): ReadonlySignal<ReadonlyMap<string, number> | null> => {
  const result = signal<ReadonlyMap<string, number> | null>(null);
  let round = 0;
  let waiting = false;

  const count = (mine: number, filter: RowFilter): void => {
    const todo = [...sources.runs.peek()];
    const counts = new Map<string, number>();
    const step = (): void => {
      if (mine !== round) return;
      const until = scheduler.now() + SLICE_MS;
      while (todo.length > 0) {
        const { key } = todo[0]!;
        const rows = sources.rowsOf(key);
        const overdue = (): boolean => scheduler.now() >= until;
        if (!rows.grow(overdue)) break;
        const counted = rows.countPassing(filter, overdue);
        if (counted === null) break;
        counts.set(key, counted);
        todo.shift();
        if (scheduler.now() >= until) break;
      }
      if (todo.length > 0) scheduler.yield(step);
      else result.value = counts;
    };
    scheduler.yield(step);
  };

  effect(() => {
    const filter = sources.filter.value;
    const searching = !sources.query.value.empty && filter !== null;
    round++;
    if (searching) count(round, filter);
    else result.value = null;
  });
  effect(() => {
    sources.revision.value;
    if (waiting || result.peek() === null) return;
    waiting = true;
    scheduler.later(() => {
      waiting = false;
      const filter = sources.filter.peek();
      if (filter !== null && !sources.query.peek().empty) count(++round, filter);
    }, AGAIN_MS);
  });
  return result;
};
