/**
 * The panel's end of the link: entries of every document of one tab, each exactly once and in order, whatever happens to the
 * background between. What is lost for good is said as a `gap: relay-lost` with its count. Pure logic: the port, and a way
 * to be called later, are given.
 *
 * For the panel store: call `connectPanel` once per panel; put what comes to `onEntries` into the session in the order in
 * which it comes (stamp `seq` there); call `onDocument`'s document into `session.document`. Nothing needs to be asked for.
 */
import type { SourceDocument } from '../core/model';
import {
  entrySchema,
  LINK_VERSION,
  type OutlineMark,
  type PageMessage,
  type PanelMessage,
  type Placed,
  pageMessageSchema,
  type RouterMessage,
  read,
  routerMessageSchema,
  type Unstamped,
} from './messages';
import { ACKNOWLEDGE_CHARS, charsOf } from './size';

/** The part of a runtime port that is used here. */
export interface PanelPort {
  post(message: PanelMessage): void;
  disconnect(): void;
}

export interface LinkStatus {
  /** `waiting`: the background is away; it is being asked again. `gone`: the extension was reloaded or removed. */
  readonly state: 'connected' | 'waiting' | 'gone';
  /** Characters that the pages' rings hold, all documents together, and the bound of one ring. */
  readonly held: number;
  readonly bound: number;
  /** Messages and entries that did not have their shape and were dropped. */
  readonly rejected: number;
  /** Entries known to be lost between the page and here. */
  readonly lost: number;
}

export interface PanelLinkOptions {
  /**
   * Opens a port to the background. Null: the extension is gone for good. Both callbacks come later, never from within.
   * In the extension: `connect: openRuntimePort(() => browser.runtime.connect({ name: panelPortName(tabId) }))`.
   */
  readonly connect: (heard: (message: unknown) => void, lost: () => void) => PanelPort | null;
  readonly later: (what: () => void, ms: number) => () => void;
  /**
   * New entries of a document, oldest first; never one twice. `lost`: how many before them are lost for good; they are
   * already in `entries` as one gap record (`relay-lost`), so it is for display only.
   */
  readonly onEntries: (document: string, entries: readonly Unstamped[], lost: number) => void;
  /**
   * A document made itself known, again or for the first time. Always before its first entries. True: all of its entries are
   * wanted, also those that came before.
   */
  readonly onDocument: (document: SourceDocument, state: 'recording' | 'stopped') => boolean;
  /** A document went away, or into the back/forward cache (from which it may come back with `onDocument`). */
  readonly onBye: (document: string, cached: boolean) => void;
  readonly onStatus: (status: LinkStatus) => void;
  /** Characters after which taking in is acknowledged; must be well below the relay's window. */
  readonly acknowledge?: number;
}

export interface PanelLink {
  /** Stops or goes on recording, in all documents of the tab and in those to come. */
  record(on: boolean): void;
  /** Outlines a region on its page, or nothing. */
  point(document: string, region: string | null): void;
  /** Outlines these regions on the page and no others; null: nothing at all. */
  draw(document: string, marks: readonly OutlineMark[] | null): void;
  /** Where a region stands in the tab's window; null if nobody answers. */
  place(document: string, region: string | null): Promise<Placed | null>;
  /** A picture of what the tab shows; null if nobody answers. */
  picture(): Promise<Pick<RouterMessage, 'image' | 'why'> | null>;
  readonly status: LinkStatus;
  close(): void;
}

/** The name by which the background knows whose panel this is. */
export const panelPortName = (tabId: number): string => `panel:${tabId}`;

interface DocumentState {
  /** The number of the next entry to take in. */
  expected: number;
  /** A resume is under way. */
  asked: boolean;
  /** Where the last message that came out of order ended. Those under way when a resume was sent follow on one another. */
  stray: number;
  held: number;
  /** Characters taken in and not acknowledged yet. */
  unacknowledged: number;
  lastAt: number;
}

/** A question that has no answer by then has none. */
const ANSWER_MS = 2_000;
const STEADY_MS = 5_000;
const RETRY_MS = [0, 250, 1_000, 5_000, 15_000];

export const connectPanel = (options: PanelLinkOptions): PanelLink => {
  const acknowledge = options.acknowledge ?? ACKNOWLEDGE_CHARS;
  const documents = new Map<string, DocumentState>();
  let port: PanelPort | null = null;
  let closed = false;
  let retries = 0;
  let callOff: (() => void) | null = null;
  /** What the user wants; null: never said. */
  let recording: boolean | null = null;
  let requests = 0;
  /** Questions under way, by number. */
  const asked = new Map<number, (answer: (PageMessage & { type: 'placed' }) | RouterMessage | null) => void>();
  let status: LinkStatus = { state: 'waiting', held: 0, bound: 0, rejected: 0, lost: 0 };

  const tell = (change: Partial<LinkStatus>): void => {
    const next = { ...status, ...change };
    const same = (Object.keys(next) as (keyof LinkStatus)[]).every((key) => next[key] === status[key]);
    status = next;
    if (!same) options.onStatus(status);
  };

  const post = (message: PanelMessage): void => {
    try {
      port?.post(message);
    } catch {
      lose();
    }
  };

  const resume = (document: string, state: DocumentState): void => {
    state.asked = true;
    state.unacknowledged = 0;
    post({ link: LINK_VERSION, type: 'resume', document, n: state.expected });
  };

  /** Everything before `n` that has not come never will. */
  const writeOff = (document: string, state: DocumentState, n: number): void => {
    const lost = n - state.expected;
    state.expected = n;
    tell({ lost: status.lost + lost });
    options.onEntries(document, [{ at: state.lastAt, type: 'gap', flow: null, reason: 'relay-lost', lost }], lost);
  };

  const takeIn = (message: PageMessage & { readonly type: 'entries' }): void => {
    const state = documents.get(message.document);
    // Its hello was for somebody else and is on its way for us: entries follow our own resume.
    if (state === undefined) return;
    if (message.n > state.expected) {
      if (!state.asked || message.n !== state.stray) resume(message.document, state);
      state.stray = message.n + message.entries.length;
      return;
    }
    state.asked = false;
    const fresh: Unstamped[] = [];
    let rejected = 0;
    for (const candidate of message.entries.slice(state.expected - message.n)) {
      const entry = read(entrySchema, candidate);
      if (entry === null) {
        rejected++;
        fresh.push({ at: state.lastAt, type: 'gap', flow: null, reason: 'fault', lost: 1 });
        continue;
      }
      state.lastAt = entry.at;
      state.unacknowledged += charsOf(entry);
      fresh.push(entry);
    }
    state.held = message.held;
    let held = 0;
    for (const each of documents.values()) held += each.held;
    tell({ held, bound: message.bound, rejected: status.rejected + rejected });
    if (fresh.length === 0) return;
    state.expected += fresh.length;
    options.onEntries(message.document, fresh, 0);
    // The relay counts what was rejected here; so that its window does not stay shut, say at once that it came.
    if (state.unacknowledged < acknowledge && rejected === 0) return;
    state.unacknowledged = 0;
    post({ link: LINK_VERSION, type: 'taken', document: message.document, n: state.expected - 1 });
  };

  const ask = <Answer>(send: (request: number) => void): Promise<Answer | null> =>
    new Promise((done) => {
      const request = ++requests;
      const callOff = options.later(() => answer(request, null), ANSWER_MS);
      asked.set(request, (said) => {
        callOff();
        done(said as Answer | null);
      });
      send(request);
    });
  const answer = (request: number, said: (PageMessage & { type: 'placed' }) | RouterMessage | null): void => {
    const take = asked.get(request);
    asked.delete(request);
    take?.(said);
  };

  const hear = (value: unknown): void => {
    if ((value as { readonly type?: unknown } | null)?.type === 'picture') {
      const picture = read(routerMessageSchema, value);
      if (picture === null) tell({ rejected: status.rejected + 1 });
      else answer(picture.request, picture);
      return;
    }
    const message = read(pageMessageSchema, value) as PageMessage | null;
    if (message === null) {
      tell({ rejected: status.rejected + 1 });
      return;
    }
    retries = 0;
    switch (message.type) {
      case 'hello': {
        const { key } = message.document;
        let state = documents.get(key);
        if (state === undefined) {
          state = { expected: 0, asked: false, stray: -1, held: 0, unacknowledged: 0, lastAt: 0 };
          documents.set(key, state);
        }
        if (options.onDocument(message.document, message.state)) state.expected = 0;
        if (message.firstN > state.expected) writeOff(key, state, message.firstN);
        if (recording !== null && recording !== (message.state === 'recording'))
          post({ link: LINK_VERSION, type: 'record', document: null, on: recording });
        resume(key, state);
        break;
      }
      case 'entries':
        takeIn(message);
        break;
      case 'bye': {
        const state = documents.get(message.document);
        if (state !== undefined) state.held = 0;
        options.onBye(message.document, message.cached);
        break;
      }
      case 'placed':
        answer(message.request, message);
        break;
    }
  };

  const open = (): void => {
    if (closed || port !== null) return;
    let mine: PanelPort | null = null;
    mine = options.connect(
      (message) => {
        if (port === mine) hear(message);
      },
      () => {
        if (port === mine) lose();
      },
    );
    if (mine === null) {
      closed = true;
      tell({ state: 'gone' });
      return;
    }
    port = mine;
    for (const state of documents.values()) state.asked = false;
    tell({ state: 'connected' });
    // A background that dies of idleness is no fault: only one that dies at once is asked ever more slowly.
    options.later(() => {
      if (port === mine) retries = 0;
    }, STEADY_MS);
  };

  const lose = (): void => {
    if (port === null) return;
    port = null;
    if (closed) return;
    tell({ state: 'waiting' });
    const wait = RETRY_MS[Math.min(retries++, RETRY_MS.length - 1)]!;
    callOff ??= options.later(() => {
      callOff = null;
      open();
    }, wait);
  };

  open();

  return {
    record(on) {
      recording = on;
      post({ link: LINK_VERSION, type: 'record', document: null, on });
    },
    point(document, region) {
      post({ link: LINK_VERSION, type: 'point', document, region });
    },
    draw(document, marks) {
      post({ link: LINK_VERSION, type: 'draw', document, marks });
    },
    place: (document, region) => ask<Placed>((request) => post({ link: LINK_VERSION, type: 'place', document, region, request })),
    picture: () => ask<RouterMessage>((request) => post({ link: LINK_VERSION, type: 'picture', document: null, request })),
    get status() {
      return status;
    },
    close() {
      closed = true;
      callOff?.();
      const old = port;
      port = null;
      old?.disconnect();
    },
  };
};
