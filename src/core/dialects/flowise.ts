/**
 * Flowise prediction streams: SSE whose JSON is `{event, data}`. Spec: Flowise's published server and docs
 * (docs.flowiseai.com, using-flowise/streaming), 2026-11. Recognised by an agent flow's status, by the metadata of a chat,
 * or by tokens, one of them if the request asks a question to be streamed and two if not.
 *
 * Terminal words: `agentFlowEvent` of agent flows, `error`, `abort`. Chat flows only have `end`, which the server sends
 * whatever happened: it says how a run ended only if `metadata`, which is sent on success alone, came before it.
 */
import type { FinishReason, Identity, WaitKind } from '../model';
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
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';

/** Status of an agent flow → how its run stands; null: at work. */
const FLOWS: Readonly<Record<string, readonly [FinishReason['reason'], WaitKind | null] | null>> = table({
  INPROGRESS: null,
  FINISHED: ['stop', null],
  // It stops where a person is asked, and nowhere else; the question comes next.
  STOPPED: null,
  TERMINATED: ['cancelled', null],
  ERROR: ['error', null],
  TIMEOUT: ['error', null],
});
const LOGS = new Set([
  'sourceDocuments',
  'artifacts',
  'fileAnnotations',
  'agentFlowExecutedData',
  'usageMetadata',
  'tts_start',
  'tts_data',
  'tts_end',
  'tts_abort',
]);

const open = (opening: FlowOpening): Decoder => {
  let identity: Identity = {};
  let opened = false;
  let settled = false;
  let succeeded = false;
  let asked = false;
  let stopped = false;
  let tools = 0;

  const note = (raw: string, voice: 'lifecycle' | 'log' | 'tool', text: string | null = null): Utterance =>
    utter(raw, voice, 'committed', { type: 'note', text }, { identity });
  const begin = (raw: string): readonly Utterance[] => {
    if (opened) return [];
    opened = true;
    const request = requestOf(opening);
    identity = identityOf({ conversation: request?.chatId ?? asObject(request?.overrideConfig)?.sessionId });
    return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, { identity })];
  };

  const settle = (
    raw: string,
    reason: FinishReason['reason'],
    word: string,
    message: string,
    waitingFor: WaitKind | null = null,
  ): readonly Utterance[] => {
    if (settled) return [note(raw, 'lifecycle', word)];
    settled = true;
    if (reason === 'error') return [utterFailed(raw, message, word, { identity })];
    return [
      ...(reason === 'stop' ? [utter(raw, 'terminal', 'settling', { type: 'parts.committed' }, { identity })] : []),
      utterFinished(raw, { reason, raw: word }, waitingFor, { identity }),
    ];
  };

  const used = (raw: string, data: unknown): readonly Utterance[] =>
    asObjects(data).flatMap((tool) => {
      const about = { identity: { ...identity, toolCall: asString(tool.id) ?? `tool ${++tools}` } };
      const said = [
        utter(
          raw,
          'tool',
          'committed',
          {
            type: 'tool.called',
            name: asString(tool.tool) ?? asString(tool.name) ?? '',
            input: asText(tool.toolInput),
            owedBy: 'producer',
          },
          about,
        ),
      ];
      if (tool.toolOutput !== undefined || tool.error !== undefined)
        said.push(
          utter(
            raw,
            'tool',
            'committed',
            {
              type: 'tool.returned',
              output: asText(tool.toolOutput ?? tool.error),
              failed: asString(tool.error) !== null,
              preliminary: false,
            },
            about,
          ),
        );
      return said;
    });

  const ask = (raw: string, data: JsonObject): readonly Utterance[] => {
    asked = true;
    const prompt =
      asString(asObject(data.data)?.input) ??
      Object.values(asObject(data.mapping) ?? {})
        .map((label) => asString(label) ?? '')
        .join(' / ');
    return [
      utter(
        raw,
        'interaction',
        'committed',
        { type: 'asked', request: asString(data.id) ?? raw, kind: 'approval', prompt, blocking: false },
        { identity },
      ),
    ];
  };

  const read = (event: string, data: unknown): readonly Utterance[] => {
    switch (event) {
      case 'start':
        return [note(event, 'lifecycle')];
      case 'token':
        return [utter(event, 'assistant', 'provisional', { type: 'part.delta', text: asString(data) ?? '' }, { identity, part: 'answer' })];
      case 'thinking':
        return [
          utter(event, 'reasoning', 'provisional', { type: 'part.delta', text: asString(data) ?? '' }, { identity, part: 'thinking' }),
        ];
      case 'agentReasoning': {
        const text = asObjects(data)
          .flatMap((agent) => asArray(agent.messages).map((message) => asString(message) ?? ''))
          .filter((message) => message !== '')
          .join('\n');
        return text === ''
          ? [note(event, 'log')]
          : [utter(event, 'progress', 'provisional', { type: 'part.replaced', text }, { identity, part: 'agents' })];
      }
      case 'usedTools':
      case 'calledTools': {
        const said = used(event, data);
        return said.length > 0 ? said : [note(event, 'tool')];
      }
      case 'tool':
        return [note(event, 'tool', asText(data))];
      case 'nextAgent':
      case 'nextAgentFlow': {
        const label = asString(data) ?? asString(asObject(data)?.nodeLabel);
        return [utter(event, 'lifecycle', 'committed', { type: 'status', state: 'working', label }, { identity })];
      }
      case 'agentFlowEvent': {
        const word = asString(data) ?? '';
        const raw = `${event} ${word}`.trimEnd();
        const ending = FLOWS[word];
        if (ending === undefined) return [unrecognised(raw, { identity })];
        if (word === 'STOPPED') stopped = true;
        if (ending === null)
          return [utter(raw, 'lifecycle', 'committed', { type: 'status', state: stopped ? 'idle' : 'working', label: word }, { identity })];
        return settle(raw, ending[0], word, '', ending[1]);
      }
      case 'action': {
        const said = ask(event, asObject(data) ?? {});
        return stopped ? [...said, ...settle(event, 'waiting', 'STOPPED', '', 'approval')] : said;
      }
      case 'metadata':
        succeeded = true;
        identity = {
          ...identity,
          ...identityOf({ conversation: asObject(data)?.sessionId ?? asObject(data)?.chatId, message: asObject(data)?.chatMessageId }),
        };
        return [note(event, 'lifecycle')];
      case 'abort':
        return settle(event, 'cancelled', event, '');
      case 'error':
        return settle(event, 'error', event, asText(data) ?? '');
      case 'end':
        if (settled) return [note(event, 'lifecycle')];
        if (!succeeded && !asked && !stopped) return [utter(event, 'terminal', 'settling', { type: 'sentinel' }, { identity })];
        return asked || stopped ? settle(event, 'waiting', stopped ? 'STOPPED' : event, '', 'approval') : settle(event, 'stop', event, '');
    }
    if (event === 'usageMetadata' && asObject(data) !== null) {
      const usage = asObject(data)!;
      return [
        utter(
          event,
          'log',
          'committed',
          {
            type: 'usage',
            usage: { inputTokens: asNumber(usage.input_tokens), outputTokens: asNumber(usage.output_tokens), reasoningTokens: null },
          },
          { identity },
        ),
      ];
    }
    return LOGS.has(event) ? [note(event, 'log')] : [unrecognised(event, { identity })];
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const value = frameObject(frame);
      const event = asString(value?.event);
      if (value === null || event === null) return [malformed('(unread)', 'no event and data')];
      return [...begin(event), ...read(event, value.data)];
    },
    end: () => [],
  };
};

export const flowise: Dialect = {
  id: 'flowise',
  title: 'Flowise',
  framings: ['sse'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise(opening) {
    const values = opening.frames
      .filter((frame) => frame.direction === 'received' && frame.framing === 'sse' && frame.event === null)
      .map(frameObject)
      .filter((value): value is JsonObject => value !== null && typeof value.event === 'string' && 'data' in value);
    const status = values.some((value) => value.event === 'agentFlowEvent' && FLOWS[asString(value.data) ?? ''] !== undefined);
    const chat = values.some(
      ({ event, data }) =>
        event === 'metadata' && asString(asObject(data)?.chatId) !== null && asString(asObject(data)?.chatMessageId) !== null,
    );
    if (status || chat) return 'certain';
    // An error before all else could be anybody's, as one token could.
    const failed = values[0]?.event === 'error' && typeof values[0].data === 'string';
    const tokens = values.filter((value) => value.event === 'token' && typeof value.data === 'string').length;
    const request = requestOf(opening);
    const question = typeof request?.question === 'string' && (request.streaming === true || request.chatId !== undefined);
    return tokens >= 2 || ((tokens === 1 || failed) && question) ? 'certain' : 'no';
  },
  open,
};
