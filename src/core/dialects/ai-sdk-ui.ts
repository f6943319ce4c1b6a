/**
 * Vercel AI SDK UI message stream of ai 5, 6 and 7: SSE, one JSON chunk per `data:`, last frame `[DONE]`. Spec: ai-sdk.dev,
 * stream protocol; read from npm ai 5.0.277, 6.0.326 and 7.0.173. Producers: `toUIMessageStreamResponse()`, Python ports
 * (pydantic-ai, FastAPI samples), Kestrel's app routes.
 *
 * Recognised by the header `x-vercel-ai-ui-message-stream`, or by two chunks with the exact keys of the table; types that are
 * not in it stand between them without harm.
 * Terminal words: finish, error, abort. `[DONE]` ends the transport and settles nothing. The chunks themselves are read by
 * `ai-sdk-ui-chunks.ts`.
 */
import type { WireFrame } from '../model';
import { chunkReader } from './ai-sdk-ui-chunks';
import { CHUNK_TYPES } from './ai-sdk-ui-types';
import {
  asObject,
  asString,
  asText,
  type Decoder,
  type Dialect,
  type FlowOpening,
  frameObject,
  type Json,
  parseJson,
  requestOf,
  type Utterance,
  utter,
} from './dialect';
import { failsAtOnce, isTalk } from './fails-at-once';

const HEADER = 'x-vercel-ai-ui-message-stream';
/** Members that chunks without an id of their own may have. */
const BARE = new Set(['type', 'messageId', 'messageMetadata', 'finishReason', 'reason', 'providerMetadata']);

/** True if the frame is a chunk of the table with the members its type needs, and none of a look-alike's. */
const isChunk = (frame: WireFrame): boolean => {
  const chunk = frameObject(frame);
  const type = asString(chunk?.type);
  if (chunk === null || type === null || frame.event !== null || 'payload' in chunk || 'path' in chunk) return false;
  if (type.startsWith('data-')) return 'data' in chunk;
  const known = CHUNK_TYPES[type];
  if (known === undefined) return false;
  const [, , ...members] = known;
  if (members.length > 0) return members.every((name) => asString(chunk[name]) !== null);
  return Object.keys(chunk).every((key) => BARE.has(key));
};
/** A chunk of a type that is not in the table (a newer version, a server's own): it tells neither for the dialect nor against. */
const isStranger = (frame: WireFrame): boolean => {
  const chunk = frameObject(frame);
  const type = asString(chunk?.type);
  return chunk !== null && type !== null && !(type in CHUNK_TYPES) && frame.event === null && !('payload' in chunk) && !('path' in chunk);
};
/** The models' own streams, one layer below, have these types too, among others that are not in the table. */
const SHARED = /^(?:text|reasoning|data)-|^(?:file|error|finish|custom)$/u;
const isOwn = (frame: WireFrame): boolean => !SHARED.test(asString(frameObject(frame)?.type) ?? '');
/** A type that is one plain word (start, error, file) or anybody's data says little alone. */
const isTelling = (frame: WireFrame): boolean => {
  const type = asString(frameObject(frame)?.type) ?? '';
  return type.includes('-') && type in CHUNK_TYPES;
};

/**
 * The Workflow transport counts chunks and comes back with `GET …/<run>/stream?startIndex=N`: the run has a name of its own
 * there, and every chunk a position in it.
 */
const workflow = ({ headers, url }: FlowOpening): { readonly run: string; readonly from: number } | null => {
  const match = /\/([^/?#]+)\/stream\?(?:[^#]*&)?startIndex=(\d+)(?:[&#]|$)/u.exec(url);
  const run = headers['x-workflow-run-id'] ?? match?.[1];
  return run === undefined || run === '' ? null : { run, from: Number(match?.[2] ?? 0) };
};

const open = (opening: FlowOpening): Decoder => {
  const place = workflow(opening);
  const reader = chunkReader({
    replays: place === null && opening.method.toUpperCase() === 'GET',
    tail: place !== null && place.from > 0,
    request: requestOf(opening),
    namesRun: place === null,
  });
  const isRefused = (opening.status ?? 0) >= 400;
  let index = (place?.from ?? 0) - 1;
  const placed = (said: readonly Utterance[]): readonly Utterance[] => {
    if (place === null) return said;
    const wireId = `${place.run}:${index}`;
    return said.map((one) => ({ ...one, wireId, identity: { ...one.identity, run: place.run } }));
  };
  return {
    frame(frame) {
      if (frame.data === '[DONE]') return [utter('[DONE]', 'log', 'committed', { type: 'sentinel' })];
      const said = parseJson(frame.data);
      const chunk = isRefused ? inWords(said) : said;
      if (asObject(chunk) !== null) index++;
      return placed(reader.read(chunk));
    },
    end: () => reader.end(),
  };
};

/** What came in place of the stream, as the chunk that would have told it: the page is given the whole of the body for an error. */
const inWords = (body: Json | undefined): Json => {
  const said = asObject(body);
  const { error, message, errorText } = said ?? {};
  const words = asString(errorText) ?? asString(error) ?? asString(asObject(error)?.message) ?? asString(message) ?? asText(body);
  return { type: 'error', errorText: words ?? '' };
};

/** The answer is an error and nothing else: as the stream's only chunk, or as JSON in place of a stream. */
const failed = (opening: FlowOpening): boolean => {
  let inPlace = false;
  return failsAtOnce(
    opening,
    ({ messages, trigger }) => isTalk(messages) && (!inPlace || trigger === 'submit-message' || trigger === 'regenerate-message'),
    ({ type, errorText }, event, whole) => {
      inPlace = whole && (opening.status ?? 0) >= 400;
      return whole ? inPlace : event === null && type === 'error' && typeof errorText === 'string';
    },
  );
};

export const aiSdkUi: Dialect = {
  id: 'ai-sdk-ui',
  title: 'AI SDK UI message stream',
  framings: ['sse', 'ndjson', 'body'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise(opening: FlowOpening) {
    const { headers, frames, last } = opening;
    if (HEADER in headers || failed(opening)) return 'certain';
    // What is no JSON object tells nothing; an object that is no chunk tells against.
    const objects = frames.filter((frame) => frameObject(frame) !== null);
    const fits = (frame: WireFrame): boolean => (frame.framing === 'sse' || frame.framing === 'ndjson') && isChunk(frame);
    const chunks = objects.filter(fits);
    if (chunks.length === 0 || !chunks.some(isTelling)) return 'no';
    const strangers = objects.length - chunks.length;
    if (strangers > 0)
      return strangers <= chunks.length && chunks.length >= 2 && chunks.some(isOwn) && objects.every((one) => fits(one) || isStranger(one))
        ? 'certain'
        : 'no';
    return chunks.length >= 2 ? 'certain' : last ? 'plausible' : 'no';
  },
  open,
};
