/**
 * Gemini Interactions API streams. Spec: npm @google/genai 3.3.0 types. Recognised by `event_type` starting with
 * `interaction.` or `step.` (older revision: `content.`). Frames carry `event_id`, by which a background interaction is
 * taken up again (`last_event_id`).
 *
 * Terminal word: `interaction.completed`, whose name says nothing: its `interaction.status` decides. `error` fails.
 * A step is committed by `step.stop`.
 */
import type { FinishReason, Identity, Voice, WaitKind } from '../model';
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
  notJson,
  requestOf,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { failsAtOnce } from './fails-at-once';
import { createWriting } from './writing';

const EVENT = /^(?:interaction|step|content)\./u;
/** An event of that name which says what it is about. */
const telling = (event: JsonObject | null): boolean =>
  event !== null &&
  EVENT.test(asString(event.event_type) ?? '') &&
  (typeof event.index === 'number' || asString(event.interaction_id) !== null || asString(asObject(event.interaction)?.status) !== null);

const MEDIA = new Set(['image', 'audio', 'video', 'document']);

const STATUS: Readonly<Record<string, readonly [FinishReason['reason'], WaitKind | null]>> = table({
  completed: ['stop', null],
  requires_action: ['waiting', 'tool'],
  // The client library goes on with a token: the answer comes in several responses.
  requires_continuation: ['waiting', 'other'],
  incomplete: ['length', null],
  budget_exceeded: ['length', null],
  failed: ['error', null],
  cancelled: ['cancelled', null],
});

interface About {
  readonly identity: Identity;
  readonly wireId: string | null;
}

const open = (opening: FlowOpening): Decoder => {
  const request = requestOf(opening);
  let run = /\/interactions\/([^/?#]+)/u.exec(opening.url)?.[1] ?? null;
  let token: string | null = null;
  const voices = new Map<number, Voice>();
  const writing = createWriting();

  const resumes = (): readonly string[] => {
    const answers = asObjects(request?.input).flatMap((item) => asString(item.call_id) ?? asString(item.id) ?? []);
    const continued = asString(request?.continuation_token);
    return continued === null ? answers : [...answers, continued];
  };

  const step = (raw: string, event: JsonObject, about: About): readonly Utterance[] => {
    const index = asNumber(event.index) ?? 0;
    const value = asObject(event.step) ?? asObject(event.content);
    const type = asString(value?.type) ?? '';
    const named = `${raw} ${type}`.trimEnd();
    const toolCall = asString(value?.id) ?? asString(value?.call_id) ?? String(index);
    const tool = { ...about, identity: { ...about.identity, toolCall } };
    if (type.endsWith('_result')) {
      voices.set(index, 'tool');
      return [
        utter(
          named,
          'tool',
          'committed',
          { type: 'tool.returned', output: asText(value?.result), failed: value?.is_error === true, preliminary: false },
          tool,
        ),
      ];
    }
    if (type.endsWith('_call')) {
      voices.set(index, 'tool');
      return [
        utter(
          named,
          'tool',
          'provisional',
          {
            type: 'tool.called',
            name: asString(value?.name) ?? type,
            input: asText(value?.arguments),
            owedBy: type === 'function_call' ? 'page' : 'producer',
          },
          tool,
        ),
      ];
    }
    const voice: Voice = type === 'thought' ? 'reasoning' : type === 'user_input' ? 'user' : 'assistant';
    voices.set(index, voice);
    const opened = utter(named, voice, 'provisional', { type: 'part.opened' }, { ...about, part: String(index) });
    const text = asString(value?.text);
    return text === null || text === ''
      ? [opened]
      : [opened, utter(named, voice, 'provisional', { type: 'part.delta', text }, { ...about, part: String(index) })];
  };

  const delta = (raw: string, event: JsonObject, about: About): readonly Utterance[] => {
    const index = asNumber(event.index) ?? 0;
    const value = asObject(event.delta);
    const type = asString(value?.type) ?? '';
    const named = `${raw} ${type}`.trimEnd();
    const text = asString(value?.text) ?? asString(asObject(value?.content)?.text);
    const voice = voices.get(index) ?? (type.startsWith('thought') ? 'reasoning' : 'assistant');
    if (voice === 'tool')
      return [
        utter(
          named,
          'tool',
          'provisional',
          { type: 'tool.input', text: asText(value?.arguments ?? value?.arguments_delta) ?? text ?? '' },
          about,
        ),
      ];
    // An answer need not be words.
    if (text === null && voice === 'assistant' && MEDIA.has(type))
      return [utter(named, voice, 'provisional', { type: 'note', text: asString(value?.mime_type) }, about)];
    if (text === null) return [utter(named, 'log', 'committed', { type: 'note', text: null }, about)];
    return [utter(named, voice, 'provisional', { type: 'part.delta', text }, { ...about, part: String(index) })];
  };

  const completed = (raw: string, event: JsonObject, about: About): readonly Utterance[] => {
    const interaction = asObject(event.interaction);
    const status = asString(interaction?.status) ?? asString(event.status) ?? '';
    if (status === 'queued' || status === 'in_progress')
      return [utter(raw, 'lifecycle', 'committed', { type: 'status', state: 'working', label: status }, about)];
    if (status === 'failed') {
      const error = asObject(interaction?.error);
      return [utterFailed(raw, asString(error?.message) ?? '', asString(error?.code) ?? status, about)];
    }
    const [reason, waitingFor] = STATUS[status] ?? (['other', null] as const);
    const said: Utterance[] = [];
    if (status === 'requires_continuation' && token !== null)
      said.push(
        utter(raw, 'lifecycle', 'committed', { type: 'asked', request: token, kind: 'other', prompt: null, blocking: false }, about),
      );
    said.push(utterFinished(raw, { reason, raw: status }, waitingFor, about));
    return said;
  };

  const read = (raw: string, event: JsonObject, about: About): readonly Utterance[] => {
    switch (raw) {
      case 'interaction.created':
      case 'interaction.start':
        return [
          utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: resumes() }, about),
          utter(raw, 'lifecycle', 'committed', { type: 'attempt.opened', model: asString(asObject(event.interaction)?.model) }, about),
        ];
      case 'interaction.status_update':
        return [
          utter(
            raw,
            'lifecycle',
            'committed',
            { type: 'status', state: event.status === 'queued' ? 'queued' : 'working', label: asString(event.status) },
            about,
          ),
        ];
      case 'step.start':
      case 'content.start':
        return step(raw, event, about);
      case 'step.delta':
      case 'content.delta':
        return delta(raw, event, about);
      case 'step.stop':
      case 'content.stop': {
        const index = asNumber(event.index) ?? 0;
        const voice = voices.get(index) ?? 'assistant';
        return [
          utter(raw, voice, 'committed', voice === 'tool' ? { type: 'note', text: null } : { type: 'part.closed', text: null }, {
            ...about,
            part: String(index),
          }),
        ];
      }
      case 'interaction.completed':
      case 'interaction.complete':
        return completed(raw, event, about);
      case 'error': {
        const error = asObject(event.error);
        return [utterFailed(raw, asString(error?.message) ?? '', asText(error?.code), about)];
      }
      default:
        return [unrecognised(raw || '(no event_type)', about)];
    }
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      if (frame.data.length < 20 && frame.data.trim() === '[DONE]') return [utter('[DONE]', 'log', 'committed', { type: 'sentinel' })];
      const event = frameObject(frame);
      if (event === null) return notJson();
      const raw = asString(event.event_type) ?? '';
      run = asString(asObject(event.interaction)?.id) ?? asString(event.interaction_id) ?? run;
      token = asString(event.continuation_token) ?? asString(asObject(event.interaction)?.continuation_token) ?? token;
      const wireId = asString(event.event_id);
      const piece = raw === 'step.delta' || raw === 'content.delta' ? asObject(event.delta) : null;
      const text = asString(piece?.text) ?? asString(asObject(piece?.content)?.text);
      return (
        writing.more(text, wireId, raw, run, event.index, piece?.type) ??
        writing.note(read(raw, event, { identity: identityOf({ run }), wireId }))
      );
    },
    end: () => [],
  };
};

export const geminiInteractions: Dialect = {
  id: 'gemini-interactions',
  title: 'Gemini Interactions',
  framings: ['sse'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise: (opening) =>
    opening.frames.some((frame) => frame.direction === 'received' && telling(frameObject(frame))) ||
    failsAtOnce(
      opening,
      ({ input, model, agent }) => input !== undefined && typeof (model ?? agent) === 'string',
      ({ event_type, error }) => event_type === 'error' && asObject(error) !== null,
    )
      ? 'certain'
      : 'no',
  open,
};
