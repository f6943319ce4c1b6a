/**
 * OpenCode's event bus (`GET /event`, `/global/event`): one SSE stream of `{id, type, properties}` for all sessions of a
 * server. Spec: npm opencode-ai 1.18.33, @opencode-ai/sdk 1.19.3. Recognised by `server.connected`, or by session and
 * message events that name a session and carry an `evt_` id.
 *
 * A run is what a session does from busy to `session.idle`, which alone settles; how it went is the last finish word or
 * the error before it. Messages that complete, steps that finish and a status that turns idle settle nothing. Open
 * permissions and questions are live waits. After idle the bus still repeats messages and may close parts.
 */
import type { FinishReason, Identity } from '../model';
import {
  asObject,
  asObjects,
  asString,
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
import { type About, nextEvent, partDelta, partUpdated, type Session } from './opencode-parts';
import { createWriting } from './writing';

const FINISHES: Readonly<Record<string, FinishReason['reason']>> = table({
  stop: 'stop',
  length: 'length',
  'content-filter': 'content-filter',
  error: 'error',
});
const ERRORS: Readonly<Record<string, FinishReason['reason']>> = table({
  MessageAbortedError: 'cancelled',
  MessageOutputLengthError: 'length',
  ContentFilterError: 'content-filter',
});
/** Events about the server, its files and its screens. */
const ASIDE =
  /^(?:catalog|command|file|global|ide|installation|integration|lsp|mcp|models-dev|plugin|project|pty|reference|server|tui|vcs|workspace|worktree)\./u;

/** Events that bring a piece of text. */
const DELTAS = new Set(['message.part.delta', 'session.next.text.delta', 'session.next.reasoning.delta']);

interface Event {
  readonly id: string | null;
  readonly type: string;
  readonly properties: JsonObject;
}

/** The event of a frame, out of the envelope of the global bus where it has one. */
const eventOf = (value: JsonObject | null): Event | null => {
  const bare = asObject(value?.payload) !== null && typeof value?.type !== 'string' ? asObject(value?.payload) : value;
  const type = asString(bare?.type);
  const properties = asObject(bare?.properties);
  return type === null || properties === null ? null : { id: asString(bare?.id), type, properties };
};

const open = (): Decoder => {
  const sessions = new Map<string, Session>();
  const writing = createWriting();

  const sessionOf = (id: string): Session => {
    let session = sessions.get(id);
    if (session === undefined) {
      session = {
        id,
        parent: null,
        prompt: null,
        run: null,
        running: false,
        turn: 0,
        finish: null,
        error: null,
        rejected: false,
        family: null,
        messages: new Map(),
        parts: new Map(),
        tools: new Map(),
        asks: new Map(),
        usage: { input: 0, output: 0, reasoning: 0 },
      };
      sessions.set(id, session);
    }
    return session;
  };

  const about = (session: Session, wireId: string | null, more: Identity = {}): About => {
    const parent = session.parent === null ? undefined : sessions.get(session.parent);
    const parentRun = session.run === null ? null : (parent?.run ?? null);
    return { identity: { ...identityOf({ conversation: session.id, run: session.run, parentRun }), ...more }, lane: session.id, wireId };
  };

  /** The session is at work. The message it answers names the run, on this stream and on any other. */
  const begin = (session: Session, raw: string, wireId: string | null, answers: string | null = null): readonly Utterance[] => {
    if (session.running && (session.run !== null || answers === null)) return [];
    if (!session.running) {
      session.turn++;
      session.running = true;
      session.run = session.prompt;
      session.finish = null;
      session.error = null;
      session.rejected = false;
      session.tools.clear();
      session.usage = { input: 0, output: 0, reasoning: 0 };
    }
    session.prompt = null;
    session.run ??= answers;
    return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, about(session, wireId))];
  };

  const answer = (session: Session, raw: string, wireId: string | null, how: string | null, request?: string): readonly Utterance[] =>
    [...session.asks.keys()]
      .filter((key) => request === undefined || key === request)
      .map((key) => {
        session.asks.delete(key);
        return utter(raw, 'interaction', 'committed', { type: 'answered', request: key, how }, about(session, wireId));
      });

  const idle = (session: Session, raw: string, wireId: string | null): readonly Utterance[] => {
    const at = about(session, wireId);
    if (!session.running) return [utter(raw, 'lifecycle', 'committed', { type: 'status', state: 'idle', label: null }, at)];
    const said: Utterance[] = [...answer(session, raw, wireId, null)];
    session.running = false;
    const { error, finish } = session;
    const reason: FinishReason['reason'] =
      error !== null
        ? (ERRORS[error.name] ?? 'error')
        : // The person said no to a tool, and the session went no further.
          finish === 'tool-calls' && session.rejected
          ? 'cancelled'
          : (FINISHES[finish ?? ''] ?? 'other');
    said.push(
      reason === 'error'
        ? utterFailed(raw, error?.message ?? '', error?.name ?? finish, at)
        : utterFinished(raw, { reason, raw: error?.name ?? finish }, null, at),
    );
    return said;
  };

  const message = (session: Session, type: string, wireId: string | null, info: JsonObject): readonly Utterance[] => {
    const id = asString(info.id) ?? '';
    const known = session.messages.get(id);
    const role = asString(info.role) ?? known?.role ?? '';
    if (role === 'user') {
      if (known === undefined) {
        session.messages.set(id, { role, turn: 0 });
        // What a busy session is asked in the meantime belongs to the work it is at.
        if (!session.running) session.prompt = id;
      }
      return [utter(type, 'user', 'committed', { type: 'note', text: null }, about(session, wireId, { message: id }))];
    }
    const completed = asObject(info.time)?.completed !== undefined;
    const said: Utterance[] = [];
    if (known === undefined) {
      // A message that is met for the first time when it is over does not set a session to work.
      if (!completed || session.running) {
        said.push(...begin(session, type, wireId, asString(info.parentID)));
        // The work goes on after what had gone wrong.
        session.error = null;
      }
      session.messages.set(id, { role, turn: session.turn });
    }
    const finish = asString(info.finish);
    if (finish !== null && session.running && session.messages.get(id)?.turn === session.turn) session.finish = finish;
    said.push(utter(type, 'lifecycle', 'committed', { type: 'note', text: finish }, about(session, wireId, { message: id })));
    return said;
  };

  const asked = (session: Session, { id, type, properties }: Event): readonly Utterance[] => {
    const request = asString(properties.id) ?? id ?? '';
    const question = type.startsWith('question');
    session.asks.set(request, asString(asObject(properties.tool)?.callID) ?? asString(properties.callID));
    const prompt = question
      ? asString(asObjects(properties.questions)[0]?.question)
      : (asString(properties.title) ?? asString(properties.permission) ?? asString(properties.action));
    return [
      ...begin(session, type, id),
      utter(
        type,
        'interaction',
        'committed',
        { type: 'asked', request, kind: question ? 'input' : 'approval', prompt, blocking: true },
        about(session, id),
      ),
    ];
  };

  const replied = (session: Session, { id, type, properties }: Event): readonly Utterance[] => {
    const request = asString(properties.requestID) ?? asString(properties.permissionID) ?? '';
    const reply = type.endsWith('.rejected') ? 'reject' : (asString(properties.reply) ?? asString(properties.response));
    if (reply === 'reject') session.rejected = true;
    const said = answer(session, type, id, reply, request);
    return said.length > 0 ? said : [utter(type, 'interaction', 'committed', { type: 'note', text: reply }, about(session, id))];
  };

  const status = (session: Session, { id, properties }: Event): readonly Utterance[] => {
    const value = asObject(properties.status);
    const state = asString(value?.type) ?? '';
    const raw = `session.status ${state}`.trimEnd();
    const at = (): About => about(session, id);
    if (state === 'idle') return [utter(raw, 'lifecycle', 'committed', { type: 'note', text: null }, at())];
    if (state !== 'busy' && state !== 'retry') return [unrecognised(raw, at())];
    return [
      ...begin(session, raw, id),
      ...(state === 'busy' ? answer(session, raw, id, null) : []),
      utter(raw, 'lifecycle', 'committed', { type: 'status', state: 'working', label: asString(value?.message) }, at()),
    ];
  };

  const read = (event: Event, session: Session): readonly Utterance[] => {
    const { id, type, properties } = event;
    const note = (voice: 'lifecycle' | 'log', text: string | null = null): readonly Utterance[] => [
      utter(type, voice, 'committed', { type: 'note', text }, about(session, id)),
    ];
    switch (type) {
      case 'session.status':
        return status(session, event);
      case 'session.idle':
        return idle(session, type, id);
      case 'session.error': {
        const error = asObject(properties.error);
        const text = asString(asObject(error?.data)?.message) ?? '';
        if (session.running) session.error = { name: asString(error?.name) ?? 'error', message: text };
        return note('log', text);
      }
      case 'message.updated': {
        const info = asObject(properties.info);
        return info === null ? note('log') : message(session, type, id, info);
      }
      case 'message.part.delta':
      case 'message.part.updated': {
        const part = asObject(properties.part);
        const of = asString(properties.messageID) ?? asString(part?.messageID) ?? '';
        // The parts of a message of the turn before may still be closed when the session is idle.
        const spoken = part !== null && asObject(part.time) === null && /^(?:text|file|agent|subtask)$/u.test(asString(part.type) ?? '');
        const said = session.messages.has(of) || spoken ? [] : begin(session, type, id);
        if (part === null) return [...said, ...partDelta(session, properties, about(session, id, { message: of }), type)];
        const ended = asString(asObject(part.state)?.status);
        const call = asString(part.callID);
        const answered =
          ended === 'completed' || ended === 'error'
            ? [...session.asks].flatMap(([request, tool]) =>
                tool !== null && tool === call ? answer(session, type, id, null, request) : [],
              )
            : [];
        return [...said, ...answered, ...partUpdated(session, part, asString(properties.delta), about(session, id, { message: of }), type)];
      }
      case 'message.part.removed':
      case 'message.removed': {
        const part = asString(properties.partID);
        const gone = [...session.parts].filter(([key, one]) => (part === null ? one.message === properties.messageID : key === part));
        const said = gone.map(([key, one]) =>
          utter(
            type,
            one.type === 'reasoning' ? 'reasoning' : 'assistant',
            'committed',
            { type: 'part.withdrawn' },
            { ...about(session, id), part: key },
          ),
        );
        return said.length > 0 ? said : note('lifecycle');
      }
      case 'todo.updated': {
        const text = asObjects(properties.todos)
          .map((todo) => asString(todo.content) ?? '')
          .join('\n');
        if (!session.running) return note('log');
        return [utter(type, 'progress', 'committed', { type: 'part.replaced', text }, { ...about(session, id), part: 'todo' })];
      }
      case 'session.created':
      case 'session.updated':
        session.parent = asString(asObject(properties.info)?.parentID) ?? session.parent;
        return note('lifecycle');
      case 'session.next.prompted':
      case 'session.next.prompt.admitted': {
        const prompt = asString(properties.messageID);
        if (!session.running && prompt !== null) session.prompt = prompt;
        return [utter(type, 'user', 'committed', { type: 'note', text: asString(asObject(properties.prompt)?.text) }, about(session, id))];
      }
    }
    if (/^(?:permission|question)\.(?:v2\.)?(?:asked|updated)$/u.test(type)) return asked(session, event);
    if (/^(?:permission|question)\.(?:v2\.)?(?:replied|rejected)$/u.test(type)) return replied(session, event);
    if (type.startsWith('session.next.')) {
      const said = /\.(?:step|text|reasoning|tool)\./u.test(type) ? begin(session, type, id) : [];
      return [...said, ...nextEvent(session, type, properties, about(session, id))];
    }
    return type.startsWith('session.') || ASIDE.test(type) ? note('log') : [unrecognised(type, about(session, id))];
  };

  const said = (event: Event): readonly Utterance[] => {
    const { type, properties } = event;
    const id =
      asString(properties.sessionID) ??
      asString(asObject(properties.part)?.sessionID) ??
      asString(asObject(properties.info)?.sessionID) ??
      (type.startsWith('session.') ? asString(asObject(properties.info)?.id) : null);
    if (id !== null) return read(event, sessionOf(id));
    const error = asObject(properties.error);
    if (ASIDE.test(type) || error !== null)
      return [utter(type, 'log', 'committed', { type: 'note', text: asString(asObject(error?.data)?.message) })];
    return [unrecognised(type)];
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const value = frameObject(frame);
      const event = eventOf(value);
      if (event === null)
        return [
          value?.type === 'sync' || asObject(value?.payload)?.type === 'sync'
            ? utter('sync', 'log', 'committed', { type: 'note', text: null })
            : malformed('(unread)', 'not an event of the bus'),
        ];
      const { type, properties } = event;
      const more = writing.more(
        DELTAS.has(type) && properties.part === undefined ? properties.delta : null,
        event.id,
        type,
        properties.sessionID,
        properties.messageID ?? properties.assistantMessageID,
        properties.partID ?? properties.textID ?? properties.reasoningID,
        properties.field,
      );
      return more ?? writing.note(said(event));
    },
    end: () => [],
  };
};

const telling = (event: Event | null): boolean => {
  if (event === null) return false;
  const { id, type, properties } = event;
  if (type === 'server.connected') return Object.keys(properties).length === 0;
  if (!/^(?:session|message|permission|question)\./u.test(type)) return false;
  const session =
    asString(properties.sessionID) ?? asString(asObject(properties.part)?.sessionID) ?? asString(asObject(properties.info)?.sessionID);
  return session?.startsWith('ses_') === true || (session !== null && id?.startsWith('evt_') === true);
};

export const opencode: Dialect = {
  id: 'opencode',
  title: 'OpenCode event bus',
  framings: ['sse', 'message'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise: ({ frames }) =>
    frames.some((frame) => frame.direction === 'received' && telling(eventOf(frameObject(frame)))) ? 'certain' : 'no',
  open,
};
