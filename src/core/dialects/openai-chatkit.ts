/**
 * OpenAI ChatKit server events: one POST endpoint, SSE `data:` only. Spec: the public Python types of chatkit, 2026-11; not
 * checked against a live server. Recognised by `thread.item.*` with an item, `stream_options`, or a request of type `threads.…`
 * with any event of the protocol after it, all without an `event:` line.
 *
 * It has no run-end event (an `end_of_turn` item where one is sent). A clean end of the body with every added item done is
 * completed, with a client tool call pending it is a wait, with an item not done nothing is settled. An answer that was
 * removed and not replaced was refused. `error` fails.
 */
import type { FinishReason, FlowEnd, Voice, WaitKind } from '../model';
import {
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
  notJson,
  parseJson,
  requestOf,
  type Utterance,
  unrecognised,
  utter,
  utterFinished,
} from './dialect';
import { createWriting } from './writing';

const textOf = (item: JsonObject): string =>
  asObjects(item.content)
    .map((part) => asString(part.text) ?? '')
    .join('');
const taskText = (task: JsonObject | null): string => asString(task?.content) ?? asString(task?.title) ?? '';

const open = (opening: FlowOpening): Decoder => {
  const request = requestOf(opening);
  let opened = false;
  let settled = false;
  const writing = createWriting();
  const added = new Map<string, string>();
  const answers = new Set<string>();
  /** A widget or a picture was shown whole, which is an answer, too. */
  let drawn = false;
  let removedAnswer = false;
  let pending: string | null = null;
  let thread: string | null = asString(asObject(request?.params)?.thread_id);
  const voices = new Map<string, Voice>();

  const about = (more: Parameters<typeof identityOf>[0] = {}) => ({ identity: identityOf({ conversation: thread, ...more }) });
  const begin = (raw: string): readonly Utterance[] => {
    if (opened) return [];
    opened = true;
    const output = request?.type === 'threads.add_client_tool_output' && thread !== null;
    return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: output ? [`conversation:${thread}`] : [] }, about())];
  };

  const item = (raw: string, value: JsonObject, done: boolean): readonly Utterance[] => {
    const id = asString(value.id) ?? '';
    const type = asString(value.type) ?? '';
    thread = asString(value.thread_id) ?? thread;
    const named = `${raw} ${type}`.trimEnd();
    if (done) added.delete(id);
    else added.set(id, type);
    switch (type) {
      case 'user_message':
        return [utter(named, 'user', 'committed', { type: 'note', text: textOf(value) }, about({ message: id }))];
      case 'assistant_message': {
        answers.add(id);
        removedAnswer = false;
        const text = textOf(value);
        if (!done)
          return text === ''
            ? [utter(named, 'lifecycle', 'provisional', { type: 'note', text: null }, about({ message: id }))]
            : [utter(named, 'assistant', 'provisional', { type: 'part.replaced', text }, { ...about({ message: id }), part: id })];
        return [utter(named, 'assistant', 'committed', { type: 'part.replaced', text }, { ...about({ message: id }), part: id })];
      }
      case 'workflow':
      case 'task': {
        const workflow = asObject(value.workflow);
        const voice: Voice = workflow?.type === 'reasoning' || asObject(value.task)?.type === 'thought' ? 'reasoning' : 'progress';
        voices.set(id, voice);
        const tasks = type === 'task' ? [asObject(value.task)] : asObjects(workflow?.tasks);
        const said = tasks.map((task, i) =>
          utter(
            named,
            voice,
            done ? 'committed' : 'provisional',
            { type: 'part.replaced', text: taskText(task) },
            { ...about({ part: id }), part: `${id}:${i}` },
          ),
        );
        return said.length > 0 ? said : [utter(named, voice, 'provisional', { type: 'note', text: null }, about({ part: id }))];
      }
      case 'client_tool_call': {
        const call = asString(value.call_id) ?? id;
        pending = value.status === 'pending' ? call : pending === call ? null : pending;
        const at = about({ toolCall: call });
        return value.status === 'pending'
          ? [
              utter(
                named,
                'tool',
                'committed',
                { type: 'tool.called', name: asString(value.name) ?? '', input: asText(value.arguments), owedBy: 'page' },
                at,
              ),
              utter(
                named,
                'interaction',
                'committed',
                { type: 'asked', request: call, kind: 'tool', prompt: asString(value.name), blocking: false },
                at,
              ),
            ]
          : [
              utter(
                named,
                'tool',
                'committed',
                { type: 'tool.returned', output: asText(value.output), failed: false, preliminary: false },
                at,
              ),
            ];
      }
      case 'end_of_turn':
        return done ? finish(named) : [utter(named, 'lifecycle', 'provisional', { type: 'note', text: null }, about())];
      case 'generated_image':
      case 'widget':
        drawn ||= done;
        return [
          utter(
            named,
            'assistant',
            done ? 'committed' : 'provisional',
            { type: 'note', text: asString(value.copy_text) },
            about({ part: id }),
          ),
        ];
      default:
        return [utter(named, 'log', 'committed', { type: 'note', text: null }, about({ part: id }))];
    }
  };

  const update = (raw: string, event: JsonObject): readonly Utterance[] => {
    const id = asString(event.item_id) ?? '';
    const value = asObject(event.update);
    const kind = asString(value?.type) ?? '';
    const named = `${raw} ${kind}`.trimEnd();
    const where = { ...about({ message: id }), part: id };
    switch (kind) {
      case 'assistant_message.content_part.text_delta':
        return [utter(named, 'assistant', 'provisional', { type: 'part.delta', text: asString(value?.delta) ?? '' }, where)];
      case 'workflow.task.added':
      case 'workflow.task.updated': {
        const task = asObject(value?.task);
        const voice: Voice = task?.type === 'thought' ? 'reasoning' : (voices.get(id) ?? 'progress');
        return [
          utter(
            named,
            voice,
            'provisional',
            { type: 'part.replaced', text: taskText(task) },
            { ...about({ part: id }), part: `${id}:${asNumber(value?.task_index) ?? 0}` },
          ),
        ];
      }
      default:
        return [utter(named, 'log', 'provisional', { type: 'note', text: null }, about({ message: id }))];
    }
  };

  const finish = (raw: string): readonly Utterance[] => {
    settled = true;
    const end = (reason: FinishReason['reason'], waitingFor: WaitKind | null = null): readonly Utterance[] => [
      utterFinished(raw, { reason, raw: raw === 'end of body' ? null : 'end_of_turn' }, waitingFor, about()),
    ];
    if (pending !== null) return end('waiting', 'tool');
    if (removedAnswer && answers.size === 0) return end('refusal');
    return end('stop');
  };

  const read = (raw: string, event: JsonObject, index: number): readonly Utterance[] => {
    switch (raw) {
      case 'thread.created':
      case 'thread.updated':
        thread = asString(asObject(event.thread)?.id) ?? thread;
        return [...begin(raw), utter(raw, 'lifecycle', 'committed', { type: 'note', text: null }, about())];
      case 'stream_options':
        return [...begin(raw), utter(raw, 'lifecycle', 'committed', { type: 'note', text: null }, about())];
      case 'progress_update':
        return [
          ...begin(raw),
          utter(
            raw,
            'progress',
            'committed',
            { type: 'part.delta', text: asString(event.text) ?? '' },
            { ...about(), part: `progress:${index}` },
          ),
        ];
      case 'thread.item.added':
      case 'thread.item.done':
      case 'thread.item.replaced': {
        const value = asObject(event.item);
        if (value === null) return [malformed(raw, `${raw} without an item`, about())];
        return [...begin(raw), ...item(raw, value, raw !== 'thread.item.added')];
      }
      case 'thread.item.updated':
        return [...begin(raw), ...update(raw, event)];
      case 'thread.item.removed': {
        const id = asString(event.item_id) ?? '';
        added.delete(id);
        if (answers.delete(id)) removedAnswer = true;
        return [...begin(raw), utter(raw, 'assistant', 'committed', { type: 'part.withdrawn' }, { ...about({ message: id }), part: id })];
      }
      case 'client_effect':
      case 'notice':
        return [...begin(raw), utter(raw, 'log', 'committed', { type: 'note', text: asString(event.message) }, about())];
      case 'error':
        settled = true;
        return [
          ...begin(raw),
          utter(
            raw,
            'terminal',
            'settling',
            {
              type: 'failed',
              message: asString(event.message) ?? '',
              code: asString(event.code),
              retryable: typeof event.allow_retry === 'boolean' ? event.allow_retry : null,
              overrides: false,
            },
            about(),
          ),
        ];
      default:
        return [unrecognised(raw || '(no type)', about())];
    }
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const event = frameObject(frame);
      if (event === null) return notJson();
      const raw = asString(event.type) ?? '';
      const change = raw === 'thread.item.updated' ? asObject(event.update) : null;
      const text = change?.type === 'assistant_message.content_part.text_delta' ? change.delta : null;
      return writing.more(text, null, raw, change?.type, event.item_id) ?? writing.note(read(raw, event, frame.index));
    },
    end(how: FlowEnd) {
      if (settled || !opened || how !== 'eof' || added.size > 0) return [];
      // Nothing but greetings came: that is no turn.
      return answers.size === 0 && !drawn && pending === null && !removedAnswer ? [] : finish('end of body');
    },
  };
};

export const openaiChatkit: Dialect = {
  id: 'openai-chatkit',
  title: 'OpenAI ChatKit',
  framings: ['sse'],
  hasTerminalWord: true,
  endSettles: true,
  runs: 'flow',
  recognise: ({ frames, requestBody }) => {
    const asked = requestBody !== null && /^threads\./u.test(asString(asObject(parseJson(requestBody))?.type) ?? '');
    return frames.some((frame) => {
      if (frame.direction === 'sent' || frame.event !== null) return false;
      const event = frameObject(frame);
      const type = asString(event?.type) ?? '';
      return (
        (asked && /^(?:thread\.(?:created|updated|item\.\w+)|progress_update|error)$/u.test(type)) ||
        (/^thread\.item\.(?:added|done)$/u.test(type) && asString(asObject(event?.item)?.thread_id) !== null) ||
        (type === 'stream_options' && asObject(event?.stream_options) !== null)
      );
    })
      ? 'certain'
      : 'no';
  },
  open,
};
