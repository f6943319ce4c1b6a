/**
 * What a behaviour is: a function that runs in a page, on a tapped and on an untapped one, and returns everything of the
 * platform's behaviour that it could see. The two results must be equal; and the tap must have recorded what it should.
 * Functions are sent to the page as text: they use nothing but their argument and the platform.
 */
import type { FlowEnd, GapReason, Transport } from '../../src/core/model';

/** What the page has at hand (page.ts). */
export interface PageTools {
  /** An address on the page's own server, with this run's key. */
  url(path: string, query?: Record<string, string | number>): string;
  /** The same on another origin. */
  otherUrl(path: string, query?: Record<string, string | number>): string;
  /** The value, or what was thrown, in a form that can be compared. */
  outcome(work: () => unknown): Promise<unknown>;
  /** The same, for a call that must answer at once. */
  outcomeNow(work: () => unknown): unknown;
  error(error: unknown): unknown;
  /** 'pending' if the promise has not settled after a while, else its outcome. */
  settled(promise: Promise<unknown>): Promise<unknown>;
  /** The text of a byte stream, read by a default reader. */
  read(stream: ReadableStream<Uint8Array>): Promise<string>;
  text(bytes: Uint8Array): string;
  /** Waits until it says true. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Resolves with the event. */
  event(target: EventTarget, type: string): Promise<Event>;
  /** What the server says of this run. */
  server(): Promise<{ readonly open: number; readonly notes: readonly string[]; readonly taken: number }>;
  /** Flags, name and length of a property, and whether it looks native. */
  shape(owner: object, name: string): unknown;
  pause(ms: number): Promise<void>;
}

/** What must stand in the record for one flow. What is left out is not looked at. */
export interface ExpectedFlow {
  readonly transport: Transport;
  /** The path of its address. */
  readonly path: string;
  readonly method?: string;
  readonly received?: string;
  readonly receivedBase64?: string;
  readonly sent?: string;
  /** Null: it has no end in the record. */
  readonly how?: FlowEnd | null;
  readonly code?: number | null;
  readonly status?: number | null;
  readonly gaps?: readonly GapReason[];
  readonly requestBody?: string | null;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** EventSource: the names in order. */
  readonly events?: readonly string[];
}

export interface Behaviour {
  /** Unique; the test's name, and the name in docs/page-contract.md. */
  readonly name: string;
  readonly run: (t: PageTools) => unknown;
  /** The flows that must have been recorded, in the order they were opened, and no others. Left out: not looked at. */
  readonly records?: readonly ExpectedFlow[];
  /** Instead: so many flows, in any order, each like this. */
  readonly eachRecord?: { readonly count: number; readonly like: ExpectedFlow };
  /** Faults of our own that must be in the record; none if left out. */
  readonly faults?: number;
  /** Query of the page. */
  readonly page?: string;
  /** Nobody is there to take the tap's port: its witness never came. */
  readonly unwitnessed?: true;
  /** Runs before the tap: another instrument that was there first. */
  readonly before?: string;
  /** Runs after the tap and before the page. */
  readonly after?: string;
  /** After `run` the page is left, and come back to; this then runs, and its result counts as well. */
  readonly comeBack?: (t: PageTools) => unknown;
  /** Must occur in what the untapped page observed, as JSON: the behaviour did happen. */
  readonly observes?: string;
  /** It needs a means that only this browser has: a garbage collection on demand, a heap size. */
  readonly only?: 'chromium';
  /** The server's notes are not compared: how much got through before a cut is a matter of timing. */
  readonly serverBlind?: true;
}
