/**
 * Agent Client Protocol, v1 (stable) and v2 (draft), over WebSocket and streamable HTTP. Spec: npm
 * @agentclientprotocol/sdk 2.4.0. Recognised by JSON-RPC `session/update` or `session/prompt`, by `initialize` with a numeric
 * `protocolVersion`, or by the header `acp-connection-id`.
 *
 * Terminal words: in v1 the result of `session/prompt` (`stopReason`), in v2 `state_update` idle; there the prompt's result
 * says only that the message was taken. Which of the two it is shows in the shape of the result. An open permission request
 * is a live wait, and so is `requires_action` (v2) by itself. Text stays provisional until the turn ends; a whole
 * `agent_message` (v2) is committed.
 *
 * A turn begins with a prompt or, in v2, with a state. Updates begin one only where the page's own words are not seen (HTTP, a
 * socket joined late). What else comes outside a turn is late, a session's history that is told again, or said of the session.
 */
import type { FinishReason, Identity, Voice, WaitKind } from '../model';
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
  malformed,
  table,
  type Utterance,
  unrecognised,
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

/** Updates that bring something of a turn, and whose words they are. */
const CONTENT: Readonly<Record<string, Voice>> = table({
  agent_message_chunk: 'assistant',
  agent_message: 'assistant',
  agent_thought_chunk: 'reasoning',
  agent_thought: 'reasoning',
  plan: 'progress',
  plan_update: 'progress',
  tool_call: 'tool',
  tool_call_update: 'tool',
  tool_call_content_chunk: 'tool',
});
/** What the page asks to be told again. */
const REPLAYS: ReadonlySet<string> = new Set(['session/load', 'session/resume']);
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

/** A picture, a sound or a link says something without words. */
const isWordless = (content: unknown): boolean =>
  contentText(content) === '' &&
  asObjects(Array.isArray(content) ? content : [content]).some(({ type }) => type !== undefined && type !== 'text');

interface Session {
  /** A prompt is being worked on. */
  running: boolean;
  /** How the turn before ended; null where there was none. */
  ended: FinishReason['reason'] | null;
  /** Prompts without an answer, by their JSON-RPC ids; the first is the one at work. */
  prompts: readonly string[];
  /** The turn is that of a prompt that had to wait, and nothing was said in it. */
  silent: boolean;
  /** What the page says to the session is seen here, from its start. */
  heard: boolean;
  /** Its history is being told again (`session/load` or `session/resume`, until its result). */
  replaying: boolean;
  /** How it was said to stand in the meantime. */
  standing: JsonObject | null;
  /** Messages and calls, and of which turn they are: what comes later under their names goes on with none but that. */
  readonly named: Map<string, number>;
  /** Open requests to the person: request key → JSON-RPC id. */
  readonly asks: Map<string, string>;
  /** Number of the turn, for chunks without a message id. */
  turn: number;
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
      session = {
        running: false,
        ended: null,
        prompts: [],
        silent: false,
        heard: false,
        replaying: false,
        standing: null,
        named: new Map(),
        asks: new Map(),
        turn: 0,
      };
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
    session.replaying = false;
    session.silent = false;
    session.turn++;
    return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, about(id))];
  };

  /** As `begin`, before something that begins a turn only where nothing else is known of it. */
  const join = (id: string, raw: string, name: string | null): readonly Utterance[] => {
    const session = sessionOf(id);
    const late = !session.running && (session.heard || (name !== null && session.named.has(name)));
    if (late) return [];
    const begun = begin(id, raw);
    if (name !== null) session.named.set(name, session.turn);
    return begun;
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
    const reason = error !== null ? 'error' : (STOPS[stop ?? ''] ?? 'other');
    // A prompt to which nothing was said may have been taken into the turn before.
    const told = session.silent && reason === 'stop' ? 'other' : reason;
    session.running = false;
    session.ended = reason;
    session.prompts = session.prompts.slice(1);
    if (reason === 'error') said.push(utterFailed(raw, asString(error?.message) ?? '', asText(error?.code) ?? stop, about(id)));
    else if (reason === 'stop' || reason === 'length')
      said.push(utter(raw, 'terminal', 'settling', { type: 'parts.committed' }, about(id)));
    if (reason !== 'error') said.push(utterFinished(raw, { reason: told, raw: stop }, null, about(id)));
    if (session.prompts.length > 0) {
      said.push(...begin(id, raw));
      session.silent = true;
    }
    return said;
  };

  const update = (id: string, kind: string, value: JsonObject): readonly Utterance[] => {
    const session = sessionOf(id);
    const message = asString(value.messageId);
    const voice = CONTENT[kind];
    // Of no turn at all: told again, or before there was one.
    const call = asString(value.toolCallId) ?? '';
    const turn = session.named.get(call);
    // An end that comes late: agents tidy up after a cancel.
    const tidied =
      /^tool_call_/u.test(kind) &&
      (session.running
        ? turn !== undefined && turn < session.turn
        : session.ended === 'cancelled' && (session.heard || turn !== undefined));
    if (tidied || (voice !== undefined && !session.running && (session.replaying || (session.heard && session.ended === null))))
      return [utter(kind, voice!, 'committed', { type: 'note', text: contentText(value.content) || null }, about(id))];
    if (voice !== undefined) session.silent = false;
    const key = message ?? `${kind}:${session.turn}`;
    const at = { ...about(id, message === null ? {} : { message }), part: key };
    switch (kind) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk': {
        return [
          ...join(id, kind, message),
          isWordless(value.content)
            ? utter(kind, voice!, 'committed', { type: 'note', text: null }, at)
            : utter(kind, voice!, 'provisional', { type: 'part.delta', text: contentText(value.content) }, at),
        ];
      }
      case 'agent_message':
      case 'agent_thought':
        return [
          ...join(id, kind, message),
          utter(
            kind,
            voice!,
            'committed',
            isWordless(value.content) ? { type: 'note', text: null } : { type: 'part.replaced', text: contentText(value.content) },
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
          ...join(id, kind, null),
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
        return [...join(id, kind, call || null), ...tool(id, kind, value)];
      case 'state_update':
        if (!session.replaying) return state(id, value);
        session.standing = value;
        return [utter(kind, 'lifecycle', 'committed', { type: 'note', text: asString(value.state) }, about(id))];
      case 'replay_complete':
        return [utter(kind, 'lifecycle', 'committed', { type: 'note', text: null }, about(id)), ...replayed(session, id)];
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
    return [unrecognised(kind || '(no sessionUpdate)', about(id))];
  };

  /** What came was history; how the session stands is not. */
  const replayed = (session: Session, id: string): readonly Utterance[] => {
    const { standing } = session;
    session.replaying = false;
    session.standing = null;
    return standing === null || standing.state === 'idle' ? [] : state(id, standing);
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
    const begun = begin(id, raw);
    // What it stands still for is mostly asked as well, before or after.
    if (to === 'requires_action' && sessionOf(id).asks.size === 0) return [...begun, ask(id, raw, '', 'other', null)];
    return [...begun, utter(raw, 'interaction', 'committed', { type: 'note', text: to }, about(id))];
  };

  const ask = (id: string, raw: string, rpc: string, kind: WaitKind, prompt: string | null): Utterance => {
    const request = `${id}:${raw}:${++questions}`;
    sessionOf(id).asks.set(request, rpc);
    return utter(raw, 'interaction', 'committed', { type: 'asked', request, kind, prompt, blocking: true }, about(id));
  };

  const received = (value: JsonObject): readonly Utterance[] => {
    const method = asString(value.method);
    const params = asObject(value.params);
    const id = asString(params?.sessionId) ?? latest;
    const rpc = idOf(value);
    if (method === 'session/update') {
      const body = asObject(params?.update);
      if (body === null) return [malformed(method, 'session/update without an update', about(id))];
      const kind = asString(body.sessionUpdate) ?? '';
      const text = CHUNKS.has(kind) ? contentText(body.content) || null : null;
      return writing.more(text, null, id, kind, asString(body.messageId)) ?? update(id, kind, body);
    }
    if (method !== null && ASKS[method] !== undefined && rpc !== null) {
      const session = sessionOf(id);
      const begun = session.ended === null ? begin(id, method) : join(id, method, null);
      session.silent = false;
      const prompt = asString(params?.title) ?? asString(asObject(params?.toolCall)?.title) ?? asString(params?.message);
      // The question itself, for one that was only known to be open.
      const named = [...session.asks.values()].includes('') ? answerAll(id, method) : [];
      return [...begun, ...named, ask(id, method, rpc, ASKS[method]!, prompt)];
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
    const prompted = call?.method === 'session/prompt' && sessions.get(id);
    const place = prompted ? prompted.prompts.indexOf(rpc!) : -1;
    if (prompted && place > 0) {
      // Another is at work: this one was refused, or went into its turn, or (v2) its own begins later.
      prompted.prompts = prompted.prompts.filter((one) => one !== rpc);
      const own = { identity: identityOf({ conversation: id }), lane: `${id} ${rpc}` };
      if (error !== null)
        return [
          utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, own),
          utterFailed(`${raw} error`, asString(error.message) ?? '', asText(error.code), own),
        ];
    }
    // Over HTTP the prompt went out on another request; its result is known by its shape.
    if (stop !== null && (call === undefined || place === 0)) return finish(id, `${raw} result`, stop, null);
    // An error that answers nothing that was asked is the prompt's only where no prompt was seen.
    const unseen = call === undefined && ![...sent.values()].some(({ method }) => method === 'session/prompt');
    if (error !== null && (place === 0 || (unseen && sessions.get(id)?.running === true))) return finish(id, `${raw} error`, null, error);
    const announced = asString(result?.sessionId);
    const told = call !== undefined && REPLAYS.has(call.method) ? replayed(sessionOf(id), id) : [];
    if (call?.method === 'session/new' && announced !== null) sessionOf(announced).heard = true;
    if (announced !== null && call === undefined) {
      sessionOf(announced);
      // The session is there, and what is asked of it goes another way: whether it stands still is not known.
      return [
        utter(`${raw} result`, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, about(announced)),
        utter(`${raw} result`, 'lifecycle', 'committed', { type: 'status', state: 'idle', label: null }, about(announced)),
      ];
    }
    return [
      utter(`${raw} result`, 'lifecycle', 'committed', { type: 'note', text: error === null ? null : asString(error.message) }, about(id)),
      ...told,
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
    if (id !== '' && (method === 'session/prompt' || REPLAYS.has(method))) {
      const session = sessionOf(id);
      session.heard = true;
      session.replaying = REPLAYS.has(method) && !session.running;
      if (method === 'session/prompt' && rpc !== null) session.prompts = [...session.prompts, rpc];
    }
    if (method === 'session/prompt' && id !== '') return begin(id, method);
    return id === '' ? [] : [utter(method, 'lifecycle', 'committed', { type: 'note', text: null }, about(id))];
  };

  return {
    frame(frame) {
      const value = frameObject(frame);
      if (!isRpc(value)) return frame.direction === 'sent' ? [] : [malformed('(unread)', 'not a JSON-RPC message')];
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
