/**
 * What the events of AG-UI mean, for every dialect that carries them (AG-UI itself, CopilotKit, TanStack AI). Spec: npm
 * @ag-ui/core 1.0.0 and 0.0.59. The dialects differ in how they are recognised and in what rides beside the events.
 */
import type { FinishReason, Identity, Voice, WaitKind, WireFrame } from '../model';
import {
  asArray,
  asNumber,
  asObject,
  asObjects,
  asString,
  asText,
  type Decoder,
  type FlowOpening,
  frameObject,
  identityOf,
  type JsonObject,
  parseJson,
  type Utterance,
  utter,
} from './dialect';
import { createWriting } from './writing';

/** Every event type of both major versions. */
export const AG_UI_TYPES: ReadonlySet<string> = new Set([
  'RUN_STARTED',
  'RUN_FINISHED',
  'RUN_ERROR',
  'STEP_STARTED',
  'STEP_FINISHED',
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'TEXT_MESSAGE_CHUNK',
  'REASONING_START',
  'REASONING_END',
  'REASONING_MESSAGE_START',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_END',
  'REASONING_MESSAGE_CHUNK',
  'REASONING_ENCRYPTED_VALUE',
  'THINKING_START',
  'THINKING_END',
  'THINKING_TEXT_MESSAGE_START',
  'THINKING_TEXT_MESSAGE_CONTENT',
  'THINKING_TEXT_MESSAGE_END',
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_END',
  'TOOL_CALL_CHUNK',
  'TOOL_CALL_RESULT',
  'STATE_SNAPSHOT',
  'STATE_DELTA',
  'MESSAGES_SNAPSHOT',
  'ACTIVITY_SNAPSHOT',
  'ACTIVITY_DELTA',
  'SUBAGENT_STARTED',
  'SUBAGENT_FINISHED',
  'SUBAGENT_ERROR',
  'CUSTOM',
  'RAW',
]);

/** The request every AG-UI client sends: its ids, and what it answers. */
const readRequest = (opening: FlowOpening) => {
  const body = opening.requestBody === null ? null : asObject(parseJson(opening.requestBody));
  const messages = asObjects(body?.messages);
  return {
    resumes: [
      ...asObjects(body?.resume).flatMap((one) => asString(one.interruptId) ?? asString(one.id) ?? []),
      ...messages.flatMap((one) => asString(one.toolCallId) ?? []),
    ],
    messages: new Set(messages.flatMap((one) => asString(one.id) ?? [])),
  };
};

/** Events that bring a piece of text. */
const PIECES: ReadonlySet<string> = new Set(['TEXT_MESSAGE_CONTENT', 'REASONING_MESSAGE_CONTENT', 'THINKING_TEXT_MESSAGE_CONTENT']);

interface About {
  readonly identity: Identity;
  readonly wireId: string | null;
}

export interface AgUiReader {
  /** `wireId`: where the carrier numbers its frames. */
  read(event: JsonObject, wireId: string | null): readonly Utterance[];
}

export const readAgUi = (opening: FlowOpening, named: string | null = null): AgUiReader => {
  const request = readRequest(opening);
  let thread: string | null = null;
  let run: string | null = named;
  let version: string | null = null;
  let ended = false;
  /** A stream taken up in its middle lacks the starts of what was open then. */
  let fromStart = false;
  let thinking = 0;
  /** Text and reasoning parts between their start and end: part key → voice. */
  const open = new Map<string, Voice>();
  const openCalls = new Set<string>();
  const calls = new Map<string, string>();
  const spoken = new Map<string, string>();
  const writing = createWriting();
  /** The part that is being written, and what was said of it since its text was last put down. */
  let written = '';
  let tail = '';
  /** The part that shorthand chunks go on with; any other event closes it. */
  let chunked: { readonly part: string; readonly voice: Voice; readonly identity: Identity } | null = null;

  /** Neighbouring events mostly speak of the same message: then they share one identity. */
  let lastIdentity: Identity = {};
  let lastAbout: readonly unknown[] = [];
  const identify = (event: JsonObject): Identity => {
    const child = asString(event.subagentRunId);
    const about = [thread, run, child, event.messageId, event.toolCallId];
    if (about.length === lastAbout.length && about.every((one, i) => one === lastAbout[i])) return lastIdentity;
    lastAbout = about;
    lastIdentity =
      child === null
        ? identityOf({ conversation: thread, run, message: event.messageId, toolCall: event.toolCallId })
        : identityOf({ conversation: thread, run: child, parentRun: run, message: event.messageId, toolCall: event.toolCallId });
    return lastIdentity;
  };

  const text = (type: string, event: JsonObject, about: About, voice: Voice, part: string): readonly Utterance[] => {
    const where = { identity: about.identity, wireId: about.wireId, part };
    if (type.endsWith('_START')) {
      open.set(part, voice);
      spoken.set(part, '');
      return [utter(type, voice, 'provisional', { type: 'part.opened' }, where)];
    }
    if (type.endsWith('_CONTENT')) {
      const delta = asString(event.delta) ?? '';
      spoken.set(part, (spoken.get(part) ?? '') + delta);
      const said = utter(type, voice, 'provisional', { type: 'part.delta', text: delta }, where);
      if (open.has(part) || !fromStart) return [said];
      return [
        utter(type, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: `${type} without its start` }, about),
        said,
      ];
    }
    if (!open.delete(part) && fromStart)
      return [utter(type, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: `${type} without its start` }, about)];
    return [utter(type, voice, 'committed', { type: 'part.closed', text: null }, where)];
  };

  const voiceOf = (event: JsonObject, part: string): Voice => {
    const role = asString(event.role);
    if (role === null) return open.get(part) ?? 'assistant';
    return role === 'assistant' ? 'assistant' : role === 'user' ? 'user' : role === 'reasoning' ? 'reasoning' : 'log';
  };

  /** Closes the shorthand part, which has no end event of its own. */
  const closeChunk = (type: string, event: JsonObject): readonly Utterance[] => {
    if (chunked === null) return [];
    const id = asString(event.messageId);
    const goesOn =
      (type === 'TEXT_MESSAGE_CHUNK' || type === 'REASONING_MESSAGE_CHUNK') && (id === null || chunked.identity.message === id);
    if (goesOn) return [];
    const { part, voice, identity } = chunked;
    chunked = null;
    // A failure closes nothing: what it cuts off stays provisional.
    if (type === 'RUN_ERROR') return [];
    return [utter(type, voice, 'committed', { type: 'part.closed', text: null }, { identity, part })];
  };

  const chunk = (type: string, event: JsonObject, about: About): readonly Utterance[] => {
    const reasoning = type === 'REASONING_MESSAGE_CHUNK';
    const id = asString(event.messageId) ?? chunked?.identity.message ?? '';
    const part = `${reasoning ? 'r' : 'm'}:${id}`;
    const voice = reasoning ? 'reasoning' : voiceOf(event, part);
    const identity = identityOf({ ...about.identity, message: id });
    chunked ??= { part, voice, identity };
    const delta = asString(event.delta) ?? '';
    spoken.set(part, (spoken.get(part) ?? '') + delta);
    return [utter(type, voice, 'provisional', { type: 'part.delta', text: delta }, { identity, wireId: about.wireId, part })];
  };

  const tool = (type: string, event: JsonObject, about: About): readonly Utterance[] => {
    const id = asString(event.toolCallId) ?? '';
    const known = calls.has(id);
    switch (type) {
      case 'TOOL_CALL_START':
        calls.set(id, asString(event.toolCallName) ?? '');
        openCalls.add(id);
        return [
          utter(
            type,
            'tool',
            'provisional',
            { type: 'tool.called', name: asString(event.toolCallName) ?? '', input: null, owedBy: 'page' },
            about,
          ),
        ];
      case 'TOOL_CALL_CHUNK': {
        const said: Utterance[] = [];
        if (!known && id !== '') {
          calls.set(id, asString(event.toolCallName) ?? '');
          said.push(
            utter(
              type,
              'tool',
              'provisional',
              { type: 'tool.called', name: asString(event.toolCallName) ?? '', input: null, owedBy: 'page' },
              about,
            ),
          );
        }
        const delta = asString(event.delta);
        if (delta !== null) said.push(utter(type, 'tool', 'provisional', { type: 'tool.input', text: delta }, about));
        return said.length > 0 ? said : [utter(type, 'tool', 'provisional', { type: 'note', text: null }, about)];
      }
      case 'TOOL_CALL_ARGS':
        return [
          ...(openCalls.has(id) || !fromStart
            ? []
            : [
                utter(
                  type,
                  null,
                  'provisional',
                  { type: 'breach', breach: 'out-of-order', detail: 'TOOL_CALL_ARGS without its start' },
                  about,
                ),
              ]),
          utter(type, 'tool', 'provisional', { type: 'tool.input', text: asString(event.delta) ?? '' }, about),
        ];
      case 'TOOL_CALL_END':
        if (!openCalls.delete(id) && fromStart)
          return [
            utter(type, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: 'TOOL_CALL_END without its start' }, about),
          ];
        return [utter(type, 'tool', 'committed', { type: 'note', text: null }, about)];
      default:
        return [
          utter(
            type,
            'tool',
            'committed',
            { type: 'tool.returned', output: asText(event.content), failed: event.error !== undefined, preliminary: false },
            about,
          ),
        ];
    }
  };

  /** The snapshot is authoritative for what this run said; messages the page sent along, or of earlier turns, are not its. */
  const snapshot = (event: JsonObject, about: About): readonly Utterance[] => {
    const messages = asObjects(event.messages);
    const lastUser = messages.findLastIndex((one) => one.role === 'user');
    const said: Utterance[] = [];
    messages.forEach((message, i) => {
      const id = asString(message.id) ?? '';
      const content = asString(message.content);
      const part = `m:${id}`;
      const ours = spoken.has(part) || (i > lastUser && !request.messages.has(id));
      if (message.role !== 'assistant' || content === null || content === '' || !ours) return;
      if (spoken.get(part) === content && !open.has(part)) return;
      spoken.set(part, content);
      said.push(
        utter(
          'MESSAGES_SNAPSHOT',
          'assistant',
          'committed',
          { type: 'part.replaced', text: content },
          { ...about, identity: identityOf({ ...about.identity, message: id }), part },
        ),
      );
    });
    return said.length > 0 ? said : [utter('MESSAGES_SNAPSHOT', 'lifecycle', 'committed', { type: 'note', text: null }, about)];
  };

  const custom = (event: JsonObject, about: About): readonly Utterance[] => {
    const name = asString(event.name) ?? '';
    const raw = `CUSTOM ${name}`.trimEnd();
    const value = asObject(event.value);
    if (name === 'on_interrupt')
      return [
        utter(
          raw,
          'interaction',
          'committed',
          {
            type: 'asked',
            request: asString(value?.id) ?? `${run ?? ''}:on_interrupt`,
            kind: 'input',
            prompt: asText(event.value),
            blocking: false,
          },
          about,
        ),
      ];
    if (name === 'approval-requested') {
      const approval = asObject(value?.approval);
      const identity = identityOf({ ...about.identity, toolCall: value?.toolCallId });
      return [
        utter(
          raw,
          'interaction',
          'committed',
          {
            type: 'asked',
            request: asString(approval?.id) ?? asString(value?.toolCallId) ?? raw,
            kind: 'approval',
            prompt: asString(value?.toolName),
            blocking: false,
          },
          { ...about, identity },
        ),
      ];
    }
    if (name === 'tool-input-available') {
      const identity = identityOf({ ...about.identity, toolCall: value?.toolCallId });
      return [
        utter(
          raw,
          'tool',
          'committed',
          { type: 'tool.called', name: asString(value?.toolName) ?? '', input: asText(value?.input), owedBy: 'page' },
          { ...about, identity },
        ),
      ];
    }
    return [utter(raw, 'progress', 'committed', { type: 'note', text: asText(event.value) }, about)];
  };

  const finished = (type: string, event: JsonObject, about: About): readonly Utterance[] => {
    ended = true;
    const outcome = asObject(event.outcome);
    const kind = asString(outcome?.type) ?? asString(event.outcome);
    const tanstack = asString(asObject(asObject(event.metadata)?.tanstack)?.finishReason);
    const end = (reason: FinishReason['reason'], raw: string, waitingFor: WaitKind | null = null): Utterance =>
      utter(type, 'terminal', 'settling', { type: 'finished', finish: { reason, raw }, waitingFor, overrides: false }, about);
    const said: Utterance[] = [];
    const left = [...open.keys(), ...openCalls];
    if (left.length > 0)
      said.push(
        utter(
          type,
          null,
          'settling',
          { type: 'breach', breach: 'out-of-order', detail: `${type} with ${left.length} part${left.length === 1 ? '' : 's'} still open` },
          about,
        ),
      );
    open.clear();
    openCalls.clear();
    if (kind === 'interrupt') {
      const interrupts = asObjects(outcome?.interrupts ?? event.interrupts);
      for (const one of interrupts)
        said.push(
          utter(
            type,
            'interaction',
            'committed',
            { type: 'asked', request: asString(one.id) ?? type, kind: waitKind(one), prompt: asString(one.message), blocking: false },
            about,
          ),
        );
      const first = interrupts[0];
      return [
        ...said,
        end(
          'waiting',
          `interrupt${asString(first?.reason) === null ? '' : `: ${asString(first?.reason)}`}`,
          first === undefined ? 'input' : waitKind(first),
        ),
      ];
    }
    if (kind === 'cancelled') return [...said, end('cancelled', kind)];
    if (tanstack === 'length') return [...said, end('length', tanstack)];
    if (tanstack === 'content_filter') return [...said, end('content-filter', tanstack)];
    const pending = asArray(event.pendingToolCallIds).length > 0;
    return [...said, end('stop', tanstack ?? kind ?? type, pending ? 'tool' : null)];
  };

  const dispatch = (type: string, event: JsonObject, about: About): readonly Utterance[] => {
    switch (type) {
      case 'RUN_STARTED':
        return [utter(type, 'lifecycle', 'committed', { type: 'run.opened', resumes: request.resumes }, about)];
      case 'RUN_FINISHED':
        return finished(type, event, about);
      case 'RUN_ERROR':
        ended = true;
        open.clear();
        // In 1.0 a late error turns a run that had finished into a failed one.
        return [
          utter(
            type,
            'terminal',
            'settling',
            {
              type: 'failed',
              message: asString(event.message) ?? '',
              code: asString(event.code),
              retryable: null,
              overrides: version !== null && !version.startsWith('0'),
            },
            about,
          ),
        ];
      case 'STEP_STARTED':
        return [
          utter(
            type,
            'lifecycle',
            'committed',
            { type: 'step.opened' },
            { ...about, identity: identityOf({ ...about.identity, step: event.stepName }) },
          ),
        ];
      case 'STEP_FINISHED':
        return [
          utter(
            type,
            'lifecycle',
            'committed',
            { type: 'step.closed' },
            { ...about, identity: identityOf({ ...about.identity, step: event.stepName }) },
          ),
        ];
      case 'SUBAGENT_STARTED':
        return [
          utter(
            type,
            'lifecycle',
            'committed',
            { type: 'run.opened', resumes: [] },
            { ...about, identity: identityOf({ ...about.identity, agent: event.name }) },
          ),
        ];
      case 'SUBAGENT_FINISHED':
        return [
          utter(
            type,
            'lifecycle',
            'settling',
            { type: 'finished', finish: { reason: 'stop', raw: type }, waitingFor: null, overrides: false },
            about,
          ),
        ];
      case 'SUBAGENT_ERROR':
        return [
          utter(
            type,
            'lifecycle',
            'settling',
            { type: 'failed', message: asString(event.message) ?? '', code: asString(event.code), retryable: null, overrides: false },
            about,
          ),
        ];
      case 'MESSAGES_SNAPSHOT':
        return snapshot(event, about);
      case 'STATE_SNAPSHOT':
      case 'STATE_DELTA':
      case 'ACTIVITY_DELTA':
        return [utter(type, 'progress', 'committed', { type: 'note', text: null }, about)];
      case 'ACTIVITY_SNAPSHOT':
        return [utter(type, 'progress', 'committed', { type: 'note', text: asText(event.content) }, about)];
      case 'CUSTOM':
        return custom(event, about);
      case 'RAW':
      case 'REASONING_ENCRYPTED_VALUE':
        return [utter(type, 'log', 'committed', { type: 'note', text: null }, about)];
      case 'REASONING_START':
      case 'REASONING_END':
      case 'THINKING_START':
      case 'THINKING_END':
        return [utter(type, 'reasoning', 'committed', { type: 'note', text: null }, about)];
      case 'TEXT_MESSAGE_CHUNK':
      case 'REASONING_MESSAGE_CHUNK':
        return chunk(type, event, about);
    }
    if (type.startsWith('TEXT_MESSAGE_')) {
      const part = `m:${asString(event.messageId) ?? ''}`;
      return text(type, event, about, voiceOf(event, part), part);
    }
    if (type.startsWith('REASONING_MESSAGE_')) return text(type, event, about, 'reasoning', `r:${asString(event.messageId) ?? ''}`);
    if (type.startsWith('THINKING_TEXT_MESSAGE_')) {
      // 0.x gives these no id; one is open at a time.
      if (type.endsWith('_START')) thinking++;
      return text(type, event, about, 'reasoning', `t:${thinking}`);
    }
    if (type.startsWith('TOOL_CALL_')) return tool(type, event, about);
    return [utter(type || '(no type)', null, 'provisional', { type: 'unrecognised' }, about)];
  };

  return {
    read(event, wireId) {
      const type = asString(event.type) ?? '';
      if (type === 'RUN_STARTED') {
        thread = asString(event.threadId) ?? thread;
        run = asString(event.runId) ?? run;
        version = asString(event.protocolVersion);
        ended = false;
        fromStart = true;
        open.clear();
        openCalls.clear();
      }
      const isPiece = PIECES.has(type);
      const more = writing.more(
        isPiece ? event.delta : null,
        wireId,
        type,
        event.messageId,
        event.subagentRunId,
        event.role,
        event.toolCallId,
      );
      if (more !== null) {
        tail += event.delta as string;
        return more;
      }
      if (tail !== '') {
        spoken.set(written, (spoken.get(written) ?? '') + tail);
        tail = '';
      }
      const about: About = { identity: identify(event), wireId };
      const said: Utterance[] = [...(AG_UI_TYPES.has(type) ? closeChunk(type, event) : [])];
      if (ended && AG_UI_TYPES.has(type) && !['RUN_ERROR', 'RUN_FINISHED'].includes(type))
        said.push(
          utter(type, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: `${type} after the run had ended` }, about),
        );
      const parent = type === 'RUN_STARTED' ? asString(event.parentRunId) : null;
      const placed = parent === null ? about : { ...about, identity: { ...about.identity, attempt: parent } };
      said.push(...dispatch(type, event, placed));
      if (isPiece) written = said.at(-1)?.part ?? '';
      return writing.note(said);
    },
  };
};

/** The decoder of a carrier that has one JSON event a frame. `wireIdOf`: where it numbers its frames. */
export const jsonAgUi = (reader: AgUiReader, wireIdOf: (frame: WireFrame) => string | null = () => null): Decoder => ({
  frame(frame) {
    if (frame.direction === 'sent') return [];
    const event = frameObject(frame);
    return event === null ? [notAnEvent()] : reader.read(event, wireIdOf(frame));
  },
  end: () => [],
});

export const notAnEvent = (): Utterance =>
  utter('(unread)', null, 'provisional', { type: 'malformed', detail: 'the frame is not an AG-UI event' });

const waitKind = (interrupt: JsonObject): WaitKind => {
  const reason = (asString(interrupt.reason) ?? '').toLowerCase();
  if (/auth|sign_?in|login|credential/u.test(reason)) return 'auth';
  if (asString(interrupt.toolCallId) !== null || /approv|confirm|permission|tool_call/u.test(reason)) return 'approval';
  return 'input';
};

/** Whether frames are AG-UI: the first says how it begins, or two agree where a stream is taken up in its middle. */
const MEMBERS = [
  'threadId',
  'messageId',
  'toolCallId',
  'subagentRunId',
  'stepName',
  'snapshot',
  'delta',
  'messages',
  'event',
  'name',
] as const;
export const looksLikeAgUi = (events: readonly (JsonObject | null)[]): boolean => {
  const known = events.filter(
    (event): event is JsonObject => event !== null && AG_UI_TYPES.has(asString(event.type) ?? '') && event.payload === undefined,
  );
  const first = known[0];
  if (first === undefined) return false;
  if (first.type === 'RUN_STARTED' && asString(first.runId) !== null && asString(first.threadId) !== null) return true;
  if (first.type === 'RUN_ERROR' && known.length === 1 && asString(first.message) !== null && asNumber(first.timestamp) !== null)
    return true;
  // Two such names are no accident, if one of them is about what this protocol is about.
  return known.length >= 2 && known.some((event) => MEMBERS.some((member) => event[member] !== undefined));
};
