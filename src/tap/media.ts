/**
 * Which bodies are watched and which headers are recorded. Only types that agents stream in; never markup, code, images,
 * media or fonts. Headers are allow-listed: what could name or authorise a person is never read into a record.
 */

import { indexOf, lower, slice, table, trim } from './language';

/** How a body is recorded: as text, as base64, as one JSON document, or as text once its first bytes prove to be text. */
export type Watched = 'text' | 'base64' | 'json' | 'sniffed';

const names = <T>(into: Record<string, T>, known: readonly string[], as: T): Readonly<Record<string, T>> => {
  for (const name of known) into[name] = as;
  return into;
};

const TYPES = table<Watched>();
names(
  TYPES,
  [
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
  ],
  'text',
);
names(TYPES, ['application/json'], 'json');
names(TYPES, ['', 'text/plain', 'application/octet-stream'], 'sniffed');
/** The same list as core/framing's BINARY_TYPES (a test holds them together; the tap imports no code). */
names(TYPES, ['application/vnd.ag-ui.event+proto', 'application/vnd.amazon.eventstream'], 'base64');

/** How a body of this content type is recorded, or null where it is none of ours. */
export const watched = (contentType: string | null): Watched | null => {
  const said = contentType ?? '';
  const end = indexOf(said, ';');
  const type = lower(trim(end < 0 ? said : slice(said, 0, end)));
  return TYPES[type] ?? (slice(type, -5) === '+json' ? 'json' : null);
};

/** Recorded up to this many UTF-16 units or bytes: a JSON document and a body of unsaid type are no stream by their name. */
export const MOST: Readonly<Record<Watched, number>> = { json: 2_000_000, sniffed: 8_000_000, text: Infinity, base64: Infinity };

/** Whether the beginning of a text shows that it is none. */
export const binary = (text: string): boolean => indexOf(text, '\u0000') >= 0 || indexOf(text, '\uFFFD') >= 0;

/** Whether a request is worth a record before anything is known of its answer: it asks for a stream, or says something. */
export const telling = (method: string, { accept = '' }: Readonly<Record<string, string>>, body: string | null): boolean =>
  indexOf(accept, 'event-stream') >= 0 || indexOf(accept, 'ndjson') >= 0 || (body !== null && method !== 'GET' && method !== 'HEAD');

const REQUEST = names(
  table<boolean>(),
  ['accept', 'content-type', 'last-event-id', 'anthropic-version', 'anthropic-beta', 'openai-beta', 'x-request-id'],
  true,
);
const RESPONSE = names(
  table<boolean>(),
  ['content-type', 'content-location', 'location', 'x-request-id', 'request-id', 'x-correlation-id'],
  true,
);
/** Families by how they begin, behind the side where they are recorded, or behind either. */
const FAMILIES = [':x-vercel-ai-', ':x-kestrel-', ':x-workflow-', ':x-dify-', ':a2a-', ':acp-', ':mcp-', 'response:openai-'];
/** No name with one of these in it is recorded, whatever family it is of. */
const SECRET = ['auth', 'cookie', 'token', 'secret', 'key', 'password', 'credential', 'organization'];

const has = (words: readonly string[], name: string): boolean => {
  for (let i = 0; i < words.length; i++) if (indexOf(name, words[i]!) >= 0) return true;
  return false;
};

/** Whether a header (lower-case name) may be recorded. */
export const recorded = (name: string, side: 'request' | 'response'): boolean =>
  (side === 'request' ? REQUEST : RESPONSE)[name] ?? (has(FAMILIES, `${side}:${name}`) && !has(SECRET, name));

/**
 * Adds a header to a record, which has no prototype, if it may be recorded. Its value is cut at 500 characters: a marker needs less,
 * and a megabyte of it is an attack.
 */
export const keepHeader = (into: Record<string, string>, name: string, value: string, side: 'request' | 'response'): void => {
  const known = lower(name);
  if (recorded(known, side)) into[known] = slice(value, 0, 500);
};
