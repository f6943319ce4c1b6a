/**
 * AI SDK 4 data stream: lines of `code:json`. Spec: npm ai 4.3.19, @ai-sdk/ui-utils 1.2.11. assistant-ui's data encoding has
 * the same header and codes and adds `aui-*` codes; its dialect reads with `dataLineDecoder` from here.
 *
 * Recognised by the header `x-vercel-ai-data-stream`, or by two lines whose code and value agree. Terminal words: `d`, `3`.
 * Text has no part ids and no end mark: it is provisional until `d`, which commits it whatever its reason, unless an error
 * came first. No `[DONE]`; a server-side abort breaks the body without a word.
 */
import type { AgentEventBody, FinishReason, Standing, Voice, WireFrame } from '../model';
import { asksModel } from './ai-sdk-text';
import { continuation } from './ai-sdk-ui-request';
import { readableWords } from './data-words';
import {
  asArray,
  asNumber,
  asObject,
  asString,
  asText,
  type Decoder,
  type Dialect,
  type FlowOpening,
  identityOf,
  type Json,
  type JsonObject,
  mediaType,
  parseJson,
  parseJsonFrom,
  table,
  type Utterance,
  utter,
} from './dialect';
import { createWriting } from './writing';

const COLON = 58;

type Shape = 'string' | 'array' | 'object' | 'any';

/** Code → name, voice, standing, and the shape of its value (for an object: a member it must have). */
const CODES: Readonly<Record<string, readonly [name: string, Voice, Standing, Shape, string?]>> = table({
  '0': ['text', 'assistant', 'provisional', 'string'],
  g: ['reasoning', 'reasoning', 'provisional', 'string'],
  i: ['redacted-reasoning', 'reasoning', 'provisional', 'object'],
  j: ['reasoning-signature', 'reasoning', 'provisional', 'object'],
  f: ['step-start', 'lifecycle', 'committed', 'object', 'messageId'],
  e: ['step-finish', 'lifecycle', 'committed', 'object', 'finishReason'],
  b: ['tool-call-start', 'tool', 'provisional', 'object', 'toolCallId'],
  c: ['tool-call-delta', 'tool', 'provisional', 'object', 'toolCallId'],
  '9': ['tool-call', 'tool', 'committed', 'object', 'toolCallId'],
  a: ['tool-result', 'tool', 'committed', 'object', 'toolCallId'],
  '2': ['data', 'progress', 'committed', 'array'],
  '8': ['annotations', 'progress', 'committed', 'array'],
  h: ['source', 'log', 'committed', 'object'],
  k: ['file', 'assistant', 'committed', 'object'],
  '3': ['error', 'terminal', 'settling', 'any'],
  d: ['finish', 'terminal', 'settling', 'object', 'finishReason'],
  'aui-state': ['state', 'lifecycle', 'committed', 'array'],
  'aui-data': ['data', 'progress', 'committed', 'object', 'name'],
  'aui-text-delta': ['text', 'assistant', 'provisional', 'object', 'textDelta'],
  'aui-reasoning-delta': ['reasoning', 'reasoning', 'provisional', 'object', 'reasoningDelta'],
  'aui-reasoning-part-start': ['reasoning', 'reasoning', 'provisional', 'object'],
  'aui-tool-call-approval': ['approval', 'interaction', 'committed', 'object', 'toolCallId'],
});

const REASONS: Readonly<Record<string, FinishReason['reason']>> = table({
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'content-filter',
  error: 'error',
});

export interface DataLine {
  readonly code: string;
  readonly value: Json;
}

/** A line of this encoding: a known code, and a value of the shape the code has. */
export const dataLine = (frame: WireFrame): DataLine | null => {
  const code = frame.data.slice(0, frame.data.indexOf(':'));
  const shape = CODES[code];
  const value = shape === undefined ? undefined : parseJsonFrom(frame.data, code.length + 1);
  if (shape === undefined || value === undefined) return null;
  const [, , , kind, member] = shape;
  const fits =
    kind === 'any' ||
    (kind === 'string' && typeof value === 'string') ||
    (kind === 'array' && Array.isArray(value)) ||
    (kind === 'object' && asObject(value) !== null && (member === undefined || asString(asObject(value)?.[member]) !== null));
  return fits ? { code, value } : null;
};

export const dataLineDecoder = ({ requestBody }: FlowOpening): Decoder => {
  const continued = continuation(requestBody === null ? null : asObject(parseJson(requestBody)));
  let parts = 0;
  let message: string | null = null;
  /** The part that text or reasoning goes on with; another kind of line ends it. */
  let current: { readonly kind: 'text' | 'reasoning'; readonly key: string } | null = null;
  let begun = false;
  let failed = false;
  let over = false;
  const writing = createWriting();

  /** The code of the text that is being written, as a number and in whole; '' if none is. */
  let writtenUnit = -1;
  let written = '';

  const frame = (wire: WireFrame): readonly Utterance[] => {
    if (wire.data.charCodeAt(0) === writtenUnit && wire.data.charCodeAt(1) === COLON) {
      const more = writing.more(parseJsonFrom(wire.data, 2), null, written);
      if (more !== null) return more;
    }
    const line = dataLine(wire);
    if (line === null) {
      const code = /^(aui-[a-z-]+|[0-9a-z]):/u.exec(wire.data)?.[1];
      const unknown = code !== undefined && !(code in CODES);
      return [
        utter(
          code ?? '(line)',
          null,
          'provisional',
          unknown ? { type: 'unrecognised' } : { type: 'malformed', detail: 'no line of this encoding' },
        ),
      ];
    }
    const { code, value } = line;
    written = code === '0' || code === 'g' ? code : '';
    writtenUnit = written === '' ? -1 : written.charCodeAt(0);
    const more = writing.more(written === '' ? null : value, null, written);
    if (more !== null) return more;
    const [name, voice, standing] = CODES[code]!;
    const object = asObject(value) ?? {};
    if (code === 'f') message = asString(object.messageId);
    const said: Utterance[] = [];
    const say = (
      body: AgentEventBody,
      part: string | null = null,
      as: { voice?: Voice; standing?: Standing; call?: unknown } = {},
    ): void => {
      const identity = identityOf({ message, toolCall: as.call });
      said.push(utter(`${code} ${name}`, as.voice ?? voice, as.standing ?? standing, body, { identity, part }));
    };
    if (!begun) {
      begun = true;
      if (continued.resumes.length > 0) {
        say({ type: 'run.opened', resumes: continued.resumes }, null, { voice: 'lifecycle', standing: 'committed' });
        said.push(...continued.answers);
      }
    }
    if (over && ['assistant', 'reasoning', 'tool'].includes(voice))
      say({ type: 'breach', breach: 'out-of-order', detail: `${name} after the end` }, null, { standing: 'provisional' });
    apply(code, value, object, say);
    return writing.note(said);
  };

  type Say = (body: AgentEventBody, part?: string | null, as?: { voice?: Voice; standing?: Standing; call?: unknown }) => void;

  const go = (kind: 'text' | 'reasoning', text: string, say: Say) => {
    if (current?.kind !== kind) {
      leave(say);
      current = { kind, key: `${kind}:${++parts}` };
    }
    say({ type: 'part.delta', text }, current.key);
  };
  /** Reasoning is closed by whatever follows it; text is only left. */
  const leave = (say: Say) => {
    if (current?.kind === 'reasoning')
      say({ type: 'part.closed', text: null }, current.key, { voice: 'reasoning', standing: failed ? 'provisional' : 'committed' });
    current = null;
  };

  const apply = (code: string, value: Json, object: JsonObject, say: Say) => {
    const call = asString(object.toolCallId);
    if (code === '0') return go('text', asString(value) ?? '', say);
    if (code === 'g') return go('reasoning', asString(value) ?? '', say);
    if (code === 'i' || code === 'j') return say({ type: 'note', text: null });
    if (code === '3') return fail(value, object, say);
    // Data and annotations stand beside the parts.
    if (code === '2') {
      for (const item of asArray(value)) say({ type: 'part.replaced', text: readableWords(item) }, `data:${++parts}`);
      return;
    }
    if (code === '8' || code === 'aui-state') return say({ type: 'note', text: code === '8' ? readableWords(value) : null });
    if (code === 'aui-data') return say({ type: 'part.replaced', text: readableWords(object.data) }, `data:${++parts}`);
    leave(say);
    switch (code) {
      case 'f':
        return say({ type: 'step.opened' });
      case 'e':
        return say({ type: 'step.closed' });
      case 'b':
      case '9':
        return say({ type: 'tool.called', name: asString(object.toolName) ?? '', input: asText(object.args), owedBy: 'page' }, null, {
          call,
        });
      case 'c':
        return say({ type: 'tool.input', text: asString(object.argsTextDelta) ?? '' }, null, {
          call,
          standing: object.isFinal === true ? 'committed' : 'provisional',
        });
      case 'a': {
        const preliminary = object.isPreliminary === true;
        return say({ type: 'tool.returned', output: asText(object.result), failed: object.isError === true, preliminary }, null, {
          call,
          standing: preliminary ? 'provisional' : 'committed',
        });
      }
      case 'aui-text-delta':
        return say({ type: 'part.delta', text: asString(object.textDelta) ?? '' }, `text of ${asString(object.parentId) ?? ''}`);
      case 'aui-reasoning-delta':
        return say({ type: 'part.delta', text: asString(object.reasoningDelta) ?? '' }, `reasoning of ${asString(object.parentId) ?? ''}`);
      case 'aui-tool-call-approval':
        return approval(call, asObject(object.approval), say);
      case 'd':
        return finish(object, say);
      default:
        return say({ type: 'note', text: asString(object.title) ?? asString(object.url) ?? asString(object.unstable_summary) });
    }
  };

  const approval = (call: string | null, gate: JsonObject | null, say: Say) => {
    const request = asString(gate?.id);
    if (request === null) return say({ type: 'malformed', detail: 'approval without id' });
    if (typeof gate?.approved === 'boolean')
      return say({ type: 'answered', request, how: gate.approved ? 'approved' : 'denied' }, null, { call });
    if (gate?.isAutomatic === true) return say({ type: 'note', text: null }, null, { call });
    const prompt = asString(gate?.prompt) ?? asString(gate?.requestReason);
    say({ type: 'asked', request, kind: 'approval', prompt, blocking: false }, null, { call });
  };

  const fail = (value: Json, object: JsonObject, say: Say) => {
    const text = asString(value) ?? asString(object.error) ?? asText(value) ?? '';
    // A warning does not end the run.
    if (object.severity === 'warning' || object.severity === 'info')
      return say({ type: 'note', text }, null, { voice: 'log', standing: 'committed' });
    failed = true;
    over = true;
    say({ type: 'failed', message: text, code: asString(object.code), retryable: null, overrides: false });
  };

  const finish = (object: JsonObject, say: Say) => {
    const raw = asString(object.finishReason);
    const reason = REASONS[raw ?? ''] ?? 'other';
    const usage = asObject(object.usage);
    if (usage !== null)
      say(
        {
          type: 'usage',
          usage: {
            inputTokens: asNumber(usage.promptTokens) ?? asNumber(usage.inputTokens),
            outputTokens: asNumber(usage.completionTokens) ?? asNumber(usage.outputTokens),
            reasoningTokens: null,
          },
        },
        null,
        { voice: 'log', standing: 'committed' },
      );
    over = true;
    if (!failed && reason !== 'error') say({ type: 'parts.committed' }, null, { voice: 'assistant', standing: 'committed' });
    say({ type: 'finished', finish: { reason, raw }, waitingFor: null, overrides: false });
  };

  return { frame, end: () => [] };
};

export const DATA_STREAM_HEADER = 'x-vercel-ai-data-stream';

const isOwnLine = (frame: WireFrame): boolean => {
  const line = dataLine(frame);
  if (line === null) return false;
  const value = asObject(line.value);
  if (line.code.startsWith('aui-')) return true;
  if (line.code === 'c') return value?.isFinal === true;
  return (line.code === 'd' || line.code === 'e') && Array.isArray(value?.path);
};

const isOwnRequest = (requestBody: string | null): boolean => {
  const body = requestBody === null ? null : asObject(parseJson(requestBody));
  const messages = asArray(body?.messages);
  return (
    asObject(body?.tools) !== null &&
    messages.length > 0 &&
    messages.every((message) => asArray(asObject(message)?.content).every((part) => typeof asObject(part)?.type === 'string'))
  );
};

/** Whether lines or request show assistant-ui's form of the encoding, which its own dialect reads. */
export const isAssistantStream = ({ headers, frames, requestBody }: FlowOpening): boolean =>
  frames.some(isOwnLine) || (DATA_STREAM_HEADER in headers && frames.length > 0 && isOwnRequest(requestBody));

export const aiSdkDataV4: Dialect = {
  id: 'ai-sdk-data-v4',
  title: 'AI SDK 4 data stream',
  framings: ['ndjson'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise(opening) {
    const { headers, frames, requestBody, last } = opening;
    if (isAssistantStream(opening)) return 'no';
    if (DATA_STREAM_HEADER in headers) return frames.length > 0 || last ? 'certain' : 'no';
    const type = mediaType(headers);
    // A saved body of lines says no type of its own, and is read as JSON lines.
    if (type !== 'text/plain' && type !== '' && type !== 'application/x-ndjson') return 'no';
    const coded = frames.filter((frame) => /^(?:aui-[a-z-]+|[0-9a-z]):/u.test(frame.data));
    const lines = coded.map(dataLine);
    if (lines.length === 0 || lines.some((line) => line === null) || frames.some((frame) => frame.framing !== 'ndjson')) return 'no';
    if (lines.length < 2) return last && asksModel(requestBody) ? 'plausible' : 'no';
    // Bare strings alone could be anybody's numbered lines.
    return lines.some((line) => CODES[line!.code]![4] !== undefined) || asksModel(requestBody) ? 'certain' : last ? 'plausible' : 'no';
  },
  open: dataLineDecoder,
};
