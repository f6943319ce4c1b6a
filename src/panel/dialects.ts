/**
 * The dialects of this panel: each is loaded when the first stream comes that could be its, and stays. One stock for all
 * feeds; a feed waits with a stream until what could read it is here, so nobody else can tell that they were not.
 */
import type { Dialect } from '../core/dialects/dialect';
import { ON_DEMAND, type OnDemand } from '../core/dialects/on-demand';

export interface Stock {
  readonly listed: readonly OnDemand[];
  /** Those that are here, in order of precedence. The same array until one more is. */
  here(): readonly Dialect[];
  get(id: string): Dialect | null;
  complete(): boolean;
  /** Resolves once they are here. Rejects if one cannot be loaded; asked again, it is tried again. */
  bring(wanted: readonly OnDemand[]): Promise<void>;
}

/** `already`: those that need no loading. */
export const createStock = (listed: readonly OnDemand[] = ON_DEMAND, already: readonly Dialect[] = []): Stock => {
  const loaded = new Map(already.map((dialect) => [dialect.id, dialect]));
  const loading = new Map<string, Promise<void>>();
  let ordered: readonly Dialect[] | null = null;

  const bringOne = (one: OnDemand): Promise<void> => {
    if (loaded.has(one.id)) return Promise.resolve();
    const under = loading.get(one.id);
    if (under !== undefined) return under;
    const load = async (): Promise<void> => {
      try {
        loaded.set(one.id, await one.load());
        ordered = null;
      } finally {
        loading.delete(one.id);
      }
    };
    const coming = load();
    loading.set(one.id, coming);
    return coming;
  };

  return {
    listed,
    here() {
      ordered ??= listed.flatMap(({ id }) => loaded.get(id) ?? []);
      return ordered;
    },
    get: (id) => loaded.get(id) ?? null,
    complete: () => loaded.size >= listed.length,
    async bring(wanted) {
      await Promise.all(wanted.map(bringOne));
    },
  };
};

/** What one feed reads with: the reader's own mappings first. */
export interface Readers {
  readonly mapped: readonly Dialect[];
  readonly stock: Stock;
}
