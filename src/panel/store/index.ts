/**
 * What the panel knows and what the reader has chosen: feeds, selection, filter. Views read signals and computed values
 * from here and call its verbs; nothing else holds state that outlives a view.
 *
 * The session stays the one source of truth: everything computed here is read from it anew when `revision` moves.
 */
import { batch, computed, signal } from '@preact/signals';
import type { Dialect } from '../../core/dialects/dialect';
import type { Session } from '../../core/engine';
import type { Flow, Run } from '../../core/model';
import type { Stock } from '../dialects';
import type { Scheduler } from '../feed';
import { originOf } from '../format';
import type { Settings } from '../settings';
import { createFeeds } from './feeds';
import { createFilter } from './filter';
import { createFindings } from './findings';
import { createMatches } from './matches';
import { createNavigation } from './navigation';
import { createRunIndex } from './run-index';
import { createSelection } from './selection';
import { createTable } from './table';

export type { Selected, Tab } from './selection';

/** Why there may be nothing to see, as far as the shell knows. */
export interface LinkView {
  /**
   * `none`: an ordinary page, no tab behind it. `blocked`: the site is not switched on. `late`: the page was there before
   * the extension. `restricted`: a page that no extension may read. `revoked`: the site's permission was taken back.
   */
  readonly state: 'none' | 'connecting' | 'connected' | 'waiting' | 'gone' | 'blocked' | 'late' | 'restricted' | 'revoked';
  readonly url: string;
  readonly held: number;
  readonly bound: number;
  readonly lost: number;
  readonly rejected: number;
  /** Times the link was lost and found again. */
  readonly reconnects: number;
}

const NO_LINK: LinkView = { state: 'none', url: '', held: 0, bound: 0, lost: 0, rejected: 0, reconnects: 0 };

/** `mapped`: the reader's own dialects, in front of those of the stock. */
export const createStore = (scheduler: Scheduler, settings: Settings, stock: Stock, mapped: readonly Dialect[] = []) => {
  const feeds = createFeeds(scheduler, settings, stock, mapped, () => {
    forget();
    setStretch(null);
  });
  const { feed } = feeds;
  const link = signal<LinkView>(NO_LINK);
  const capturing = signal(true);
  const announcement = signal('');

  /** For all but the table, which moves with every frame. */
  const revision = computed(() => feed.value.calm.value);
  const tableRevision = computed(() => feed.value.revision.value);
  const runs = computed<readonly Run[]>(() => {
    revision.value;
    return [...feed.value.session.runs];
  });
  /** Streams that carry frames and are known to no dialect. */
  const strangers = computed<readonly Flow[]>(() => {
    revision.value;
    const found: Flow[] = [];
    for (const flow of feed.value.session.flows.values()) if (flow.dialect === null && flow.frames > 0) found.push(flow);
    return found;
  });

  const { forget, ...selection } = createSelection(feed, revision, runs, strangers);
  const { scope, scopeId } = selection;
  const found = createFindings(feed, feeds.liveFeed, settings);
  const pageOrigin = computed(() => originOf(link.value.url));
  const outlining = computed(() => pageOrigin.value !== '' && settings.outlined.value.includes(pageOrigin.value));

  const { query, stretch, everywhere, shown: filter, setStretch } = createFilter({ settings, findings: found.findings, scopeId });
  const table = createTable(scheduler, {
    feed,
    scope,
    fold: settings.fold,
    filter,
    between: stretch,
    sort: settings.sort,
    revision: tableRevision,
  });
  const matches = createMatches(scheduler, {
    runs,
    revision,
    filter: everywhere,
    query,
    rowsOf: (key) => table.rowsOf({ kind: 'run', run: key }, true),
  });

  return {
    settings,
    link,
    capturing,
    revision,
    runs,
    ...createRunIndex(runs),
    strangers,
    ...feeds,
    ...selection,
    ...found,
    ...createNavigation(feed, settings, selection, table),
    /** Regions are to be outlined on the inspected page. */
    outlining,
    query,
    filter,
    stretch,
    filtering: table.filtering,
    rowsVersion: table.version,
    matches,
    announcement,
    /** The rows of the table as it stands; read `rowsVersion` first. */
    rows: table.rows,
    session: (): Session => feed.value.session,
    setStretch,
    resetFilter(): void {
      batch(() => {
        setStretch(null);
        settings.query.value = '';
        settings.hiddenLanes.value = [];
        settings.hiddenStandings.value = [];
        settings.findingsOnly.value = false;
      });
    },
    /** Outlines on pages of the inspected origin, now and when they come back. */
    outline(on: boolean): void {
      const origin = pageOrigin.peek();
      if (origin === '') return;
      const rest = settings.outlined.peek().filter((each) => each !== origin);
      settings.outlined.value = on ? [...rest, origin] : rest;
    },
  };
};

export type Store = ReturnType<typeof createStore>;
