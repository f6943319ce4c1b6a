/**
 * What the panel knows and what the reader has chosen: feeds, selection, filter. Views read signals and computed values
 * from here and call its verbs; nothing else holds state that outlives a view.
 *
 * The session stays the one source of truth: everything computed here is read from it anew when `revision` moves.
 */
import { batch, computed, effect, type Signal, signal } from '@preact/signals';
import type { Dialect } from '../core/dialects/dialect';
import { type Entry, isSighting, type Session } from '../core/engine';
import type { AgentEvent, Finding, Flow, FlowId, Run, Seq, SourceDocument } from '../core/model';
import type { Stock } from './dialects';
import { createFeed, type Feed, type Scheduler, type Unnumbered } from './feed';
import { createFilter } from './filter';
import { originOf } from './format';
import { openFlows } from './hold';
import { createMatches } from './matches';
import { lastUpTo, nextFrom, seqAt } from './moments';
import { eventKey, type Mark, type Row } from './row';
import { createRunIndex } from './run-index';
import { type Scope, scopeKey } from './scope';
import type { Settings } from './settings';
import { frameEvents } from './stream-events';
import { createTable } from './table';

export type Tab = 'run' | 'event' | 'raw' | 'shown' | 'why' | 'transcript';

export type Selected =
  | { readonly kind: 'event'; readonly event: AgentEvent; readonly index: number; readonly unit: string; readonly fold: boolean }
  | { readonly kind: 'mark'; readonly mark: Mark; readonly key: string };

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

const NONE: readonly Finding[] = [];

/** `mapped`: the reader's own dialects, in front of those of the stock. */
export const createStore = (scheduler: Scheduler, settings: Settings, stock: Stock, mapped: readonly Dialect[] = []) => {
  let readers = { mapped, stock };
  const newFeed = (kind: Feed['kind'], name: string): Feed => createFeed(kind, name, scheduler, readers);
  let live = newFeed('live', '');
  const liveFeed: Signal<Feed> = signal(live);
  const feed: Signal<Feed> = signal(live);
  const link = signal<LinkView>(NO_LINK);
  const capturing = signal(true);
  const aliveDocuments = new Map<string, SourceDocument>();
  /** Documents that have said goodbye at least once. */
  const departed = new Set<string>();

  /** The reader's choice; null while the newest run is followed. */
  const chosen = signal<Scope | null>(null);
  const selected = signal<Selected | null>(null);
  const selectedFinding = signal<string | null>(null);
  const asOf = signal<{ readonly time: number; readonly seq: Seq } | null>(null);
  const tab = signal<Tab>('run');
  const following = signal(true);
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

  const documentOf = (of: Run): SourceDocument | undefined => {
    const { session } = feed.value;
    const flow = session.flows.get(of.attempts[0]?.flows[0] ?? '');
    return session.documents.get(flow?.document ?? '');
  };

  const originOfRun = (key: string): string => {
    const found = feed.value.session.run(key);
    const url = found === undefined ? undefined : documentOf(found)?.url;
    return originOf(url ?? '');
  };
  const isMuted = (finding: Finding): boolean =>
    settings.muted.value.length > 0 && settings.muted.value.includes(`${originOfRun(finding.run)} ${finding.rule}`);

  const findings = computed<readonly Finding[]>(() => feed.value.findings.value.filter((finding) => !isMuted(finding)));
  /** Of the inspected tab, whatever is looked at. */
  const liveFindings = computed<readonly Finding[]>(() => {
    return liveFeed.value.findings.value.filter((finding) => !isMuted(finding));
  });
  const pageOrigin = computed(() => originOf(link.value.url));
  const outlining = computed(() => pageOrigin.value !== '' && settings.outlined.value.includes(pageOrigin.value));
  const mutedFindings = computed<readonly Finding[]>(() => feed.value.findings.value.filter(isMuted));
  const findingsByRun = computed<ReadonlyMap<string, readonly Finding[]>>(() => {
    const by = new Map<string, Finding[]>();
    for (const finding of findings.value) {
      const list = by.get(finding.run);
      if (list) list.push(finding);
      else by.set(finding.run, [finding]);
    }
    return by;
  });
  const findingsOf = (key: string): readonly Finding[] => findingsByRun.value.get(key) ?? NONE;
  const failures = computed(() => findings.value.filter((finding) => finding.verdict === 'fail').length);

  const { query, stretch, everywhere, shown: filter, setStretch } = createFilter({ settings, findings, scopeId });
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

  // New findings are said once to those who cannot see them arrive.
  let announced = 0;
  const announce = signal<{ readonly count: number; readonly finding: Finding } | null>(null);
  effect(() => {
    const failing = findings.value.filter((finding) => finding.verdict === 'fail');
    if (failing.length > announced) announce.value = { count: failing.length, finding: failing.at(-1)! };
    announced = failing.length;
  });

  const forget = (): void => {
    chosen.value = null;
    selected.value = null;
    selectedFinding.value = null;
    asOf.value = null;
    setStretch(null);
    following.value = true;
  };

  const show = (next: Feed): void =>
    batch(() => {
      forget();
      tab.value = 'run';
      feed.value = next;
    });

  /** A fresh live feed that keeps these flows, those that only begin, and what was seen on their pages; null: nothing. */
  const restart = (flows: ReadonlySet<FlowId> | null): void => {
    const old = live;
    live = newFeed('live', '');
    liveFeed.value = live;
    for (const document of aliveDocuments.values()) live.document(document);
    if (flows !== null) {
      const kept = new Set(flows);
      for (const entry of old.pending() as readonly Entry[])
        if (entry.type === 'flow.opened') kept.add(entry.flow);
        else if (entry.type === 'flow.ended') kept.delete(entry.flow);
      const pages = new Set([...kept].map((id) => old.session.flows.get(id)?.document));
      const stays = (entry: Entry): boolean => {
        if (isSighting(entry)) return pages.has(entry.document);
        return 'flow' in entry && entry.flow !== null ? kept.has(entry.flow) : kept.size > 0;
      };
      live.push(old.session.entries.filter(stays));
      old.handOver(live, (entry) => stays(entry as Entry));
    }
    if (feed.peek() === old) show(live);
  };

  const scopeEvents = (): readonly AgentEvent[] => {
    const now = scope.peek();
    const { session } = feed.peek();
    return now.kind === 'all' ? session.events : now.kind === 'run' ? session.eventsOf(now.run) : frameEvents(session, now.flow);
  };
  const selectRow = (row: Row): void => {
    selected.value =
      row.unit.mark === null
        ? { kind: 'event', event: row.event!, index: row.index, unit: row.unit.key, fold: row.fold }
        : { kind: 'mark', mark: row.unit.mark, key: row.unit.key };
  };

  return {
    settings,
    feed,
    link,
    capturing,
    revision,
    runs,
    ...createRunIndex(runs),
    strangers,
    scope,
    scopeId,
    chosen,
    run,
    base,
    findings,
    mutedFindings,
    liveFindings,
    /** Regions are to be outlined on the inspected page. */
    outlining,
    failures,
    findingsOf,
    query,
    filter,
    stretch,
    filtering: table.filtering,
    rowsVersion: table.version,
    matches,
    selected,
    selectedFinding,
    asOf,
    tab,
    following,
    announce,
    announcement,
    /** The rows of the table as it stands; read `rowsVersion` first. */
    rows: table.rows,
    session: (): Session => feed.value.session,
    documentOf,
    originOfRun,
    isMuted,

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
    selectRow,
    /** Selects one event of what is shown, by its place among all events there. */
    selectIndex(index: number): void {
      const event = scopeEvents()[index];
      if (event === undefined) return;
      following.value = false;
      selected.value = { kind: 'event', event, index, unit: table.rows().unitOf(index)?.key ?? eventKey(event), fold: false };
    },
    /** Goes to an event wherever it is: its run, its row, its details. */
    revealEvent(flow: FlowId, ordinal: number): boolean {
      const { session } = feed.peek();
      const event = session.events.find((each) => each.flow === flow && each.ordinal === ordinal);
      if (event === undefined) return false;
      const owner = session.runOf(event);
      batch(() => {
        const now = scope.peek();
        if (owner !== null && (now.kind !== 'run' || now.run !== owner) && now.kind !== 'all') chosen.value = { kind: 'run', run: owner };
        following.value = false;
        const list = scope.peek().kind === 'all' ? session.events : session.eventsOf(owner ?? '');
        const index = list.indexOf(event);
        const rows = table.rows();
        rows.grow();
        selected.value = { kind: 'event', event, index, unit: rows.unitOf(index)?.key ?? eventKey(event), fold: false };
      });
      return true;
    },
    /** The row of what came with this record: the event read from it, or the last one before it. */
    revealSeq(seq: Seq): boolean {
      const event = lastUpTo(scopeEvents(), seq);
      return event !== undefined && this.revealEvent(event.flow, event.ordinal);
    },
    /** The last record at or before a time on the feed's clock. */
    seqAt: (time: number): Seq => seqAt(feed.peek(), time),
    /** Moves "as of" to the next or the previous event of what is shown. */
    stepAsOf(by: 1 | -1): void {
      const events = scopeEvents();
      if (events.length === 0) return;
      const now = asOf.peek();
      if (now === null && by > 0) return;
      const event = nextFrom(events, now === null ? null : now.seq, by);
      if (event === undefined) asOf.value = null;
      else asOf.value = { time: feed.peek().timeOfFlow(event.flow, event.at), seq: event.seq };
    },
    openFinding(finding: Finding): void {
      batch(() => {
        const now = scope.peek();
        if (now.kind !== 'run' || now.run !== finding.run) {
          chosen.value = { kind: 'run', run: finding.run };
          selected.value = null;
          asOf.value = null;
        }
        selectedFinding.value = finding.key;
        settings.detailsOpen.value = true;
        tab.value = 'why';
      });
    },
    setAsOf(time: number | null, seq: Seq | null): void {
      asOf.value = time === null || seq === null ? null : { time, seq };
    },
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
    mute(finding: Finding, on: boolean): void {
      const key = `${originOfRun(finding.run)} ${finding.rule}`;
      const rest = settings.muted.peek().filter((each) => each !== key);
      settings.muted.value = on ? [...rest, key] : rest;
    },
    /** Outlines on pages of the inspected origin, now and when they come back. */
    outline(on: boolean): void {
      const origin = pageOrigin.peek();
      if (origin === '') return;
      const rest = settings.outlined.peek().filter((each) => each !== origin);
      settings.outlined.value = on ? [...rest, origin] : rest;
    },
    unmuteAll(): void {
      settings.muted.value = [];
    },

    newFeed,
    /** All dialects that this panel reads with, loaded: for judging what may come out differently. */
    async everyDialect(): Promise<readonly Dialect[]> {
      await stock.bring(stock.listed);
      return [...readers.mapped, ...stock.here()];
    },
    /** Reads everything again with other mappings in front of the built-in dialects. */
    remap(next: readonly Dialect[]): void {
      readers = { mapped: next, stock };
      const again = (old: Feed): Feed => {
        const fresh = newFeed(old.kind, old.name);
        for (const document of old.session.documents.values()) fresh.document(document);
        fresh.replay(old.session.entries);
        old.handOver(fresh);
        return fresh;
      };
      const shown = feed.peek();
      const wasLive = shown === live;
      live = again(live);
      liveFeed.value = live;
      show(wasLive ? live : again(shown));
    },
    /** Shows a file or the sample; the live feed goes on behind it. */
    open(next: Feed): void {
      show(next);
    },
    backToLive(): void {
      show(live);
    },
    clear(): void {
      if (feed.peek() === live) restart(openFlows(live.session));
      else show(live);
    },
    /** Lets go of all that was captured of the inspected tab but these flows. */
    letGo(but: ReadonlySet<FlowId>): void {
      restart(but);
    },
    /**
     * A document of the inspected tab made itself known. A new page starts over unless the log is to be preserved. True: it
     * is new to what is shown, so whatever it has is wanted from its beginning (a page out of the back/forward cache).
     */
    liveDocument(document: SourceDocument): boolean {
      const shown = live.session.documents.has(document.key);
      const known = shown || aliveDocuments.has(document.key);
      aliveDocuments.set(document.key, document);
      if (document.topLevel && !known && !settings.preserve.peek() && live.session.documents.size > 0) {
        // A page that comes back is older than the one whose place it takes: only what comes back with it is its own.
        const back = departed.has(document.key);
        for (const [key, { timeOrigin }] of [...aliveDocuments])
          if (key !== document.key && (back ? !departed.has(key) : timeOrigin < document.timeOrigin)) aliveDocuments.delete(key);
        restart(null);
      } else live.document(document);
      return !shown;
    },
    /** The tab is at a page that nobody watches, since then: what was before it is gone, said or unsaid. */
    liveNowhere(timeOrigin: number): void {
      for (const [key, each] of [...aliveDocuments]) if (each.timeOrigin < timeOrigin) aliveDocuments.delete(key);
      const left = [...live.session.documents.keys()].some((key) => !aliveDocuments.has(key));
      if (left && !settings.preserve.peek()) restart(null);
    },
    liveBye(document: string): void {
      departed.add(document);
      aliveDocuments.delete(document);
    },
    liveEntries(entries: readonly Unnumbered[]): void {
      live.push(entries);
    },
    live: (): Feed => live,
    liveFeed,
  };
};

export type Store = ReturnType<typeof createStore>;
