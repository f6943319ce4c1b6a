/**
 * DeepSeek Harness (dsh): its web UI's two sockets (`/api/events.mux`, `/api/events.host`) and unary calls (`POST
 * /api/<method>`), and the JSON-RPC of its SDK where that comes over a socket. Read from @deepseek-ai/dsh 0.1.0-rc.8.
 *
 * A session is one numbered log; events are its own wherever they come from (live, a history page, another socket after a
 * reconnect). Runs are owned intervals of that log: the receipt of a prompt to the next idle. The two sockets have no common
 * order, and idle (host) usually arrives before the ending (mux); only the SDK's single channel gives idle a place in the log.
 * Recognised by the exact keys of its envelopes, never by URL.
 */
import type { AgentEventBody, Standing, Voice, WireFrame } from '../model';
import { approvalOf, createLogReader, type LogReader } from './deepseek-harness-log';
import { joined, textOf } from './deepseek-harness-step';
import {
  asArray,
  asNumber,
  asObject,
  asString,
  type Decoder,
  type Dialect,
  type FlowOpening,
  frameObject,
  identityOf,
  type JsonObject,
  parseJson,
  type Utterance,
  unrecognised,
  utter,
} from './dialect';

/** Payload types of socket frames: voice and standing. What a type does is below. */
const FRAMES: ReadonlyMap<string, readonly [Voice, Standing]> = new Map([
  ['session/event', ['lifecycle', 'committed']],
  ['session/subscribed', ['lifecycle', 'committed']],
  ['session/queue', ['lifecycle', 'provisional']],
  ['session/jobs', ['progress', 'provisional']],
  ['session/projection', ['log', 'provisional']],
  ['approval/requested', ['interaction', 'committed']],
  ['approval/resolved', ['interaction', 'committed']],
  ['question/requested', ['interaction', 'committed']],
  ['question/resolved', ['interaction', 'committed']],
  ['stream/error', ['lifecycle', 'committed']],
  ['host/session-added', ['lifecycle', 'committed']],
  ['host/session-removed', ['lifecycle', 'committed']],
  ['host/session-status', ['lifecycle', 'committed']],
  ['host/agent-error', ['log', 'committed']],
  ['host/workspace-changed', ['log', 'provisional']],
  ['host/workspace-removed', ['log', 'provisional']],
  ['host/workspace-order-changed', ['log', 'provisional']],
  ['host/archived-sessions-changed', ['log', 'provisional']],
  ['host/remote-event', ['log', 'provisional']],
]);

/** The calls that say something about runs. Settings, catalogues, credentials and the like are none of our business. */
const CALLS = new Set(['session.prompt', 'session.history', 'session.cancel', 'session.list', 'subagent.list']);

const has = (object: JsonObject, ...keys: readonly string[]): boolean =>
  Object.keys(object).length === keys.length && keys.every((key) => Object.hasOwn(object, key));

/** The payload of a socket frame, or null for anything else. */
const payloadOf = (object: JsonObject | null): JsonObject | null => {
  if (object?.type !== 'server-request') return null;
  const payload = asObject(object.payload);
  if (asString(object.rpcId) === null || payload === null || typeof payload.type !== 'string' || payload.type !== object.method)
    return null;
  // These four and no others. Counted, because every event of the socket is asked and a list of names would be made for each.
  let members = 0;
  for (const _ in object) members++;
  return members === 4 ? payload : null;
};

/** Params of an SDK notification that is certainly one of ours, or null. */
const noticeOf = (object: JsonObject | null): { readonly method: string; readonly params: JsonObject } | null => {
  if (object?.jsonrpc !== '2.0' || 'id' in object) return null;
  const method = asString(object.method);
  const params = asObject(object.params);
  if (method === null || params === null) return null;
  const fits = {
    'session.event': asString(params.sessionId) !== null && asString(asObject(params.event)?.type) !== null,
    'session.status': asString(params.sessionId) !== null && (params.status === 'running' || params.status === 'idle'),
    'subagent.started': asString(params.parentSessionId) !== null && asString(params.childSessionId) !== null,
    'subagent.finished': asString(params.parentSessionId) !== null && asString(params.childSessionId) !== null,
  };
  return Object.hasOwn(fits, method) && fits[method as keyof typeof fits] ? { method, params } : null;
};

interface Call {
  readonly type: 'client-request' | 'client-response';
  readonly rpcId: string;
  readonly method: string;
  readonly payload: JsonObject;
}

/** A unary request of the page: a call that concerns runs, or its answer to an approval or a question. */
const callOf = (body: string | null): Call | null => {
  if (body === null || !body.startsWith('{')) return null;
  const object = asObject(parseJson(body));
  const rpcId = asString(object?.rpcId);
  if (object === null || rpcId === null) return null;
  if (object.type === 'client-request' && has(object, 'type', 'rpcId', 'method', 'payload')) {
    const method = asString(object.method);
    const payload = asObject(object.payload);
    return method !== null && payload !== null && CALLS.has(method) ? { type: 'client-request', rpcId, method, payload } : null;
  }
  if (object.type === 'client-response' && has(object, 'type', 'rpcId', 'result')) {
    const value = asObject(asObject(object.result)?.value);
    if (asString(value?.sessionId) === null || !('approvalId' in value! || 'answer' in value!)) return null;
    return { type: 'client-response', rpcId, method: 'respond', payload: value! };
  }
  return null;
};

export const deepseekHarness: Dialect = {
  id: 'deepseek-harness',
  title: 'DeepSeek Harness',
  framings: ['message', 'body', 'ndjson'],
  hasTerminalWord: true,
  runs: 'interval',

  recognise(opening: FlowOpening) {
    if (opening.transport === 'fetch' || opening.transport === 'xhr') {
      if (callOf(opening.requestBody) !== null) return 'certain';
    }
    for (const frame of opening.frames) {
      const object = frameObject(frame);
      const payload = payloadOf(object);
      if (payload !== null) {
        if (FRAMES.has(payload.type as string)) return 'certain';
        continue;
      }
      if (noticeOf(object) !== null) return 'certain';
    }
    return 'no';
  },

  open(opening) {
    const log = createLogReader();
    const call = opening.transport === 'fetch' || opening.transport === 'xhr' ? callOf(opening.requestBody) : null;
    return call === null ? openSocket(log) : openCall(call, log);
  },
};

const malformed = (raw: string, detail: string): readonly Utterance[] => [utter(raw, null, 'provisional', { type: 'malformed', detail })];

const openSocket = (log: LogReader): Decoder => {
  const rpc = createRpc(log);
  return {
    end: () => [],
    frame(frame: WireFrame) {
      const object = frameObject(frame);
      const payload = payloadOf(object);
      if (payload !== null) {
        const conversation = asString(payload.sessionId);
        return payload.type === 'session/event' && conversation !== null
          ? log.event(conversation, payload.event)
          : socketFrame(payload, asString(object!.rpcId)!);
      }
      if (object?.jsonrpc === '2.0') return rpc(object);
      return malformed('(frame)', 'not an envelope of this protocol');
    },
  };
};

const socketFrame = (payload: JsonObject, rpcId: string): readonly Utterance[] => {
  const raw = payload.type as string;
  const [voice, standing] = FRAMES.get(raw) ?? [null, 'provisional' as const];
  const conversation = asString(payload.sessionId);
  const identity = identityOf({ conversation, toolCall: payload.callId });
  const say = (body: AgentEventBody, more: { order?: number | null } = {}): readonly Utterance[] => [
    utter(raw, voice, standing, body, { identity, order: more.order ?? null }),
  ];
  if (voice === null) return say({ type: 'unrecognised' });
  if (conversation === null && (raw.startsWith('session/') || raw.startsWith('approval/') || raw.startsWith('question/')))
    return malformed(raw, 'no sessionId');

  switch (raw) {
    case 'session/subscribed': {
      // From here on this socket carries the session's log, which stands at lastSeq.
      const order = asNumber(payload.lastSeq);
      return say({ type: 'note', text: joined('log at', order) }, { order });
    }
    case 'session/queue':
      return say({ type: 'note', text: `${asArray(payload.items).length} in the queue` });
    case 'session/jobs':
      return say({
        type: 'note',
        text: joined(...asArray(payload.jobs).map((job) => joined(asObject(job)?.label, asObject(job)?.status))),
      });
    case 'session/projection':
      return say({ type: 'note', text: asString(payload.key) });
    case 'approval/requested': {
      const request = asString(payload.approvalId);
      return request === null ? malformed(raw, 'no approvalId') : say({ type: 'asked', request, ...approvalOf(payload) });
    }
    case 'approval/resolved': {
      const request = asString(payload.approvalId);
      return request === null ? malformed(raw, 'no approvalId') : say({ type: 'answered', request, how: asString(payload.outcome) });
    }
    case 'question/requested': {
      const questions = asArray(payload.questions).map((one) => asString(asObject(one)?.question) ?? '');
      return say({ type: 'asked', request: rpcId, kind: 'input', prompt: joined(...questions), blocking: true });
    }
    case 'question/resolved': {
      const request = asString(payload.questionRpcId);
      return request === null ? malformed(raw, 'no questionRpcId') : say({ type: 'answered', request, how: asString(payload.outcome) });
    }
    case 'host/session-added':
      return [utter(raw, voice, standing, { type: 'note', text: asString(payload.origin) }, { identity: lineage(payload) })];
    case 'host/session-removed':
      // Nothing runs in a session that is gone.
      return say({ type: 'agent.status', state: 'idle' });
    case 'host/session-status':
      return typeof payload.running === 'boolean'
        ? say({ type: 'agent.status', state: payload.running ? 'running' : 'idle' })
        : malformed(raw, 'running is no boolean');
    case 'host/agent-error':
      return say({ type: 'note', text: asString(payload.message) });
    case 'stream/error':
      return say({ type: 'note', text: joined(payload.error) });
    case 'host/remote-event':
      return say({ type: 'note', text: asString(payload.event) });
    default:
      return say({ type: 'note', text: null });
  }
};

/** A fork has a parent too; only `origin` makes a session another's child. */
const lineage = (session: JsonObject) =>
  identityOf({ conversation: session.sessionId, parentRun: session.origin === 'subagent' ? session.parentSessionId : undefined });

/** One call: what the page asked, once the answer or the end is there, then the answer. */
const openCall = (call: Call, log: LogReader): Decoder => {
  const raw = call.method;
  const conversation = asString(call.payload.sessionId);
  const identity = identityOf({ conversation });
  let asked = false;

  const request = (): Utterance[] => {
    if (asked) return [];
    asked = true;
    switch (raw) {
      case 'session.prompt': {
        const content = asArray(call.payload.content);
        const text = textOf(content);
        // One text block that starts with a slash is a command: it is never received as a message.
        const command = content.length === 1 && text.startsWith('/');
        return [utter(raw, 'user', 'provisional', { type: 'prompt.sent', receipt: command ? null : call.rpcId, text }, { identity })];
      }
      case 'session.cancel':
        return [utter(raw, 'lifecycle', 'provisional', { type: 'status', state: 'stopping', label: 'cancel requested' }, { identity })];
      case 'respond': {
        // Whether it counts, the resolution says.
        const text = joined(call.payload.outcome, call.payload.answer);
        return [utter(raw, 'interaction', 'provisional', { type: 'note', text }, { identity })];
      }
      default:
        return [];
    }
  };

  return {
    end: request,
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const out = request();
      const object = frameObject(frame);
      if (call.type === 'client-response') {
        const text = object?.accepted === true ? 'accepted' : joined('not accepted', object?.reason);
        out.push(utter(raw, 'interaction', 'committed', { type: 'note', text }, { identity }));
        return out;
      }
      const result = asObject(object?.result);
      if (object?.type !== 'server-response' || result === null) {
        out.push(...malformed(raw, 'the answer is no server-response'));
        return out;
      }
      if (result.ok !== true) {
        const error = asObject(result.error);
        out.push(utter(raw, 'log', 'committed', { type: 'note', text: joined('failed', error?.code, error?.message) }, { identity }));
        return out;
      }
      const value = asObject(result.value) ?? {};
      switch (raw) {
        case 'session.history': {
          if (conversation === null) return [...out, ...malformed(raw, 'a history without sessionId')];
          const page = new Set<number>();
          for (const entry of asArray(value.events).map(asObject)) {
            const seq = asNumber(asObject(entry?.event)?.seq);
            if (seq !== null && page.has(seq)) continue;
            if (seq !== null) page.add(seq);
            out.push(...log.event(conversation, entry?.event));
          }
          return out;
        }
        case 'session.list':
          for (const item of asArray(value.items).map(asObject)) {
            if (asString(item?.sessionId) === null) continue;
            const state = item!.running === true ? 'running' : 'idle';
            // A snapshot, taken at some time before it arrives here.
            out.push(utter(raw, 'lifecycle', 'provisional', { type: 'agent.status', state }, { identity: lineage(item!) }));
          }
          return out;
        case 'subagent.list':
          for (const entry of asArray(value.entries).map(asObject)) {
            if (entry?.kind !== 'child') continue;
            const child = identityOf({ conversation: entry.id, parentRun: call.payload.parentSessionId });
            out.push(
              utter(raw, 'lifecycle', 'provisional', { type: 'note', text: joined(entry.activity, entry.label) }, { identity: child }),
            );
          }
          return out;
        default:
          return out;
      }
    },
  };
};

/** The SDK's channel: one order for everything, so that idle has its place in the log. */
const createRpc = (log: LogReader): ((object: JsonObject) => readonly Utterance[]) => {
  const position = new Map<string, number>();
  const prompts = new Map<string, { readonly conversation: string; readonly text: string }>();

  return (object) => {
    const notice = noticeOf(object);
    if (notice !== null) {
      const { method, params } = notice;
      const conversation = asString(params.sessionId);
      switch (method) {
        case 'session.event': {
          const seq = asNumber(asObject(params.event)?.seq);
          if (seq !== null) position.set(conversation!, Math.max(seq, position.get(conversation!) ?? -1));
          return log.event(conversation!, params.event);
        }
        case 'session.status':
          return [
            utter(
              method,
              'lifecycle',
              'committed',
              { type: 'agent.status', state: params.status === 'idle' ? 'idle' : 'running' },
              { identity: identityOf({ conversation }), order: position.get(conversation!) ?? -1 },
            ),
          ];
        default:
          return [
            utter(
              method,
              'lifecycle',
              'committed',
              { type: 'note', text: joined(params.status, params.stopReason) },
              { identity: identityOf({ conversation: params.childSessionId, parentRun: params.parentSessionId }) },
            ),
          ];
      }
    }
    const method = asString(object.method);
    const id = JSON.stringify(object.id ?? null);
    if (method === 'session/prompt') {
      const params = asObject(object.params);
      const conversation = asString(params?.sessionId);
      if (conversation !== null) prompts.set(id, { conversation, text: textOf(params!.contentBlocks) });
      return [];
    }
    if (method === null) {
      const prompt = prompts.get(id);
      prompts.delete(id);
      if (prompt === undefined) return [];
      const receipt = asString(asObject(object.result)?.messageId);
      const identity = identityOf({ conversation: prompt.conversation });
      const error = asObject(object.error);
      if (error)
        return [utter('session/prompt', 'log', 'committed', { type: 'note', text: joined('failed', error.message) }, { identity })];
      return [utter('session/prompt', 'user', 'provisional', { type: 'prompt.sent', receipt, text: prompt.text }, { identity })];
    }
    return method === 'initialize' || method === 'shutdown' ? [] : [unrecognised(method)];
  };
};
