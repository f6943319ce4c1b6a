/**
 * One event of a DeepSeek Harness session log, whatever carried it: live on the socket, in a history page, or over the
 * SDK's JSON-RPC. The log is durable and numbered, so every utterance carries (session, seq) as its wire id.
 *
 * Streamed chunks are durable too and still provisional: only the `assistant/message` of the same step commits, and what
 * that message does not carry (a dropped tool call, a blank block) was never committed.
 */
import type { AgentEventBody, FinishReason, Identity, Standing, Voice } from '../model';
import { commit, type Head, joined, readChunk, type Say, type Step, textOf, usageOf } from './deepseek-harness-step';
import {
  asArray,
  asNumber,
  asObject,
  asString,
  asText,
  identityOf,
  type Json,
  type JsonObject,
  table,
  type Utterance,
  unrecognised,
  utter,
} from './dialect';

/** Wire type → voice and standing. All 48 types of 0.1.0-rc.8; what a type does is below. */
const TYPES: Readonly<Record<string, readonly [Voice, Standing]>> = table({
  'turn/start': ['lifecycle', 'committed'],
  'turn/end': ['terminal', 'settling'],
  'step/start': ['lifecycle', 'committed'],
  'step/end': ['lifecycle', 'committed'],
  'user/message': ['user', 'committed'],
  'assistant/chunk': ['assistant', 'provisional'],
  'assistant/message': ['assistant', 'committed'],
  'tool/call': ['tool', 'committed'],
  'tool/result': ['tool', 'committed'],
  'tool/code-dispatch-start': ['tool', 'committed'],
  'tool/code-dispatch': ['tool', 'committed'],
  'agent/inbox/spliced': ['lifecycle', 'committed'],
  'request/header': ['log', 'committed'],
  'request/context': ['log', 'committed'],
  'llm/retry': ['lifecycle', 'committed'],
  'llm/retry-started': ['lifecycle', 'committed'],
  'approval/asked': ['interaction', 'committed'],
  'approval/decided': ['interaction', 'committed'],
  'approval/policy': ['lifecycle', 'committed'],
  'permission/preset': ['lifecycle', 'committed'],
  'sandbox/mode': ['lifecycle', 'committed'],
  'plan/mode': ['lifecycle', 'committed'],
  'goal/change': ['progress', 'committed'],
  'todo/write': ['progress', 'committed'],
  'schedule/change': ['progress', 'committed'],
  'command/run': ['tool', 'committed'],
  'command/done': ['tool', 'committed'],
  'hook/invoked': ['log', 'committed'],
  'hook/result': ['log', 'committed'],
  'compaction/start': ['lifecycle', 'committed'],
  'compaction/end': ['lifecycle', 'committed'],
  'compaction/summary': ['log', 'committed'],
  'compaction/prune': ['log', 'committed'],
  'session/title': ['lifecycle', 'committed'],
  'session/title-llm-request': ['log', 'committed'],
  'web/deepseek-search-llm-request': ['log', 'committed'],
  'session/end-seed': ['lifecycle', 'committed'],
  'subagent/descriptor': ['lifecycle', 'committed'],
  'tool-workflow/run-start': ['progress', 'committed'],
  'tool-workflow/agent-start': ['progress', 'committed'],
  'tool-workflow/agent-end': ['progress', 'committed'],
  'tool-workflow/run-end': ['progress', 'committed'],
  'team/member': ['progress', 'committed'],
  'team/message/queued': ['progress', 'committed'],
  'team/message/delivered': ['progress', 'committed'],
  'team/task': ['progress', 'committed'],
  'agent-preset/selected': ['lifecycle', 'committed'],
  'feedback/record': ['log', 'committed'],
});
/** For the test that holds the table to the fact sheet. */
export const LOG_TYPES: readonly string[] = Object.keys(TYPES);

/**
 * Role `user` does not mean that a person typed it. Messages of other agents and of the runtime about the work are
 * progress; context put before the model (instructions, catalogues, plugins' notes) is diagnostics to everyone else.
 */
const SOURCES: Readonly<Record<string, Voice>> = table({
  user: 'user',
  goal: 'progress',
  coordinator: 'progress',
  'subagent-report': 'progress',
  'subagent-settled': 'progress',
  'team-message': 'progress',
  plugin: 'log',
  'skill-catalog': 'log',
  'skill-invocation': 'log',
  'session-reference': 'log',
  'agent-instructions': 'log',
});

/** How a turn's ending reads. The map is open: any other string is an ending whose outcome the wire does not tell. */
const ENDINGS: Readonly<Record<string, FinishReason['reason']>> = table({
  completed: 'stop',
  'max-tokens': 'length',
  error: 'error',
  aborted: 'cancelled',
  // A listener turned the claimed input down before any model step: nothing broke, and nothing was answered.
  blocked: 'refusal',
  // Written by the next load after the host died: ended, and nobody knows how far it had come.
  interrupted: 'other',
});

/** Reads log events in any order of sessions. Stateful only to say which streamed block a committed one is. */
export interface LogReader {
  event(session: string, event: Json | undefined): readonly Utterance[];
}

/** Where in its session an event belongs. */
interface Place {
  readonly session: string;
  readonly turn: unknown;
  readonly step: unknown;
  readonly at: string | undefined;
  readonly base: Identity;
}

export const createLogReader = (): LogReader => {
  const steps = new Map<string, Step>();

  /** Turn and step of the event before: most events are of the same. */
  let last: Place | null = null;
  const placeOf = (session: string, turn: unknown, step: unknown): Place => {
    if (last?.session === session && last.turn === turn && last.step === step) return last;
    const at = asNumber(step) === null ? undefined : `${asText(turn)}.${asText(step)}`;
    last = { session, turn, step, at, base: identityOf({ conversation: session, attempt: asNumber(turn) ?? undefined, step: at }) };
    return last;
  };

  const stepOf = (session: string, key: string): Step => {
    const known = steps.get(session);
    if (known?.key === key) return known;
    const step: Step = { key, blocks: new Map() };
    steps.set(session, step);
    return step;
  };

  const readEvent = ({ session, at, base }: Place, type: string, data: JsonObject, head: Head): readonly Utterance[] => {
    const seq = head.order;
    const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (known === undefined) return [unrecognised(type, { identity: base, ...head })];
    const [voice, standing] = known;

    const say: Say = (body, more = {}) =>
      utter(more.raw ?? type, more.voice ?? voice, standing, body, {
        identity: more.identity ? { ...base, ...more.identity } : base,
        part: more.part ?? null,
        ...head,
      });
    const note = (text: string | null): readonly Utterance[] => [say({ type: 'note', text })];
    const bad = (detail: string): readonly Utterance[] => [say({ type: 'malformed', detail })];

    switch (type) {
      case 'turn/start':
        return [say({ type: 'attempt.opened', model: null })];
      case 'turn/end':
        return [say(turnEnd(data))];
      case 'step/start':
        return [say({ type: 'step.opened' })];
      case 'step/end':
        return [say({ type: 'step.closed' })];
      case 'user/message':
        return userMessage(data, seq, say);
      case 'assistant/chunk':
        return bad('a chunk without turn, step or content');
      case 'assistant/message': {
        const message = asObject(data.message);
        if (message === null || !Array.isArray(message.content)) return bad('an assistant message without content');
        const step = stepOf(session, at ?? '');
        const out = commit(message, step, say);
        step.blocks.clear();
        const usage = asObject(data.usage);
        if (usage) out.push(say({ type: 'usage', usage: usageOf(usage) }, { voice: 'log' }));
        if (data.interrupted === true) out.push(say({ type: 'note', text: 'interrupted' }, { voice: 'lifecycle' }));
        return out.length === 0 ? note('no content') : out;
      }
      case 'tool/call':
        return [
          say(
            { type: 'tool.called', name: asString(data.name) ?? '', input: asText(data.arguments), owedBy: 'producer' },
            { identity: identityOf({ toolCall: data.callId }) },
          ),
        ];
      case 'tool/result': {
        const result = asObject(asArray(asObject(data.message)?.content)[0]);
        if (result === null) return bad('a tool result without its block');
        return [
          say(
            {
              type: 'tool.returned',
              output: textOf(result.content),
              failed: result.isError === true || asObject(data.error) !== null,
              preliminary: false,
            },
            { identity: identityOf({ toolCall: result.toolCallId, message: asObject(data.message)?.id }) },
          ),
        ];
      }
      case 'tool/code-dispatch-start':
        return [
          say(
            { type: 'tool.called', name: asString(data.name) ?? '', input: asText(data.arguments), owedBy: 'producer' },
            { identity: identityOf({ toolCall: data.subCallId }) },
          ),
        ];
      case 'tool/code-dispatch':
        return [
          say(
            { type: 'tool.returned', output: textOf(data.content), failed: data.isError === true, preliminary: false },
            { identity: identityOf({ toolCall: data.subCallId }) },
          ),
        ];
      case 'command/run':
        return [
          say(
            { type: 'tool.called', name: `/${asString(data.name) ?? ''}`, input: asText(data.args), owedBy: 'producer' },
            { identity: identityOf({ toolCall: data.commandId }) },
          ),
        ];
      case 'command/done':
        return [
          say(
            { type: 'tool.returned', output: asString(data.text), failed: data.kind === 'error', preliminary: false },
            { identity: identityOf({ toolCall: data.commandId }) },
          ),
        ];
      case 'agent/inbox/spliced':
        return [say(inbox(data))];
      case 'request/context':
        // Says which model the turn is put to.
        return [say({ type: 'attempt.opened', model: joined(data.model) })];
      case 'llm/retry':
        // Whatever this step had streamed is void: the next try says it all anew, under the same indexes.
        steps.delete(session);
        return [say({ type: 'parts.withdrawn', scope: 'provisional' })];
      case 'llm/retry-started':
        return note(joined('retry', data.retry));
      case 'approval/asked': {
        const request = asString(data.id);
        if (request === null) return bad('an approval without id');
        return [say({ type: 'asked', request, ...approvalOf(data) }, { identity: identityOf({ toolCall: data.callId }) })];
      }
      case 'approval/decided': {
        const request = asString(data.id);
        return request === null ? bad('a decision without id') : [say({ type: 'answered', request, how: asString(data.outcome) })];
      }
      case 'todo/write': {
        const items = asArray(data.todos).map(asObject);
        const text = items.map((item) => `${asString(item?.status) ?? '?'}: ${asString(item?.content) ?? ''}`).join('\n');
        return [say({ type: 'part.closed', text }, { part: `todo@${seq}` })];
      }
      case 'approval/policy':
        return note(asString(data.policy));
      case 'permission/preset':
        return note(asString(data.preset));
      case 'sandbox/mode':
        return note(asString(data.mode));
      case 'plan/mode':
        return note(data.active === true ? 'on' : 'off');
      case 'agent-preset/selected':
        return note(asString(data.agentPreset));
      case 'subagent/descriptor':
        return note(joined(data.mode, data.label));
      case 'feedback/record':
        return note(asString(data.text));
      case 'hook/invoked':
      case 'hook/result':
        return note(joined(data.point, data.handlerId, data.decision, data.stderrSummary));
      case 'compaction/start':
      case 'compaction/end':
        return note(joined(data.compactionId, data.error));
      case 'tool-workflow/run-start':
      case 'tool-workflow/agent-start':
      case 'tool-workflow/agent-end':
      case 'tool-workflow/run-end':
        return note(joined(data.name, data.label, data.phase, data.outcome, data.stopReason));
      case 'goal/change':
      case 'schedule/change':
      case 'team/member':
      case 'team/message/queued':
      case 'team/message/delivered':
      case 'team/task':
        return note(JSON.stringify(data));
      // Whole prompts, tool schemas and summaries are too large to repeat here. A title often is the person's own words,
      // and pages show it on purpose: it must not be taken for something said. All of them stay in the frame.
      default:
        return note(null);
    }
  };

  return {
    event(session, json) {
      const event = asObject(json);
      const type = asString(event?.type);
      if (event === null || type === null)
        return [
          utter(
            'session/event',
            null,
            'provisional',
            { type: 'malformed', detail: 'a session event without a type' },
            { identity: { conversation: session } },
          ),
        ];
      const data = asObject(event.data) ?? {};
      const seq = asNumber(event.seq);
      const place = placeOf(session, data.turn, data.step);
      const head: Head = { wireId: seq === null ? null : `${session}/${seq}`, order: seq };
      const chunk = type === 'assistant/chunk' ? asObject(data.chunk) : null;
      if (chunk !== null && place.at !== undefined) return readChunk(chunk, stepOf(place.session, place.at), place.base, head);
      return readEvent(place, type, data, head);
    },
  };
};

const turnEnd = (data: JsonObject): AgentEventBody => {
  const reason = asObject(data.reason);
  const kind = asString(reason?.kind);
  if (kind === null) return { type: 'turn.ended', kind: null, reason: 'other', error: null, detail: JSON.stringify(data) };
  const error = asObject(reason!.error);
  return {
    type: 'turn.ended',
    kind,
    reason: Object.hasOwn(ENDINGS, kind) ? ENDINGS[kind]! : 'other',
    error: error === null ? null : (joined(error.code, error.message) ?? 'error'),
    detail: JSON.stringify(reason),
  };
};

const inbox = (data: JsonObject): AgentEventBody => {
  const inserted = asArray(data.inserted).map(asObject);
  const claimed = asNumber(data.removedCount) ?? 0;
  // An edit takes a message out and puts it in again under a new id: it was received before.
  const received = claimed > 0 ? [] : inserted.filter(isPerson).map((message) => receiptOf(message!));
  return {
    type: 'inbox.changed',
    received: received.filter((key) => key !== null),
    inserted: inserted.length,
    claimed,
    cancelled: data.outcome === 'canceled',
  };
};

const isPerson = (message: JsonObject | null): boolean => {
  if (message === null) return false;
  const kind = asString(asObject(message.source)?.kind);
  return kind === null || kind === 'user';
};
/** The page knows its message by the id of its call, the SDK by the id of the message. */
const receiptOf = (message: JsonObject): string | null => asString(asObject(message.source)?.rpcId) ?? asString(message.id);

const userMessage = (data: JsonObject, seq: number | null, say: Say): readonly Utterance[] => {
  const source = asObject(data.source);
  const kind = asString(source?.kind) ?? 'user';
  const voice = Object.hasOwn(SOURCES, kind) ? SOURCES[kind]! : 'log';
  const identity = identityOf({ message: data.id, agent: source?.senderSessionId ?? source?.plugin });
  const key = `message@${asString(data.id) ?? seq}`;
  const out: Utterance[] = [];
  const text = asArray(data.content)
    .map(asObject)
    .filter((block) => block?.type === 'text')
    .map((block) => asString(block!.text) ?? '')
    .join('\n');
  out.push(say({ type: 'part.closed', text }, { voice, identity, part: key }));
  // A report of another agent may carry that agent's reasoning along.
  const reasoning = textOf(data.content, 'reasoning');
  if (reasoning !== '') out.push(say({ type: 'part.closed', text: reasoning }, { voice: 'reasoning', identity, part: `${key}:reasoning` }));
  return out;
};

export const approvalOf = (data: JsonObject) => ({ kind: 'approval', prompt: joined(data.toolName, data.reason), blocking: true }) as const;
