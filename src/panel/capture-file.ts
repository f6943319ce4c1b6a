/**
 * Captures in and out: any file the core can read, in slices, and what is shown out again, redacted unless the reader
 * says otherwise. Loaded when first needed: most panels never open a file.
 */
import { CaptureError, createReader, type ReadSummary, serialiseCapture, type TextDecoding } from '../core/capture/capture';
import { exportHar } from '../core/capture/export-har';
import { type RedactionReport, redactCapture, ScrambleError } from '../core/capture/redact';
import type { Dialect } from '../core/dialects/dialect';
import { createEngine } from '../core/engine';
import type { Capture } from '../core/model';
import type { Feed } from './feed';
import { eventKey } from './row';

export type Privacy = 'standard' | 'scramble' | 'none';
export type FileForm = 'capture' | 'capture-gzip' | 'har';

export interface Prepared {
  readonly capture: Capture;
  readonly report: RedactionReport | null;
}

export type FailedReason = 'not-a-capture' | 'newer-version' | 'damaged' | 'other';
export interface ReadFailure {
  readonly reason: FailedReason;
  readonly line: number | null;
  readonly detail: string;
}

const PIECE = 262_144;
/** Entries that may wait to be taken in before more are read: memory holds one copy of a large file, not two. */
const AHEAD = 30_000;

/** The file's bytes, unpacked; `passed` is told how many of its own have gone by. */
const bytesOf = async (blob: Blob, passed: (bytes: number) => void): Promise<ReadableStream<Uint8Array>> => {
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  let sum = 0;
  const counted = blob.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, out) {
        sum += piece.length;
        passed(sum);
        out.enqueue(piece);
      },
    }),
  );
  if (head[0] !== 0x1f || head[1] !== 0x8b) return counted;
  return counted.pipeThrough(new DecompressionStream('gzip') as unknown as TransformStream<Uint8Array, Uint8Array>);
};

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

/** Reads a file into a feed. Resolves to how it went; null: it was cancelled. */
export const readInto = async (feed: Feed, blob: Blob, reading: ReadingFile): Promise<ReadSummary | ReadFailure | null> => {
  const reader = createReader(
    {
      document: (document) => feed.document(document),
      entries(entries) {
        feed.replay(entries);
        reading.begun();
      },
    },
    { decoder: fastDecoder },
  );
  const turn = (): Promise<void> => new Promise<void>((resolve) => setTimeout(resolve));
  try {
    const stream = (await bytesOf(blob, reading.progress)).getReader();
    for (;;) {
      const { done, value } = await stream.read();
      if (done) break;
      // Small pieces, so that a large file is read between frames.
      for (let at = 0; at < value.length; at += PIECE) {
        if (reading.signal.aborted) {
          await stream.cancel();
          return null;
        }
        reader.push(value.subarray(at, at + PIECE));
        await turn();
        while (feed.waiting.peek() > AHEAD && !feed.paused.peek() && !reading.signal.aborted) await turn();
      }
    }
    const summary = reader.end();
    reading.begun();
    return summary;
  } catch (error) {
    return {
      reason: error instanceof CaptureError ? error.reason : 'other',
      line: error instanceof CaptureError ? (error.facts.line ?? null) : null,
      detail: error instanceof Error ? error.message : String(error),
    };
  }
};

/** What must come out the same: how every run ended, and what was found. */
const verdictWith =
  (dialects: readonly Dialect[]) =>
  (capture: Capture): string => {
    const session = createEngine({ dialects });
    for (const document of capture.documents) session.document(document);
    session.ingest(capture.entries);
    return JSON.stringify([
      session.runs.map((run) => run.settlement?.outcome ?? null),
      session.findings.map((finding) => [finding.rule, finding.verdict, finding.severity]).sort(),
    ]);
  };

/**
 * Takes out what must not leave. Throws `ScrambleError` where scrambling would change a verdict. `dialects`: all there are,
 * since what is left of a stream might be read as another's.
 */
export const prepare = (capture: Capture, privacy: Privacy, dialects: readonly Dialect[]): Prepared => {
  if (privacy === 'none') return { capture, report: null };
  if (privacy === 'standard') {
    const { capture: safe, report } = redactCapture(capture, { policy: 'standard' });
    return { capture: safe, report };
  }
  const verdict = verdictWith(dialects);
  const key = [...crypto.getRandomValues(new Uint32Array(8))].join('-');
  try {
    const { capture: safe, report } = redactCapture(capture, { policy: 'scramble', key, verdict });
    return { capture: safe, report };
  } catch (error) {
    if (!(error instanceof ScrambleError) || error.members.length === 0) throw error;
    // One kind of text that carries the verdict stays readable; the report of the file says that it was scrambled.
    const { capture: safe, report } = redactCapture(capture, {
      policy: 'scramble',
      key,
      verdict,
      keep: error.members.slice(0, 1),
    });
    return { capture: safe, report };
  }
};

/** Some events of a capture, one a line, as they are read from what may leave of it. */
export const eventsFile = (
  capture: Capture,
  wanted: readonly { readonly flow: string; readonly ordinal: number }[],
  dialects: readonly Dialect[],
): Blob => {
  const session = createEngine({ dialects });
  for (const document of capture.documents) session.document(document);
  session.ingest(capture.entries);
  const keys = new Set(wanted.map(eventKey));
  const lines = session.events.filter((event) => keys.has(eventKey(event))).map((event) => `${JSON.stringify(event)}\n`);
  return new Blob(lines, { type: 'application/jsonl' });
};

/** The bytes of the file. */
export const fileOf = async (capture: Capture, form: FileForm): Promise<Blob> => {
  if (form === 'har') return new Blob([JSON.stringify(exportHar(capture).har, null, 1)], { type: 'application/json' });
  const plain = new Blob([...serialiseCapture(capture)], { type: 'application/jsonl' });
  if (form === 'capture') return plain;
  return new Response(plain.stream().pipeThrough(new CompressionStream('gzip'))).blob();
};
