/** What the reader looks at: the run or stream that is shown, what is selected in it, and the moment it is shown as of. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { AgentEvent, Flow, Run, Seq } from '../../core/model';
import type { Feed } from '../feed';
import type { Mark } from '../row';
import { type Scope, scopeKey } from '../scope';

export type Tab = 'run' | 'event' | 'raw' | 'shown' | 'why' | 'transcript';

export type Selected =
  | { readonly kind: 'event'; readonly event: AgentEvent; readonly index: number; readonly unit: string; readonly fold: boolean }
  | { readonly kind: 'mark'; readonly mark: Mark; readonly key: string };

export const createSelection = (
  feed: ReadonlySignal<Feed>,
  revision: ReadonlySignal<unknown>,
  runs: ReadonlySignal<readonly Run[]>,
  strangers: ReadonlySignal<readonly Flow[]>,
) => {
  /** The reader's choice; null while the newest run is followed. */
  const chosen = signal<Scope | null>(null);
  const selected = signal<Selected | null>(null);
  const selectedFinding = signal<string | null>(null);
  const asOf = signal<{ readonly time: number; readonly seq: Seq } | null>(null);
  const tab = signal<Tab>('run');
  const following = signal(true);

  const isHere = (key: string): boolean => {
    runs.value;
    return feed.value.session.run(key) !== undefined;
  };
  const scope = computed<Scope>(() => {
    const mine = chosen.value;
    if (mine !== null && (mine.kind !== 'run' || isHere(mine.run))) return mine;
    const newest = runs.value.findLast((run) => run.parent === null);
    if (newest !== undefined) return { kind: 'run', run: newest.key };
    const stranger = strangers.value.at(-1);
    return stranger === undefined ? { kind: 'all' } : { kind: 'flow', flow: stranger.id };
  });
  const scopeId = computed(() => scopeKey(scope.value));
  const run = computed<Run | null>(() => {
    const now = scope.value;
    revision.value;
    return now.kind === 'run' ? (feed.value.session.run(now.run) ?? null) : null;
  });

  /** Where the clock of the table and the timeline begins, on the feed's: with the run, or with the first of all runs. */
  const base = computed<number>(() => {
    const { timeOf } = feed.value;
    const shown = scope.value.kind === 'run' ? [run.value] : scope.value.kind === 'all' ? runs.value : [];
    let first = Number.POSITIVE_INFINITY;
    for (const each of shown) first = Math.min(first, each === null ? 0 : timeOf(each.openedSeq, each.openedAt));
    return first === Number.POSITIVE_INFINITY ? 0 : first;
  });

  return {
    chosen,
    selected,
    selectedFinding,
    asOf,
    tab,
    following,
    scope,
    scopeId,
    run,
    base,
    selectScope(next: Scope): void {
      if (scopeKey(next) === scopeId.peek() && chosen.peek() !== null) return;
      batch(() => {
        chosen.value = next;
        selected.value = null;
        asOf.value = null;
        following.value = true;
        if (tab.peek() === 'event' || tab.peek() === 'raw') tab.value = 'run';
      });
    },
    setAsOf(time: number | null, seq: Seq | null): void {
      asOf.value = time === null || seq === null ? null : { time, seq };
    },
    /** Another feed is shown: what was looked at is not in it. */
    forget(): void {
      chosen.value = null;
      selected.value = null;
      selectedFinding.value = null;
      asOf.value = null;
      following.value = true;
      tab.value = 'run';
    },
  };
};

export type Selection = Omit<ReturnType<typeof createSelection>, 'forget'>;
