/**
 * The facade: records and sightings in, flows, events, runs and findings out. Panel, command line, Playwright fixture and
 * library are thin shells over this; they import nothing else of the core but the model and captures.
 *
 * Synchronous, total, without a clock. Everything derived is recomputed from raw records, so a capture opened later is
 * judged by today's code.
 */
import { createDecoder, type DecodeFault, framesOf } from './decode';
import { DIALECTS } from './dialects';
import type { Dialect } from './dialects/dialect';
import { RULES } from './findings';
import { inOrder, judgeCase, type RuleFault } from './findings/engine';
import type { Rule } from './findings/rule';
import { createLedger } from './ledger/ledger';
import type { AgentEvent, Finding, Flow, FlowId, PageTime, Run, Seq, Sighting, SourceDocument, TapRecord, WireFrame } from './model';
import { createScreen, type RunScreen } from './screen/screen';

export type Entry = TapRecord | Sighting;

export interface SessionOptions {
  /** In order of precedence. Default: the built-in list. */
  readonly dialects?: readonly Dialect[];
  readonly rules?: readonly Rule[];
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
  /** Judged when asked for; only runs that changed are judged again. */
  readonly findings: readonly Finding[];
  readonly faults: readonly (DecodeFault | RuleFault)[];
  readonly counts: Counts;
  /** The time of the last entry. */
  readonly now: PageTime;
  readonly lastSeq: Seq;
}

export const isSighting = (entry: Entry): entry is Sighting => entry.type.startsWith('sight.');

export const createSession = (options: SessionOptions = {}): Session => {
  const rules = options.rules ?? RULES;
  const dialects = options.dialects ?? DIALECTS;
  const frameChars = new Map<FlowId, number[]>();
  const decoder = createDecoder({
    dialects,
    onFrame(frame) {
      const list = frameChars.get(frame.flow);
      const length = frame.span[1] - frame.span[0];
      if (list) list.push(length);
      else frameChars.set(frame.flow, [length]);
    },
  });
  const ledger = createLedger();
  const screen = createScreen();
  const documents = new Map<string, SourceDocument>();
  const entries: Entry[] = [];
  const flowRecords = new Map<FlowId, TapRecord[]>();
  const all: AgentEvent[] = [];
  const byRun = new Map<string, AgentEvent[]>();
  const runOf = new WeakMap<AgentEvent, string>();
  const ruleFaults: RuleFault[] = [];
  const findingsByRun = new Map<string, readonly Finding[]>();
  const screens = new Map<string, RunScreen | null>();
  let unjudged = new Set<string>();
  let ordered: readonly Finding[] | null = null;
  let sightingsChanged = false;
  let revision = 0;
  let now: PageTime = 0;
  let lastSeq: Seq = -1;
  const counts = { records: 0, sightings: 0, events: 0, gaps: 0, lost: 0, chars: 0 };

  const file = (event: AgentEvent): void => {
    const dialect = decoder.dialectOf(event.flow);
    if (dialect === null) return;
    const key = ledger.event(event, dialect);
    if (key === null) return;
    counts.events++;
    all.push(event);
    if (key === '') return;
    runOf.set(event, key);
    const list = byRun.get(key);
    if (list) list.push(event);
    else byRun.set(key, [event]);
  };

  const record = (entry: TapRecord): void => {
    counts.records++;
    if ('flow' in entry && entry.flow !== null) {
      const list = flowRecords.get(entry.flow);
      if (list) list.push(entry);
      else flowRecords.set(entry.flow, [entry]);
    }
    for (const event of decoder.push(entry)) file(event);
    switch (entry.type) {
      case 'flow.chunk':
        counts.chars += entry.text.length;
        return;
      case 'flow.ended': {
        const flow = decoder.flows.get(entry.flow);
        if (flow) ledger.flowEnded(flow);
        return;
      }
      case 'gap':
        counts.gaps++;
        counts.lost += entry.lost;
        if (entry.reason !== 'redacted') ledger.gap(entry.flow);
        return;
      case 'tick':
        ledger.tick();
        return;
      default:
        return;
    }
  };

  const screenFor = (run: Run): RunScreen | null => {
    const flow = decoder.flows.get(run.attempts[0]?.flows[0] ?? '');
    return screen.of(run, flow?.document ?? '', byRun.get(run.key) ?? [], now);
  };

  const judge = (run: Run): readonly Finding[] => {
    const shown = screenFor(run);
    screens.set(run.key, shown);
    const others = ledger.runs.filter((other) => other.parent === null && other.key !== run.key);
    const found: Finding[] = [];
    for (const attempt of run.attempts)
      found.push(
        ...judgeCase(
          rules,
          {
            run,
            attempt,
            events: byRun.get(run.key) ?? [],
            flows: attempt.flows.flatMap((id) => decoder.flows.get(id) ?? []),
            screen: shown,
            hasTerminalWord: attempt.flows.some((id) => decoder.dialectOf(id)?.hasTerminalWord ?? false),
            others,
            now,
          },
          ruleFaults,
        ),
      );
    return found;
  };

  const bringUpToDate = (): readonly Finding[] => {
    for (const run of ledger.takeChanged()) unjudged.add(run.key);
    // A sighting, or the mere passing of time, can change the verdict on any run that is or was just on the screen.
    if (sightingsChanged) for (const run of ledger.runs) unjudged.add(run.key);
    sightingsChanged = false;
    if (unjudged.size === 0 && ordered !== null) return ordered;
    for (const key of unjudged) {
      const run = ledger.run(key);
      if (run) findingsByRun.set(key, judge(run));
    }
    unjudged = new Set();
    ordered = inOrder([...findingsByRun.values()].flat());
    return ordered;
  };

  return {
    document(document) {
      documents.set(document.key, document);
      revision++;
    },
    ingest(more) {
      for (const entry of more) {
        entries.push(entry);
        if (entry.at > now) now = entry.at;
        lastSeq = entry.seq;
        if (isSighting(entry)) {
          counts.sightings++;
          sightingsChanged = true;
          screen.sighting(entry);
        } else record(entry);
      }
      if (more.length > 0) revision++;
    },
    get revision() {
      return revision;
    },
    documents,
    entries,
    get flows() {
      return decoder.flows;
    },
    get runs() {
      return ledger.runs;
    },
    run: (key) => ledger.run(key),
    eventsOf: (run) => byRun.get(run) ?? [],
    events: all,
    runOf: (event) => runOf.get(event) ?? null,
    frames: (flow) => framesOf(flowRecords.get(flow) ?? [], flow),
    frameChars: (flow, frame) => frameChars.get(flow)?.[frame] ?? null,
    screenOf(run) {
      bringUpToDate();
      return screens.get(run) ?? null;
    },
    get findings() {
      return bringUpToDate();
    },
    get faults() {
      return [...decoder.faults, ...ruleFaults];
    },
    get counts() {
      return { ...counts, faults: decoder.faults.length + ruleFaults.length };
    },
    get now() {
      return now;
    },
    get lastSeq() {
      return lastSeq;
    },
  };
};
