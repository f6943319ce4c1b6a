/**
 * Keeps the session of the inspected tab as it grows, while the reader wants that: new records every second or two, in
 * pieces small enough not to be noticed. Each live feed is a session of its own: clearing and navigating begin another.
 */
import { effect } from '@preact/signals';
import type { Feed } from '../feed';
import type { Store } from '../store';
import type { Archive, Kept } from './archive';

declare const __VERSION__: string;

const EVERY_MS = 1_000;
/** Records written at a time: a few milliseconds of work. */
const PIECE = 1_000;
/** Characters in a megabyte of the limit. */
export const MEGA = 1_000_000;

interface Progress {
  kept: Kept;
  /** Entries of the feed that are written. */
  written: number;
}

/** Begins to keep; the function returned ends it. `failed` is told once if the browser refuses. */
export const keepSessions = (store: Store, archive: Archive, failed: (reason: string) => void): (() => void) => {
  const known = new WeakMap<Feed, Progress>();
  let stopped = false;
  let current = store.liveFeed.peek();
  let before: Feed | null = null;

  const progressOf = (feed: Feed): Progress => {
    const mine = known.get(feed);
    if (mine !== undefined) return mine;
    // Read anew (with other mappings), it is the same session: its entries are the same objects.
    const earlier = before === null || before.session.entries[0] !== feed.session.entries[0] ? undefined : known.get(before);
    const now = Date.now();
    const progress: Progress = earlier ?? {
      kept: {
        id: crypto.randomUUID(),
        startedAt: now,
        updatedAt: now,
        url: '',
        documents: [],
        producer: { name: 'unsettled', version: __VERSION__, browser: navigator.userAgent },
        entries: 0,
        runs: 0,
        findings: 0,
        chars: 0,
        cut: false,
      },
      written: 0,
    };
    known.set(feed, progress);
    return progress;
  };

  const write = async (feed: Feed): Promise<void> => {
    const { session } = feed;
    // A page that streams nothing is not worth keeping.
    if (session.runs.length === 0) return;
    const progress = progressOf(feed);
    while (progress.written < session.entries.length && !progress.kept.cut && !stopped) {
      const piece = session.entries.slice(progress.written, progress.written + PIECE);
      const documents = [...session.documents.values()];
      const next: Kept = {
        ...progress.kept,
        updatedAt: Date.now(),
        url: (documents.find((document) => document.topLevel) ?? documents[0])?.url ?? '',
        documents,
        entries: progress.written + piece.length,
        runs: session.runs.length,
        findings: feed.findings.peek().filter((finding) => finding.verdict === 'fail').length,
      };
      const chars = await archive.add(next, piece, store.settings.historyLimit.peek() * MEGA);
      progress.kept = chars === null ? { ...progress.kept, cut: true } : { ...next, chars };
      if (chars !== null) progress.written += piece.length;
    }
  };

  // One after the other: two writers of one session would write its records twice.
  let last: Promise<void> = Promise.resolve();
  const writeSoon = (feed: Feed): Promise<void> => {
    last = last
      .then(() => (stopped ? undefined : write(feed)))
      .catch((error: unknown) => {
        stopped = true;
        failed(error instanceof Error ? error.message : String(error));
      });
    return last;
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = async (): Promise<void> => {
    await writeSoon(current);
    if (!stopped) timer = setTimeout(() => void tick(), EVERY_MS);
  };
  const end = effect(() => {
    const next = store.liveFeed.value;
    if (next === current) return;
    // What the last session had left is written before it is let go.
    before = current;
    current = next;
    void writeSoon(before);
  });
  const leaving = (): void => void writeSoon(current);
  addEventListener('pagehide', leaving);
  timer = setTimeout(() => void tick(), EVERY_MS);
  return () => {
    stopped = true;
    clearTimeout(timer);
    removeEventListener('pagehide', leaving);
    end();
  };
};
