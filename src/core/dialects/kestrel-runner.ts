/**
 * Kestrel Runner event stream, contracts v1 to v3: `/commands/stream`, `/events/stream`, app routes that relay them, and
 * unary command replies. Spec: LumiCorp/kestrel at 61f86bdb (packages/protocol/src/execution.ts).
 *
 * Recognised by its envelope `{id, type, ts, payload}` with a type of the registry, and the ids of a session, a run or a command; the type is always taken from the JSON
 * because one relay omits the `event:` line. Terminal words: run.completed, run.failed, run.cancelled (job.completed,
 * job.failed for jobs). A wait is run.completed with output.status WAITING. `runner.error` ends a command and settles
 * nothing. The answer is committed in one place only: `assistantText` of the terminal result.
 */
import type { AgentEventBody, FinishReason, Identity, Standing, Voice, WaitKind, WireFrame } from '../model';
import {
  asArray,
  asNumber,
  asObject,
  asString,
  asText,
  type Decoder,
  type Dialect,
  type FlowOpening,
  frameObject,
  identityOf,
  type JsonObject,
  notJson,
  parseJson,
  table,
  type Utterance,
  utter,
} from './dialect';
import { REPLIES, TYPES } from './kestrel-runner-types';

/** The tool whose input is the answer's draft, before anything is committed. */
const DRAFT_TOOL = 'FinalizeAnswer';

const isEnvelope = (frame: WireFrame): boolean => {
  const event = frameObject(frame);
  const payload = asObject(event?.payload);
  if (event === null || payload === null) return false;
  const type = asString(event.type);
  if (type === null || asString(event.id) === null || asString(event.ts) === null) return false;
  // Any queue of jobs sends `job.completed` in such an envelope: what happens in a run or a job names its session or command.
  if (type in TYPES && type !== 'runner.error')
    return (asString(event.sessionId) ?? asString(event.commandId) ?? asString(event.runId) ?? asString(payload.sessionId)) !== null;
  return type in TYPES || REPLIES.has(type);
};

/** Ids in the request that this run answers: `resumeRequestId`, `requestId`, at any of the places the surfaces put them. */
const answered = (requestBody: string | null): readonly string[] => {
  const body = requestBody === null ? null : asObject(parseJson(requestBody));
  if (body === null) return [];
  const payload = asObject(body.payload);
  const places = [body, payload, asObject(payload?.turn), asObject(body.turn), asObject(body.interaction), asObject(payload?.interaction)];
  return places.flatMap((place) => [asString(place?.resumeRequestId), asString(place?.requestId)]).filter((id) => id !== null);
};

const open = (opening: FlowOpening): Decoder => {
  const resumes = answered(opening.requestBody);
  /** Of each run: the command whose terminal came first, and the last `update.seq`. */
  const settledBy = new Map<string, string | null>();
  const lastSeq = new Map<string, { seq: number; id: string }>();
  /** Reasoning pairs may repeat within an attempt and format; each pair is a part. */
  const reasoningRound = new Map<string, number>();

  const read = (frame: WireFrame): readonly Utterance[] => {
    const event = frameObject(frame);
    if (event === null) return notJson();
    const type = asString(event.type) ?? '';
    const id = asString(event.id);
    const payload = asObject(event.payload);
    const runId = asString(event.runId);
    const identity = identityOf({ run: runId, conversation: event.sessionId });
    const wireId = id === '' ? null : id;
    const say = (
      voice: Voice | null,
      standing: Standing,
      body: AgentEventBody,
      more: { part?: string; identity?: Identity; voiceBySaying?: boolean } = {},
    ): Utterance => utter(type || '(no type)', voice, standing, body, { identity, wireId, ...more });

    if (wireId === null || type === '' || asString(event.ts) === null || payload === null)
      return [say(null, 'provisional', { type: 'malformed', detail: 'the envelope lacks id, type, ts or payload' })];

    const said: Utterance[] = [];
    if (frame.event !== null && frame.event !== type)
      said.push(
        say(null, 'provisional', { type: 'breach', breach: 'state-disagree', detail: `event line says ${frame.event}, the JSON ${type}` }),
      );

    if (REPLIES.has(type)) {
      const named = asString(payload.runId) ?? asString(asObject(asObject(payload.view)?.run)?.runId);
      said.push(
        say(
          'lifecycle',
          'committed',
          { type: 'note', text: replySummary(type, payload) },
          { identity: { ...identity, ...identityOf({ run: named ?? runId }) } },
        ),
      );
      return said;
    }
    const known = TYPES[type];
    if (known === undefined) return [...said, say(null, 'provisional', { type: 'unrecognised' })];
    const [voice, standing] = known;
    const update = asObject(payload.update);
    said.push(...sequence(update, runId, id!, say));

    // After a cancel a subscription may carry two terminals, and activity of the start command between them. That is the
    // producer's way, so such activity is shown and not held to be late.
    const commandId = asString(event.commandId);
    const afterOther = runId !== null && settledBy.has(runId) && settledBy.get(runId) !== commandId && standing !== 'settling';
    if (afterOther) return [...said, say(voice, standing, { type: 'note', text: asString(update?.message) ?? asString(update?.delta) })];

    switch (type) {
      case 'run.started':
      case 'job.started':
        said.push(say(voice, standing, { type: 'run.opened', resumes }));
        break;
      case 'run.progress':
        said.push(
          say(voice, update?.persist === true ? 'committed' : 'provisional', {
            type: 'status',
            state: 'working',
            label: [asString(update?.code), asString(update?.message)].filter((text) => text !== null).join(' · '),
          }),
        );
        break;
      case 'job.progress':
        said.push(say(voice, standing, { type: 'status', state: 'working', label: asString(payload.message) }));
        break;
      case 'run.agent_progress':
        said.push(say(voice, standing, { type: 'part.replaced', text: asString(update?.message) ?? '' }, { part: `progress:${id}` }));
        break;
      case 'run.reasoning':
        said.push(say(voice, standing, { type: 'note', text: asString(update?.message) }));
        break;
      case 'run.log': {
        const entry = asObject(payload.entry);
        said.push(
          say(voice, standing, { type: 'note', text: [asString(entry?.level), asString(entry?.eventName)].filter(Boolean).join(' ') }),
        );
        break;
      }
      case 'run.console': {
        const text = asString(update?.text);
        const part = `console:${asString(update?.toolCallId) ?? asString(update?.toolName) ?? ''}`;
        said.push(
          say(voice, standing, text === null ? { type: 'note', text: asString(update?.status) } : { type: 'part.delta', text }, { part }),
        );
        break;
      }
      case 'runner.error':
        said.push(
          say(voice, standing, { type: 'note', text: [asString(payload.code), asString(payload.message)].filter(Boolean).join(': ') }),
        );
        break;
      case 'task.updated':
        said.push(...child(payload, event, say));
        break;
      case 'run.tool.started':
      case 'run.tool.completed':
      case 'run.tool.failed':
        said.push(...tool(type, update, say));
        break;
      case 'run.completed':
      case 'run.failed':
      case 'run.cancelled':
      case 'job.completed':
      case 'job.failed':
        if (runId !== null && !settledBy.has(runId)) settledBy.set(runId, commandId);
        said.push(...terminal(type, payload, say));
        break;
      default:
        said.push(...reasoning(type, update, runId, say));
    }
    return said;
  };

  /** `update.seq` grows by one over a run attempt; a repeat or a step back with a new id is out of order, a gap is legal. */
  const sequence = (update: JsonObject | null, runId: string | null, id: string, say: Say): readonly Utterance[] => {
    const seq = asNumber(update?.seq);
    if (seq === null || runId === null) return [];
    const last = lastSeq.get(runId);
    if (last === undefined || seq > last.seq) {
      lastSeq.set(runId, { seq, id });
      return [];
    }
    if (last.id === id) return [];
    return [say(null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: `update.seq ${seq} after ${last.seq}` })];
  };

  const reasoning = (type: string, update: JsonObject | null, runId: string | null, say: Say): readonly Utterance[] => {
    const lane = `${runId}:${asNumber(update?.attempt) ?? 0}:${asString(update?.format) ?? ''}`;
    const round = reasoningRound.get(lane) ?? 0;
    const part = `reasoning:${lane}:${type.endsWith('.started') ? round + 1 : round}`;
    const delta = asString(update?.delta);
    switch (type) {
      case 'run.model.reasoning.started': {
        reasoningRound.set(lane, round + 1);
        const opened = say('reasoning', 'provisional', { type: 'part.opened' }, { part });
        return delta === null ? [opened] : [opened, say('reasoning', 'provisional', { type: 'part.delta', text: delta }, { part })];
      }
      case 'run.model.reasoning.delta':
        // `not_retained` means that the text cannot be had again, not that there was none.
        return [
          say('reasoning', 'provisional', delta === null ? { type: 'note', text: null } : { type: 'part.delta', text: delta }, { part }),
        ];
      case 'run.model.reasoning.unavailable':
        return [say('reasoning', 'provisional', { type: 'note', text: null })];
      default:
        return [say('reasoning', 'provisional', { type: 'part.closed', text: null }, { part })];
    }
  };

  return { frame: (frame) => (frame.direction === 'received' ? read(frame) : []), end: () => [] };
};

type Say = (
  voice: Voice | null,
  standing: Standing,
  body: AgentEventBody,
  more?: { part?: string; identity?: Identity; voiceBySaying?: boolean },
) => Utterance;

const tool = (type: string, update: JsonObject | null, say: Say): readonly Utterance[] => {
  const name = asString(update?.toolName) ?? '';
  const identity = identityOf({ toolCall: update?.toolCallId, run: update?.runId, conversation: update?.sessionId });
  const said: Utterance[] = [];
  if (type === 'run.tool.started')
    said.push(say('tool', 'committed', { type: 'tool.called', name, input: asText(update?.input), owedBy: 'producer' }, { identity }));
  else {
    const failed = type === 'run.tool.failed';
    const output = failed ? asString(asObject(update?.error)?.message) : asText(update?.output);
    said.push(say('tool', 'committed', { type: 'tool.returned', output, failed, preliminary: false }, { identity }));
  }
  // The draft of the answer travels as a tool's argument. It is what the assistant is about to say, and not said yet.
  const draft = name === DRAFT_TOOL ? asString(asObject(type === 'run.tool.started' ? update?.input : update?.output)?.message) : null;
  if (draft !== null && type !== 'run.tool.failed')
    said.push(say('assistant', 'provisional', { type: 'part.replaced', text: draft }, { part: ANSWER, voiceBySaying: false }));
  return said;
};

const ANSWER = 'answer';

/** A delegated child: another speaker, whose text and ending are its own. */
const child = (payload: JsonObject, event: JsonObject, say: Say): readonly Utterance[] => {
  const task = asObject(payload.task);
  const dialog = asObject(payload.dialogMessage);
  const id = asString(task?.taskId) ?? asString(dialog?.childSessionId) ?? asString(task?.childSessionId);
  const parent = asString(task?.parentRunId) ?? asString(dialog?.parentRunId) ?? asString(event.sessionId);
  const text = asString(payload.assistantText) ?? asString(dialog?.text);
  if (id === null || parent === null) return [say('lifecycle', 'committed', { type: 'note', text })];
  const identity = identityOf({
    run: id,
    parentRun: parent,
    conversation: task?.childSessionId ?? dialog?.childSessionId,
    agent: task?.childSessionName ?? dialog?.name,
  });
  const kind = asString(payload.kind);
  const said: Utterance[] = [];
  if (kind === 'spawned') said.push(say('lifecycle', 'committed', { type: 'run.opened', resumes: [] }, { identity }));
  else if (text !== null)
    said.push(say('assistant', 'committed', { type: 'part.replaced', text }, { identity, part: `task:${asString(event.id)}` }));
  if (kind === 'completed') said.push(say('terminal', 'settling', finished('stop', 'completed'), { identity }));
  else if (kind === 'failed')
    said.push(
      say(
        'terminal',
        'settling',
        { type: 'failed', message: text ?? '', code: asString(dialog?.status), retryable: null, overrides: false },
        { identity },
      ),
    );
  else if (kind === 'waiting')
    said.push(say('lifecycle', 'committed', { type: 'status', state: 'working', label: 'waiting' }, { identity }));
  return said.length > 0 ? said : [say('lifecycle', 'committed', { type: 'note', text }, { identity })];
};

const WAITS: Readonly<Record<string, WaitKind>> = table({ user: 'input', user_input: 'input', approval: 'approval', tool: 'tool' });

const terminal = (type: string, payload: JsonObject, say: Say): readonly Utterance[] => {
  const output = asObject(payload.output) ?? asObject(asObject(payload.result)?.output);
  const result = asObject(payload.result) ?? asObject(asObject(payload.output)?.result);
  const status = asString(output?.status) ?? asString(asObject(result?.output)?.status);
  const text = asString(result?.assistantText);
  const error = asObject(payload.error) ?? asObject(asArray(output?.errors)[0]);
  const code = asString(error?.code);

  if (type === 'run.cancelled' || code === 'RUN_CANCELLED')
    return [say('terminal', 'settling', finished('cancelled', code === null ? type : `${type} ${code}`))];
  if (type === 'run.failed' || type === 'job.failed')
    return [
      say('terminal', 'settling', {
        type: 'failed',
        message: asString(error?.message) ?? '',
        code: code === null ? type : `${type} ${code}`,
        retryable: null,
        overrides: false,
      }),
    ];

  const said: Utterance[] = [];
  if (status === 'WAITING') {
    const waitFor = asObject(output?.waitFor) ?? asObject(asObject(result?.output)?.waitFor);
    const interaction = asObject(waitFor?.interaction);
    const kind = WAITS[asString(interaction?.kind) ?? ''] ?? WAITS[asString(waitFor?.kind) ?? ''] ?? 'other';
    const request = asString(interaction?.requestId);
    if (text !== null) said.push(say('assistant', 'committed', { type: 'part.replaced', text }, { part: ANSWER }));
    if (request !== null)
      said.push(
        say('interaction', 'committed', { type: 'asked', request, kind, prompt: asString(interaction?.prompt) ?? text, blocking: false }),
      );
    said.push(say('terminal', 'settling', finished('waiting', `${type} WAITING`, kind)));
    return said;
  }
  if (status === 'COMPLETED' || status === null) {
    if (text !== null) said.push(say('assistant', 'committed', { type: 'part.replaced', text }, { part: ANSWER }));
    else if (status === 'COMPLETED' && result !== null && 'assistantText' in result)
      said.push(say(null, 'settling', { type: 'breach', breach: 'state-disagree', detail: 'COMPLETED without assistantText' }));
    said.push(say('terminal', 'settling', finished('stop', type)));
    return said;
  }
  said.push(say(null, 'settling', { type: 'breach', breach: 'terminal-conflict', detail: `${type} with output.status ${status}` }));
  said.push(say('terminal', 'settling', finished('other', `${type} ${status}`)));
  return said;
};

const finished = (reason: FinishReason['reason'], raw: string, waitingFor: WaitKind | null = null): AgentEventBody => ({
  type: 'finished',
  finish: { reason, raw },
  waitingFor,
  overrides: false,
});

const replySummary = (type: string, payload: JsonObject): string | null => {
  if (type === 'operator.run') return asString(asObject(asObject(payload.view)?.run)?.status);
  return asString(payload.disposition) ?? null;
};

export const kestrelRunner: Dialect = {
  id: 'kestrel-runner',
  title: 'Kestrel Runner',
  framings: ['sse', 'body', 'ndjson', 'message'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise(opening) {
    const first = opening.frames.find((frame) => frame.direction === 'received');
    return first !== undefined && isEnvelope(first) ? 'certain' : 'no';
  },
  open,
};
