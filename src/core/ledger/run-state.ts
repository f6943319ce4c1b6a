/**
 * The mutable form of runs, attempts and parts, how they begin, and their derived fields. What an event does to them is
 * `apply.ts`. Published as the readonly types of the model.
 */
import type {
  AgentEvent,
  Ask,
  Attempt,
  Evidence,
  FlowEnd,
  FlowId,
  Identity,
  PageTime,
  Part,
  Run,
  Seq,
  Settlement,
  ToolCall,
  Voice,
} from '../model';
import { type Facts, type IntervalState, type Mark, settle, settleInterval, type Terminal } from './settle';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type PartState = Mutable<Part> & { step: number; explicit: boolean };
export type ToolState = Mutable<ToolCall>;
export type AskState = Mutable<Ask> & { readonly evidence: Evidence };

export type AttemptState = Omit<Mutable<Attempt>, 'parts' | 'tools' | 'asks' | 'flows' | 'laterTerminals'> & {
  parts: PartState[];
  tools: ToolState[];
  asks: AskState[];
  flows: FlowId[];
  laterTerminals: Settlement[];
  /** The part that a key currently names. */
  readonly open: Map<string, PartState>;
  readonly toolById: Map<string, ToolState>;
  readonly askById: Map<string, AskState>;
  step: number;
  terminal: Terminal | null;
  sentinel: Mark | null;
  /** The flow's end that closed the attempt's transport; null while any of its flows is open. */
  end: (Mark & { how: FlowEnd }) | null;
  gapAtTail: boolean;
  superseded: boolean;
  lastSeq: Seq;
  /** The flow that brought its last event, and the identity merged last: most events repeat both. */
  carriedBy: FlowId | null;
  lastIdentity: Identity | null;
  /** The part that the last piece of text went to, and by which event's names: most events go on with it. */
  lastPart: PartState | null;
  lastPartOf: Pick<AgentEvent, 'part' | 'voice' | 'identity'> | null;
  readonly hasTerminalWord: boolean;
};

export type RunState = Omit<Mutable<Run>, 'attempts' | 'voices'> & {
  attempts: AttemptState[];
  voices: Record<Voice | 'unrecognised', number>;
  /** Wire event ids seen, of the wire's own run that came last: one that answers a wait may count its events anew. */
  seen: Set<string>;
  seenOf: string | undefined;
  /** Those of the wire's other runs that this run has gone through; null while there was only one. */
  seenOfOthers: Map<string, Set<string>> | null;
  /** The frame that brought the last of them, and the ids it was the first to bring: one frame may make several events. */
  lastFrame: number;
  lastFlow: FlowId | null;
  firstOfFrame: string | null;
  othersOfFrame: Set<string> | null;
  /** Set for owned intervals only. */
  interval: IntervalState | null;
  dirty: boolean;
};

export const newRun = (
  key: string,
  parent: string | null,
  event: { readonly dialect: string; readonly identity: Identity; readonly at: PageTime; readonly seq: Seq },
): RunState => ({
  key,
  parent,
  dialect: event.dialect,
  identity: {},
  openedAt: event.at,
  openedSeq: event.seq,
  attempts: [],
  settlement: null,
  ending: { state: 'none', raw: null, detail: null },
  voices: {
    lifecycle: 0,
    assistant: 0,
    reasoning: 0,
    progress: 0,
    tool: 0,
    log: 0,
    interaction: 0,
    terminal: 0,
    user: 0,
    unrecognised: 0,
  },
  duplicates: 0,
  reattached: false,
  revision: 0,
  seen: new Set(),
  seenOf: undefined,
  seenOfOthers: null,
  lastFrame: -1,
  lastFlow: null,
  firstOfFrame: null,
  othersOfFrame: null,
  interval: null,
  dirty: true,
});

export const newAttempt = (
  run: RunState,
  event: Pick<AgentEvent, 'flow' | 'dialect' | 'at' | 'seq' | 'ordinal'>,
  hasTerminalWord: boolean,
): AttemptState => {
  const attempt: AttemptState = {
    key: `${run.key}/${run.attempts.length + 1}`,
    run: run.key,
    ordinal: run.attempts.length + 1,
    flows: [event.flow],
    dialect: event.dialect,
    identity: {},
    model: null,
    openedAt: event.at,
    openedSeq: event.seq,
    openedOrdinal: event.ordinal,
    firstAssistantAt: null,
    lastEventAt: event.at,
    parts: [],
    tools: [],
    asks: [],
    usage: null,
    settlement: null,
    replaced: false,
    laterTerminals: [],
    lateEvents: 0,
    open: new Map(),
    toolById: new Map(),
    askById: new Map(),
    step: 0,
    terminal: null,
    sentinel: null,
    end: null,
    gapAtTail: false,
    superseded: false,
    lastSeq: event.seq,
    carriedBy: null,
    lastIdentity: null,
    lastPart: null,
    lastPartOf: null,
    hasTerminalWord,
  };
  const last = run.attempts.at(-1);
  if (last) last.superseded = true;
  run.attempts.push(attempt);
  run.dirty = true;
  return attempt;
};

/** Members the wire has named later join those it named first; nothing is overwritten. */
export const mergeIdentity = (into: { identity: Identity }, from: Identity): void => {
  let merged: Record<string, string> | null = null;
  for (const key in from) {
    const value = from[key as keyof Identity];
    if (value === undefined || into.identity[key as keyof Identity] !== undefined) continue;
    merged ??= { ...into.identity };
    merged[key] = value;
  }
  if (merged) into.identity = merged;
};

export const lastOf = <T>(list: readonly T[]): T | undefined => list[list.length - 1];

export const factsOf = (attempt: AttemptState): Facts => {
  const blocking = attempt.asks.find((ask) => ask.blocking && ask.answeredAt === null);
  return {
    terminal: attempt.terminal,
    sentinel: attempt.sentinel,
    blockedOn: blocking ? { kind: blocking.kind, at: blocking.askedAt, seq: blocking.askedSeq, evidence: blocking.evidence } : null,
    end: attempt.end,
    hasTerminalWord: attempt.hasTerminalWord,
    gapAtTail: attempt.gapAtTail,
    superseded: attempt.superseded,
  };
};

/** Brings the derived fields of a changed run up to date. */
export const refresh = (run: RunState): void => {
  if (!run.dirty) return;
  run.dirty = false;
  run.revision++;
  for (const attempt of run.attempts) attempt.settlement = settle(factsOf(attempt));
  const last = run.attempts.at(-1);
  run.settlement = last === undefined ? null : run.interval === null ? last.settlement : settleInterval(run.interval, factsOf(last));
};
