/**
 * Captures in and out: any file the core can read, in slices, and what is shown out again, redacted unless the reader
 * says otherwise. Loaded when first needed: most panels never open a file.
 */
import { CaptureError, createReader, type ReadSummary, serialiseCapture, type TextDecoding } from '../core/capture/capture';
import { exportHarSteps } from '../core/capture/export-har';
import { type RedactionReport, type RedactOptions, redactSteps, ScrambleError } from '../core/capture/redact';
import type { Dialect } from '../core/dialects/dialect';
import { createEngine, type Session } from '../core/engine';
import type { Capture } from '../core/model';
import type { Feed } from './feed';
import { eventKey } from './row';
import type { Privacy } from './settings';
import { type Packing, unpacked } from './unpack';

export type FileForm = 'capture' | 'capture-gzip' | 'har';

export interface Prepared {
  readonly capture: Capture;
  readonly report: RedactionReport | null;
}

export type FailedReason = 'not-a-capture' | 'newer-version' | 'damaged' | 'other';
export interface ReadFailure {
  /** `packed`: its packing is damaged, and nothing could be read. */
  readonly reason: FailedReason | 'packed';
  readonly line: number | null;
  readonly detail: string;
}

const PIECE = 262_144;
/** Entries that may wait to be taken in before more are read: memory holds one copy of a large file, not two. */
const AHEAD = 30_000;

/** The browser's own decoder, far faster than the core's; it counts nothing, so bytes that are no UTF-8 go unmentioned. */
const fastDecoder = (): TextDecoding => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false });
  return {
    push: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
    invalid: 0,
    firstInvalid: -1,
  };
};

export interface ReadingFile {
  /** Its first entries are there. */
  begun(): void;
  /** Bytes of the file that have been read. */
  progress(bytes: number): void;
  /** When aborted, reading stops and what was read stands. */
  readonly signal: AbortSignal;
}

/** How the reading of a file went, with what its packing has to say. */
export interface FileSummary extends Pick<ReadSummary, 'damage' | 'skipped' | 'unopened' | 'headless'> {
  readonly packing: Packing;
}

/** Lets the browser paint. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Reads a file into a feed. Resolves to how it went; null: it was cancelled. */
export const readInto = async (feed: Feed, blob: Blob, reading: ReadingFile): Promise<FileSummary | ReadFailure | null> => {
  let any = false;
  const reader = createReader(
    {
      document: (document) => feed.document(document),
      entries(entries) {
        any ||= entries.length > 0;
        feed.replay(entries);
        reading.begun();
      },
    },
    { decoder: fastDecoder },
  );
  try {
    const pieces = unpacked(blob, reading.progress);
    let piece = await pieces.next();
    for (; !piece.done; piece = await pieces.next()) {
      // Small pieces, so that a large file is read between frames.
      for (let at = 0; at === 0 || at < piece.value.length; at += PIECE) {
        if (reading.signal.aborted) {
          await pieces.return({ fault: null, ignored: 0 });
          return null;
        }
        reader.push(piece.value.subarray(at, at + PIECE));
        await turn();
        while (feed.waiting.peek() > AHEAD && !feed.paused.peek() && !reading.signal.aborted) await turn();
      }
    }
    const packing = piece.value;
    if (packing.fault !== null) {
      try {
        reader.cut();
      } catch {
        // Too little to tell what it is: its packing is what is wrong with it.
      }
      // What came before the damage stands, and what was open there stays open: nobody saw its end.
      return any
        ? { damage: null, skipped: null, unopened: null, headless: false, packing }
        : { reason: 'packed', line: null, detail: packing.fault };
    }
    const { damage, skipped, unopened, headless } = reader.end();
    reading.begun();
    return { damage, skipped, unopened, headless, packing };
  } catch (error) {
    return {
      reason: error instanceof CaptureError ? error.reason : 'other',
      line: error instanceof CaptureError ? (error.facts.line ?? null) : null,
      detail: error instanceof Error ? error.message : String(error),
    };
  }
};

/** Work in steps, each of which says what share is done; null: nobody can tell. */
type Steps<T> = Generator<number | null, T>;

/** Work that is done between frames: told how far it is (null: nobody can tell), and given up when it is aborted. */
export interface Pacing {
  progress(share: number | null): void;
  readonly signal: AbortSignal;
}

/** The most that is done at a time, with what the steps themselves take: well under what is felt. */
const TASK_MS = 12;

/** Runs work that comes in steps. Null: it was given up. */
const inSlices = async <T>(steps: Steps<T>, pacing: Pacing): Promise<T | null> => {
  let until = performance.now() + TASK_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    pacing.progress(step.value);
    await turn();
    if (pacing.signal.aborted) return null;
    until = performance.now() + TASK_MS;
  }
};

/** Records read at a time. */
const STRIDE = 256;

/**
 * The capture as a session reads it. `dialects`: all there are, since what is left of a stream might be read as another's.
 */
function* readInSteps(capture: Capture, dialects: readonly Dialect[]): Steps<Session> {
  const session = createEngine({ dialects });
  for (const document of capture.documents) session.document(document);
  for (let at = 0; at < capture.entries.length; at += STRIDE) {
    session.ingest(capture.entries.slice(at, at + STRIDE));
    yield at / capture.entries.length;
  }
  return session;
}

/** What must come out the same: how every run ended, and what was found. */
const verdictWith = (dialects: readonly Dialect[]) =>
  function* (capture: Capture): Steps<string> {
    const session = yield* readInSteps(capture, dialects);
    return JSON.stringify([
      session.runs.map((run) => run.settlement?.outcome ?? null),
      session.findings.map((finding) => [finding.rule, finding.verdict, finding.severity]).sort(),
    ]);
  };

/** Takes out what must not leave. Null: given up. Throws `ScrambleError` where scrambling would change a verdict. */
export const prepare = async (
  capture: Capture,
  privacy: Privacy,
  words: readonly string[],
  dialects: readonly Dialect[],
  pacing: Pacing,
): Promise<Prepared | null> => {
  if (privacy === 'none') return { capture, report: null };
  const redact = async (options: RedactOptions): Promise<Prepared | null> => {
    const redacted = await inSlices(redactSteps(capture, { ...options, words }), pacing);
    return redacted === null ? null : { capture: redacted.capture, report: redacted.report };
  };
  if (privacy === 'standard') return redact({ policy: 'standard' });
  const verdict = verdictWith(dialects);
  const key = [...crypto.getRandomValues(new Uint32Array(8))].join('-');
  try {
    return await redact({ policy: 'scramble', key, verdict });
  } catch (error) {
    if (!(error instanceof ScrambleError) || error.members.length === 0) throw error;
    // One kind of text that carries the verdict stays readable; the report of the file says that it was scrambled.
    return redact({ policy: 'scramble', key, verdict, keep: error.members.slice(0, 1) });
  }
};

/** Text in pieces of about a megabyte: a file of a million lines is no list of a million strings, nor packed in one go. */
function* piecesOf(lines: Iterable<string>): Steps<Blob[]> {
  const pieces: Blob[] = [];
  let some: string[] = [];
  let length = 0;
  let count = 0;
  for (const line of lines) {
    some.push(line);
    length += line.length;
    if (length > 1_000_000) {
      pieces.push(new Blob(some));
      some = [];
      length = 0;
      yield null;
    }
    if (++count % 128 === 0) yield null;
  }
  return [...pieces, new Blob(some)];
}

/** Some events of a capture, one a line, as they are read from what may leave of it. Null: given up. */
export const eventsFile = async (
  capture: Capture,
  wanted: readonly { readonly flow: string; readonly ordinal: number }[],
  dialects: readonly Dialect[],
  pacing: Pacing,
): Promise<Blob | null> => {
  const keys = new Set(wanted.map(eventKey));
  function* lines(session: Session): Generator<string> {
    for (const event of session.events) if (keys.has(eventKey(event))) yield `${JSON.stringify(event)}\n`;
  }
  const session = await inSlices(readInSteps(capture, dialects), pacing);
  const pieces = session === null ? null : await inSlices(piecesOf(lines(session)), pacing);
  return pieces === null ? null : new Blob(pieces, { type: 'application/jsonl' });
};

/** The bytes of the file. Null: given up. */
export const fileOf = async (capture: Capture, form: FileForm, pacing: Pacing): Promise<Blob | null> => {
  if (form === 'har') {
    const har = await inSlices(exportHarSteps(capture), pacing);
    const text = har === null ? null : await inSlices(piecesOf(har.text()), pacing);
    return text === null ? null : new Blob(text, { type: 'application/json' });
  }
  const pieces = await inSlices(piecesOf(serialiseCapture(capture)), pacing);
  if (pieces === null) return null;
  const plain = new Blob(pieces, { type: 'application/jsonl' });
  if (form === 'capture') return plain;
  return new Response(plain.stream().pipeThrough(new CompressionStream('gzip'))).blob();
};
