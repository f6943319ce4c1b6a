/**
 * Amazon Bedrock: ConverseStream, InvokeModelWithResponseStream and InvokeAgent, over `application/vnd.amazon.eventstream`.
 * Spec: the Bedrock Runtime API reference and the smithy event stream encoding, 2026-11. Other services use the same
 * framing: a stream is recognised by the event names and the payloads, never by the media type alone.
 *
 * Terminal words: `messageStop` (`stopReason`) of Converse, what the model's own stream says inside `chunk` of InvokeModel
 * (Anthropic: `message_stop`), an exception at any time. InvokeAgent has none: a clean end after its text settles.
 */
import { decodeBase64 } from '../bytes/base64';
import { createUtf8Decoder } from '../bytes/utf8';
import type { FinishReason, Identity, Voice, WaitKind } from '../model';
import { openMessages } from './anthropic-messages';
import { messageReader, type StreamMessage } from './bedrock-messages';
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
  identityOf,
  type JsonObject,
  malformed,
  mediaType,
  parseJson,
  requestOf,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { latest } from './fails-at-once';
import { BEDROCK_ENDS } from './finish-words';

/** Completion words of models that stream plain text (Titan, Llama, Mistral). */
const COMPLETIONS: Readonly<Record<string, FinishReason['reason']>> = table({
  FINISH: 'stop',
  FINISHED: 'stop',
  stop: 'stop',
  STOP_CRITERIA_MET: 'stop',
  LENGTH: 'length',
  length: 'length',
  CONTENT_FILTERED: 'content-filter',
});
const CONVERSE = new Set(['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop', 'metadata']);

const utf8 = (bytes: Uint8Array): string => {
  const decoder = createUtf8Decoder();
  return decoder.push(bytes) + decoder.end();
};

/** What a `chunk` carries, which comes as base64 inside its JSON. */
const chunkText = (message: StreamMessage): string | null => {
  const bytes = asString(asObject(parseJson(message.payload))?.bytes);
  const decoded = bytes === null ? null : decodeBase64(bytes);
  return decoded === null ? null : utf8(decoded);
};

const open = (opening: FlowOpening): Decoder => {
  const reader = messageReader();
  const request = requestOf(opening);
  const inner = openMessages(opening);
  const tools = new Map<number, string>();
  /** Parts that are open, by block and voice. */
  const spoken = new Set<string>();
  let opened = false;
  let settled = false;
  /** InvokeAgent: text without any event of a model, and no word for the end. */
  let agent = false;
  let spoke = false;
  let asked: string | null = null;

  /** Calls whose results the request brings: it goes on with the run that made them. */
  const resumes = (): readonly string[] =>
    latest(request?.messages).flatMap((message) =>
      asObjects(message.content).flatMap((block) => asString(asObject(block.toolResult)?.toolUseId) ?? []),
    );
  const begin = (raw: string): readonly Utterance[] => {
    if (opened) return [];
    opened = true;
    const session = asObject(request?.sessionState);
    const invocation = asString(session?.invocationId);
    return [
      utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [...resumes(), ...(invocation === null ? [] : [invocation])] }),
    ];
  };
  const finish = (raw: string, word: string, reason: FinishReason['reason'], waitingFor: WaitKind | null): readonly Utterance[] => {
    settled = true;
    return [reason === 'error' ? utterFailed(raw, '', word) : utterFinished(raw, { reason, raw: word }, waitingFor)];
  };

  const delta = (raw: string, index: number, value: JsonObject): readonly Utterance[] => {
    const say = (voice: Voice, text: string): readonly Utterance[] => {
      spoken.add(`${index}:${voice}`);
      return [utter(raw, voice, 'provisional', { type: 'part.delta', text }, { part: `${index}:${voice}` })];
    };
    const text = asString(value.text);
    if (text !== null) return say('assistant', text);
    const reasoning = asObject(value.reasoningContent);
    if (reasoning !== null) {
      const thought = asString(reasoning.text) ?? asString(asObject(reasoning.reasoningText)?.text);
      return thought === null ? [utter(raw, 'log', 'committed', { type: 'note', text: null })] : say('reasoning', thought);
    }
    const input = asString(asObject(value.toolUse)?.input);
    if (input !== null)
      return [
        utter(raw, 'tool', 'provisional', { type: 'tool.input', text: input }, { identity: identityOf({ toolCall: tools.get(index) }) }),
      ];
    return [utter(raw, 'log', 'committed', { type: 'note', text: null })];
  };

  const converse = (raw: string, value: JsonObject): readonly Utterance[] => {
    const index = asNumber(value.contentBlockIndex) ?? 0;
    switch (raw) {
      case 'messageStart':
        return [utter(raw, 'lifecycle', 'committed', { type: 'attempt.opened', model: null })];
      case 'contentBlockStart': {
        const use = asObject(asObject(value.start)?.toolUse);
        const id = asString(use?.toolUseId);
        if (id === null) return [utter(raw, 'lifecycle', 'committed', { type: 'note', text: null })];
        tools.set(index, id);
        return [
          utter(
            raw,
            'tool',
            'provisional',
            {
              type: 'tool.called',
              name: asString(use?.name) ?? '',
              input: null,
              owedBy: use?.type === 'server_tool_use' ? 'producer' : 'page',
            },
            { identity: identityOf({ toolCall: id }) },
          ),
        ];
      }
      case 'contentBlockDelta':
        return delta(raw, index, asObject(value.delta) ?? {});
      case 'contentBlockStop': {
        const said = (['assistant', 'reasoning'] as const).flatMap((voice) => {
          const part = `${index}:${voice}`;
          return spoken.delete(part) ? [utter(raw, voice, 'committed', { type: 'part.closed', text: null }, { part })] : [];
        });
        return said.length > 0 ? said : [utter(raw, 'lifecycle', 'committed', { type: 'note', text: null })];
      }
      case 'messageStop': {
        const word = asString(value.stopReason) ?? '';
        const [reason, waitingFor] = BEDROCK_ENDS[word] ?? (['other', null] as const);
        return finish(raw, word, reason, waitingFor);
      }
    }
    const usage = asObject(value.usage);
    return [
      utter(
        raw,
        'log',
        'committed',
        usage === null
          ? { type: 'note', text: null }
          : {
              type: 'usage',
              usage: { inputTokens: asNumber(usage.inputTokens), outputTokens: asNumber(usage.outputTokens), reasoningTokens: null },
            },
      ),
    ];
  };

  /** A model's own event: Anthropic's, Converse's in one object (Nova), or plain text with a completion word. */
  const modelEvent = (value: JsonObject): readonly Utterance[] => {
    if (typeof value.type === 'string') return inner(value);
    const named = Object.keys(value).find((key) => CONVERSE.has(key));
    if (named !== undefined) return [...begin(named), ...converse(named, asObject(value[named]) ?? {})];
    const said: Utterance[] = [...begin('chunk')];
    const output = asObjects(value.outputs)[0];
    const text = asString(value.outputText) ?? asString(value.generation) ?? asString(output?.text) ?? asString(value.completion);
    if (text !== null && text !== '') said.push(utter('chunk', 'assistant', 'provisional', { type: 'part.delta', text }, { part: 'text' }));
    const word = asString(value.completionReason) ?? asString(value.stop_reason) ?? asString(output?.stop_reason);
    if (word !== null) {
      const reason = COMPLETIONS[word] ?? BEDROCK_ENDS[word]?.[0] ?? 'other';
      if (reason === 'stop' || reason === 'length') said.push(utter('chunk', 'terminal', 'settling', { type: 'parts.committed' }));
      said.push(...finish('chunk', word, reason, null));
    }
    return said.length > 0 ? said : [unrecognised('chunk')];
  };

  const chunk = (message: StreamMessage): readonly Utterance[] => {
    const text = chunkText(message);
    if (text === null) return [malformed('chunk', 'a chunk without bytes')];
    const value = asObject(parseJson(text));
    if (value !== null && !agent) return modelEvent(value);
    agent = true;
    spoke = true;
    return [...begin('chunk'), utter('chunk', 'assistant', 'provisional', { type: 'part.delta', text }, { part: 'text' })];
  };

  /** InvokeAgent's account of its own work. */
  const trace = (value: JsonObject): readonly Utterance[] => {
    agent = true;
    const identity: Identity = identityOf({ conversation: value.sessionId, agent: value.agentId });
    const steps = asObjects(Object.values(asObject(value.trace) ?? {}));
    const said: Utterance[] = [];
    for (const step of steps) {
      const rationale = asString(asObject(step.rationale)?.text);
      const id = asString(asObject(step.rationale)?.traceId) ?? '';
      if (rationale !== null)
        said.push(
          utter(
            'trace rationale',
            'reasoning',
            'committed',
            { type: 'part.closed', text: rationale },
            { identity, part: `rationale:${id}` },
          ),
        );
    }
    return said.length > 0 ? said : [utter('trace', 'log', 'committed', { type: 'note', text: null }, { identity })];
  };

  const read = (message: StreamMessage): readonly Utterance[] => {
    const kind = message.headers[':message-type'] ?? '';
    const value = asObject(parseJson(message.payload)) ?? {};
    if (kind === 'exception' || kind === 'error') {
      const code = message.headers[':exception-type'] ?? message.headers[':error-code'] ?? kind;
      const text = asString(value.message) ?? asString(value.originalMessage) ?? message.headers[':error-message'] ?? '';
      settled = true;
      return [...begin(code), utterFailed(code, text, code)];
    }
    const event = message.headers[':event-type'] ?? '';
    if (CONVERSE.has(event)) return [...(event === 'metadata' ? [] : begin(event)), ...converse(event, value)];
    switch (event) {
      case 'chunk':
        return chunk(message);
      case 'trace':
        return [...begin(event), ...trace(value)];
      case 'returnControl': {
        agent = true;
        asked = asString(value.invocationId) ?? event;
        const inputs = asArray(value.invocationInputs);
        return [
          ...begin(event),
          utter(event, 'interaction', 'committed', {
            type: 'asked',
            request: asked,
            kind: 'tool',
            prompt: asText(inputs),
            blocking: false,
          }),
        ];
      }
      case 'files':
      case 'initial-response':
        return [utter(event, 'log', 'committed', { type: 'note', text: null })];
    }
    return [unrecognised(event || '(no event type)')];
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const bytes = frame.encoding === 'base64' ? decodeBase64(frame.data) : null;
      if (bytes === null) return [malformed('(not bytes)', 'the data is not base64')];
      return reader
        .push(bytes)
        .flatMap((message) => (message === null ? [malformed('(damaged)', 'bytes that are no event stream message')] : read(message)));
    },
    end(how) {
      if (how !== 'eof' || settled || !agent || reader.unfinished) return [];
      if (asked !== null) return finish('end of body', 'returnControl', 'waiting', 'tool');
      return spoke
        ? [utter('end of body', 'terminal', 'settling', { type: 'parts.committed' }), ...finish('end of body', 'end of body', 'stop', null)]
        : [];
    },
  };
};

/** Whether the message is one of Bedrock's, and not of another service with the same framing. */
const telling = (message: StreamMessage, url: string): boolean => {
  const value = asObject(parseJson(message.payload));
  if (message.headers[':message-type'] === 'exception')
    return /\/(?:model\/[^/]+\/(?:converse-stream|invoke-with-response-stream)|agents\/.+\/text)(?:[?#]|$)/u.test(url);
  switch (message.headers[':event-type']) {
    case 'messageStart':
      return asString(value?.role) !== null;
    case 'contentBlockDelta':
      return asNumber(value?.contentBlockIndex) !== null && asObject(value?.delta) !== null;
    case 'messageStop':
      return asString(value?.stopReason) !== null;
    case 'chunk':
      return chunkText(message) !== null;
    case 'trace':
      return asObject(value?.trace) !== null && asString(value?.sessionId) !== null;
    case 'returnControl':
      return asString(value?.invocationId) !== null;
    default:
      return false;
  }
};

export const bedrockEventstream: Dialect = {
  id: 'bedrock-eventstream',
  title: 'Amazon Bedrock event stream',
  framings: ['message'],
  hasTerminalWord: true,
  endSettles: true,
  runs: 'flow',
  recognise({ headers, frames, url }) {
    const type = mediaType(headers);
    if (type !== '' && type !== 'application/vnd.amazon.eventstream') return 'no';
    const reader = messageReader();
    for (const frame of frames) {
      const bytes = frame.direction === 'received' && frame.encoding === 'base64' ? decodeBase64(frame.data) : null;
      if (bytes !== null && reader.push(bytes).some((message) => message !== null && telling(message, url))) return 'certain';
    }
    return 'no';
  },
  open,
};
