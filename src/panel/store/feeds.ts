/**
 * Which feed is shown: the inspected tab's, or a file or sample in front of it, behind which the tab's goes on. When the tab's starts over,
 * and what stays then.
 */
import { batch, type Signal, signal } from '@preact/signals';
import type { Dialect } from '../../core/dialects/dialect';
import { type Entry, isSighting } from '../../core/engine';
import type { FlowId, SourceDocument } from '../../core/model';
import type { Stock } from '../dialects';
import { createFeed, type Feed, type Scheduler, type Unnumbered } from '../feed';
import { openFlows } from '../hold';
import type { Settings } from '../settings';

/** `forget`: called where another feed is shown, since what was chosen in the one before is no more. */
export const createFeeds = (scheduler: Scheduler, settings: Settings, stock: Stock, mapped: readonly Dialect[], forget: () => void) => {
  let readers = { mapped, stock };
  const newFeed = (kind: Feed['kind'], name: string): Feed => createFeed(kind, name, scheduler, readers);
  const liveFeed: Signal<Feed> = signal(newFeed('live', ''));
  const live = (): Feed => liveFeed.peek();
  const feed: Signal<Feed> = signal(live());
  const aliveDocuments = new Map<string, SourceDocument>();
  /** Documents that have said goodbye at least once. */
  const departed = new Set<string>();

  const show = (next: Feed): void =>
    batch(() => {
      forget();
      feed.value = next;
    });

  /** A fresh live feed that keeps these flows, those that only begin, and what was seen on their pages; null: nothing. */
  const restart = (flows: ReadonlySet<FlowId> | null): void => {
    const old = live();
    const fresh = newFeed('live', '');
    liveFeed.value = fresh;
    for (const document of aliveDocuments.values()) fresh.document(document);
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
      fresh.push(old.session.entries.filter(stays));
      old.handOver(fresh, (entry) => stays(entry as Entry));
    }
    if (feed.peek() === old) show(fresh);
  };

  return {
    feed,
    liveFeed,
    live,
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
      const wasLive = shown === live();
      liveFeed.value = again(live());
      show(wasLive ? live() : again(shown));
    },
    /** Shows a file or the sample; the live feed goes on behind it. */
    open: show,
    backToLive(): void {
      show(live());
    },
    clear(): void {
      if (feed.peek() === live()) restart(openFlows(live().session));
      else show(live());
    },
    /** Lets go of all that was captured of the inspected tab but these flows. */
    letGo: (but: ReadonlySet<FlowId>): void => restart(but),
    /**
     * A document of the inspected tab made itself known. A new page starts over unless the log is to be preserved. True: it
     * is new to what is shown, so whatever it has is wanted from its beginning (a page out of the back/forward cache).
     */
    liveDocument(document: SourceDocument): boolean {
      const shown = live().session.documents.has(document.key);
      const known = shown || aliveDocuments.has(document.key);
      aliveDocuments.set(document.key, document);
      if (document.topLevel && !known && !settings.preserve.peek() && live().session.documents.size > 0) {
        // A page that comes back is older than the one whose place it takes: only what comes back with it is its own.
        const back = departed.has(document.key);
        for (const [key, { timeOrigin }] of [...aliveDocuments])
          if (key !== document.key && (back ? !departed.has(key) : timeOrigin < document.timeOrigin)) aliveDocuments.delete(key);
        restart(null);
      } else live().document(document);
      return !shown;
    },
    /** The tab is at a page that nobody watches, since then: what was before it is gone, said or unsaid. */
    liveNowhere(timeOrigin: number): void {
      for (const [key, each] of [...aliveDocuments]) if (each.timeOrigin < timeOrigin) aliveDocuments.delete(key);
      const left = [...live().session.documents.keys()].some((key) => !aliveDocuments.has(key));
      if (left && !settings.preserve.peek()) restart(null);
    },
    liveBye(document: string): void {
      departed.add(document);
      aliveDocuments.delete(document);
    },
    liveEntries(entries: readonly Unnumbered[]): void {
      live().push(entries);
    },
  };
};
