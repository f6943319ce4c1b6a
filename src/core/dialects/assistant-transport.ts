/**
 * assistant-ui's assistant-transport encoding: SSE, one chunk per `data:`, addressed by `path`, last frame `[DONE]`. Spec: npm
 * assistant-stream 0.3.57, src/core/serialization/assistant-transport.
 *
 * Recognised by a `path` array beside a type of the table. `text-delta` carries text, reasoning and tool arguments alike:
 * the voice is that of the part at its path. Terminal words: message-finish, and error unless it is only a warning. After
 * an error the encoder still sends `part-finish` for what is open: that commits nothing. A run that never says
 * message-finish ends with `[DONE]` alone, which settles nothing.
 */
import type { AgentEventBody, FinishReason, Standing, Voice, WireFrame } from '../model';
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
  frameObject,
  identityOf,
  type Json,
  type JsonObject,
  malformed,
  parseJson,
  table,
  type Utterance,
  unrecognised,
  utter,
} from './dialect';
import { createWriting } from './writing';

/** Type → voice and standing (of `part-start`, `text-delta` and `part-finish`: the part's), and the member it must have. */
const TYPES: Readonly<Record<string, readonly [Voice, Standing, string?]>> = table({
  'part-start': ['lifecycle', 'provisional', 'part'],
  'text-delta': ['lifecycle', 'provisional', 'textDelta'],
  'part-finish': ['lifecycle', 'committed'],
  'tool-call-args-text-finish': ['tool', 'committed'],
  'tool-call-approval': ['interaction', 'committed', 'approval'],
  result: ['tool', 'committed', 'result'],
  annotations: ['progress', 'committed', 'annotations'],
  data: ['progress', 'committed', 'data'],
  'step-start': ['lifecycle', 'committed'],
  'step-finish': ['lifecycle', 'committed', 'finishReason'],
  'update-state': ['lifecycle', 'committed', 'operations'],
  'message-finish': ['terminal', 'settling', 'finishReason'],
  error: ['terminal', 'settling', 'error'],
});
/** What a part's type says of whose words it holds. */
const PART_VOICES: Readonly<Record<string, Voice>> = table({
  text: 'assistant',
  reasoning: 'reasoning',
  'tool-call': 'tool',
  source: 'log',
  file: 'assistant',
  data: 'progress',
});

const REASONS: Readonly<Record<string, FinishReason['reason']>> = table({
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'content-filter',
  error: 'error',
});

interface PathPart {
  readonly key: string;
  readonly kind: string;
  readonly voice: Voice;
  readonly call: string | null;
  closed: boolean;
}

const chunkOf = (frame: WireFrame): { readonly type: string; readonly chunk: JsonObject; readonly path: readonly Json[] } | null => {
  const chunk = frameObject(frame);
  const type = asString(chunk?.type);
  // Indexes of parts: a path of names leads through somebody else's document.
  if (chunk === null || type === null || !Array.isArray(chunk.path) || chunk.path.some((at) => typeof at !== 'number')) return null;
  const member = TYPES[type]?.[2];
  return member !== undefined && !(member in chunk) ? null : { type, chunk, path: chunk.path };
};

const open = ({ requestBody }: FlowOpening): Decoder => {
  const continued = continuation(requestBody === null ? null : asObject(parseJson(requestBody)));
  const parts = new Map<string, PathPart>();
  /** How many parts each path holds: `part-start` opens the next one. */
  const held = new Map<string, number>();
  let message: string | null = null;
  let begun = false;
  let terminal: 'finish' | 'error' | null = null;
  let beside = 0;
  const writing = createWriting();

  const frame = (wire: WireFrame): readonly Utterance[] => {
    if (wire.data === '[DONE]') return [utter('[DONE]', 'log', 'committed', { type: 'sentinel' })];
    const read = chunkOf(wire);
    if (read === null) {
      const type = asString(frameObject(wire)?.type);
      return [malformed(type ?? '(no type)', 'no chunk with a type and a path')];
    }
    const { type, chunk, path } = read;
    const known = TYPES[type];
    if (known === undefined) return [unrecognised(type)];
    const at = path.length === 1 ? (asText(path[0]) ?? '') : path.map(asText).join('.');
    const more = writing.more(type === 'text-delta' ? chunk.textDelta : null, null, at);
    if (more !== null) return more;
    const part = parts.get(at) ?? null;
    const said: Utterance[] = [];
    const say: Say = (body, more = {}) => {
      const identity = identityOf({ message, toolCall: more.call ?? part?.call });
      said.push(utter(type, more.voice ?? known[0], more.standing ?? known[1], body, { identity, part: more.part ?? null }));
    };
    if (!begun) {
      begun = true;
      // Any chunk is of a run: a server may tell its state alone.
      say({ type: 'run.opened', resumes: continued.resumes }, { voice: 'lifecycle', standing: 'committed' });
      said.push(...continued.answers);
    }
    if (terminal !== null && (type === 'part-start' || type === 'text-delta' || type === 'result'))
      say({ type: 'breach', breach: 'out-of-order', detail: `${type} after ${terminal}` });
    if (part === null && (type === 'text-delta' || type === 'part-finish' || type === 'result'))
      say({ type: 'breach', breach: 'out-of-order', detail: `${type} at [${at}], where no part was started` });
    apply(type, chunk, at, part, say);
    return writing.note(said);
  };

  type Say = (
    body: AgentEventBody,
    more?: { readonly part?: string; readonly voice?: Voice; readonly standing?: Standing; readonly call?: string | null },
  ) => void;

  const apply = (type: string, chunk: JsonObject, at: string, part: PathPart | null, say: Say) => {
    switch (type) {
      case 'part-start':
        return start(asObject(chunk.part) ?? {}, at, say);
      case 'text-delta': {
        const text = asString(chunk.textDelta) ?? '';
        // Without its part nothing says whose words these are.
        if (part === null) return say({ type: 'note', text });
        if (part.kind === 'tool-call') return say({ type: 'tool.input', text }, { voice: 'tool' });
        return say({ type: 'part.delta', text }, { part: part.key, voice: part.voice });
      }
      case 'part-finish': {
        if (part === null) return;
        const committed = part.closed || terminal === 'error' ? 'provisional' : 'committed';
        const worded = part.kind === 'text' || part.kind === 'reasoning';
        if (!worded || part.closed) return say({ type: 'note', text: null });
        part.closed = true;
        return say({ type: 'part.closed', text: null }, { part: part.key, voice: part.voice, standing: committed });
      }
      case 'tool-call-approval':
        return approval(asObject(chunk.approval), say);
      case 'result': {
        const preliminary = chunk.isPreliminary === true;
        return say(
          { type: 'tool.returned', output: asText(chunk.result), failed: chunk.isError === true, preliminary },
          { standing: preliminary ? 'provisional' : 'committed' },
        );
      }
      case 'step-start':
        message = asString(chunk.messageId) ?? message;
        return say({ type: 'step.opened' });
      case 'step-finish':
        return say({ type: 'step.closed' });
      case 'data':
        for (const item of asArray(chunk.data)) say({ type: 'part.replaced', text: readableWords(item) }, { part: `data:${++beside}` });
        return;
      case 'message-finish':
        return finish(chunk, say);
      case 'error':
        return fail(chunk, say);
      default:
        return say({ type: 'note', text: type === 'annotations' ? readableWords(chunk.annotations) : null });
    }
  };

  const start = (init: JsonObject, at: string, say: Say) => {
    const kind = asString(init.type) ?? '';
    const index = held.get(at) ?? 0;
    held.set(at, index + 1);
    const key = at === '' ? `${index}` : `${at}.${index}`;
    const call = asString(init.toolCallId);
    const voice = PART_VOICES[kind] ?? 'log';
    parts.set(key, { key, kind, voice, call, closed: false });
    if (kind === 'text' || kind === 'reasoning') return say({ type: 'part.opened' }, { part: key, voice });
    if (kind === 'tool-call')
      return say({ type: 'tool.called', name: asString(init.toolName) ?? '', input: null, owedBy: 'page' }, { voice, call });
    if (kind === 'data') return say({ type: 'part.replaced', text: readableWords(init.data) }, { part: key, voice, standing: 'committed' });
    say({ type: 'note', text: asString(init.title) ?? asString(init.url) }, { voice, standing: 'committed' });
  };

  const approval = (gate: JsonObject | null, say: Say) => {
    const request = asString(gate?.id);
    if (request === null) return say({ type: 'malformed', detail: 'approval without id' });
    if (typeof gate?.approved === 'boolean') return say({ type: 'answered', request, how: gate.approved ? 'approved' : 'denied' });
    if (gate?.isAutomatic === true) return say({ type: 'note', text: null });
    const prompt = asString(gate?.prompt) ?? asString(gate?.requestReason);
    say({ type: 'asked', request, kind: 'approval', prompt, blocking: false });
  };

  const fail = (chunk: JsonObject, say: Say) => {
    const text = asString(chunk.error) ?? asText(chunk.error) ?? '';
    if (chunk.severity === 'warning' || chunk.severity === 'info')
      return say({ type: 'note', text }, { voice: 'log', standing: 'committed' });
    terminal ??= 'error';
    say({ type: 'failed', message: text, code: asString(chunk.code), retryable: null, overrides: false });
  };

  const finish = (chunk: JsonObject, say: Say) => {
    const raw = asString(chunk.finishReason);
    const reason = REASONS[raw ?? ''] ?? 'other';
    const usage = asObject(chunk.usage);
    if (usage !== null)
      say(
        {
          type: 'usage',
          usage: { inputTokens: asNumber(usage.inputTokens), outputTokens: asNumber(usage.outputTokens), reasoningTokens: null },
        },
        { voice: 'log', standing: 'committed' },
      );
    // The encoder finishes its last part only after this; a good end covers what is open.
    if (terminal === null && reason !== 'error' && reason !== 'other') {
      for (const part of parts.values()) part.closed = true;
      say({ type: 'parts.committed' }, { voice: 'assistant', standing: 'committed' });
    }
    terminal ??= 'finish';
    say({ type: 'finished', finish: { reason, raw }, waitingFor: null, overrides: false });
  };

  return { frame, end: () => [] };
};

export const assistantTransport: Dialect = {
  id: 'assistant-transport',
  title: 'assistant-transport',
  framings: ['sse'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise({ frames, last }) {
    const objects = frames.filter((frame) => frameObject(frame) !== null);
    const chunks = objects.map((frame) => (frame.framing === 'sse' && frame.event === null ? chunkOf(frame) : null));
    if (chunks.length === 0 || chunks.some((one) => one === null || !(one.type in TYPES))) return 'no';
    // `data`, `error` and `result` are anybody's words; the others with a path are not.
    if (chunks.some((one) => one!.type.includes('-'))) return 'certain';
    return chunks.length >= 2 ? 'certain' : last ? 'plausible' : 'no';
  },
  open,
};
