/**
 * Numbers the document's entries, holds the newest of them in a bounded ring, and delivers them to whoever resumes. It can
 * lose its port at any moment and loses nothing by that: the panel says from which number on it wants to go on, and what
 * fell out of the ring is known by its number. It has no timers. After losing its port it comes back once if anybody
 * spoke to it on that port; from then on a panel that is there makes the background ask for it (`announce`), so that a page
 * that nobody looks at keeps no background awake.
 *
 *   hello ─▶  (wait)  ◀─ resume n   then   entries n… ─▶  ◀─ taken n
 */
import type { SourceDocument } from '../core/model';
import {
  LINK_VERSION,
  type OutlineMark,
  type PageMessage,
  type PanelMessage,
  type Placed,
  panelMessageSchema,
  read,
  type Unstamped,
} from '../link/messages';
import { charsOf, WINDOW_CHARS } from '../link/size';

/** The part of a runtime port that is used, so that tests and other sinks can stand in. */
export interface RelayPort {
  post(message: PageMessage): void;
  disconnect(): void;
}

export interface RelayOptions {
  readonly document: () => SourceDocument;
  /** Opens a port. Null: the extension is gone for good. Callbacks come later, never from within. */
  readonly connect: (heard: (message: unknown) => void, lost: () => void) => RelayPort | null;
  /** False once the extension was reloaded or removed. */
  readonly alive: () => boolean;
  readonly record: (on: boolean) => void;
  readonly point: (region: string | null) => void;
  readonly draw: (marks: readonly OutlineMark[] | null) => void;
  /** The port was lost: nobody says any more what to draw. */
  readonly lapse: () => void;
  readonly place: (region: string | null) => Placed;
  /** The extension is gone for good: stop everything. */
  readonly orphaned: () => void;
  /** Characters held at most. */
  readonly bound?: number;
  /** Characters a message carries at most (one entry at least). */
  readonly batch?: number;
  /** Characters under way and not acknowledged at most. */
  readonly window?: number;
}

export interface Relay {
  add(entry: Unstamped): void;
  /** Makes itself known: at the start, when asked by the background, and after the back/forward cache. */
  announce(): void;
  /** The port may be dead without a word (back/forward cache): take a new one. */
  renew(): void;
  bye(cached: boolean): void;
  readonly held: number;
}

const BOUND = 8_000_000;
const BATCH = 256_000;

export const createRelay = (options: RelayOptions): Relay => {
  const { bound = BOUND, batch = BATCH, window: windowChars = WINDOW_CHARS } = options;
  /** `until`: characters of all entries up to and including this one. */
  let ring: { readonly entry: Unstamped; readonly until: number }[] = [];
  /** Index in `ring` of the oldest entry held, whose number is `firstN`. */
  let head = 0;
  let firstN = 0;
  let nextN = 0;
  let total = 0;
  let heldFrom = 0;

  let port: RelayPort | null = null;
  let gone = false;
  /** The next number to send; null: waiting for a resume. */
  let cursor: number | null = null;
  /** Everything below this number was taken in. */
  let taken = 0;
  /** Somebody asked for us since the port was opened. */
  let asked = false;
  let recording = true;
  let scheduled = false;

  const at = (n: number) => ring[head + (n - firstN)];
  /** Characters of all entries below n. */
  const before = (n: number): number => (n <= firstN ? heldFrom : (at(n - 1)?.until ?? total));

  const post = (message: PageMessage): void => {
    try {
      port?.post(message);
    } catch {
      // The port was closed under us.
      lose();
    }
  };

  const hello = (): void => {
    cursor = null;
    post({
      link: LINK_VERSION,
      type: 'hello',
      document: options.document(),
      firstN,
      nextN,
      state: recording ? 'recording' : 'stopped',
    });
  };

  const pump = (): void => {
    scheduled = false;
    while (port !== null && cursor !== null && cursor < nextN) {
      // What the panel wants is no longer held: tell it from where on, and wait.
      if (cursor < firstN) {
        hello();
        return;
      }
      if (before(cursor) - before(taken) >= windowChars) return;
      const start = cursor;
      const from = before(start);
      const entries: Unstamped[] = [];
      let n = start;
      for (; n < nextN; n++) {
        const item = at(n)!;
        if (entries.length > 0 && item.until - from > batch) break;
        entries.push(item.entry);
      }
      cursor = n;
      post({
        link: LINK_VERSION,
        type: 'entries',
        document: options.document().key,
        n: start,
        entries,
        held: total - heldFrom,
        bound,
      });
    }
  };

  const schedule = (): void => {
    if (scheduled || port === null || cursor === null) return;
    scheduled = true;
    // After the entries that are added together, in one message.
    queueMicrotask(pump);
  };

  const lose = (): void => {
    options.lapse();
    port = null;
    cursor = null;
    const back = asked;
    asked = false;
    // After whatever is going on in here: a port can prove dead in the middle of a delivery.
    if (back || !options.alive()) queueMicrotask(open);
  };

  const hear = (value: unknown): void => {
    const message: PanelMessage | null = read(panelMessageSchema, value);
    if (message === null) return;
    if (message.document !== null && message.document !== options.document().key) return;
    asked = true;
    switch (message.type) {
      case 'who':
        hello();
        break;
      case 'resume':
        if (message.n < firstN) {
          hello();
          break;
        }
        cursor = Math.min(message.n, nextN);
        taken = cursor;
        pump();
        break;
      case 'taken':
        if (message.n >= taken && message.n < nextN) taken = message.n + 1;
        pump();
        break;
      case 'record':
        if (message.on === recording) break;
        recording = message.on;
        options.record(recording);
        hello();
        break;
      case 'point':
        options.point(message.region);
        break;
      case 'draw':
        options.draw(message.marks);
        break;
      case 'place':
        post({
          link: LINK_VERSION,
          type: 'placed',
          document: message.document,
          request: message.request,
          ...options.place(message.region),
        });
        break;
      case 'picture':
        // For the router.
        break;
    }
  };

  const open = (): void => {
    if (gone || port !== null) return;
    let mine: RelayPort | null = null;
    // Words of a port that was given up count no more.
    mine = options.connect(
      (message) => {
        if (port === mine) hear(message);
      },
      () => {
        if (port === mine) lose();
      },
    );
    if (mine === null) {
      gone = true;
      ring = [];
      options.orphaned();
      return;
    }
    port = mine;
    hello();
  };

  return {
    add(entry) {
      if (gone) return;
      total += charsOf(entry);
      ring.push({ entry, until: total });
      nextN++;
      while (total - heldFrom > bound && firstN < nextN - 1) {
        heldFrom = ring[head]!.until;
        head++;
        firstN++;
      }
      // Moving the ring's start on is cheap; giving memory back is done in big steps.
      if (head > 1_024 && head * 2 > ring.length) {
        ring = ring.slice(head);
        head = 0;
      }
      schedule();
    },
    announce() {
      asked = true;
      if (port === null) open();
    },
    renew() {
      const old = port;
      port = null;
      cursor = null;
      old?.disconnect();
      open();
    },
    bye(cached) {
      pump();
      post({ link: LINK_VERSION, type: 'bye', document: options.document().key, cached });
    },
    get held() {
      return total - heldFrom;
    },
  };
};
