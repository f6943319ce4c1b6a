/**
 * The rows of the event table as they stand: an index per scope, kept while its feed is shown, brought up to date whenever
 * the feed, the scope or the filter moves. Filtering goes on in slices until it is done; the rows found so far are there.
 */
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { AgentEvent, Flow } from '../../core/model';
import type { Feed, Scheduler } from '../feed';
import type { Sort } from '../order';
import type { Between, RowFilter } from '../row';
import { createRows, type Rows } from '../rows';
import { type Scope, scopeKey } from '../scope';
import { frameEvents } from './stream-events';

const FILTER_SLICE_MS = 5;
/** What is drawn while more is on its way is drawn no more often than this: a drawing is dearer than a slice. */
const TELL_MS = 100;

/** The one index that is cut at a stretch of time; the next stretch takes its place. */
const CUT = '|';

interface Index {
  readonly rows: Rows;
  readonly of: string;
  readonly cut: Between | null;
  filter: RowFilter | null;
}

export interface Table {
  /** The rows of the scope shown; read `version` first. */
  rows(): Rows;
  /** Of everything in a scope, whatever stretch of it is shown. */
  rowsOf(scope: Scope, fold: boolean): Rows;
  /** Bumped when rows may have changed. */
  readonly version: ReadonlySignal<number> & { value: number };
  /** The filter has not looked at everything yet. */
  readonly filtering: ReadonlySignal<boolean>;
}

export const createTable = (
  scheduler: Scheduler,
  of: {
    readonly feed: ReadonlySignal<Feed>;
    readonly scope: ReadonlySignal<Scope>;
    readonly fold: ReadonlySignal<boolean>;
    readonly filter: ReadonlySignal<RowFilter | null>;
    /** The stretch of time that is left, as in the filter: folds end at its ends. */
    readonly between: ReadonlySignal<Between | null>;
    readonly sort: ReadonlySignal<Sort>;
    readonly revision: ReadonlySignal<number>;
  },
): Table => {
  let indexes = new Map<string, Index>();
  let indexedFeed: Feed | null = null;

  const indexOf = (scope: Scope, fold: boolean, between: Between | null): Index => {
    const feed = of.feed.peek();
    if (indexedFeed !== feed) {
      indexedFeed = feed;
      indexes = new Map();
    }
    const whole = `${scopeKey(scope)}|${fold}`;
    // Without folds there is nothing to cut.
    const cut = fold ? between : null;
    const key = cut === null ? whole : CUT;
    const known = indexes.get(key);
    if (known && (cut === null || (known.of === whole && known.cut === cut))) return known;
    const { session } = feed;
    const source = {
      get events() {
        if (scope.kind === 'all') return session.events;
        return scope.kind === 'run' ? session.eventsOf(scope.run) : frameEvents(session, scope.flow);
      },
      flows: (): readonly Flow[] => {
        if (scope.kind === 'all') return [...session.flows.values()].filter((flow) => flow.dialect !== null);
        const ids = scope.kind === 'flow' ? [scope.flow] : (session.run(scope.run)?.attempts.flatMap((attempt) => attempt.flows) ?? []);
        return ids.flatMap((id) => session.flows.get(id) ?? []);
      },
      runOf: (event: AgentEvent) => session.runOf(event),
      sizeOf: (event: AgentEvent) => session.frameChars(event.flow, event.frame),
      timeOf: feed.timeOfFlow,
    };
    const made: Index = { rows: createRows(source, fold, cut), of: whole, cut, filter: null };
    indexes.set(key, made);
    return made;
  };

  const version = signal(0);
  const filtering = signal(false);
  const current = computed(() => {
    of.feed.value;
    return indexOf(of.scope.value, of.fold.value, of.between.value);
  });
  let scheduled = false;
  /** When rows were last said to have changed. */
  let toldAt = 0;
  /** `further`: nothing else is wanted than the time before. */
  const work = (further: boolean): void => {
    const index = current.peek();
    const wanted = of.filter.peek();
    const until = scheduler.now() + FILTER_SLICE_MS;
    const overdue = (): boolean => scheduler.now() >= until;
    index.rows.setSort(of.sort.peek());
    const grown = index.rows.grow(overdue);
    if (index.filter !== wanted) {
      index.filter = wanted;
      index.rows.setFilter(wanted);
    }
    const settled = index.rows.settleFilter(overdue);
    const done = grown && settled;
    const now = scheduler.now();
    if (done || !further || now - toldAt >= TELL_MS) {
      toldAt = now;
      batch(() => {
        filtering.value = !done && wanted !== null;
        version.value++;
      });
    }
    if (done || scheduled) return;
    scheduled = true;
    scheduler.yield(() => {
      scheduled = false;
      work(true);
    });
  };
  effect(() => {
    of.revision.value;
    current.value;
    of.filter.value;
    of.sort.value;
    untracked(() => work(false));
  });

  return { rows: () => current.peek().rows, rowsOf: (scope, fold) => indexOf(scope, fold, null).rows, version, filtering };
};
