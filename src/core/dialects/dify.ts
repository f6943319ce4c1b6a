/**
 * Dify app streams (`chat-messages`, `completion-messages`, `workflows/run`, `workflow/…/events`): SSE whose JSON has an
 * `event` and a `task_id`. Spec: docs.dify.ai and npm dify-client 2.3.2, 2026-11. Recognised by those two together (an error by the request).
 *
 * Terminal words: `message_end` of chat and agent apps, `workflow_finished` (its `status`) of workflows, `workflow_paused`
 * (a form waits for a person; the stream closes), `error`. A chatflow says both of the first two, and the second is its
 * outcome. Finished nodes settle nothing. `message_replace` takes back all that was said. The run goes on on another
 * stream under its `workflow_run_id`.
 */
import type { FinishReason, Identity, WaitKind } from '../model';
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
  requestOf,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { createThinkTag, type Spoken } from './think-tag';

const EVENTS = new Set([
  'message',
  'agent_message',
  'message_replace',
  'text_chunk',
  'text_replace',
  'agent_thought',
  'agent_log',
  'message_file',
  'message_end',
  'tts_message',
  'tts_message_end',
  'workflow_started',
  'workflow_finished',
  'workflow_paused',
  'node_started',
  'node_finished',
  'node_retry',
  'iteration_started',
  'iteration_next',
  'iteration_completed',
  'loop_started',
  'loop_next',
  'loop_completed',
  'parallel_branch_started',
  'parallel_branch_finished',
  'human_input_required',
  'human_input_form_filled',
  'human_input_form_timeout',
  'error',
]);
const STATUSES: Readonly<Record<string, FinishReason['reason']>> = table({
  succeeded: 'stop',
  'partial-succeeded': 'stop',
  failed: 'error',
  stopped: 'cancelled',
  paused: 'waiting',
});
/** Nodes that run something outside the workflow. The others are steps of it. */
const TOOL_NODES = new Set(['tool', 'http-request', 'code', 'knowledge-retrieval', 'agent']);

const holdsData = (outputs: unknown): boolean =>
  Object.values(asObject(outputs) ?? {}).some((one) => !/^(?:null|""|\[\]|\{\})$/u.test(JSON.stringify(one)));

const open = (opening: FlowOpening): Decoder => {
  /** The stream takes up a run where it is; what was said before the wait is not on it, or comes as one replacement. */
  const resumed = opening.method === 'GET' || /\/workflow\/[^/]+\/events/u.test(opening.url);
  const snapshot = resumed && /[?&]include_state_snapshot=true/u.test(opening.url);
  let identity: Identity = {};
  let opened = false;
  let settled = false;
  let answer = '';
  let replaced = false;
  let think = createThinkTag();
  const thoughts = new Map<string, { observed: boolean; called: boolean }>();

  const note = (raw: string, voice: 'lifecycle' | 'log' | 'user' | 'interaction' | 'assistant', text: string | null = null): Utterance =>
    utter(raw, voice, 'committed', { type: 'note', text }, { identity });

  const begin = (raw: string): readonly Utterance[] => {
    if (opened) return [];
    opened = true;
    return [
      snapshot
        ? utter(raw, 'lifecycle', 'committed', { type: 'replay.started' }, { identity })
        : utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, { identity }),
    ];
  };

  const speak = (raw: string, spoken: readonly Spoken[]): readonly Utterance[] =>
    spoken.map(({ voice, bySaying, text }) => {
      if (voice === 'assistant') answer += text;
      const part = voice === 'assistant' ? 'answer' : 'think';
      return utter(raw, voice, 'provisional', { type: 'part.delta', text }, { identity, part, voiceBySaying: bySaying });
    });

  /** All that was said so far is taken back in favour of this. After the run has settled it is the last word all the same. */
  const replace = (raw: string, text: string): readonly Utterance[] => {
    think = createThinkTag();
    think.push(text);
    answer = text;
    replaced = true;
    return [utter(raw, 'assistant', settled ? 'committed' : 'provisional', { type: 'part.replaced', text }, { identity, part: 'answer' })];
  };

  const thought = (raw: string, value: JsonObject): readonly Utterance[] => {
    const id = asString(value.id) ?? '';
    const text = asString(value.thought) ?? '';
    const tool = asString(value.tool) ?? '';
    const observation = asString(value.observation) ?? '';
    const known = thoughts.get(id) ?? { observed: false, called: false };
    thoughts.set(id, known);
    const said: Utterance[] = [];
    // A thought may be the answer over again, which does not make the answer a thought.
    if (text.trim() !== '' && !answer.includes(text.trim()))
      said.push(utter(raw, 'reasoning', 'provisional', { type: 'part.replaced', text }, { identity, part: `thought:${id}` }));
    const call = { identity: { ...identity, toolCall: id } };
    if (tool !== '' && !known.called) {
      known.called = true;
      said.push(
        utter(raw, 'tool', 'provisional', { type: 'tool.called', name: tool, input: asString(value.tool_input), owedBy: 'producer' }, call),
      );
    }
    if (observation !== '' && !known.observed) {
      known.observed = true;
      said.push(utter(raw, 'tool', 'committed', { type: 'tool.returned', output: observation, failed: false, preliminary: false }, call));
    }
    return said.length > 0 ? said : [note(raw, 'log')];
  };

  const node = (raw: string, event: string, data: JsonObject): readonly Utterance[] => {
    const type = asString(data.node_type) ?? '';
    const name = `${raw} ${type}`.trimEnd();
    const title = asString(data.title);
    if (TOOL_NODES.has(type)) {
      const call = { identity: { ...identity, toolCall: asString(data.id) ?? asString(data.node_id) ?? '' } };
      if (event === 'node_started')
        return [
          utter(
            name,
            'tool',
            'provisional',
            { type: 'tool.called', name: title ?? type, input: asText(data.inputs), owedBy: 'producer' },
            call,
          ),
        ];
      if (event === 'node_finished')
        return [
          utter(
            name,
            'tool',
            'committed',
            { type: 'tool.returned', output: asText(data.error ?? data.outputs), failed: data.status === 'failed', preliminary: false },
            call,
          ),
        ];
    }
    if (event === 'node_started')
      return [utter(name, 'lifecycle', 'committed', { type: 'status', state: 'working', label: title }, { identity })];
    return [
      utter(
        name,
        event === 'node_retry' ? 'log' : 'lifecycle',
        'committed',
        { type: 'note', text: asString(data.error) ?? title },
        { identity },
      ),
    ];
  };

  const failed = (raw: string, message: string, code: string | null): Utterance => utterFailed(raw, message, code, { identity });

  /** Ends the run, once; what comes after the first ending confirms it at most. */
  const settle = (
    raw: string,
    reason: FinishReason['reason'],
    word: string,
    error: string | null,
    waitingFor: WaitKind | null = null,
  ): readonly Utterance[] => {
    const said: Utterance[] = [...speak(raw, think.flush())];
    if (settled) return [...said, note(raw, 'lifecycle', word)];
    settled = true;
    if (reason === 'stop') said.push(utter(raw, 'terminal', 'settling', { type: 'parts.committed' }, { identity }));
    said.push(reason === 'error' ? failed(raw, error ?? '', word) : utterFinished(raw, { reason, raw: word }, waitingFor, { identity }));
    return said;
  };

  /** The text of a workflow's outputs: its answer, or its only output. */
  const outputText = (outputs: JsonObject | null): string | null => {
    const values = Object.values(outputs ?? {});
    return asString(outputs?.answer) ?? (values.length === 1 ? asString(values[0]) : null);
  };

  const finished = (raw: string, data: JsonObject): readonly Utterance[] => {
    const status = asString(data.status) ?? '';
    const reason = STATUSES[status] ?? 'other';
    const said: Utterance[] = [...speak(raw, think.flush())];
    const whole = outputText(asObject(data.outputs));
    // A stream that did not carry the text from its beginning has it here.
    if (reason === 'stop' && !settled && whole !== null && whole !== '' && (answer === '' || (resumed && !replaced && answer !== whole))) {
      // Its own share is in the whole: in its place, not beside it.
      if (answer !== '') said.push(utter(raw, 'assistant', 'committed', { type: 'part.withdrawn' }, { identity, part: 'answer' }));
      said.push(utter(raw, 'assistant', 'committed', { type: 'part.closed', text: whole }, { identity, part: 'whole' }));
    }
    // Data is an answer, too.
    else if (reason === 'stop' && answer === '' && holdsData(data.outputs)) said.push(note(raw, 'assistant', asText(data.outputs)));
    return [...said, ...settle(raw, reason, status, asString(data.error), reason === 'waiting' ? 'input' : null)];
  };

  const human = (raw: string, event: string, data: JsonObject): readonly Utterance[] => {
    // Only the node is named both by the question and by its answer.
    const request = `${identity.run ?? ''}:${asString(data.node_id) ?? asString(data.form_id) ?? ''}`;
    if (event === 'human_input_required')
      return [
        utter(
          raw,
          'interaction',
          'committed',
          { type: 'asked', request, kind: 'input', prompt: asString(data.form_content) ?? asString(data.node_title), blocking: false },
          { identity },
        ),
      ];
    const how = event === 'human_input_form_timeout' ? 'timeout' : asString(data.action_id);
    return [utter(raw, 'interaction', 'committed', { type: 'answered', request, how }, { identity })];
  };

  const usage = (raw: string, value: JsonObject): readonly Utterance[] => {
    const told = asObject(asObject(value.metadata)?.usage);
    return told === null
      ? []
      : [
          utter(
            raw,
            'log',
            'committed',
            {
              type: 'usage',
              usage: { inputTokens: asNumber(told.prompt_tokens), outputTokens: asNumber(told.completion_tokens), reasoningTokens: null },
            },
            { identity },
          ),
        ];
  };

  const read = (event: string, value: JsonObject): readonly Utterance[] => {
    const data = asObject(value.data) ?? {};
    switch (event) {
      case 'message':
      case 'agent_message': {
        const said = speak(event, think.push(asString(value.answer) ?? ''));
        // Without streaming the message is the whole answer, and there is no other event.
        if (asString(value.mode) === null || asObject(value.metadata) === null) return said.length > 0 ? said : [note(event, 'log')];
        return [...said, ...usage(event, value), ...settle(event, 'stop', event, null)];
      }
      case 'text_chunk': {
        const said = speak(event, think.push(asString(data.text) ?? ''));
        return said.length > 0 ? said : [note(event, 'log')];
      }
      case 'message_replace':
        return replace(event, asString(value.answer) ?? '');
      case 'text_replace':
        return replace(event, asString(data.text) ?? '');
      case 'agent_thought':
        return thought(event, value);
      case 'workflow_started':
        return [utter(event, 'lifecycle', 'committed', { type: 'status', state: 'working', label: null }, { identity })];
      case 'node_started':
      case 'node_finished':
      case 'node_retry':
        return node(event, event, data);
      case 'human_input_required':
      case 'human_input_form_filled':
      case 'human_input_form_timeout':
        return human(event, event, data);
      case 'workflow_paused': {
        const reasons = asArray(data.reasons).map((reason) => asString(asObject(reason)?.type) ?? asString(asObject(reason)?.TYPE));
        const kind = reasons.length === 0 || reasons.some((reason) => reason?.startsWith('human_input') === true) ? 'input' : 'other';
        return settle(event, 'waiting', 'paused', null, kind);
      }
      case 'workflow_finished':
        return finished(event, data);
      case 'message_end':
        return [
          ...(asArray(value.files).length > 0 ? [note(event, 'assistant')] : []),
          ...usage(event, value),
          ...settle(event, 'stop', event, null),
        ];
      case 'error': {
        const code = asString(value.code) ?? (value.status === undefined ? null : asText(value.status));
        if (settled) return [failed(event, asString(value.message) ?? '', code)];
        settled = true;
        return [...speak(event, think.flush()), failed(event, asString(value.message) ?? '', code)];
      }
      case 'message_file':
        return [note(event, value.belongs_to === 'user' ? 'log' : 'assistant', asString(value.type))];
      case 'agent_log':
      case 'tts_message':
      case 'tts_message_end':
        return [note(event, 'log')];
    }
    return EVENTS.has(event) ? [note(event, 'lifecycle')] : [unrecognised(event, { identity })];
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      if (frame.data.trim() === '' || (frame.event === 'ping' && frameObject(frame) === null))
        return [note(frame.event ?? '(empty)', 'log')];
      const value = frameObject(frame);
      if (value === null) return notJson();
      const event = asString(value.event);
      if (event === null) return [unrecognised('(no event)', { identity })];
      if (event === 'ping') return [note(event, 'log')];
      identity = {
        ...identity,
        ...identityOf({
          conversation: value.conversation_id,
          run: value.workflow_run_id ?? (event.startsWith('workflow_') ? asObject(value.data)?.id : undefined),
          message: value.message_id,
        }),
      };
      return [...(EVENTS.has(event) ? begin(event) : []), ...read(event, value)];
    },
    end: () => [],
  };
};

const modeOf = (opening: FlowOpening): unknown => requestOf(opening)?.response_mode;

const telling = (value: JsonObject | null, opening: FlowOpening): boolean => {
  if (value === null || !EVENTS.has(asString(value.event) ?? '')) return false;
  // An error of a chat is sent without it; there the request tells.
  if (asString(value.task_id) === null && (value.event !== 'error' || modeOf(opening) !== 'streaming')) return false;
  // Names as common as these need what only this producer puts beside them.
  if (!['message_id', 'workflow_run_id', 'conversation_id'].some((key) => typeof value[key] === 'string')) return false;
  switch (value.event) {
    case 'message':
    case 'agent_message':
    case 'message_replace':
      return typeof value.answer === 'string';
    case 'message_end':
      return 'metadata' in value;
    case 'agent_thought':
      return typeof value.thought === 'string';
    case 'message_file':
      return typeof value.url === 'string';
    case 'error':
      return typeof value.status === 'number' && typeof value.code === 'string';
    case 'tts_message':
    case 'tts_message_end':
      return typeof value.audio === 'string';
  }
  return asObject(value.data) !== null;
};

export const dify: Dialect = {
  id: 'dify',
  title: 'Dify',
  framings: ['sse', 'body'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise: (opening) =>
    opening.frames.some((frame) => {
      const value = frame.direction === 'received' ? frameObject(frame) : null;
      // The whole answer of a call that does not stream.
      return telling(value, opening) && (frame.framing !== 'body' || modeOf(opening) === 'blocking' || asString(value?.mode) !== null);
    })
      ? 'certain'
      : 'no',
  open,
};
