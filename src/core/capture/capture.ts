/**
 * Captures on disk: reading any file that holds agent streams (our own format, or one an importer knows), and writing our
 * own. Streaming both ways: bytes are pushed in as they come and entries leave in batches, so memory does not grow with
 * the file.
 *
 * Errors state facts and a closed reason; what to do about them is for the shell to say. A damaged file is read up to the
 * damage. The format is documented in docs/capture-format.md.
 */

import { createUtf8Decoder, type Utf8Decoder } from '../bytes/utf8';
import { createUtf16Decoder, utf16Order } from '../bytes/utf16';
import { parseJson } from '../json/json';
import type { Capture, Sighting, SourceDocument, TapRecord } from '../model';
import { IMPORTERS } from './importers';
import type { FileHead, Importer, Reading, Sink } from './importers/importer';
import { createLineReader, type OnLine } from './lines';
import { faultOfEntryV1, faultOfHeaderV1 } from './upgrades/v1';

export const CAPTURE_FORMAT = 'unsettled-capture';
export const CAPTURE_VERSION = 1;
/** The id that stands for our own format where importer ids stand for others. */
export const NATIVE = 'unsettled-capture';

export type CaptureHeader = Omit<Capture, 'entries'>;
export type CaptureEntry = TapRecord | Sighting;

export interface CaptureFacts {
  /** 1-based, where the format has lines. */
  readonly line?: number;
  readonly version?: number;
  readonly supported?: number;
  readonly size?: number;
  readonly looksLike?: 'nothing' | 'gzip' | 'zip' | 'binary' | 'verbose' | 'text' | 'json';
  readonly detail?: string;
}

const SEEN = {
  nothing: 'The file is empty.',
  gzip: 'This is packed (gzip): unpack it before it is read.',
  zip: 'This is a zip file, and not a Playwright trace.',
  binary: 'This is not text, and no file with streams in it.',
  verbose: 'This is what curl -v prints, with its notes between the lines of the answer.',
  text: 'This text is no file with streams in it.',
  json: 'This is JSON or nearly so, and no file with streams in it.',
} as const satisfies Record<NonNullable<CaptureFacts['looksLike']>, string>;

/** For logs and for programs without words of their own. */
const sentenceOf = (reason: CaptureError['reason'], { line, detail, version, supported, looksLike }: CaptureFacts): string => {
  if (reason === 'not-a-capture') return SEEN[looksLike ?? 'binary'];
  if (reason === 'newer-version') return `This capture has format version ${version}; versions up to ${supported} can be read.`;
  return `This capture is damaged${line === undefined ? '' : ` at line ${line}`}${detail === undefined ? '' : `: ${detail}`}.`;
};

/** `damaged` is only thrown where nothing could be read at all; damage later in a file is in the summary. */
export class CaptureError extends Error {
  constructor(
    readonly reason: 'not-a-capture' | 'newer-version' | 'damaged',
    readonly facts: CaptureFacts,
  ) {
    super(sentenceOf(reason, facts));
    this.name = 'CaptureError';
  }
}

export interface ReaderSink {
  /** Our own format only. */
  header?(header: CaptureHeader): void;
  document(document: SourceDocument): void;
  /** In order of seq; the array is the receiver's to keep. */
  entries(entries: readonly CaptureEntry[]): void;
}

export interface ReadSummary {
  /** `unsettled-capture`, or the importer's id. */
  readonly format: string;
  readonly title: string;
  /** Null for other formats, and for a capture whose first line is missing or broken: its entries were read all the same. */
  readonly header: CaptureHeader | null;
  /** A capture without its header. */
  readonly headless: boolean;
  /** What is wrong with the header; null: nothing, or there is none. */
  readonly headerFault: string | null;
  readonly entries: number;
  readonly bytes: number;
  /** Reading stopped here; what came before stands. */
  readonly damage: { readonly line: number | null; readonly detail: string } | null;
  /** Pieces left out, with the first of them. Each left a gap record. */
  readonly skipped: { readonly count: number; readonly line: number | null; readonly detail: string } | null;
  /** Entries of flows that were not opened before, with the first of them; not those behind a gap, which may be where they were. */
  readonly unopened: { readonly count: number; readonly line: number; readonly flow: string } | null;
  /** Bytes of the file that were not UTF-8 and became U+FFFD. */
  readonly invalidUtf8: { readonly count: number; readonly offset: number } | null;
}

export interface CaptureReader {
  /** Throws CaptureError (not-a-capture, newer-version, damaged) as soon as it is known. */
  push(bytes: Uint8Array): void;
  end(): ReadSummary;
  /**
   * Instead of `end`, where no more comes though there was more (packed data is damaged, a disk fails): what came is handed over, and
   * what was open in it stays open. Throws as `end` does, also where what came is too little to tell what it is.
   */
  cut(): ReadSummary;
}

/** How much of a file decides what it is. */
const HEAD = 65_536;
/** A batch is handed on at the end of each push, or when it is this long. */
const BATCH = 8192;

const looksLike = (head: FileHead): NonNullable<CaptureFacts['looksLike']> => {
  const { bytes } = head;
  if (bytes.length === 0 || (bytes.length === 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)) return 'nothing';
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return 'zip';
  if (head.text === '') return 'binary';
  // A byte order mark alone, or blank lines.
  if (head.whole && head.text.trim() === '') return 'nothing';
  if (/^[<>*] /u.test(head.text) && /^< HTTP\/\d/mu.test(head.text)) return 'verbose';
  return /^\s*[[{]/u.test(head.text) ? 'json' : 'text';
};

/** The head as text; '' where it is plainly not text. */
const headText = (bytes: Uint8Array): string => {
  const order = utf16Order(bytes);
  if (order !== null) return createUtf16Decoder(order).push(bytes);
  // A byte that went wrong makes no text binary.
  const start = bytes.subarray(0, 1024);
  if (start.reduce((zeros, byte) => (byte === 0 ? zeros + 1 : zeros), 0) * 100 > start.length) return '';
  const decoder = createUtf8Decoder();
  const text = decoder.push(bytes);
  return decoder.invalid > Math.max(16, bytes.length / 20) ? '' : text;
};

const HEADER = /^\s*\{\s*"format"\s*:\s*"unsettled-capture"/u;
const isNative = (head: FileHead): boolean => HEADER.test(head.text);

/** No recording counts so far, and from here on there is room to count on: `seq + 1` is a number of its own for as long as there are lines. */
const MOST_SEQ = 2 ** 52;
const isNumbering = (seq: number): boolean => Number.isInteger(seq) && seq >= 0 && seq <= MOST_SEQ;

/** Where one file was put behind another: its ids and times begin anew, so it is not read as more of the first. */
const ANOTHER = 'a second capture begins here; files were put one behind the other: split them to read each';
/** The second header, where the line before it lacks its end or a mark stands before it. JSON would escape the quotes inside a text. */
const RUN_ON = '{"format":"unsettled-capture"';

/** Lines of which one must be an entry: the first may be cut at its beginning. */
const LOOKED_AT = 3;
/** The beginning of an entry whose line is longer than the head. */
const ENTRY = /^\{(?:"seq":\d+,)?"at":-?[\d.e+-]+,(?:"document":"[^"]*",)?"type":"(?:flow|sight)\./u;

/** A capture that lost its first line. */
const lostHeader = (head: FileHead): boolean =>
  head.text.split('\n', LOOKED_AT).some((line) => {
    if (!line.startsWith('{"')) return false;
    const value = parseJson(line);
    return value === undefined ? ENTRY.test(line) : faultOfEntryV1(value) === null;
  });

/** What a reader needs of a UTF-8 decoder. A shell that has a faster one than the core's brings it. */
export type TextDecoding = Pick<Utf8Decoder, 'push' | 'end' | 'invalid' | 'firstInvalid'>;

export interface ReaderOptions {
  /** Default: the built-in list. */
  readonly importers?: readonly Importer[];
  /** A fresh decoder. Default: the core's own. */
  readonly decoder?: () => TextDecoding;
}

export const createReader = (out: ReaderSink, options: ReaderOptions = {}): CaptureReader => {
  const importers = options.importers ?? IMPORTERS;
  const freshDecoder = options.decoder ?? createUtf8Decoder;
  let held: Uint8Array[] = [];
  let size = 0;
  let bytes = 0;
  let source: { readonly id: string; readonly title: string } | null = null;
  let textReading: Reading<string> | null = null;
  let bytesReading: Reading<Uint8Array> | null = null;
  let utf8: TextDecoding | null = null;
  let header: CaptureHeader | null = null;
  let entries = 0;
  let seq = -1;
  let batch: CaptureEntry[] = [];
  let damage: ReadSummary['damage'] = null;
  let skipped: { count: number; line: number | null; detail: string } | null = null;
  /** Something before is known to be missing, which may be where a flow was opened. */
  let holed = false;
  let unopened: { count: number; line: number; flow: string } | null = null;
  let lastAt = 0;
  /** Our own format, with the first line missing or broken. */
  let headless = false;

  const flush = (): void => {
    if (batch.length === 0) return;
    const full = batch;
    batch = [];
    out.entries(full);
  };
  const put = (entry: CaptureEntry): void => {
    seq = entry.seq;
    lastAt = entry.at;
    entries++;
    batch.push(entry);
    if (batch.length >= BATCH) flush();
  };

  const sink: Sink = {
    document: (document) => out.document(document),
    record: (record) => put({ ...record, seq: seq + 1 } as TapRecord),
    damaged(line, detail) {
      damage ??= { line, detail };
    },
    skipped(line, detail) {
      if (skipped) skipped.count++;
      else skipped = { count: 1, line, detail };
      holed = true;
      put({ seq: seq + 1, at: lastAt, type: 'gap', flow: null, reason: 'fault', lost: 1 });
    },
  };

  /** The first line is no header: what follows is read as far as it goes. Where nothing does, this is what is wrong. */
  let noHeader: CaptureFacts = { line: 1, detail: 'no header' };
  let headerFault: string | null = null;
  const withoutHeader = (line: string, facts: CaptureFacts): void => {
    const version = /"version"\s*:\s*(\d+)/u.exec(line)?.[1];
    if (version !== undefined && Number(version) > CAPTURE_VERSION)
      throw new CaptureError('newer-version', { version: Number(version), supported: CAPTURE_VERSION });
    noHeader = facts;
    headerFault = facts.detail ?? null;
    headless = true;
  };

  /** Documents that no header named. */
  const introduced = new Set<string>();
  const introduce = (entry: CaptureEntry): void => {
    // The number of the first entry says that others stood before it.
    if (seq < 0 && isNumbering(entry.seq) && entry.seq > 0) {
      holed = true;
      put({ seq: 0, at: entry.at, type: 'gap', flow: null, reason: 'fault', lost: entry.seq });
    }
    if (!('document' in entry) || introduced.has(entry.document)) return;
    introduced.add(entry.document);
    out.document({ key: entry.document, url: '', topLevel: introduced.size === 1, timeOrigin: 0 });
  };

  /** How often each flow was opened, and what it is called since it was opened again. */
  const openings = new Map<string, number>();
  const renamed = new Map<string, string>();
  /** Nobody who reads it knows what to make of what a flow says that was not opened. It is kept, and said where nothing else says so. */
  const hearUnopened = (entry: CaptureEntry, line: number): void => {
    if (entry.type === 'gap') holed ||= entry.flow === null;
    else if (!holed && 'flow' in entry && entry.type !== 'flow.opened' && !openings.has(entry.flow)) {
      if (unopened) unopened.count++;
      else unopened = { count: 1, line, flow: entry.flow };
    }
  };
  /** An id names one flow. Where it is opened again, by hand or by files put together, another begins, and what follows is of that. */
  const ofOneFlow = (entry: CaptureEntry): CaptureEntry => {
    if (!('flow' in entry) || entry.flow === null) return entry;
    if (entry.type === 'flow.opened') {
      let times = openings.get(entry.flow) ?? 0;
      if (times > 0) {
        do times++;
        while (openings.has(`${entry.flow}~${times}`));
        openings.set(`${entry.flow}~${times}`, 1);
        renamed.set(entry.flow, `${entry.flow}~${times}`);
      }
      openings.set(entry.flow, Math.max(1, times));
    }
    const flow = renamed.get(entry.flow);
    return flow === undefined ? entry : { ...entry, flow };
  };

  const native = (): Reading<string> => {
    const take: OnLine = (line, number, ended) => {
      if (damage !== null || line === '' || (line.charCodeAt(0) !== 123 && line.trim() === '')) return;
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        const second = number > 1 ? line.indexOf(RUN_ON) : -1;
        if (second > 0) {
          if (/[^\s\ufeff]/u.test(line.slice(0, second))) take(line.slice(0, second), number, false);
          return sink.damaged(number, ANOTHER);
        }
        if (number === 1 && header === null) return withoutHeader(line, { line: 1, detail: 'the header is not JSON' });
        return sink.damaged(number, ended ? 'not JSON' : 'the file ends inside this line');
      }
      if (header === null && !headless) {
        const fault = faultOfHeader(value);
        if (fault !== null) return withoutHeader(line, { line: number, detail: fault });
        header = headerOf(value);
        out.header?.(header);
        for (const document of header.documents) out.document(document);
        return;
      }
      if (HEADER.test(line)) return sink.damaged(number, ANOTHER);
      const fault = faultOfEntryV1(value);
      if (fault !== null) return sink.skipped(number, fault);
      const entry = ofOneFlow(value as CaptureEntry);
      // Added to version 1 after it was frozen: may be absent.
      if (entry.type === 'flow.chunk' && entry.untimed !== undefined && typeof entry.untimed !== 'boolean')
        return sink.skipped(number, 'flow.chunk has a wrong untimed');
      if (headless) introduce(entry);
      hearUnopened(entry, number);
      // Order in the file is the order; a number that does not rise, or is none to count on from, is put right.
      put(entry.seq > seq && isNumbering(entry.seq) ? entry : { ...entry, seq: seq + 1 });
    };
    const lines = createLineReader(take);
    return { push: (text) => lines.push(text), end: () => lines.end() };
  };

  const start = (whole: boolean): void => {
    const all = held.length === 1 ? held[0]! : concat(held, size);
    held = [];
    const head: FileHead = { bytes: all.subarray(0, HEAD), text: headText(all.subarray(0, HEAD)), whole: whole && all.length <= HEAD };
    headless = !isNative(head) && lostHeader(head);
    if (headless || isNative(head)) {
      source = { id: NATIVE, title: 'Unsettled capture' };
      textReading = native();
    } else {
      const importer = [false, true]
        .map((general) => importers.find((candidate) => candidate.general === general && candidate.recognise(head)))
        .find((found) => found !== undefined);
      if (importer === undefined) throw new CaptureError('not-a-capture', { size: all.length, looksLike: looksLike(head) });
      source = importer;
      if (importer.reads === 'text') textReading = importer.open(sink);
      else bytesReading = importer.open(sink);
    }
    const order = utf16Order(all);
    if (textReading) utf8 = order === null ? freshDecoder() : createUtf16Decoder(order);
    feed(all);
  };

  const feed = (piece: Uint8Array): void => {
    if (damage === null) {
      if (textReading) textReading.push(utf8!.push(piece));
      else bytesReading!.push(piece);
    }
    flush();
  };

  const summary = (): ReadSummary => {
    flush();
    if (source!.id === NATIVE && header === null && entries === 0) throw new CaptureError('damaged', noHeader);
    return {
      format: source!.id,
      title: source!.title,
      header,
      headless,
      headerFault: headless ? headerFault : null,
      entries,
      bytes,
      damage,
      skipped,
      unopened,
      invalidUtf8: utf8 && utf8.invalid > 0 ? { count: utf8.invalid, offset: utf8.firstInvalid } : null,
    };
  };

  return {
    push(piece) {
      bytes += piece.length;
      if (source !== null) return feed(piece);
      held.push(piece);
      size += piece.length;
      if (size >= HEAD) start(false);
    },
    end() {
      if (source === null) start(true);
      if (utf8 && textReading && damage === null) textReading.push(utf8.end());
      (textReading ?? bytesReading)!.end();
      return summary();
    },
    cut() {
      if (source === null) start(false);
      (textReading ?? bytesReading)!.cut?.();
      return summary();
    },
  };
};

/** Throws where the version is newer. */
const faultOfHeader = (value: unknown): string | null => {
  const version = (value as { version?: unknown }).version;
  if (typeof version === 'number' && version > CAPTURE_VERSION)
    throw new CaptureError('newer-version', { version, supported: CAPTURE_VERSION });
  return faultOfHeaderV1(value);
};

const headerOf = (value: unknown): CaptureHeader => {
  const { createdAt, producer, documents, redaction } = value as CaptureHeader;
  return { format: CAPTURE_FORMAT, version: CAPTURE_VERSION, createdAt, producer, documents, redaction };
};

const concat = (pieces: readonly Uint8Array[], size: number): Uint8Array => {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
};

/** The file's header line, with its line end. `format` comes first, so that a reader can tell from the first bytes. */
export const headerLine = (header: CaptureHeader): string => {
  const { createdAt, producer, documents, redaction } = header;
  return `${JSON.stringify({ format: CAPTURE_FORMAT, version: CAPTURE_VERSION, createdAt, producer, documents, redaction })}\n`;
};

/** One entry's line, with its line end. */
export const entryLine = (entry: CaptureEntry): string => `${JSON.stringify(entry)}\n`;

/** The file in pieces of some 64 kB, for writing as it is made. */
export function* serialiseCapture(capture: Capture): Generator<string> {
  let piece = headerLine(capture);
  for (const entry of capture.entries) {
    piece += entryLine(entry);
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

const UNDATED = { createdAt: '1970-01-01T00:00:00.000Z', producer: { name: 'unknown', version: '', browser: null } } as const;

/**
 * Reads a whole file at once: a capture, or any file that an importer knows. Foreign files get a header of their own, dated
 * `createdAt`. Packed files (gzip) are to be unpacked before: whatever can do that is not the core's. Throws CaptureError where nothing
 * can be read; what else is wrong with a file is in the summary.
 */
export const readCapture = (
  bytes: Uint8Array,
  foreign: { readonly createdAt: string; readonly producer: Capture['producer'] } = UNDATED,
): { readonly capture: Capture; readonly summary: ReadSummary } => {
  const entries: CaptureEntry[] = [];
  const documents: SourceDocument[] = [];
  const reader = createReader({
    document: (document) => documents.push(document),
    entries: (more) => {
      for (const entry of more) entries.push(entry);
    },
  });
  reader.push(bytes);
  const summary = reader.end();
  const { createdAt, producer, redaction } = summary.header ?? { ...foreign, redaction: null };
  return { capture: { format: CAPTURE_FORMAT, version: CAPTURE_VERSION, createdAt, producer, documents, entries, redaction }, summary };
};
