/**
 * Agent Client Protocol, v1 (stable) and v2 (draft), over WebSocket and streamable HTTP. Spec: npm
 * @agentclientprotocol/sdk 2.4.0. Recognised by JSON-RPC `session/update` or `session/prompt`, by `initialize` with a numeric
 * `protocolVersion`, or by the header `acp-connection-id`.
 *
 * Terminal words: in v1 the result of `session/prompt` (`stopReason`), in v2 `state_update` idle; there the prompt's result
 * says only that the message was taken. Which of the two it is shows in the shape of the result. An open permission request
 * is a live wait. Text stays provisional until the turn ends; a whole `agent_message` (v2) is committed.
 */
import type { FinishReason, Identity, WaitKind } from '../model';
import {
  asArray,
  asObject,
  asObjects,
  asString,
  asText,
  type Decoder,
  type Dialect,
  frameObject,
  identityOf,
  type JsonObject,
  table,
  type Utterance,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { createWriting } from './writing';

const STOPS: Readonly<Record<string, FinishReason['reason']>> = table({
  end_turn: 'stop',
  max_tokens: 'length',
  max_turn_requests: 'length',
  refusal: 'refusal',
  cancelled: 'cancelled',
  error: 'error',
});
const ASKS: Readonly<Record<string, WaitKind>> = table({ 'session/request_permission': 'approval', 'elicitation/create': 'input' });

/** Updates that bring a piece of text. */
const CHUNKS: ReadonlySet<string> = new Set(['agent_message_chunk', 'agent_thought_chunk']);

const isRpc = (value: JsonObject | null): value is JsonObject => value !== null && value.jsonrpc === '2.0';
const idOf = (value: JsonObject): string | null => (typeof value.id === 'number' || typeof value.id === 'string' ? String(value.id) : null);
const contentText = (content: unknown): string =>
  Array.isArray(content)
    ? asObjects(content)
        .map((block) => asString(block.text) ?? '')
        .join('')
    : (asString(asObject(content)?.text) ?? '');

interface Session {
  /** A prompt is being worked on. */
  running: boolean;
  /** Open requests to the person: request key → JSON-RPC id. */
  readonly asks: Map<string, string>;
  /** Part that chunks without a message id go on with. */
  loose: number;
}

const open = (): Decoder => {
  const sessions = new Map<string, Session>();
  /** Requests of the page by JSON-RPC id. The server's requests have ids of their own. */
  const sent = new Map<string, { readonly method: string; readonly session: string }>();
  let latest = '';
  let questions = 0;
  const writing = createWriting();

  const sessionOf = (id: string): Session => {
    latest = id;
    let session = sessions.get(id);
    if (session === undefined) {
      session = { running: false, asks: new Map(), loose: 0 };
      sessions.set(id, session);
    }
    return session;
  };
  const about = (id: string, more: Identity = {}): { readonly identity: Identity; readonly lane: string } => ({
    identity: { ...identityOf({ conversation: id }), ...more },
    lane: id,
  });

  const begin = (id: string, raw: string): readonly Utterance[] => {
    const session = sessionOf(id);
    if (session.running) return [];
    session.running = true;
    session.loose++;
    return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, about(id))];
  };

  const answerAll = (id: string, raw: string): readonly Utterance[] => {
    const session = sessionOf(id);
    const said = [...session.asks.keys()].map((request) =>
      utter(raw, 'interaction', 'committed', { type: 'answered', request, how: null }, about(id)),
    );
    session.asks.clear();
    return said;
  };

  const finish = (id: string, raw: string, stop: string | null, error: JsonObject | null): readonly Utterance[] => {
    const session = sessionOf(id);
    // The turn is over, and with it whatever it had asked.
    const said: Utterance[] = [...begin(id, raw), ...answerAll(id, raw)];
    session.running = false;
    const reason = stop === null ? 'other' : (STOPS[stop] ?? 'other');
    if (reason === 'error' || error !== null) {
      said.push(utterFailed(raw, asString(error?.message) ?? '', asText(error?.code) ?? stop, about(id)));
      return said;
    }
    if (reason === 'stop' || reason === 'length') said.push(utter(raw, 'terminal', 'settling', { type: 'parts.committed' }, about(id)));
    said.push(utterFinished(raw, { reason, raw: stop }, null, about(id)));
    return said;
  };

  const update = (id: string, kind: string, value: JsonObject): readonly Utterance[] => {
    const session = sessionOf(id);
    const message = asString(value.messageId);
    const key = message ?? `${kind}:${session.loose}`;
    const at = { ...about(id, message === null ? {} : { message }), part: key };
    switch (kind) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk': {
        const voice = kind === 'agent_message_chunk' ? 'assistant' : 'reasoning';
        return [...begin(id, kind), utter(kind, voice, 'provisional', { type: 'part.delta', text: contentText(value.content) }, at)];
      }
      case 'agent_message':
      case 'agent_thought':
        return [
          ...begin(id, kind),
          utter(
            kind,
            kind === 'agent_message' ? 'assistant' : 'reasoning',
            'committed',
            { type: 'part.replaced', text: contentText(value.content) },
            at,
          ),
        ];
      case 'user_message_chunk':
      case 'user_message':
        return [utter(kind, 'user', 'committed', { type: 'note', text: contentText(value.content) }, about(id))];
      case 'plan':
      case 'plan_update': {
        const entries = asObjects(value.entries ?? asObject(value.plan)?.entries);
        const plan = asString(asObject(value.plan)?.planId) ?? 'plan';
        return [
          ...begin(id, kind),
          utter(
            kind,
            'progress',
            'committed',
            { type: 'part.replaced', text: entries.map((entry) => asString(entry.content) ?? '').join('\n') },
            { ...about(id), part: `plan:${plan}` },
          ),
        ];
      }
      case 'tool_call':
      case 'tool_call_update':
      case 'tool_call_content_chunk':
        return [...begin(id, kind), ...tool(id, kind, value)];
      case 'state_update':
        return state(id, value);
      case 'usage_update':
      case 'notice':
        return [utter(kind, 'log', 'committed', { type: 'note', text: contentText(value.content) || null }, about(id))];
      case 'current_mode_update':
      case 'config_option_update':
      case 'available_commands_update':
      case 'session_info_update':
        return [utter(kind, 'lifecycle', 'committed', { type: 'note', text: null }, about(id))];
    }
    if (/^(?:compaction|terminal)_/u.test(kind))
      return [utter(kind, kind.startsWith('terminal') ? 'tool' : 'log', 'committed', { type: 'note', text: null }, about(id))];
    return [utter(kind || '(no sessionUpdate)', null, 'provisional', { type: 'unrecognised' }, about(id))];
  };

  const tool = (id: string, kind: string, value: JsonObject): readonly Utterance[] => {
    const toolCall = asString(value.toolCallId) ?? '';
    const at = about(id, { toolCall });
    const status = asString(value.status);
    const said: Utterance[] = [];
    if (kind === 'tool_call' || (asString(value.title) !== null && status === 'pending'))
      said.push(
        utter(
          kind,
          'tool',
          'provisional',
          { type: 'tool.called', name: asString(value.title) ?? '', input: asText(value.rawInput), owedBy: 'producer' },
          at,
        ),
      );
    if (status === 'completed' || status === 'failed' || status === 'cancelled')
      said.push(
        utter(
          kind,
          'tool',
          'committed',
          { type: 'tool.returned', output: asText(value.rawOutput ?? value.content), failed: status !== 'completed', preliminary: false },
          at,
        ),
      );
    return said.length > 0 ? said : [utter(kind, 'tool', 'provisional', { type: 'note', text: status }, at)];
  };

  const state = (id: string, value: JsonObject): readonly Utterance[] => {
    const to = asString(value.state) ?? '';
    const raw = `state_update ${to}`;
    if (to === 'idle') {
      // Idle before any prompt ends nothing.
      if (!sessionOf(id).running) return [utter(raw, 'lifecycle', 'committed', { type: 'note', text: to }, about(id))];
      return finish(id, raw, asString(value.stopReason), asObject(value.error));
    }
    if (to === 'running')
      return [
        ...begin(id, raw),
        ...answerAll(id, raw),
        utter(raw, 'lifecycle', 'committed', { type: 'status', state: 'working', label: to }, about(id)),
      ];
    return [...begin(id, raw), utter(raw, 'interaction', 'committed', { type: 'note', text: to }, about(id))];
  };

  const received = (value: JsonObject): readonly Utterance[] => {
    const method = asString(value.method);
    const params = asObject(value.params);
    const id = asString(params?.sessionId) ?? latest;
    const rpc = idOf(value);
    if (method === 'session/update') {
      const body = asObject(params?.update);
      if (body === null)
        return [utter(method, null, 'provisional', { type: 'malformed', detail: 'session/update without an update' }, about(id))];
      const kind = asString(body.sessionUpdate) ?? '';
      const text = CHUNKS.has(kind) ? contentText(body.content) : null;
      return writing.more(text, null, id, kind, asString(body.messageId)) ?? update(id, kind, body);
    }
    if (method !== null && ASKS[method] !== undefined && rpc !== null) {
      const request = `${id}:${method}:${++questions}`;
      sessionOf(id).asks.set(request, rpc);
      const prompt = asString(params?.title) ?? asString(asObject(params?.toolCall)?.title) ?? asString(params?.message);
      return [
        ...begin(id, method),
        utter(method, 'interaction', 'committed', { type: 'asked', request, kind: ASKS[method]!, prompt, blocking: true }, about(id)),
      ];
    }
    if (method !== null)
      return [
        utter(
          method,
          rpc === null ? null : 'tool',
          'provisional',
          rpc === null ? { type: 'unrecognised' } : { type: 'note', text: null },
          about(id),
        ),
      ];
    return reply(value, rpc);
  };

  const reply = (value: JsonObject, rpc: string | null): readonly Utterance[] => {
    const call = rpc === null ? undefined : sent.get(rpc);
    const result = asObject(value.result);
    const error = asObject(value.error);
    const stop = asString(result?.stopReason);
    const raw = call?.method ?? 'result';
    const id = call?.session || latest;
    // Over HTTP the prompt went out on another request; its result is known by its shape.
    if (stop !== null && (call === undefined || call.method === 'session/prompt')) return finish(id, `${raw} result`, stop, null);
    if (error !== null && (call?.method === 'session/prompt' || (call === undefined && sessions.get(id)?.running === true)))
      return finish(id, `${raw} error`, null, error);
    const announced = asString(result?.sessionId);
    if (announced !== null) {
      sessionOf(announced);
      // The session is there, and nothing has been asked of it yet.
      return [
        utter(`${raw} result`, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, about(announced)),
        utter(`${raw} result`, 'lifecycle', 'committed', { type: 'status', state: 'idle', label: null }, about(announced)),
      ];
    }
    return [
      utter(`${raw} result`, 'lifecycle', 'committed', { type: 'note', text: error === null ? null : asString(error.message) }, about(id)),
    ];
  };

  const outgoing = (value: JsonObject): readonly Utterance[] => {
    const method = asString(value.method);
    const rpc = idOf(value);
    if (method === null) {
      for (const [id, session] of sessions)
        for (const [request, asked] of session.asks)
          if (asked === rpc) {
            session.asks.delete(request);
            const outcome = asString(asObject(asObject(value.result)?.outcome)?.outcome);
            return [utter('answer', 'interaction', 'committed', { type: 'answered', request, how: outcome }, about(id))];
          }
      return [];
    }
    const id = asString(asObject(value.params)?.sessionId) ?? '';
    if (rpc !== null) sent.set(rpc, { method, session: id });
    if (method === 'session/prompt' && id !== '') return begin(id, method);
    return id === '' ? [] : [utter(method, 'lifecycle', 'committed', { type: 'note', text: null }, about(id))];
  };

  return {
    frame(frame) {
      const value = frameObject(frame);
      if (!isRpc(value))
        return frame.direction === 'sent'
          ? []
          : [utter('(unread)', null, 'provisional', { type: 'malformed', detail: 'not a JSON-RPC message' })];
      return writing.note(frame.direction === 'sent' ? outgoing(value) : received(value));
    },
    end: () => [],
  };
};

const telling = (value: JsonObject | null): boolean => {
  if (!isRpc(value)) return false;
  const params = asObject(value.params);
  switch (asString(value.method)) {
    case 'session/update':
      return asString(params?.sessionId) !== null && asString(asObject(params?.update)?.sessionUpdate) !== null;
    case 'session/prompt':
      return asString(params?.sessionId) !== null && asArray(params?.prompt).length > 0;
    case 'initialize':
      return typeof params?.protocolVersion === 'number';
    case null:
      return (
        typeof asObject(value.result)?.protocolVersion === 'number' &&
        (asObject(value.result)?.agentCapabilities !== undefined || asObject(value.result)?.authMethods !== undefined)
      );
    default:
      return false;
  }
};

export const acp: Dialect = {
  id: 'acp',
  title: 'Agent Client Protocol (ACP)',
  framings: ['message', 'sse', 'body'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise(opening) {
    if (opening.frames.some((frame) => telling(frameObject(frame)))) return 'certain';
    const header = opening.headers['acp-connection-id'] ?? opening.requestHeaders['acp-connection-id'];
    return header !== undefined && opening.frames.some((frame) => isRpc(frameObject(frame))) ? 'certain' : 'no';
  },
  open,
};
