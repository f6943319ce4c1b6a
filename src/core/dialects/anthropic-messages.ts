/**
 * Anthropic Messages streams. Spec: npm @anthropic-ai/sdk 1.14.0 types. Recognised by `message_start` with
 * `message.type: "message"`, or by a whole answer in one body; Bedrock and Vertex proxies keep the JSON and may drop the `event:` line.
 *
 * Terminal words: `message_delta.stop_reason` begins the end and `message_stop` settles it; without `message_stop` nothing
 * is settled even if a stop reason was seen. `error` fails at any point. `content_block_stop` commits its block.
 */
import type { Identity, Voice } from '../model';
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
  notJson,
  requestOf,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { failsAtOnce, isTalk, latest } from './fails-at-once';
import { ANTHROPIC_ENDS } from './finish-words';

/** Block type → voice, and for tools who owes the result. A block type not listed is shown as log. */
const BLOCKS: Readonly<Record<string, readonly [Voice, 'page' | 'producer' | 'result' | null]>> = table({
  text: ['assistant', null],
  thinking: ['reasoning', null],
  redacted_thinking: ['reasoning', null],
  tool_use: ['tool', 'page'],
  server_tool_use: ['tool', 'producer'],
  mcp_tool_use: ['tool', 'producer'],
  mcp_tool_result: ['tool', 'result'],
  fallback: ['lifecycle', null],
  compaction: ['log', null],
  container_upload: ['log', null],
});

interface Block {
  readonly type: string;
  readonly voice: Voice;
  readonly tool: string | null;
  closed: boolean;
}

/** Reads the events of one message stream; also used where they come inside another dialect's envelope. */
export const openMessages = (
  opening: Pick<FlowOpening, 'requestBody'> & Partial<Pick<FlowOpening, 'transport'>>,
  options: { readonly opensRun: boolean } = { opensRun: true },
): ((event: JsonObject) => readonly Utterance[]) => {
  const request = requestOf(opening);
  let blocks = new Map<number, Block>();
  let identity: Identity = {};
  let stop: { readonly raw: string | null; readonly details: string | null } | null = null;
  let turn = 0;
  const byHttp = opening.transport === 'fetch' || opening.transport === 'xhr';

  const part = (index: number): string => `${turn}:${index}`;

  /** A call that brings tool results goes on with the run that asked for them. */
  const resumes = (): readonly string[] =>
    latest(request?.messages).flatMap((sent) => asArray(sent.content).flatMap((content) => asString(asObject(content)?.tool_use_id) ?? []));

  const start = (event: JsonObject): readonly Utterance[] => {
    const message = asObject(event.message);
    // A server that runs the tools itself sends one message after the other in one body: the run goes on. So it does on a socket where
    // the one before waits; otherwise that carries answer after answer.
    const goesOn = turn++ > 0 && (byHttp || ANTHROPIC_ENDS[stop?.raw ?? '']?.[1] != null);
    blocks = new Map();
    stop = null;
    identity = identityOf({ message: message?.id });
    if (!options.opensRun) return [utter('message_start', 'lifecycle', 'committed', { type: 'step.opened' }, { identity })];
    return [
      ...(goesOn ? [] : [utter('message_start', 'lifecycle', 'committed', { type: 'run.opened', resumes: resumes() }, { identity })]),
      utter('message_start', 'lifecycle', 'committed', { type: 'attempt.opened', model: asString(message?.model) }, { identity }),
    ];
  };

  const blockStart = (event: JsonObject): readonly Utterance[] => {
    const index = asNumber(event.index) ?? blocks.size;
    const content = asObject(event.content_block);
    const type = asString(content?.type) ?? '';
    const [voice, owes] = BLOCKS[type] ?? (type.endsWith('_tool_result') ? (['tool', 'result'] as const) : (['log', null] as const));
    const raw = `content_block_start ${type}`.trimEnd();
    const tool = asString(content?.id) ?? asString(content?.tool_use_id);
    const said: Utterance[] = [];
    const open = [...blocks.entries()].find(([, block]) => !block.closed);
    if (open !== undefined)
      said.push(
        utter(
          raw,
          null,
          'provisional',
          { type: 'breach', breach: 'out-of-order', detail: `block ${index} starts while block ${open[0]} is open` },
          { identity },
        ),
      );
    blocks.set(index, { type, voice, tool, closed: false });
    const about = { identity: tool === null ? identity : { ...identity, toolCall: tool }, part: part(index) };
    if (type === 'fallback') {
      // Another model answers in place of the one that began: what the first said in this turn is withdrawn.
      said.push(utter(raw, voice, 'committed', { type: 'parts.withdrawn', scope: 'attempt' }, { identity }));
    } else if (owes === 'page' || owes === 'producer')
      said.push(
        utter(raw, 'tool', 'provisional', { type: 'tool.called', name: asString(content?.name) ?? '', input: null, owedBy: owes }, about),
      );
    else if (owes === 'result')
      said.push(
        utter(
          raw,
          'tool',
          'committed',
          { type: 'tool.returned', output: asText(content?.content), failed: content?.is_error === true, preliminary: false },
          about,
        ),
      );
    else if (voice === 'assistant' || voice === 'reasoning') {
      said.push(utter(raw, voice, 'provisional', { type: 'part.opened' }, about));
      const text = asString(content?.text) ?? asString(content?.thinking);
      if (text !== null && text !== '') said.push(utter(raw, voice, 'provisional', { type: 'part.delta', text }, about));
    } else said.push(utter(raw, voice, 'committed', { type: 'note', text: null }, { identity }));
    return said;
  };

  const blockDelta = (event: JsonObject): readonly Utterance[] => {
    const index = asNumber(event.index) ?? 0;
    const delta = asObject(event.delta);
    const type = asString(delta?.type) ?? '';
    const raw = `content_block_delta ${type}`.trimEnd();
    const block = blocks.get(index);
    const about = { identity: block?.tool == null ? identity : { ...identity, toolCall: block.tool }, part: part(index) };
    const said: Utterance[] = [];
    if (block === undefined || block.closed)
      said.push(
        utter(
          raw,
          null,
          'provisional',
          { type: 'breach', breach: 'out-of-order', detail: `delta for block ${index}, which is not open` },
          { identity },
        ),
      );
    switch (type) {
      case 'text_delta':
        said.push(utter(raw, 'assistant', 'provisional', { type: 'part.delta', text: asString(delta?.text) ?? '' }, about));
        break;
      case 'thinking_delta':
        said.push(utter(raw, 'reasoning', 'provisional', { type: 'part.delta', text: asString(delta?.thinking) ?? '' }, about));
        break;
      case 'input_json_delta':
        said.push(utter(raw, 'tool', 'provisional', { type: 'tool.input', text: asString(delta?.partial_json) ?? '' }, about));
        break;
      case 'signature_delta':
      case 'citations_delta':
      case 'compaction_delta':
        said.push(utter(raw, 'log', 'committed', { type: 'note', text: null }, { identity }));
        break;
      default:
        said.push(unrecognised(raw, { identity }));
    }
    return said;
  };

  const stopped = (): readonly Utterance[] => {
    const raw = 'message_stop';
    if (stop === null || stop.raw === null)
      return [
        utter(
          raw,
          null,
          'settling',
          { type: 'breach', breach: 'settled-without-reason', detail: 'message_stop without a stop_reason' },
          { identity },
        ),
        utter(raw, 'terminal', 'settling', { type: 'sentinel' }, { identity }),
      ];
    const [reason, waitingFor] = ANTHROPIC_ENDS[stop.raw] ?? (['other', null] as const);
    const said: Utterance[] = [];
    if (options.opensRun)
      said.push(
        utterFinished(raw, { reason, raw: stop.details === null ? stop.raw : `${stop.raw} (${stop.details})` }, waitingFor, { identity }),
      );
    else said.push(utter(raw, 'lifecycle', 'committed', { type: 'step.closed' }, { identity }));
    return said;
  };

  return (event) => {
    const type = asString(event.type) ?? '';
    switch (type) {
      case 'message_start':
        return start(event);
      case 'content_block_start':
        return blockStart(event);
      case 'content_block_delta':
        return blockDelta(event);
      case 'content_block_stop': {
        const index = asNumber(event.index) ?? 0;
        const block = blocks.get(index);
        if (block === undefined || block.closed)
          return [
            utter(
              type,
              null,
              'provisional',
              { type: 'breach', breach: 'out-of-order', detail: `end of block ${index}, which is not open` },
              { identity },
            ),
          ];
        block.closed = true;
        if (block.voice !== 'assistant' && block.voice !== 'reasoning')
          return [utter(type, block.voice, 'committed', { type: 'note', text: null }, { identity })];
        // A block's own end commits it: what may still follow (a refusal, an error) ends the run, and does not take it back.
        return [utter(type, block.voice, 'committed', { type: 'part.closed', text: null }, { identity, part: part(index) })];
      }
      case 'message_delta': {
        const delta = asObject(event.delta);
        const raw = asString(delta?.stop_reason);
        if (raw !== null) stop = { raw, details: asString(asObject(delta?.stop_details)?.category) };
        const usage = asObject(event.usage);
        return [
          utter(
            type,
            'log',
            'committed',
            usage === null
              ? { type: 'note', text: raw }
              : {
                  type: 'usage',
                  usage: { inputTokens: asNumber(usage.input_tokens), outputTokens: asNumber(usage.output_tokens), reasoningTokens: null },
                },
            { identity },
          ),
        ];
      }
      case 'message_stop':
        return stopped();
      case 'ping':
        return [utter(type, 'log', 'committed', { type: 'note', text: null }, { identity })];
      case 'error': {
        const error = asObject(event.error);
        const joined = turn === 0 && options.opensRun ? resumes() : [];
        return [
          ...(joined.length === 0 ? [] : [utter(type, 'lifecycle', 'committed', { type: 'run.opened', resumes: joined })]),
          utterFailed(type, asString(error?.message) ?? '', asString(error?.type), { identity }),
        ];
      }
      default:
        return [unrecognised(type || '(no type)', { identity })];
    }
  };
};

/** A whole answer, as its stream would have told it. */
const told = (message: JsonObject): readonly JsonObject[] => [
  { type: 'message_start', message },
  ...asObjects(message.content).flatMap((content_block, index): JsonObject[] => [
    { type: 'content_block_start', index, content_block },
    ...(asObject(content_block.input) === null
      ? []
      : [{ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(content_block.input) } }]),
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: message, usage: message.usage ?? null },
  { type: 'message_stop' },
];

const open = (opening: FlowOpening): Decoder => {
  const read = openMessages(opening);
  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      // Gateways that speak both protocols put it after either.
      if (frame.data.length < 20 && frame.data.trim() === '[DONE]') return [utter('[DONE]', 'log', 'committed', { type: 'sentinel' })];
      const event = frameObject(frame);
      if (event === null) return notJson();
      return event.type === 'message' && event.role === 'assistant' ? told(event).flatMap(read) : read(event);
    },
    end: () => [],
  };
};

/** The types of its errors that can come in a stream, or in place of one. */
const ERRORS =
  /^(?:(?:invalid_request|authentication|billing|permission|not_found|rate_limit|timeout|api|overloaded)_error|request_too_large)$/u;

export const anthropicMessages: Dialect = {
  id: 'anthropic-messages',
  title: 'Anthropic Messages',
  framings: ['sse', 'message', 'body'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise(opening) {
    const { frames, method, requestBody } = opening;
    const first = frames.find((frame) => frame.direction === 'received' && asString(frameObject(frame)?.type) !== 'ping');
    const event = first === undefined ? null : frameObject(first);
    if (event === null) return 'no';
    const began = (message: JsonObject | null): boolean =>
      message?.type === 'message' && message.role === 'assistant' && asString(message.id) !== null;
    if (event.type === 'message_start') return began(asObject(event.message)) ? 'certain' : 'no';
    // A whole answer: the body itself, and none of a list that is kept.
    const isBody = first!.framing === 'body' || first!.framing === 'ndjson';
    if (isBody && first!.start === 0 && method !== 'GET' && began(event))
      return Array.isArray(event.content) && asString(event.stop_reason) !== null && asObject(event.usage) !== null ? 'certain' : 'no';
    if (event.type !== 'error' || !ERRORS.test(asString(asObject(event.error)?.type) ?? '')) return 'no';
    if (
      failsAtOnce(
        opening,
        ({ messages, model, anthropic_version }) => isTalk(messages) && typeof (model ?? anthropic_version) === 'string',
        (_said, _event, whole) => whole,
      )
    )
      return 'certain';
    // Where it is known what was asked, that has to be a talk.
    const asked = requestBody === null ? method !== 'GET' : isTalk(requestOf({ requestBody })?.messages);
    return asked && first?.event === 'error' ? 'plausible' : 'no';
  },
  open,
};
