/**
 * The facade: records and sightings in, flows, events, runs and findings out, with the dialects that it is given. Panel,
 * command line, Playwright fixture and library are thin shells over this; all but the panel take it with the whole list
 * (session.ts). The panel brings dialects when a stream needs them (scout.ts).
 *
 * Synchronous, total, without a clock. Everything derived is recomputed from raw records, so a capture opened later is
 * judged by today's code.
 */
import { createDecoder, type DecodeFault, type Dialects, framesOf } from './decode';
import type { Dialect } from './dialects/dialect';
import { RULES } from './findings';
import type { RuleFault } from './findings/engine';
import type { Rule } from './findings/rule';
import { createJudging } from './judging';
import { createLedger } from './ledger/ledger';
import type { AgentEvent, Finding, Flow, FlowId, PageTime, Run, Seq, Sighting, SourceDocument, TapRecord, WireFrame } from './model';
import { createScreen, type RunScreen } from './screen/screen';

export type Entry = TapRecord | Sighting;

export interface EngineOptions {
  readonly dialects: Dialects;
  readonly rules?: readonly Rule[];
  /**
   * Keeps nothing but verdicts: raw entries are not held, and the events of a run that is over for good are let go once it is
   * judged, so that memory does not grow with the capture. `entries`, `events` and `frames` stay empty. See `intact`.
   */
  readonly verdictsOnly?: boolean;
}

export interface Counts {
  readonly records: number;
  readonly sightings: number;
  readonly events: number;
  readonly gaps: number;
  /** Records known to be missing. */
  readonly lost: number;
  readonly faults: number;
  /** UTF-16 units of raw text held. */
  readonly chars: number;
}

export interface Session {
  document(document: SourceDocument): void;
  /** Entries in order of seq. Never throws. */
  ingest(entries: readonly Entry[]): void;
  /** Bumped by every change. */
  readonly revision: number;
  readonly documents: ReadonlyMap<string, SourceDocument>;
  readonly entries: readonly Entry[];
  readonly flows: ReadonlyMap<FlowId, Flow>;
  readonly runs: readonly Run[];
  run(key: string): Run | undefined;
  /** The run's events in order of arrival. */
  eventsOf(run: string): readonly AgentEvent[];
  /** Every event in order of arrival, less dropped duplicates; those of no run included. */
  readonly events: readonly AgentEvent[];
  runOf(event: AgentEvent): string | null;
  /** The frames of a flow, comments and the unfinished tail included. Computed when asked for. */
  frames(flow: FlowId): readonly WireFrame[];
  /** Length of a frame on the wire in UTF-16 units; null where there is no such frame. Costs nothing. */
  frameChars(flow: FlowId, frame: number): number | null;
  screenOf(run: string): RunScreen | null;
  /** The same as of the run's last judging: costs nothing. */
  screenAsJudged(run: string): RunScreen | null;
  /** Judges until it is `overdue`: null, and the rest is still to be done. Else all that had changed when it began is judged. */
  judge(overdue: () => boolean): readonly Finding[] | null;
  /** Judged when asked for; only runs that changed are judged again. */
  readonly findings: readonly Finding[];
  readonly faults: readonly (DecodeFault | RuleFault)[];
  readonly counts: Counts;
  /** False if, with `verdictsOnly`, a run changed after it was let go: then the capture has to be read again without it. */
  readonly intact: boolean;
  /** The time of the last entry. */
  readonly now: PageTime;
  readonly lastSeq: Seq;
}

/** The members of a session that are worked out when they are asked for. */
type Asked = {
  readonly [K in 'revision' | 'runs' | 'findings' | 'faults' | 'counts' | 'intact' | 'now' | 'lastSeq']: () => Session[K];
};

/**
 * Their accessors stand on one prototype. In a literal, every session would have its own, and the engine keeps those in the hidden
 * class of the object, which is old from its birth: all that a session holds would stay until the next full collection.
 */
class AskedMembers {
  readonly #asked: Asked;
  constructor(asked: Asked) {
    this.#asked = asked;
  }
  get revision() {
    return this.#asked.revision();
  }
  get runs() {
    return this.#asked.runs();
  }
  get findings() {
    return this.#asked.findings();
  }
  get faults() {
    return this.#asked.faults();
  }
  get counts() {
    return this.#asked.counts();
  }
  get intact() {
    return this.#asked.intact();
  }
  get now() {
    return this.#asked.now();
  }
  get lastSeq() {
    return this.#asked.lastSeq();
  }
}

const NOTHING: readonly AgentEvent[] = [];

export const isSighting = (entry: Entry): entry is Sighting => entry.type.startsWith('sight.');

export const createEngine = (options: EngineOptions): Session => {
  const rules = options.rules ?? RULES;
  const { dialects } = options;
  const keep = options.verdictsOnly !== true;
  const frameChars = new Map<FlowId, number[]>();
  let charsOf: FlowId | null = null;
  let charsOfLast: number[] = [];
  const decoder = createDecoder({
    dialects,
    onFrame(frame) {
      if (!keep) return;
      if (frame.flow !== charsOf) {
        charsOf = frame.flow;
        charsOfLast = frameChars.get(charsOf) ?? [];
        frameChars.set(charsOf, charsOfLast);
      }
      charsOfLast.push(frame.end - frame.start);
    },
  });
  const ledger = createLedger();
  const screen = createScreen();
  const documents = new Map<string, SourceDocument>();
  const entries: Entry[] = [];
  const flowRecords = new Map<FlowId, TapRecord[]>();
  let recordsOf: FlowId | null = null;
  let recordsOfLast: TapRecord[] = [];
  const all: AgentEvent[] = [];
  const byRun = new Map<string, AgentEvent[]>();
  /** Run key by flow and ordinal: far cheaper than a weak map of every event. */
  const runKeys = new Map<FlowId, string[]>();
  let keysOfLast: string[] | null = null;
  let flowOfLast: FlowId | null = null;
  const runOf = {
    get: (event: AgentEvent): string | undefined => runKeys.get(event.flow)?.[event.ordinal] || undefined,
    set(event: AgentEvent, key: string): void {
      let keys = keysOfLast;
      if (keys === null || flowOfLast !== event.flow) {
        keys = runKeys.get(event.flow) ?? [];
        runKeys.set(event.flow, keys);
        keysOfLast = keys;
        flowOfLast = event.flow;
      }
      // Holes would make the list a dictionary: events of no run, or dropped ones, are ''.
      while (keys.length < event.ordinal) keys.push('');
      keys[event.ordinal] = key;
    },
    delete(event: AgentEvent): void {
      const keys = runKeys.get(event.flow);
      if (keys !== undefined && event.ordinal < keys.length) keys[event.ordinal] = '';
    },
  };
  /** With `verdictsOnly`: whether a page was watched. */
  let watched = false;
  let revision = 0;
  let now: PageTime = 0;
  /** Each document has a clock of its own, which starts over with the page: a run is judged by that of its page. */
  const clocks = new Map<string, { now: PageTime }>();
  let clock = { now: 0 };
  let clockOf = '';
  let clockFlow = '';
  let lastSeq: Seq = -1;
  const counts = { records: 0, sightings: 0, events: 0, gaps: 0, lost: 0, chars: 0 };

  /** The list of the run that the last event went to. */
  let keyOfLast: string | null = null;
  let eventsOfLast: AgentEvent[] | null = null;

  /** Moves the clock of the document that the entry is of; ticks are of the one that was heard last. */
  const passTime = (entry: Entry): void => {
    let document = clockOf;
    if ('document' in entry) {
      document = entry.document;
      clockFlow = entry.type === 'flow.opened' ? entry.flow : '';
    } else if ('flow' in entry && entry.flow !== null && entry.flow !== clockFlow) {
      clockFlow = entry.flow;
      document = decoder.flows.get(entry.flow)?.document ?? clockOf;
    }
    if (document !== clockOf) {
      clockOf = document;
      clock = clocks.get(document) ?? { now: 0 };
      clocks.set(document, clock);
    }
    if (entry.at > clock.now) clock.now = entry.at;
    if (entry.at > now) now = entry.at;
  };

  const file = (event: AgentEvent, dialect: Dialect): void => {
    const key = ledger.event(event, dialect);
    if (key === null) return;
    counts.events++;
    if (keep) all.push(event);
    if (key === '') return;
    // Only asked for by those who keep events, and where events can move from run to run.
    if (keep || dialect.runs === 'interval') runOf.set(event, key);
    if (key !== keyOfLast || eventsOfLast === null) {
      eventsOfLast = byRun.get(key) ?? [];
      byRun.set(key, eventsOfLast);
      keyOfLast = key;
    }
    eventsOfLast.push(event);
  };

  /** Files events anew whose run was found, or changed, only later. Arrival order stays. */
  const refile = (moved: ReadonlyMap<AgentEvent, string>): void => {
    const out = new Map<string, Set<AgentEvent>>();
    const into = new Map<string, AgentEvent[]>();
    for (const [event, key] of moved) {
      const old = runOf.get(event);
      if (old === key || (old === undefined && key === '')) continue;
      if (old !== undefined) out.set(old, (out.get(old) ?? new Set()).add(event));
      if (key === '') runOf.delete(event);
      else {
        runOf.set(event, key);
        const list = into.get(key);
        if (list) list.push(event);
        else into.set(key, [event]);
      }
    }
    eventsOfLast = null;
    for (const [key, events] of out) byRun.set(key, byRun.get(key)?.filter((event) => !events.has(event)) ?? []);
    for (const [key, events] of into)
      byRun.set(
        key,
        [...(byRun.get(key) ?? []), ...events].sort((a, b) => a.seq - b.seq || a.ordinal - b.ordinal),
      );
  };

  const judging = createJudging({
    rules,
    ledger,
    decoder,
    screen,
    eventsOf: (run) => byRun.get(run) ?? NOTHING,
    nowIn: (document) => clocks.get(document)?.now ?? now,
  });

  const record = (entry: TapRecord): void => {
    counts.records++;
    judging.recordCame();
    if (keep && 'flow' in entry && entry.flow !== null) {
      if (entry.flow !== recordsOf) {
        recordsOf = entry.flow;
        recordsOfLast = flowRecords.get(recordsOf) ?? [];
        flowRecords.set(recordsOf, recordsOfLast);
      }
      recordsOfLast.push(entry);
    }
    const said = decoder.push(entry);
    const dialect = said.length === 0 ? null : decoder.dialectOf(said[0]!.flow);
    if (dialect !== null) for (let i = 0; i < said.length; i++) file(said[i]!, dialect);
    const moved = ledger.takeMoved();
    if (moved.length > 0) refile(new Map(moved));
    switch (entry.type) {
      case 'flow.chunk':
        counts.chars += entry.text.length;
        return;
      case 'flow.ended': {
        const flow = decoder.flows.get(entry.flow);
        if (flow) ledger.flowEnded(flow);
        if (!keep && !watched)
          for (const key of judging.letGoOfSettled()) {
            byRun.delete(key);
            eventsOfLast = null;
          }
        return;
      }
      case 'gap':
        counts.gaps++;
        counts.lost += entry.lost;
        if (entry.reason !== 'redacted') ledger.gap(entry.flow);
        if (entry.flow === null) screen.gap(entry.seq, entry.at);
        return;
      case 'tick':
        ledger.tick(entry.at);
        judging.timePassed();
        return;
      default:
        return;
    }
  };

  const asked: Asked = {
    revision: () => revision,
    runs: () => ledger.runs(),
    findings: judging.finish,
    faults: () => [...decoder.faults, ...judging.faults()],
    counts: () => ({ ...counts, faults: decoder.faults.length + judging.faultCount() }),
    intact: judging.intact,
    now: () => now,
    lastSeq: () => lastSeq,
  };
  return Object.assign(new AskedMembers(asked), {
    document(document: SourceDocument) {
      documents.set(document.key, document);
      revision++;
    },
    ingest(more: readonly Entry[]) {
      for (let i = 0; i < more.length; i++) {
        const entry = more[i]!;
        if (keep) entries.push(entry);
        passTime(entry);
        lastSeq = entry.seq;
        if (isSighting(entry)) {
          counts.sightings++;
          judging.timePassed();
          watched = true;
          judging.spoil();
          screen.sighting(entry);
        } else record(entry);
      }
      if (more.length > 0) revision++;
    },
    documents,
    entries,
    flows: decoder.flows,
    run: (key: string) => ledger.run(key),
    eventsOf: (run: string) => byRun.get(run) ?? [],
    events: all,
    runOf: (event: AgentEvent) => runOf.get(event) ?? null,
    frames: (flow: FlowId) => framesOf(flowRecords.get(flow) ?? [], flow),
    frameChars: (flow: FlowId, frame: number) => frameChars.get(flow)?.[frame] ?? null,
    screenOf(run: string) {
      judging.finish();
      return judging.screenOf(run);
    },
    screenAsJudged: judging.screenOf,
    judge: (overdue: () => boolean) => (judging.step(overdue) ? judging.findings() : null),
  });
};
