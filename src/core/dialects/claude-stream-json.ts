/**
 * Claude Code and Claude Agent SDK stream-json, over NDJSON, SSE or a socket. Spec: npm @anthropic-ai/claude-agent-sdk
 * 0.3.332 types. Recognised by `system`/`init` with a `session_id`, or by its message types with `session_id` and `uuid`.
 *
 * Terminal word: `result`, one for each turn; `terminal_reason` refines it. Neither a whole `assistant` message nor the end
 * of an inner Anthropic stream settles anything. An open `control_request` is a live wait. Messages under a tool call
 * (`parent_tool_use_id`) are a subagent's: a run of its own, under the main one, over when that tool call is.
 */
import type { WireFrame } from '../model';
import { about, agentOver, answer, begin, newSession, note, type Session, speaking, withdraw } from './claude-session';
import { asks, isClaude, LOGS, outcomeOf, TASKS } from './claude-words';
import {
  asArray,
  asNumber,
  asObject,
  asObjects,
  asString,
  asText,
  type Decoder,
  type Dialect,
  frameObject,
  type JsonObject,
  malformed,
  notJson,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { createWriting } from './writing';

const open = (): Decoder => {
  const sessions = new Map<string, Session>();
  let latest = '';
  const writing = createWriting();

  const sessionOf = (id: string): Session => {
    latest = id;
    let session = sessions.get(id);
    const unnamed = sessions.get('');
    if (session === undefined && unnamed?.id === '') {
      unnamed.id = id;
      sessions.set(id, unnamed);
      session = unnamed;
    }
    if (session === undefined) {
      session = newSession(id);
      sessions.set(id, session);
    }
    return session;
  };

  const assistant = (session: Session, value: JsonObject): readonly Utterance[] => {
    const message = asObject(value.message);
    const [one, agent, said] = speaking(session, value, 'assistant', asString(message?.id));
    const at = about(session, agent);
    const out: Utterance[] = [...said, ...withdraw(session, 'assistant', value.supersedes)];
    for (const block of asObjects(message?.content)) {
      const call = asString(block.id);
      if (call !== null && asString(block.type)?.endsWith('tool_use') === true) session.callers.set(call, agent);
    }
    out.push(...one.whole(value, at));
    return out;
  };

  const user = (session: Session, value: JsonObject): readonly Utterance[] => {
    const agent = asString(value.parent_tool_use_id);
    const content = asObject(value.message)?.content;
    const said: Utterance[] = [];
    for (const block of asObjects(content)) {
      if (block.type !== 'tool_result') continue;
      const call = asString(block.tool_use_id) ?? '';
      const at = about(session, session.callers.get(call) ?? agent);
      said.push(
        ...answer(session, 'user tool_result', null, (_request, tool) => tool === call),
        utter(
          'user tool_result',
          'tool',
          'committed',
          { type: 'tool.returned', output: asText(block.content), failed: block.is_error === true, preliminary: false },
          { ...at, identity: { ...at.identity, toolCall: call } },
        ),
      );
      // A subagent that was sent to the background works on after its tool call has answered.
      if (asObject(value.tool_use_result)?.isAsync === true || asObject(value.tool_use_result)?.status === 'async_launched')
        session.background.add(call);
      if (!session.background.has(call))
        said.push(
          ...agentOver(session, 'user tool_result', call, block.is_error === true ? 'error' : 'stop', 'tool_result', asText(block.content)),
        );
    }
    if (said.length > 0) return said;
    const text =
      typeof content === 'string'
        ? content
        : asObjects(content)
            .map((block) => asString(block.text) ?? '')
            .join('');
    return [note(session, 'user', agent === null ? 'user' : 'tool', text || null)];
  };

  const system = (session: Session, value: JsonObject): readonly Utterance[] => {
    const subtype = asString(value.subtype) ?? '';
    const raw = `system ${subtype}`.trimEnd();
    const text =
      asString(value.message) ?? asString(value.content) ?? asString(value.summary) ?? asString(value.description) ?? asString(value.text);
    switch (subtype) {
      case 'init': {
        const said = begin(session, raw, asString(value.model));
        return said.length > 0 ? said : [note(session, raw, 'lifecycle')];
      }
      case 'session_state_changed': {
        const state = asString(value.state) ?? '';
        const name = `${raw} ${state}`.trimEnd();
        if (state === 'requires_action') return [note(session, name, 'interaction')];
        const to = state === 'idle' ? 'idle' : 'working';
        return [
          ...(state === 'running' ? answer(session, name, null, () => true) : []),
          utter(name, 'lifecycle', 'committed', { type: 'status', state: to, label: null }, about(session)),
        ];
      }
      case 'model_refusal_fallback':
        return [...withdraw(session, raw, value.retracted_message_uuids), note(session, raw, 'lifecycle', text)];
      case 'task_started':
      case 'task_updated':
      case 'task_progress': {
        const task = asString(value.task_id) ?? '';
        const call = asString(value.tool_use_id) ?? session.tasks.get(task);
        if (call !== undefined) session.tasks.set(task, call);
        if (call !== undefined && (value.is_backgrounded === true || asObject(value.patch)?.is_backgrounded === true))
          session.background.add(call);
        return [note(session, raw, 'lifecycle', text)];
      }
      case 'task_notification': {
        const call = asString(value.tool_use_id) ?? session.tasks.get(asString(value.task_id) ?? '') ?? '';
        const status = asString(value.status) ?? '';
        return [
          note(session, raw, 'lifecycle', text),
          ...(session.background.has(call) ? agentOver(session, raw, call, TASKS[status] ?? 'other', status, text) : []),
        ];
      }
      case 'status':
      case 'compact_boundary':
      case 'model_refusal_no_fallback':
      case 'background_tasks_changed':
      case 'commands_changed':
        return [note(session, raw, 'lifecycle', text)];
      case '':
        return [unrecognised(raw, about(session))];
    }
    return [note(session, raw, 'log', text)];
  };

  const request = (session: Session, value: JsonObject): readonly Utterance[] => {
    const inner = asObject(value.request);
    const id = asString(value.request_id) ?? '';
    const raw = `control_request ${asString(inner?.subtype) ?? ''}`.trimEnd();
    const kind = asks(inner);
    if (kind === null) return [note(session, raw, 'tool')];
    session.asks.set(id, asString(inner?.tool_use_id));
    const prompt = asString(inner?.title) ?? asString(inner?.message) ?? asString(inner?.description) ?? asString(inner?.tool_name);
    return [
      ...begin(session, raw),
      utter(raw, 'interaction', 'committed', { type: 'asked', request: id, kind, prompt, blocking: true }, about(session)),
    ];
  };

  const result = (session: Session, value: JsonObject): readonly Utterance[] => {
    const subtype = asString(value.subtype) ?? '';
    const why = asString(value.terminal_reason);
    const raw = `result ${subtype}`.trimEnd();
    const said: Utterance[] = [...begin(session, raw), ...answer(session, raw, null, () => true)];
    const usage = asObject(value.usage);
    if (usage !== null)
      said.push(
        utter(
          raw,
          'log',
          'committed',
          {
            type: 'usage',
            usage: { inputTokens: asNumber(usage.input_tokens), outputTokens: asNumber(usage.output_tokens), reasoningTokens: null },
          },
          about(session),
        ),
      );
    // What the person waits for goes on out of sight.
    if (why === 'background_requested') return [...said, note(session, raw, 'lifecycle', why)];
    const text = asString(value.result) ?? '';
    const { reason, failed } = outcomeOf(value);
    // Where only the end of a turn is passed on, it is the answer.
    if (!failed && text !== '' && !session.main.spoke)
      said.push(utter(raw, 'assistant', 'committed', { type: 'part.closed', text }, { ...about(session), part: 'result' }));
    session.running = false;
    session.deferred = reason === 'waiting' ? asString(asObject(value.deferred_tool_use)?.id) : null;
    const message = asArray(value.errors).flatMap((error) => asString(error) ?? []);
    said.push(
      reason === 'error'
        ? utterFailed(raw, message.join('\n') || text, why ?? subtype, about(session))
        : utterFinished(raw, { reason, raw: why ?? subtype }, reason === 'waiting' ? 'tool' : null, about(session)),
    );
    return said;
  };

  const outgoing = (session: Session, value: JsonObject): readonly Utterance[] => {
    switch (value.type) {
      case 'user': {
        if (asObjects(asObject(value.message)?.content).some((block) => block.type === 'tool_result')) return [];
        const said = begin(session, 'user');
        return said.length > 0 ? said : [note(session, 'user', 'user')];
      }
      case 'control_response': {
        const response = asObject(value.response);
        const how =
          asString(asObject(response?.response)?.behavior) ?? asString(asObject(response?.response)?.action) ?? asString(response?.subtype);
        return answer(session, 'control_response', how, (id) => id === response?.request_id);
      }
      default:
        return [];
    }
  };

  const read = (frame: WireFrame): readonly Utterance[] => {
    const value = frameObject(frame);
    if (value === null) return frame.direction === 'sent' ? [] : notJson();
    const session = sessionOf(asString(value.session_id) || latest);
    if (frame.direction === 'sent') return outgoing(session, value);
    const type = asString(value.type) ?? '';
    switch (type) {
      case 'system':
        return system(session, value);
      case 'assistant':
        return assistant(session, value);
      case 'stream_event': {
        const event = asObject(value.event);
        if (event === null) return [malformed(type, 'stream_event without an event', about(session))];
        const [one, agent, said] = speaking(session, value, type, asString(asObject(event.message)?.id));
        one.track(event);
        const piece = event.type === 'content_block_delta' ? asObject(event.delta) : null;
        const text = piece?.type === 'text_delta' ? piece.text : piece?.type === 'thinking_delta' ? piece.thinking : null;
        const more = writing.more(said.length === 0 ? text : null, null, session, agent, event.index, piece?.type);
        return more ?? [...said, ...one.streamed(event, about(session, agent))];
      }
      case 'user':
        return user(session, value);
      case 'tool_progress': {
        const call = asString(value.tool_use_id) ?? '';
        const at = about(session, asString(value.parent_tool_use_id));
        return [
          ...(value.heartbeat === true ? [] : answer(session, type, null, (_request, tool) => tool === call)),
          utter(type, 'tool', 'provisional', { type: 'note', text: null }, { ...at, identity: { ...at.identity, toolCall: call } }),
        ];
      }
      case 'tool_use_summary': {
        const text = asString(value.summary) ?? '';
        return [
          utter(type, 'progress', 'committed', { type: 'part.replaced', text }, { ...about(session), part: asString(value.uuid) ?? type }),
        ];
      }
      case 'control_request':
        return request(session, value);
      case 'control_cancel_request':
        return answer(session, type, 'withdrawn', (id) => id === value.request_id);
      case 'result':
        return result(session, value);
    }
    if (LOGS.has(type)) return [note(session, type, 'log')];
    return [unrecognised(type || '(no type)', about(session))];
  };

  return { frame: (frame) => writing.note(read(frame)), end: () => [] };
};

export const claudeStreamJson: Dialect = {
  id: 'claude-stream-json',
  title: 'Claude Code stream-json',
  framings: ['ndjson', 'message', 'sse'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise: ({ frames }) => (frames.some((frame) => frame.direction === 'received' && isClaude(frameObject(frame))) ? 'certain' : 'no'),
  open,
};
