/**
 * What the events of AG-UI mean, for every dialect that carries them (AG-UI itself, CopilotKit, TanStack AI). Spec: npm
 * @ag-ui/core 1.0.0 and 0.0.59. The dialects differ in how they are recognised and in what rides beside the events.
 */
import type { FinishReason, FlowEnd, Identity, WaitKind, WireFrame } from '../model';
import { type About, createTexts } from './ag-ui-texts';
import { AG_UI_TYPES } from './ag-ui-types';
import {
  asArray,
  asObject,
  asObjects,
  asString,
  asText,
  type Decoder,
  type FlowOpening,
  frameObject,
  identityOf,
  type JsonObject,
  malformed,
  requestOf,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFinished,
} from './dialect';

/**
 * The request every AG-UI client sends: its ids, and what it answers. It repeats the whole conversation: the results of calls that it
 * brings are at its end. A question after them begins a run, also where a snapshot has put the words of the model before them.
 */
const readRequest = (opening: FlowOpening) => {
  const body = requestOf(opening);
  const messages = asObjects(body?.messages);
  const said = messages.findLastIndex(({ role }) => role === 'user' || role === 'assistant');
  return {
    resumes: [
      ...asObjects(body?.resume).flatMap((one) => asString(one.interruptId) ?? asString(one.id) ?? []),
      ...messages.slice(said + 1).flatMap((one) => asString(one.toolCallId) ?? []),
    ],
    messages: new Set(messages.flatMap((one) => asString(one.id) ?? [])),
  };
};

export interface AgUiReader {
  /** `wireId`: where the carrier numbers its frames. */
  read(event: JsonObject, wireId: string | null): readonly Utterance[];
  end(how: FlowEnd): readonly Utterance[];
}

/** What an outcome or a finish reason means; absent means a good end. A word that is not here says "ended", and not how. */
const ENDS: Readonly<Record<string, FinishReason['reason']>> = table({
  success: 'stop',
  stop: 'stop',
  tool_calls: 'stop',
  length: 'length',
  cancelled: 'cancelled',
  content_filter: 'content-filter',
  error: 'error',
  failed: 'error',
});

export const readAgUi = (opening: FlowOpening, named: string | null = null): AgUiReader => {
  const request = readRequest(opening);
  let thread: string | null = null;
  let run: string | null = named;
  let version: string | null = null;
  let ended = false;
  /** A stream taken up in its middle lacks the starts of what was open then. */
  let fromStart = false;
  /** The runs that began here and have not ended. */
  const running = new Set<string | null | undefined>();
  /** The end that was taken for the run's, under an id that is not its own, was another's if the connection breaks: it stood open. */
  let stray: readonly Utterance[] = [];
  /** No message has come since the run began. */
  let quiet = false;
  const texts = createTexts(request.messages, () => fromStart);
  const openCalls = new Set<string>();
  const calls = new Set<string>();
  /** Neighbouring events mostly speak of the same message: then they share one identity. */
  let lastIdentity: Identity = {};
  let lastAbout: readonly unknown[] = [];
  const identify = (event: JsonObject): Identity => {
    const child = asString(event.subagentRunId);
    const about = [thread, run, child, event.messageId, event.toolCallId];
    if (about.every((one, i) => one === lastAbout[i])) return lastIdentity;
    lastAbout = about;
    lastIdentity =
      child === null
        ? identityOf({ conversation: thread, run, message: event.messageId, toolCall: event.toolCallId })
        : identityOf({ conversation: thread, run: child, parentRun: run, message: event.messageId, toolCall: event.toolCallId });
    return lastIdentity;
  };

  const tool = (type: string, event: JsonObject, about: About): readonly Utterance[] => {
    const id = asString(event.toolCallId) ?? '';
    switch (type) {
      case 'TOOL_CALL_START':
        calls.add(id);
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
        if (!calls.has(id) && id !== '') {
          calls.add(id);
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
            : [utter(type, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: `${type} without its start` }, about)]),
          utter(type, 'tool', 'provisional', { type: 'tool.input', text: asString(event.delta) ?? '' }, about),
        ];
      case 'TOOL_CALL_END':
        if (!openCalls.delete(id) && fromStart)
          return [utter(type, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: `${type} without its start` }, about)];
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
    const at = { ...about, identity: identityOf({ ...about.identity, toolCall: value?.toolCallId }) };
    if (name === 'approval-requested') {
      const approval = asObject(value?.approval);
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
          at,
        ),
      ];
    }
    if (name === 'tool-input-available') {
      return [
        utter(
          raw,
          'tool',
          'committed',
          { type: 'tool.called', name: asString(value?.toolName) ?? '', input: asText(value?.input), owedBy: 'page' },
          at,
        ),
      ];
    }
    return [utter(raw, 'progress', 'committed', { type: 'note', text: asText(event.value) }, about)];
  };

  const finished = (type: string, event: JsonObject, here: About): readonly Utterance[] => {
    const id = asString(event.runId) ?? run;
    let about = here;
    // It ends the run that it names, if that began here. An adapter met everywhere ended its run under the server's own id: an id
    // that began nothing here is of the open run, unless the connection breaks.
    if (id !== run && fromStart) {
      if (running.has(id)) about = { ...here, identity: identityOf({ conversation: thread, run: id }) };
      else stray = [utter(type, 'lifecycle', 'committed', { type: 'attempt.opened', model: null }, here)];
    }
    running.delete(about.identity.run);
    const outcome = asObject(event.outcome);
    const kind = asString(outcome?.type) ?? asString(event.outcome);
    const native = asString(asObject(asObject(event.metadata)?.tanstack)?.finishReason);
    const end = (reason: FinishReason['reason'], raw: string, waitingFor: WaitKind | null = null): Utterance =>
      utterFinished(type, { reason, raw }, waitingFor, about);
    const said: Utterance[] = [];
    if (about === here) {
      // Without a word, what the run returns is its answer.
      if (quiet && event.result != null)
        said.push(utter(type, 'assistant', 'committed', { type: 'note', text: asText(event.result) }, about));
      ended = true;
      const left = [...texts.open.keys(), ...openCalls];
      if (left.length > 0)
        said.push(
          utter(
            type,
            null,
            'settling',
            {
              type: 'breach',
              breach: 'out-of-order',
              detail: `${type} with ${left.length} part${left.length === 1 ? '' : 's'} still open`,
            },
            about,
          ),
        );
      texts.open.clear();
      openCalls.clear();
    }
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
      const why = asString(first?.reason);
      return [...said, end('waiting', why === null ? kind : `interrupt: ${why}`, first === undefined ? 'input' : waitKind(first))];
    }
    // A good outcome leaves it to the model's own reason; one that is no word says no more than a word nobody knows.
    const word = kind === null || kind === 'success' ? native : kind;
    const reason = kind === null && event.outcome != null ? 'other' : (ENDS[word ?? 'stop'] ?? 'other');
    const pending = asArray(event.pendingToolCallIds).length > 0;
    return [...said, end(reason, word ?? kind ?? type, pending ? 'tool' : null)];
  };

  const dispatch = (type: string, event: JsonObject, about: About): readonly Utterance[] => {
    switch (type) {
      case 'RUN_STARTED':
        return [utter(type, 'lifecycle', 'committed', { type: 'run.opened', resumes: request.resumes }, about)];
      case 'RUN_FINISHED':
        return finished(type, event, about);
      case 'RUN_ERROR':
        ended = true;
        running.delete(run);
        texts.open.clear();
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
              overrides: version?.startsWith('0') === false,
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
        return texts.snapshot(event, about);
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
    }
    const said = texts.read(type, event, about);
    if (said !== null) return said;
    if (type.startsWith('TOOL_CALL_')) return tool(type, event, about);
    return [unrecognised(type || '(no type)', about)];
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
        quiet = true;
        stray = [];
        running.add(run);
        texts.open.clear();
        openCalls.clear();
      }
      const more = texts.more(type, event, wireId);
      if (more !== null) return more;
      if (type.startsWith('TEXT_')) quiet = false;
      const about: About = { identity: identify(event), wireId };
      const said: Utterance[] = [...(AG_UI_TYPES.has(type) ? texts.closeChunk(type, event) : [])];
      if (ended && AG_UI_TYPES.has(type) && !['RUN_ERROR', 'RUN_FINISHED'].includes(type))
        said.push(
          utter(type, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: `${type} after the run had ended` }, about),
        );
      const parent = type === 'RUN_STARTED' ? asString(event.parentRunId) : null;
      const placed = parent === null ? about : { ...about, identity: { ...about.identity, attempt: parent } };
      said.push(...dispatch(type, event, placed));
      return texts.note(type, said);
    },
    end: (how) => (how === 'network-error' ? stray : []),
  };
};

/** The decoder of a carrier that has one JSON event a frame. `wireIdOf`: where it numbers its frames. */
export const jsonAgUi = (reader: AgUiReader, wireIdOf: (frame: WireFrame) => string | null = () => null): Decoder => ({
  frame(frame) {
    if (frame.direction === 'sent') return [];
    const event = frameObject(frame);
    return event === null ? [notAnEvent()] : reader.read(event, wireIdOf(frame));
  },
  end: reader.end,
});

export const notAnEvent = (): Utterance => malformed('(unread)', 'the frame is not an AG-UI event');

const waitKind = (interrupt: JsonObject): WaitKind => {
  const reason = (asString(interrupt.reason) ?? '').toLowerCase();
  if (/auth|sign_?in|login|credential/u.test(reason)) return 'auth';
  if (asString(interrupt.toolCallId) !== null || /approv|confirm|permission|tool_call/u.test(reason)) return 'approval';
  return 'input';
};
