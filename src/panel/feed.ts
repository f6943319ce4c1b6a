/**
 * One session and what pours into it. Entries wait in a queue and are taken in for at most a few milliseconds at a time,
 * then the page may paint; views are told at most once in two frames. Findings are judged apart from that, less often the dearer
 * they are, so that a long run never makes the panel stutter. Where a stream begins whose dialect is not loaded yet, the queue
 * waits for it, so the order of arrival stays.
 *
 * The live tab has one feed for as long as the panel is open; every opened file and the sample have one of their own.
 */
import { batch, type Signal, signal } from '@preact/signals';
import type { OnDemand } from '../core/dialects/on-demand';
import { createEngine, type Entry, isSighting, type Session } from '../core/engine';
import type { Finding, FlowId, PageTime, Seq, SourceDocument, TapRecord } from '../core/model';
import { createScout } from '../core/scout';
import type { Readers } from './dialects';

/** Time and turns of the event loop, so that the store runs without a browser too. */
export interface Scheduler {
  now(): number;
  /** After others have had their turn. */
  yield(what: () => void): void;
  later(what: () => void, ms: number): void;
}

export type Screen = NonNullable<ReturnType<Session['screenOf']>>;

/** An entry from the link, before it has its place in the session. */
export type Unnumbered = Omit<Entry, 'seq'>;

export interface Feed {
  readonly kind: 'live' | 'file' | 'sample';
  /** The file's name; '' for others. */
  readonly name: string;
  readonly session: Session;
  /** Bumped at most once in two frames. Read it, then read the session. */
  readonly revision: Signal<number>;
  /** Like `revision`, at most some ten times a second: for what need not move with every frame. */
  readonly calm: Signal<number>;
  readonly findings: Signal<readonly Finding[]>;
  /** Bumped when findings and screens were judged again. */
  readonly judged: Signal<number>;
  /** What the screen showed around a run, as of the last judging: cheap at any time. */
  screenOf(run: string): Screen | null;
  /** Entries that wait: the view is paused, there were too many for one frame, or a dialect is being loaded. */
  readonly waiting: Signal<number>;
  readonly paused: Signal<boolean>;
  document(document: SourceDocument): void;
  /** Entries as they come from a page: stamped here. */
  push(entries: readonly Unnumbered[]): void;
  /** Entries of a capture: they have their order. */
  replay(entries: readonly Entry[]): void;
  pause(on: boolean): void;
  /** Why a dialect could not be loaded, in the browser's words: everything since then waits. Null: nothing is wrong. */
  readonly failure: Signal<string | null>;
  /** Tries again to load what could not be loaded. */
  retry(): void;
  /** Gives what still waits to the feed that takes this one's place; `wanted` of it, if not all. */
  handOver(next: Feed, wanted?: (entry: Entry | Unnumbered) => boolean): void;
  /** Entries that wait. */
  pending(): readonly (Entry | Unnumbered)[];
  /** Milliseconds on one clock for all documents of the feed, 0 at the first document's time origin. */
  timeOf(seq: Seq, at: PageTime): number;
  timeIn(document: string, at: PageTime): number;
  timeOfFlow(flow: FlowId, at: PageTime): number;
  entryOf(seq: Seq): Entry | undefined;
  /** A session of its own with what was known up to `seq`: the same code, so the past is judged as the present is. */
  asOf(seq: Seq, flows: readonly FlowId[] | null): Session;
}

/** At most this long at a time, be it taking in or judging: a quarter of a frame. */
const SLICE_MS = 4;
const SLICE_ENTRIES = 64;
const CALM_MS = 90;
/**
 * While a stream runs the table is drawn for every second frame: nobody reads faster, and it costs half. It is drawn in a task of its
 * own and not in the frame's, which paints: so neither is long.
 */
const STEADY_MS = 30;
/** Judging takes at most a tenth of the time. */
const JUDGE_SHARE = 10;
const JUDGE_EVERY_MS = 120;
/** While this many entries wait, the panel is catching up: it draws and judges now and then, and takes in the more. */
const BACKLOG = 2_000;
const CATCHING_UP_MS = 90;
const JUDGE_CATCHING_UP_MS = 1_500;

interface Batch {
  readonly entries: readonly (Entry | Unnumbered)[];
  readonly numbered: boolean;
  next: number;
}

export const createFeed = (kind: Feed['kind'], name: string, scheduler: Scheduler, { mapped, stock }: Readers): Feed => {
  const dialects = mapped.length === 0 ? stock.here : () => [...mapped, ...stock.here()];
  const session = createEngine({ dialects });
  const scout = createScout({ mapped, listed: stock.listed, get: stock.get, complete: stock.complete });
  const revision = signal(0);
  const calm = signal(0);
  const findings = signal<readonly Finding[]>([]);
  const judged = signal(0);
  const waiting = signal(0);
  const paused = signal(false);
  const failure = signal<string | null>(null);
  const queue: Batch[] = [];
  let queued = 0;
  let seq = 0;
  let draining = false;
  /** A dialect is being loaded, or could not be: what waits goes on waiting. */
  let held = false;
  /** The scout has seen the entry that comes next. */
  let noted = false;
  let bumping = false;
  let lastTold = Number.NEGATIVE_INFINITY;
  let calming = false;
  let lastCalm = Number.NEGATIVE_INFINITY;
  let judging = false;
  /** Milliseconds that the judging under way has taken so far. */
  let judgingCost = 0;
  /** What was there when it began. */
  let judgedAt = 0;
  let lastJudged = Number.NEGATIVE_INFINITY;
  let lastCost = 0;

  const bump = (): void => {
    if (bumping) return;
    bumping = true;
    const tell = (): void => {
      bumping = false;
      const now = scheduler.now();
      // While more comes, the table is drawn by itself, and all else in a task after it.
      const apart = queued > BACKLOG || now - lastTold < CALM_MS;
      lastTold = now;
      batch(() => {
        waiting.value = queued;
        revision.value = session.revision;
        if (!apart) calmDown();
      });
      if (apart) scheduler.yield(calmDown);
      judgeSoon();
    };
    // The first rows come at once.
    const behind = queued > BACKLOG && revision.peek() > 0 && !paused.peek();
    scheduler.later(tell, behind ? CATCHING_UP_MS : Math.max(0, STEADY_MS - (scheduler.now() - lastTold)));
  };

  const calmDown = (): void => {
    if (calming) return;
    const wait = CALM_MS - (scheduler.now() - lastCalm);
    const tell = (): void => {
      calming = false;
      // After the table, which is about to be drawn.
      if (bumping && wait > 0) return;
      lastCalm = scheduler.now();
      calm.value = session.revision;
    };
    if (wait <= 0) {
      tell();
      return;
    }
    calming = true;
    scheduler.later(tell, wait);
  };

  const judgeSoon = (): void => {
    if (judging) return;
    judging = true;
    const every = Math.max(queued > BACKLOG ? JUDGE_CATCHING_UP_MS : JUDGE_EVERY_MS, lastCost * JUDGE_SHARE);
    const wait = every - (scheduler.now() - lastJudged);
    scheduler.later(
      () => {
        judgingCost = 0;
        judgedAt = session.revision;
        judge();
      },
      Math.max(0, wait),
    );
  };

  /** Thousands of runs may have changed: they are judged as they are taken in, a few milliseconds at a time. */
  const judge = (): void => {
    const start = scheduler.now();
    let found: readonly Finding[] | null;
    try {
      found = session.judge(() => scheduler.now() >= start + SLICE_MS);
    } catch (error) {
      // Whatever went wrong with this run, the next entries are judged.
      judging = false;
      lastJudged = scheduler.now();
      throw error;
    }
    const now = scheduler.now();
    judgingCost += now - start;
    if (found === null) {
      scheduler.yield(judge);
      return;
    }
    judging = false;
    lastJudged = now;
    lastCost = judgingCost;
    // In one: whoever is told of a finding is told of its run too.
    batch(() => {
      if (found !== findings.value) {
        findings.value = found;
        lastCalm = lastJudged;
        calm.value = session.revision;
      }
      judged.value++;
    });
    // What changed meanwhile.
    if (session.revision !== judgedAt) judgeSoon();
  };

  const goOn = (): void => {
    if (draining || held || queue.length === 0 || paused.peek()) return;
    draining = true;
    scheduler.yield(drain);
  };

  const bring = (wanted: readonly OnDemand[]): void => {
    held = true;
    stock.bring(wanted).then(
      () => {
        held = false;
        goOn();
      },
      (error: unknown) => {
        failure.value = error instanceof Error ? error.message : String(error);
        bump();
      },
    );
  };

  /** Whether the entry can go in: what could read it is here. If not, that is sent for. */
  const admits = (entry: Entry | Unnumbered): boolean => {
    if (!noted) scout.note(entry as TapRecord);
    const wanted = scout.wants();
    noted = wanted.length > 0;
    if (noted) bring(wanted);
    return !noted;
  };

  const drain = (): void => {
    draining = false;
    const until = scheduler.now() + SLICE_MS;
    while (queue.length > 0 && !paused.peek() && !held) {
      const next = queue[0]!;
      const slice: Entry[] = [];
      const end = Math.min(next.entries.length, next.next + SLICE_ENTRIES);
      for (; next.next < end; next.next++) {
        const entry = next.entries[next.next]!;
        if (!admits(entry)) break;
        if (next.numbered) {
          slice.push(entry as Entry);
          seq = Math.max(seq, (entry as Entry).seq + 1);
        } else slice.push({ ...entry, seq: seq++ } as Entry);
      }
      queued -= slice.length;
      if (next.next >= next.entries.length) queue.shift();
      if (slice.length > 0) session.ingest(slice);
      bump();
      if (scheduler.now() >= until) break;
    }
    goOn();
  };

  const add = (entries: Batch['entries'], numbered: boolean): void => {
    if (entries.length === 0) return;
    queue.push({ entries, numbered, next: 0 });
    queued += entries.length;
    if (paused.peek() || held) bump();
    goOn();
  };

  /** What to add to a document's own time. */
  const offsetOf = (key: string): number => {
    const document = session.documents.get(key);
    if (document === undefined) return 0;
    const first = session.documents.values().next().value;
    return first === undefined ? 0 : document.timeOrigin - first.timeOrigin;
  };

  const flowOffset = (flow: FlowId): number => offsetOf(session.flows.get(flow)?.document ?? '');

  const entryOf = (wanted: Seq): Entry | undefined => {
    const { entries } = session;
    let low = 0;
    let high = entries.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = entries[middle]!;
      if (found.seq === wanted) return found;
      if (found.seq < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  };

  const timeOf = (wanted: Seq, at: PageTime): number => {
    if (session.documents.size < 2) return at;
    const entry = entryOf(wanted);
    if (entry === undefined) return at;
    if ('document' in entry) return at + offsetOf(entry.document);
    return 'flow' in entry && entry.flow !== null ? at + flowOffset(entry.flow) : at;
  };

  return {
    kind,
    name,
    session,
    revision,
    calm,
    findings,
    judged,
    waiting,
    paused,
    document(document) {
      session.document(document);
      bump();
    },
    push: (entries) => add(entries, false),
    replay: (entries) => add(entries, true),
    pause(on) {
      if (paused.peek() === on) return;
      paused.value = on;
      goOn();
    },
    failure,
    retry() {
      if (failure.peek() === null) return;
      failure.value = null;
      held = false;
      goOn();
    },
    pending: () => queue.flatMap(({ entries, next }) => entries.slice(next)),
    handOver(to, wanted) {
      for (const { entries, numbered, next } of queue.splice(0)) {
        const rest = entries.slice(next).filter((entry) => wanted?.(entry) ?? true);
        if (numbered) to.replay(rest as readonly Entry[]);
        else to.push(rest);
      }
      queued = 0;
      noted = false;
    },
    screenOf: session.screenAsJudged,
    timeOf,
    timeIn: (document, at) => at + offsetOf(document),
    timeOfFlow: (flow, at) => (session.documents.size < 2 ? at : at + flowOffset(flow)),
    entryOf,
    asOf(until, flows) {
      // Nothing is in the session that was not read with what is here.
      const past = createEngine({ dialects });
      for (const document of session.documents.values()) past.document(document);
      const wanted = flows === null ? null : new Set(flows);
      const kept: Entry[] = [];
      for (const entry of session.entries) {
        if (entry.seq > until) break;
        if (wanted !== null && !isSighting(entry) && 'flow' in entry && entry.flow !== null && !wanted.has(entry.flow)) continue;
        kept.push(entry);
      }
      past.ingest(kept);
      return past;
    },
  };
};

/** The browser's own. */
export const browserScheduler = (): Scheduler => {
  const turns: (() => void)[] = [];
  const channel = new MessageChannel();
  channel.port1.onmessage = () => turns.shift()?.();
  return {
    now: () => performance.now(),
    yield(what) {
      turns.push(what);
      channel.port2.postMessage(null);
    },
    later: (what, ms) => void setTimeout(what, ms),
  };
};
