/**
 * The contract of an importer: how one kind of file is recognised, by its content alone, and turned into records. One
 * file per kind. An importer never looks at a file's name and never decodes what a stream means.
 */
import type { PageTime, SourceDocument, TapRecordBody } from '../../model';

/** The beginning of a file. */
export interface FileHead {
  readonly bytes: Uint8Array;
  /** The same as text; '' where it is not text at all. */
  readonly text: string;
  /** The head is the whole file. */
  readonly whole: boolean;
}

export type Unsequenced = { readonly at: PageTime } & TapRecordBody;

/** Where an importer puts what it reads. The reader stamps `seq` in the order of these calls. */
export interface Sink {
  document(document: SourceDocument): void;
  record(record: Unsequenced): void;
  /** Reading cannot go on: what came before stands, the rest of the file is ignored. */
  damaged(line: number | null, detail: string): void;
  /** A piece was left out, and reading goes on. */
  skipped(line: number | null, detail: string): void;
}

/** Reads one file. `push` is never called again after `damaged`. */
export interface Reading<Piece> {
  push(piece: Piece): void;
  end(): void;
  /** Instead of `end`, where the file breaks off: hands over what was held back. Nobody saw the end of what is open. */
  cut?(): void;
}

interface Named {
  /** For ever. */
  readonly id: string;
  readonly title: string;
  /** Takes any text of a common shape; asked only when no other importer knows the file. */
  readonly general: boolean;
  /** True only if the file can be nothing else (of the same generality). */
  recognise(head: FileHead): boolean;
}

export type Importer =
  | (Named & { readonly reads: 'text'; open(sink: Sink): Reading<string> })
  | (Named & { readonly reads: 'bytes'; open(sink: Sink): Reading<Uint8Array> });

/** The document that flows of a foreign file are filed under. */
export const IMPORTED: SourceDocument = { key: 'imported', url: '', topLevel: true, timeOrigin: 0 };

/** Never kept, whatever file they come from. */
const SECRET_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-auth-token',
  'x-csrf-token',
  'x-xsrf-token',
]);

/** Headers with lower-case names and without credentials; values that are no strings are left out. */
export const cleanHeaders = (headers: unknown): Readonly<Record<string, string>> => {
  const clean: Record<string, string> = {};
  if (typeof headers !== 'object' || headers === null) return clean;
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (typeof value === 'string' && !SECRET_HEADERS.has(key)) clean[key] = value;
  }
  return clean;
};

/** As long as a tap keeps a request body. */
const BODY_LIMIT = 65_536;

export const cleanBody = (body: unknown): string | null => {
  if (body === undefined || body === null) return null;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.length > BODY_LIMIT ? text.slice(0, BODY_LIMIT) : text;
};

/** Media types whose bodies are bytes and not text: kept as base64, as the tap does. */
const BINARY = /^application\/(?:vnd\.ag-ui\.event\+proto|vnd\.amazon\.eventstream|octet-stream|x-protobuf|protobuf)\b/iu;

export const isBinary = (contentType: string | undefined): boolean => contentType !== undefined && BINARY.test(contentType);

/** The first line that is not blank, and whether its end is in the head. */
export const firstLine = (head: FileHead): { readonly line: string; readonly ended: boolean } => {
  const text = head.text.replace(/^\s+/u, '');
  const cut = text.indexOf('\n');
  return cut < 0 ? { line: text.trimEnd(), ended: head.whole } : { line: text.slice(0, cut).trimEnd(), ended: true };
};
