/** What one event does to the run and the attempt it belongs to: parts, tool calls, questions, and the end. */
import type { AgentEvent, Evidence } from '../model';
import { type AskState, type AttemptState, factsOf, mergeIdentity, type PartState, type RunState, type ToolState } from './run-state';
import { settle, type Terminal } from './settle';

export const evidenceOf = (event: AgentEvent): Evidence => [{ kind: 'event', seq: event.seq, flow: event.flow, event: event.ordinal }];

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
    openedOrdinal: event.ordinal,
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
  // A piece that is committed at once is a part by itself: nothing can come to it any more, so nobody asks for it.
  if (event.type !== 'part.delta' || event.standing !== 'committed') attempt.open.set(key, part);
  attempt.lastPart = null;
  return part;
};

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
        evidence: evidenceOf(event),
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
    case 'status':
      // Said of the end of the transport: what is still missing comes by another one.
      if (event.frame === -1 && event.state === 'working') attempt.gapAtTail = true;
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
