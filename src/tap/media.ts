/**
 * Which bodies are watched and which headers are recorded. Only types that agents stream in; never markup, code, images,
 * media or fonts. Headers are allow-listed: what could name or authorise a person is never read into a record.
 */

const names = (list: readonly string[]): Readonly<Record<string, true>> => {
  const table = Object.create(null) as Record<string, true>;
  for (const name of list) table[name] = true;
  return table;
};

const TEXT = names([
  'text/event-stream',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonl',
  'application/jsonlines',
  'application/x-jsonlines',
  'application/json-lines',
  'application/json-seq',
  'application/stream+json',
]);
/** The same list as core/framing's BINARY_TYPES (a test holds them together; the tap imports no code). */
const BINARY = names(['application/vnd.ag-ui.event+proto', 'application/vnd.amazon.eventstream']);

/** How a body is recorded: as text, as base64, as one JSON document, or as text once its first bytes prove to be text. */
export type Watched = 'text' | 'base64' | 'json' | 'sniffed';

/** How a body of this content type is recorded, or null where it is none of ours. */
export const watched = (contentType: string | null): Watched | null => {
  if (contentType === null || contentType === '') return 'sniffed';
  const end = contentType.indexOf(';');
  const type = (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  if (type === 'text/plain' || type === 'application/octet-stream' || type === '') return 'sniffed';
  if (TEXT[type]) return 'text';
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  return BINARY[type] ? 'base64' : null;
};

/** Recorded up to this many UTF-16 units or bytes: a JSON document and a body of unsaid type are no stream by their name. */
export const MOST: Readonly<Record<Watched, number>> = { json: 2_000_000, sniffed: 8_000_000, text: Infinity, base64: Infinity };

/** Whether the beginning of a text shows that it is none. */
export const binary = (text: string): boolean => text.includes('\u0000') || text.includes('\uFFFD');

/** Whether a request is worth a record before anything is known of its answer: it asks for a stream, or says something. */
export const telling = (method: string, { accept = '' }: Readonly<Record<string, string>>, body: string | null): boolean =>
  accept.includes('event-stream') || accept.includes('ndjson') || (body !== null && method !== 'GET' && method !== 'HEAD');

const REQUEST = names(['accept', 'content-type', 'last-event-id', 'anthropic-version', 'anthropic-beta', 'openai-beta', 'x-request-id']);
const RESPONSE = names(['content-type', 'content-location', 'location', 'x-request-id', 'request-id', 'x-correlation-id']);
const BOTH = ['x-vercel-ai-', 'x-kestrel-', 'x-workflow-', 'x-dify-', 'a2a-', 'acp-', 'mcp-'];
/** No name with one of these in it is recorded, whatever family it is of. */
const SECRET = ['auth', 'cookie', 'token', 'secret', 'key', 'password', 'credential', 'organization'];

const has = (families: readonly string[], name: string): boolean => {
  for (let i = 0; i < families.length; i++) if (name.startsWith(families[i]!)) return true;
  return false;
};

/** Whether a header (lower-case name) may be recorded. */
export const recorded = (name: string, side: 'request' | 'response'): boolean => {
  if (side === 'request' ? REQUEST[name] : RESPONSE[name]) return true;
  if (!has(BOTH, name) && !(side === 'response' && name.startsWith('openai-'))) return false;
  for (let i = 0; i < SECRET.length; i++) if (name.includes(SECRET[i]!)) return false;
  return true;
};

/** Header values are cut at this length: a marker needs less, and a megabyte of it is an attack. */
const VALUE_CHARS = 500;
/** Adds a header to a record if it may be recorded. */
export const keepHeader = (into: Record<string, string>, name: string, value: string, side: 'request' | 'response'): void => {
  const lower = name.toLowerCase();
  if (recorded(lower, side)) into[lower] = value.slice(0, VALUE_CHARS);
};
