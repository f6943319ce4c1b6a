/**
 * OpenAI Assistants (legacy). Spec: npm openai 7.59.0 (beta.threads). Recognised by `event: thread.…` with an object of kind
 * `thread.…`. Terminal words: thread.run.completed, .failed, .cancelled, .expired, .incomplete, .requires_action (a wait),
 * and `event: error`. A message is committed by thread.message.completed only.
 */
import type { FinishReason, Identity } from '../model';
import {
  asArray,
  asNumber,
  asObject,
  asObjects,
  asString,
  asText,
  type Decoder,
  type Dialect,
  type FlowOpening,
  frameObject,
  identityOf,
  type JsonObject,
  malformed,
  requestOf,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { failsAtOnce } from './fails-at-once';
import { createWriting } from './writing';

const textOf = (message: JsonObject | null): string =>
  asObjects(message?.content)
    .map((part) => asString(asObject(part.text)?.value) ?? asString(part.refusal) ?? '')
    .join('');

const open = (opening: FlowOpening): Decoder => {
  const request = requestOf(opening);
  let run: string | null = null;
  let thread: string | null = null;
  let opened = false;
  const writing = createWriting();

  const end = (raw: string, reason: FinishReason['reason'], word: string, identity: Identity): Utterance =>
    utterFinished(raw, { reason, raw: word }, reason === 'waiting' ? 'tool' : null, { identity });

  const runEvent = (raw: string, value: JsonObject, identity: Identity): readonly Utterance[] => {
    const state = raw.slice('thread.run.'.length);
    switch (state) {
      case 'completed':
        return [end(raw, 'stop', state, identity)];
      case 'cancelled':
        return [end(raw, 'cancelled', state, identity)];
      case 'failed':
      case 'expired': {
        const error = asObject(value.last_error);
        return [utterFailed(raw, asString(error?.message) ?? '', asString(error?.code) ?? state, { identity })];
      }
      case 'incomplete': {
        const reason = asString(asObject(value.incomplete_details)?.reason);
        return [
          end(raw, reason === 'content_filter' ? 'content-filter' : 'length', reason === null ? state : `incomplete: ${reason}`, identity),
        ];
      }
      case 'requires_action': {
        const calls = asObjects(asObject(asObject(value.required_action)?.submit_tool_outputs)?.tool_calls);
        const said = calls.map((call) =>
          utter(
            raw,
            'tool',
            'committed',
            {
              type: 'tool.called',
              name: asString(asObject(call.function)?.name) ?? '',
              input: asString(asObject(call.function)?.arguments),
              owedBy: 'page',
            },
            { identity: { ...identity, ...identityOf({ toolCall: call.id }) } },
          ),
        );
        return [...said, end(raw, 'waiting', state, identity)];
      }
      case 'queued':
        return [utter(raw, 'lifecycle', 'committed', { type: 'status', state: 'queued', label: null }, { identity })];
      default:
        return [utter(raw, 'lifecycle', 'committed', { type: 'status', state: 'working', label: state }, { identity })];
    }
  };

  const message = (raw: string, value: JsonObject, identity: Identity): readonly Utterance[] => {
    const id = asString(value.id) ?? '';
    const where = { identity: { ...identity, message: id }, part: id };
    if (raw === 'thread.message.delta') {
      const text = textOf(asObject(value.delta));
      return [utter(raw, 'assistant', 'provisional', { type: 'part.delta', text }, where)];
    }
    if (raw === 'thread.message.completed') {
      const text = textOf(value);
      // A picture is an answer, too.
      const shown = text === '' && asArray(value.content).length > 0;
      return [utter(raw, 'assistant', 'committed', shown ? { type: 'note', text: null } : { type: 'part.replaced', text }, where)];
    }
    return [utter(raw, 'lifecycle', 'provisional', { type: 'note', text: asString(value.status) }, where)];
  };

  const read = (raw: string, value: JsonObject): readonly Utterance[] => {
    if (raw === 'error') {
      const error = asObject(value.error) ?? value;
      return [
        utterFailed(raw, asString(error.message) ?? '', asString(error.code) ?? asString(error.type), {
          identity: identityOf({ run, conversation: thread }),
        }),
      ];
    }
    if (value.object === 'thread.run') run = asString(value.id) ?? run;
    run = asString(value.run_id) ?? run;
    thread = asString(value.thread_id) ?? (value.object === 'thread' ? asString(value.id) : null) ?? thread;
    const identity = identityOf({ run, conversation: thread });
    const said: Utterance[] = [];
    if (!opened && run !== null) {
      opened = true;
      const resumes = asArray(request?.tool_outputs).flatMap((one) => asString(asObject(one)?.tool_call_id) ?? []);
      said.push(utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes }, { identity }));
      said.push(utter(raw, 'lifecycle', 'committed', { type: 'attempt.opened', model: asString(value.model) }, { identity }));
    }
    if (raw === 'thread.created') return [...said, utter(raw, 'lifecycle', 'committed', { type: 'note', text: null }, { identity })];
    if (raw.startsWith('thread.run.step.')) {
      const calls = asObjects(asObject(value.step_details)?.tool_calls);
      const returned = raw.endsWith('.completed')
        ? calls.map((call) =>
            utter(
              raw,
              'tool',
              'committed',
              { type: 'tool.returned', output: asText(asObject(call.function)?.output), failed: false, preliminary: false },
              { identity: { ...identity, ...identityOf({ toolCall: call.id }) } },
            ),
          )
        : [];
      return [
        ...said,
        ...(returned.length > 0
          ? returned
          : [utter(raw, 'lifecycle', 'committed', { type: 'note', text: asString(value.status) }, { identity })]),
      ];
    }
    if (raw.startsWith('thread.run.')) {
      const usage = asObject(value.usage);
      if (usage !== null)
        said.push(
          utter(
            raw,
            'log',
            'committed',
            {
              type: 'usage',
              usage: {
                inputTokens: asNumber(usage.prompt_tokens),
                outputTokens: asNumber(usage.completion_tokens),
                reasoningTokens: null,
              },
            },
            { identity },
          ),
        );
      return [...said, ...runEvent(raw, value, identity)];
    }
    if (raw.startsWith('thread.message.')) return [...said, ...message(raw, value, identity)];
    return [...said, unrecognised(raw, { identity })];
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      if (frame.data.length < 20 && frame.data.trim() === '[DONE]')
        return opened
          ? [utter('done', 'log', 'committed', { type: 'sentinel' }, { identity: identityOf({ run, conversation: thread }) })]
          : [];
      const value = frameObject(frame);
      const raw = frame.event ?? '(no event)';
      if (value === null) return [malformed(raw, 'the data is not a JSON object')];
      const text = raw === 'thread.message.delta' ? textOf(asObject(value.delta)) : null;
      return writing.more(text, null, raw, value.id, value.object, value.run_id, value.thread_id) ?? writing.note(read(raw, value));
    },
    end: () => [],
  };
};

export const openaiAssistants: Dialect = {
  id: 'openai-assistants',
  title: 'OpenAI Assistants (legacy)',
  framings: ['sse'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise: (opening) =>
    opening.frames.some(
      (frame) => frame.event?.startsWith('thread.') === true && asString(frameObject(frame)?.object)?.startsWith('thread') === true,
    ) ||
    failsAtOnce(
      opening,
      ({ assistant_id, stream }) => typeof assistant_id === 'string' && stream === true,
      ({ error }, event) => event === 'error' && typeof asObject(error)?.message === 'string',
    )
      ? 'certain'
      : 'no',
  open,
};
