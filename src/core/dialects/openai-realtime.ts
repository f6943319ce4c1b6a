/**
 * OpenAI Realtime, over its WebSocket or the WebRTC data channel. Spec: npm openai 7.59.0 (realtime). Recognised by an
 * `event_id` beside a `type` of the session or of a response, and no `sequence_number` (that is Responses).
 *
 * Terminal word: `response.done`, which settles one response and never the session; its `response.status` decides. `error`
 * events are usually not fatal and settle nothing. Spoken words come as transcripts.
 */
import type { FinishReason, Identity, Voice } from '../model';
import {
  asNumber,
  asObject,
  asObjects,
  asString,
  type Decoder,
  type Dialect,
  frameObject,
  identityOf,
  type JsonObject,
  notJson,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { createWriting } from './writing';

const TEXTS: Readonly<Record<string, Voice>> = table({
  'response.output_text': 'assistant',
  'response.text': 'assistant',
  'response.output_audio_transcript': 'assistant',
  'response.audio_transcript': 'assistant',
});

const INCOMPLETE: Readonly<Record<string, FinishReason['reason']>> = table({
  max_output_tokens: 'length',
  content_filter: 'content-filter',
});

const PREFIX =
  /^(?:session|conversation|response|input_audio_buffer|output_audio_buffer|rate_limits|transcription_session|mcp_list_tools)\b/u;

const open = (): Decoder => {
  let conversation: string | null = null;
  const calls = new Map<string, string>();
  const writing = createWriting();

  const about = (event: JsonObject): { readonly identity: Identity; readonly lane: string | null; readonly wireId: string | null } => {
    const response = asString(asObject(event.response)?.id) ?? asString(event.response_id);
    return { identity: identityOf({ run: response, conversation }), lane: response, wireId: asString(event.event_id) };
  };

  const done = (raw: string, event: JsonObject): readonly Utterance[] => {
    const response = asObject(event.response);
    const status = asString(response?.status) ?? '';
    const details = asObject(response?.status_details);
    const reason = asString(details?.reason);
    const word = reason === null ? status : `${status}: ${reason}`;
    const at = about(event);
    const said: Utterance[] = [];
    const usage = asObject(response?.usage);
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
          at,
        ),
      );
    if (status === 'failed') {
      const error = asObject(details?.error);
      said.push(utterFailed(raw, asString(error?.message) ?? '', asString(error?.code) ?? asString(error?.type), at));
      return said;
    }
    const reasons: FinishReason['reason'] =
      status === 'completed'
        ? 'stop'
        : status === 'cancelled'
          ? 'cancelled'
          : status === 'incomplete'
            ? (INCOMPLETE[reason ?? ''] ?? 'other')
            : 'other';
    // A call that came only with the closing snapshot is owed all the same.
    for (const item of asObjects(response?.output))
      if (item.type === 'function_call' && asString(item.call_id) !== null && !calls.has(asString(item.call_id)!))
        said.push(
          utter(
            raw,
            'tool',
            'committed',
            { type: 'tool.called', name: asString(item.name) ?? '', input: asString(item.arguments), owedBy: 'page' },
            { ...at, identity: { ...at.identity, ...identityOf({ toolCall: item.call_id }) } },
          ),
        );
    said.push(utterFinished(raw, { reason: reasons, raw: word }, null, at));
    return said;
  };

  const received = (raw: string, event: JsonObject): readonly Utterance[] => {
    const at = about(event);
    const item = asObject(event.item);
    const stem = raw.replace(/\.(?:delta|done)$/u, '');
    const voice = TEXTS[stem];
    if (voice !== undefined && stem !== raw) {
      const id = asString(event.item_id) ?? '';
      const where = { ...at, identity: { ...at.identity, message: id }, part: `${id}:${asNumber(event.content_index) ?? 0}` };
      if (raw.endsWith('.delta'))
        return [utter(raw, voice, 'provisional', { type: 'part.delta', text: asString(event.delta) ?? '' }, where)];
      return [utter(raw, voice, 'committed', { type: 'part.closed', text: asString(event.text) ?? asString(event.transcript) }, where)];
    }
    switch (raw) {
      case 'session.created':
      case 'session.updated':
      case 'transcription_session.updated':
        return [utter(raw, 'lifecycle', 'committed', { type: 'note', text: null }, { wireId: at.wireId })];
      case 'response.created':
        conversation = asString(asObject(event.response)?.conversation_id) ?? conversation;
        return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, about(event))];
      case 'response.done':
        return done(raw, event);
      case 'response.output_item.added':
      case 'response.output_item.done': {
        const call = asString(item?.call_id);
        if (item?.type === 'function_call' && call !== null) {
          calls.set(call, asString(item.name) ?? '');
          return [
            utter(
              raw,
              'tool',
              raw.endsWith('done') ? 'committed' : 'provisional',
              { type: 'tool.called', name: asString(item.name) ?? '', input: asString(item.arguments), owedBy: 'page' },
              { ...at, identity: { ...at.identity, toolCall: call } },
            ),
          ];
        }
        return [utter(raw, 'lifecycle', 'provisional', { type: 'note', text: null }, at)];
      }
      case 'response.function_call_arguments.delta':
        return [
          utter(
            raw,
            'tool',
            'provisional',
            { type: 'tool.input', text: asString(event.delta) ?? '' },
            { ...at, identity: { ...at.identity, ...identityOf({ toolCall: event.call_id }) } },
          ),
        ];
      case 'response.function_call_arguments.done':
        return [
          utter(
            raw,
            'tool',
            'committed',
            { type: 'note', text: null },
            { ...at, identity: { ...at.identity, ...identityOf({ toolCall: event.call_id }) } },
          ),
        ];
      // Spoken words are an answer, whether or not a transcript comes beside them.
      case 'response.output_audio.done':
      case 'response.audio.done':
        return [utter(raw, 'assistant', 'committed', { type: 'note', text: null }, at)];
      case 'conversation.item.input_audio_transcription.completed':
        return [utter(raw, 'user', 'committed', { type: 'note', text: asString(event.transcript) }, { wireId: at.wireId })];
      case 'error': {
        const error = asObject(event.error);
        return [
          utter(
            raw,
            'log',
            'committed',
            { type: 'note', text: [asString(error?.code), asString(error?.message)].filter(Boolean).join(': ') },
            { wireId: at.wireId },
          ),
        ];
      }
    }
    if (raw.startsWith('response.')) return [utter(raw, 'lifecycle', 'provisional', { type: 'note', text: null }, at)];
    if (PREFIX.test(raw)) return [utter(raw, 'lifecycle', 'committed', { type: 'note', text: null }, { wireId: at.wireId })];
    return [unrecognised(raw || '(no type)', { wireId: at.wireId })];
  };

  return {
    frame(frame) {
      const event = frameObject(frame);
      if (event === null) return frame.direction === 'sent' ? [] : notJson();
      if (frame.direction === 'received') {
        const type = asString(event.type) ?? '';
        const { delta, item_id, response_id, content_index, response } = event;
        const more = writing.more(delta, asString(event.event_id), type, item_id, response_id, content_index, response);
        return more ?? writing.note(received(type, event));
      }
      // The page's answer to a call.
      const item = asObject(event.item);
      if (event.type === 'conversation.item.create' && item?.type === 'function_call_output')
        return [
          utter(
            'conversation.item.create',
            'tool',
            'committed',
            { type: 'note', text: asString(item.output) },
            { identity: identityOf({ conversation, toolCall: item.call_id }) },
          ),
        ];
      return [];
    },
    end: () => [],
  };
};

export const openaiRealtime: Dialect = {
  id: 'openai-realtime',
  title: 'OpenAI Realtime',
  framings: ['message'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise: ({ frames }) =>
    frames.some((frame) => {
      const event = frame.direction === 'received' ? frameObject(frame) : null;
      if (event === null || asString(event.event_id) === null || event.sequence_number !== undefined) return false;
      const type = asString(event.type) ?? '';
      const session = asObject(event.session);
      const kind = asString(session?.type) ?? asString(session?.object) ?? '';
      return (
        (/^(?:transcription_)?session\.(?:created|updated)$/u.test(type) &&
          (/^(?:realtime|transcription)/u.test(kind) || asString(session?.model) !== null)) ||
        (/^response\.(?:created|done)$/u.test(type) && asString(asObject(event.response)?.status) !== null)
      );
    })
      ? 'certain'
      : 'no',
  open,
};
