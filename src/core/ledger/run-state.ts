/**
 * The mutable form of runs, attempts and parts, and what one event does to them. The ledger decides which run and attempt
 * an event belongs to; this file only applies it. Published as the readonly types of the model.
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
export type AskState = Mutable<Ask>;

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
  /** Wire event ids seen, with the count of the frame that brought each (one frame may make several events). */
  readonly seen: Map<string, number>;
  framesSeen: number;
  lastFrame: number;
  lastFlow: FlowId | null;
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
  seen: new Map(),
  framesSeen: 0,
  lastFrame: -1,
  lastFlow: null,
  interval: null,
  dirty: true,
});

export const newAttempt = (
  run: RunState,
  event: { readonly flow: FlowId; readonly dialect: string; readonly at: PageTime; readonly seq: Seq },
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

const evidenceOf = (event: AgentEvent): Evidence => [{ kind: 'event', seq: event.seq, flow: event.flow, event: event.ordinal }];

const partKey = (event: AgentEvent): string => event.part ?? `${event.voice}:${event.identity.message ?? ''}:${event.identity.part ?? ''}`;

const openPart = (attempt: AttemptState, event: AgentEvent, explicit: boolean): PartState => {
  const key = partKey(event);
  const ordinal = attempt.parts.length + 1;
  const part: PartState = {
    key: `${attempt.key}/${ordinal}`,
    voice: event.voice ?? 'log',
    voiceBySaying: event.voiceBySaying,
    standing: 'provisional',
    text: '',
    identity: event.identity,
    openedAt: event.at,
    openedSeq: event.seq,
    lastAt: event.at,
    lastSeq: event.seq,
    closedAt: null,
    committedAt: null,
    committedSeq: null,
    withdrawn: false,
    withdrawnAt: null,
    streamedText: null,
    step: attempt.step,
    explicit,
  };
  attempt.parts.push(part);
  attempt.open.set(key, part);
  attempt.lastPart = null;
  return part;
};

export const lastOf = <T>(list: readonly T[]): T | undefined => list[list.length - 1];

/** The part that an event speaks of; opened if it is not there, or if what is there may not change any more. */
const partFor = (attempt: AttemptState, event: AgentEvent): PartState => {
  const { lastPart, lastPartOf } = attempt;
  if (
    lastPart !== null &&
    lastPartOf !== null &&
    !lastPart.withdrawn &&
    event.part === lastPartOf.part &&
    (event.part !== null || (event.voice === lastPartOf.voice && event.identity === lastPartOf.identity))
  )
    return lastPart;
  let part = attempt.open.get(partKey(event));
  if (part === undefined || part.withdrawn) part = openPart(attempt, event, false);
  attempt.lastPart = part;
  attempt.lastPartOf = event;
  return part;
};

const touch = (part: PartState, event: AgentEvent): void => {
  part.lastAt = event.at;
  part.lastSeq = event.seq;
};

const commit = (part: PartState, event: AgentEvent): void => {
  if (part.standing === 'committed') return;
  part.standing = 'committed';
  part.committedAt = event.at;
  part.committedSeq = event.seq;
};

const replaceText = (part: PartState, text: string): void => {
  if (part.text !== '' && part.text !== text && part.streamedText === null) part.streamedText = part.text;
  part.text = text;
};

const withdraw = (part: PartState, event: AgentEvent): void => {
  part.withdrawn = true;
  part.withdrawnAt = event.at;
  touch(part, event);
};

/** Whether the event is content: such an event after the terminal one is late. */
const isContent = (event: AgentEvent): boolean =>
  event.type.startsWith('part') || event.type === 'tool.called' || event.type === 'tool.returned' || event.type === 'asked';

/** Applies one event to the attempt it belongs to. */
export const apply = (run: RunState, attempt: AttemptState, event: AgentEvent): void => {
  run.dirty = true;
  attempt.lastEventAt = event.at;
  attempt.lastSeq = event.seq;
  attempt.gapAtTail = false;
  if (attempt.lastIdentity !== event.identity) {
    attempt.lastIdentity = event.identity;
    mergeIdentity(attempt, event.identity);
    mergeIdentity(run, event.identity);
  }
  if (attempt.terminal !== null && isContent(event)) attempt.lateEvents++;

  switch (event.type) {
    case 'attempt.opened':
      attempt.model ??= event.model;
      return;
    case 'step.opened':
      attempt.step++;
      return;
    case 'part.opened':
      openPart(attempt, event, true);
      return;
    case 'part.delta': {
      let part = partFor(attempt, event);
      // Committed text never changes: what comes after is a part of its own.
      if (part.standing === 'committed') part = openPart(attempt, event, false);
      part.text += event.text;
      if (part.voice === 'assistant') attempt.firstAssistantAt ??= event.at;
      if (event.standing === 'committed') {
        part.closedAt = event.at;
        commit(part, event);
      }
      touch(part, event);
      return;
    }
    case 'part.replaced': {
      let part = partFor(attempt, event);
      if (part.standing === 'committed' && part.text !== event.text && event.standing !== 'committed')
        part = openPart(attempt, event, false);
      if (event.standing === 'committed') replaceText(part, event.text);
      else part.text = event.text;
      if (part.voice === 'assistant' && event.text !== '') attempt.firstAssistantAt ??= event.at;
      if (event.standing === 'committed') {
        part.closedAt = event.at;
        commit(part, event);
      }
      touch(part, event);
      return;
    }
    case 'part.withdrawn': {
      const part = attempt.open.get(partKey(event));
      if (part) withdraw(part, event);
      return;
    }
    case 'part.closed': {
      const known = attempt.open.get(partKey(event));
      if (known === undefined && (event.text === null || event.text === '')) return;
      const part = partFor(attempt, event);
      if (event.text !== null && part.standing !== 'committed') {
        replaceText(part, event.text);
        if (part.voice === 'assistant' && event.text !== '') attempt.firstAssistantAt ??= event.at;
      }
      part.closedAt ??= event.at;
      if (event.standing === 'committed') commit(part, event);
      touch(part, event);
      return;
    }
    case 'parts.withdrawn':
      for (const part of attempt.parts) {
        if (part.withdrawn) continue;
        if (event.scope === 'step' && part.step !== attempt.step) continue;
        if (event.scope === 'provisional' && part.standing === 'committed') continue;
        withdraw(part, event);
      }
      return;
    case 'parts.committed':
      for (const part of attempt.parts)
        if (!part.withdrawn && part.standing === 'provisional') {
          part.closedAt ??= event.at;
          commit(part, event);
        }
      return;
    case 'tool.called': {
      const id = event.identity.toolCall ?? `${event.name}#${attempt.tools.length + 1}`;
      const known = attempt.toolById.get(id);
      if (known) {
        if (event.name !== '') known.name = event.name;
        known.owedBy = event.owedBy;
        return;
      }
      const tool: ToolState = { id, name: event.name, owedBy: event.owedBy, calledAt: event.at, returnedAt: null, failed: false };
      attempt.tools.push(tool);
      attempt.toolById.set(id, tool);
      return;
    }
    case 'tool.returned': {
      const tool = attempt.toolById.get(event.identity.toolCall ?? '') ?? findTool(run, event.identity.toolCall);
      if (tool && !event.preliminary) {
        tool.returnedAt ??= event.at;
        tool.failed = event.failed;
      }
      return;
    }
    case 'asked': {
      if (attempt.askById.has(event.request)) return;
      const ask: AskState = {
        request: event.request,
        kind: event.kind,
        prompt: event.prompt,
        blocking: event.blocking,
        askedAt: event.at,
        askedSeq: event.seq,
        answeredAt: null,
      };
      attempt.asks.push(ask);
      attempt.askById.set(event.request, ask);
      return;
    }
    case 'answered':
      for (const earlier of run.attempts) {
        const ask = earlier.askById.get(event.request);
        if (ask) ask.answeredAt ??= event.at;
      }
      return;
    case 'usage':
      attempt.usage = event.usage;
      return;
    case 'finished':
      end(attempt, event, event.overrides, { finish: event.finish, error: null, waitingFor: event.waitingFor });
      return;
    case 'failed':
      end(attempt, event, event.overrides, {
        finish: { reason: 'error', raw: event.code ?? event.raw },
        error: event.message,
        waitingFor: null,
      });
      return;
    case 'sentinel':
      attempt.sentinel ??= { at: event.at, seq: event.seq, evidence: evidenceOf(event) };
      return;
    default:
      return;
  }
};

const findTool = (run: RunState, id: string | undefined): ToolState | undefined => {
  if (id === undefined) return undefined;
  for (let i = run.attempts.length - 1; i >= 0; i--) {
    const tool = run.attempts[i]!.toolById.get(id);
    if (tool) return tool;
  }
  return undefined;
};

const end = (
  attempt: AttemptState,
  event: AgentEvent,
  overrides: boolean,
  said: Pick<Terminal, 'finish' | 'error' | 'waitingFor'>,
): void => {
  const terminal: Terminal = {
    ...said,
    openAsks: attempt.asks.filter((ask) => ask.answeredAt === null).map((ask) => ask.kind),
    openTools: attempt.tools.filter((tool) => tool.owedBy === 'page' && tool.returnedAt === null).length,
    at: event.at,
    seq: event.seq,
    evidence: evidenceOf(event),
  };
  if (attempt.terminal === null) {
    attempt.terminal = terminal;
    return;
  }
  const late = settle({ ...factsOf(attempt), terminal });
  const first = settle(factsOf(attempt));
  if (overrides) {
    attempt.terminal = terminal;
    if (first) attempt.laterTerminals.push(first);
  } else if (late) attempt.laterTerminals.push(late);
};

const factsOf = (attempt: AttemptState): Facts => {
  const blocking = attempt.asks.find((ask) => ask.blocking && ask.answeredAt === null);
  return {
    terminal: attempt.terminal,
    sentinel: attempt.sentinel,
    blockedOn: blocking
      ? { kind: blocking.kind, at: blocking.askedAt, seq: blocking.askedSeq, evidence: [{ kind: 'record', seq: blocking.askedSeq }] }
      : null,
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
