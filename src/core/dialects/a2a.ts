/**
 * Agent2Agent, 0.3 and 1.x, over JSON-RPC (SSE and unary) and REST. Spec: npm @a2a-js/sdk 1.3.0 (1.0 native, 0.3 through its
 * compatibility layer). Recognised by the result: `kind` of task, status-update, artifact-update or message (0.3), or
 * exactly one of the keys task, statusUpdate, artifactUpdate, message (1.x), with the ids these carry.
 *
 * The task's state decides and `final` does not: servers set that as they like. input-required settles as a wait,
 * auth-required may go on in the same stream. A message without a task is committed and settles at once. A plain JSON answer
 * that shows the task at work ends where it should: the task goes on without it.
 */
import type { FinishReason, FlowEnd, Identity, Voice, WaitKind } from '../model';
import {
  asNumber,
  asObject,
  asObjects,
  asString,
  type Decoder,
  type Dialect,
  type FlowOpening,
  frameObject,
  identityOf,
  type JsonObject,
  notJson,
  parseJson,
  requestOf,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { createWriting } from './writing';

type State = 'submitted' | 'working' | 'input-required' | 'auth-required' | 'completed' | 'failed' | 'canceled' | 'rejected' | 'unknown';

const TERMINAL: Readonly<Partial<Record<string, FinishReason['reason']>>> = table({
  completed: 'stop',
  canceled: 'cancelled',
  rejected: 'refusal',
});

/** `TASK_STATE_INPUT_REQUIRED` and `input-required` alike. */
const stateOf = (status: JsonObject | null): State => {
  const raw = (asString(status?.state) ?? '')
    .replace(/^TASK_STATE_/u, '')
    .toLowerCase()
    .replaceAll('_', '-');
  return raw === 'cancelled' ? 'canceled' : ((raw === '' || raw === 'unspecified' ? 'unknown' : raw) as State);
};

type Payload = readonly [kind: 'task' | 'status' | 'artifact' | 'message', value: JsonObject];

const KINDS: Readonly<Record<string, Payload[0]>> = table({
  task: 'task',
  'status-update': 'status',
  'artifact-update': 'artifact',
  message: 'message',
});
const KEYS: readonly (readonly [string, Payload[0]])[] = [
  ['task', 'task'],
  ['statusUpdate', 'status'],
  ['artifactUpdate', 'artifact'],
  ['message', 'message'],
];

/** As 1.x spells its states, and as 0.3 does. */
const STATE_1 = /^TASK_STATE_(?:UNSPECIFIED|SUBMITTED|WORKING|INPUT_REQUIRED|AUTH_REQUIRED|COMPLETED|FAILED|CANCELL?ED|REJECTED)$/u;
const STATE = new RegExp(
  `${STATE_1.source}|^(?:unknown|submitted|working|input-required|auth-required|completed|failed|cancell?ed|rejected)$`,
  'u',
);
const ROLE = /^(?:agent|user|ROLE_(?:AGENT|USER|UNSPECIFIED))$/u;

const isTask = (value: JsonObject, state: RegExp): boolean =>
  asString(value.id) !== null && asString(value.contextId) !== null && state.test(asString(asObject(value.status)?.state) ?? '');
const fits = ([kind, value]: Payload): boolean => {
  if (kind === 'task') return isTask(value, STATE);
  if (kind === 'message') return asString(value.messageId) !== null && Array.isArray(value.parts) && ROLE.test(asString(value.role) ?? '');
  const status = asObject(value.status);
  return (
    asString(value.taskId) !== null &&
    (kind === 'status'
      ? status !== null && (status.state === undefined || STATE.test(asString(status.state) ?? ''))
      : asString(asObject(value.artifact)?.artifactId) !== null)
  );
};

/** What a result (or a REST frame) carries. */
const payloadOf = (result: JsonObject): Payload | null => {
  const kind = KINDS[asString(result.kind) ?? ''];
  if (kind !== undefined) return fits([kind, result]) ? [kind, result] : null;
  const held = KEYS.filter(([key]) => asObject(result[key]) !== null);
  const [only] = held;
  if (only !== undefined && held.length === 1 && Object.keys(result).length <= 2) {
    const payload: Payload = [only[1], asObject(result[only[0]])!];
    return fits(payload) ? payload : null;
  }
  // GetTask of 1.x answers with the bare task; in 0.3 that says what it is.
  return isTask(result, STATE_1) ? ['task', result] : null;
};

const METHODS = new Set([
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'CancelTask',
  'SubscribeToTask',
]);

const textOf = (parts: unknown): string =>
  asObjects(parts)
    .map((part) => asString(part.text) ?? '')
    .join('');
/** Some frameworks mark thought in the metadata of a message or part, each by its own key. */
const isThought = (value: JsonObject | null): boolean =>
  Object.entries(asObject(value?.metadata) ?? {}).some(([key, set]) => set === true && /(?:^|[_.:-])thought$/u.test(key));

const open = (opening: FlowOpening): Decoder => {
  const request = requestOf(opening);
  const method = asString(request?.method);
  const artifacts = new Set<string>();
  const writing = createWriting();
  let identity: Identity = {};
  let opened = false;
  /** What came whole, and not as a stream. */
  let answer: Payload | null = null;
  let state: State = 'unknown';
  let askedAs: string | null = null;

  const begin = (value: JsonObject, kind: Payload[0]): readonly Utterance[] => {
    const task = kind === 'task' ? asString(value.id) : asString(value.taskId);
    identity = identityOf({ run: task ?? identity.run, conversation: value.contextId });
    if (opened) return [];
    opened = true;
    return [utter(kind, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, { identity })];
  };

  /** Files and data are an answer, too. */
  const wordless = (raw: string, parts: unknown, voice: Voice, who: Identity): readonly Utterance[] =>
    asObjects(parts).some((part) => part.text === undefined)
      ? [utter(raw, voice, 'committed', { type: 'note', text: null }, { identity: who })]
      : [];

  const message = (value: JsonObject, voice: Voice, raw: string): readonly Utterance[] => {
    const text = textOf(value.parts);
    const id = asString(value.messageId) ?? '';
    const speaks = isThought(value) || asObjects(value.parts).some(isThought) ? 'reasoning' : voice;
    if (text === '') return wordless(raw, value.parts, speaks, { ...identity, message: id });
    return [
      utter(raw, speaks, 'committed', { type: 'part.replaced', text }, { identity: { ...identity, message: id }, part: `message:${id}` }),
    ];
  };

  const artifact = (value: JsonObject, append: boolean, last: boolean, raw: string): readonly Utterance[] => {
    const id = asString(value.artifactId) ?? '';
    const where = { identity: { ...identity, part: id }, part: `artifact:${id}` };
    const text = textOf(value.parts);
    const said: Utterance[] = [];
    if (append && !artifacts.has(id))
      said.push(
        utter(
          raw,
          null,
          'provisional',
          { type: 'breach', breach: 'out-of-order', detail: `append to artifact ${id}, which never began` },
          { identity },
        ),
      );
    artifacts.add(id);
    const voice: Voice = asObjects(value.parts).some(isThought) ? 'reasoning' : 'assistant';
    said.push(utter(raw, voice, 'provisional', append ? { type: 'part.delta', text } : { type: 'part.replaced', text }, where));
    if (text === '') said.push(...wordless(raw, value.parts, voice, where.identity));
    if (last) said.push(utter(raw, voice, 'committed', { type: 'part.closed', text: null }, where));
    return said;
  };

  const end = (raw: string, reason: FinishReason['reason'], word: string, waitingFor: WaitKind | null = null): Utterance =>
    utterFinished(raw, { reason, raw: word }, waitingFor, { identity });

  const status = (value: JsonObject | null, raw: string): readonly Utterance[] => {
    const next = stateOf(value);
    const note = asObject(value?.message);
    const said: Utterance[] = [];
    if (askedAs !== null && next !== state) {
      said.push(utter(raw, 'interaction', 'committed', { type: 'answered', request: askedAs, how: next }, { identity }));
      askedAs = null;
    }
    state = next;
    switch (next) {
      case 'input-required':
      case 'auth-required': {
        const request = `${identity.run ?? ''}:${asString(note?.messageId) ?? next}`;
        const kind = next === 'auth-required' ? 'auth' : 'input';
        if (kind === 'auth') askedAs = request;
        said.push(
          utter(
            `${raw} ${next}`,
            'interaction',
            'committed',
            { type: 'asked', request, kind, prompt: note === null ? null : textOf(note.parts), blocking: kind === 'auth' },
            { identity },
          ),
        );
        if (kind === 'input') said.push(end(`${raw} ${next}`, 'waiting', 'input_required', 'input'));
        return said;
      }
      case 'failed':
        said.push(utterFailed(`${raw} ${next}`, note === null ? '' : textOf(note.parts), next, { identity }));
        return said;
      case 'completed':
      case 'canceled':
      case 'rejected': {
        // A closing message is the answer only where the task has no artifact to be it.
        if (note !== null)
          said.push(...message(note, next === 'completed' && artifacts.size === 0 ? 'assistant' : 'progress', `${raw} ${next}`));
        if (next === 'completed') said.push(utter(`${raw} ${next}`, 'terminal', 'settling', { type: 'parts.committed' }, { identity }));
        said.push(end(`${raw} ${next}`, TERMINAL[next]!, next));
        return said;
      }
      default:
        if (note !== null) said.push(...message(note, 'progress', `${raw} ${next}`));
        said.push(
          utter(
            `${raw} ${next}`,
            'lifecycle',
            'committed',
            { type: 'status', state: next === 'submitted' ? 'queued' : 'working', label: next },
            { identity },
          ),
        );
        return said;
    }
  };

  const read = ([kind, value]: Payload): readonly Utterance[] => {
    const said: Utterance[] = [...begin(value, kind)];
    switch (kind) {
      case 'task':
        for (const one of asObjects(value.artifacts)) said.push(...artifact(one, false, false, 'task'));
        said.push(...status(asObject(value.status), 'task'));
        return said;
      case 'status':
        return [...said, ...status(asObject(value.status), 'status-update')];
      case 'artifact':
        return [...said, ...artifact(asObject(value.artifact)!, value.append === true, value.lastChunk === true, 'artifact-update')];
      case 'message':
        said.push(...message(value, 'assistant', 'message'));
        if (asString(value.taskId) === null) said.push(end('message', 'stop', 'message'));
        return said;
    }
  };

  const error = (value: JsonObject): readonly Utterance[] => {
    const message = asString(value.message) ?? '';
    const code = asNumber(value.code);
    // That a task cannot be subscribed to (again) says nothing about the task.
    if (!opened && method !== null && !/^(?:message\/|Send)/u.test(method))
      return [utter('error', 'lifecycle', 'committed', { type: 'note', text: message })];
    const said: Utterance[] = opened ? [] : [utter('error', 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, { identity })];
    opened = true;
    said.push(utterFailed('error', message, code === null ? null : String(code), { identity }));
    return said;
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const value = frameObject(frame);
      if (value === null) return notJson();
      const failure = asObject(value.error);
      if (failure !== null && value.jsonrpc === '2.0') return error(failure);
      const result = value.jsonrpc === '2.0' ? asObject(value.result) : value;
      const payload = result === null ? null : payloadOf(result);
      if (payload === null) return [unrecognised('(unknown)', { identity })];
      answer = frame.framing === 'body' ? payload : null;
      const [kind, told] = payload;
      const piece = kind === 'artifact' && told.append === true && told.lastChunk !== true ? asObject(told.artifact) : null;
      // Metadata may say that a piece is thought: such a one is read anew.
      const text = piece === null || asObjects(piece.parts).some((part) => part.metadata !== undefined) ? null : textOf(piece.parts);
      return writing.more(text, null, told.taskId, told.contextId, piece?.artifactId) ?? writing.note(read(payload));
    },
    end(how: FlowEnd) {
      if (how !== 'eof') return [];
      // The stream was closed while the task waits for a sign-in: the wait stands.
      if (askedAs !== null) return [end('end of body', 'waiting', 'auth_required', 'auth')];
      if (answer === null) return [];
      const [kind, told] = answer;
      const over =
        kind === 'message' ? asString(told.taskId) === null : state === 'failed' || state === 'input-required' || state in TERMINAL;
      return over
        ? []
        : [utter('end of answer', 'lifecycle', 'committed', { type: 'status', state: 'working', label: state }, { identity })];
    },
  };
};

export const a2a: Dialect = {
  id: 'a2a',
  title: 'Agent2Agent (A2A)',
  framings: ['sse', 'body', 'message'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise(opening) {
    for (const frame of opening.frames) {
      if (frame.direction === 'sent') continue;
      const value = frameObject(frame);
      if (value === null) continue;
      const result = value.jsonrpc === '2.0' ? asObject(value.result) : value;
      if (result !== null && payloadOf(result) !== null) return 'certain';
      if (value.jsonrpc === '2.0' && asObject(value.error) !== null && opening.requestBody !== null) {
        const request = asObject(parseJson(opening.requestBody));
        if (request?.jsonrpc === '2.0' && METHODS.has(asString(request.method) ?? '')) return 'certain';
      }
    }
    return 'no';
  },
  open,
};
