/**
 * Captures in and out: any file the core can read, in slices, and what is shown out again, redacted unless the reader
 * says otherwise. Loaded when first needed: most panels never open a file.
 */
import { CaptureError, createReader, type ReadSummary, serialiseCapture } from '../core/capture/capture';
import { exportHar } from '../core/capture/export-har';
import { type RedactionReport, redactCapture, ScrambleError } from '../core/capture/redact';
import type { Capture } from '../core/model';
import { createSession } from '../core/session';
import type { Feed } from './feed';

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

const unzipped = async (blob: Blob): Promise<ReadableStream<Uint8Array>> => {
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  if (head[0] !== 0x1f || head[1] !== 0x8b) return blob.stream();
  return blob.stream().pipeThrough(new DecompressionStream('gzip') as unknown as TransformStream<Uint8Array, Uint8Array>);
};

/** Reads a file into a feed; `begun` is called with its first entries. Resolves to how it went. */
export const readInto = async (feed: Feed, blob: Blob, begun: () => void): Promise<ReadSummary | ReadFailure> => {
  const reader = createReader({
    document: (document) => feed.document(document),
    entries(entries) {
      feed.replay(entries);
      begun();
    },
  });
  try {
    const stream = (await unzipped(blob)).getReader();
    for (;;) {
      const { done, value } = await stream.read();
      if (done) break;
      // Small pieces, so that a large file is read between frames.
      for (let at = 0; at < value.length; at += PIECE) {
        reader.push(value.subarray(at, at + PIECE));
        await new Promise<void>((resolve) => setTimeout(resolve));
      }
    }
    const summary = reader.end();
    begun();
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
const verdictOf = (capture: Capture): string => {
  const session = createSession();
  for (const document of capture.documents) session.document(document);
  session.ingest(capture.entries);
  return JSON.stringify([
    session.runs.map((run) => run.settlement?.outcome ?? null),
    session.findings.map((finding) => [finding.rule, finding.verdict, finding.severity]).sort(),
  ]);
};

/** Takes out what must not leave. Throws `ScrambleError` where scrambling would change a verdict. */
export const prepare = (capture: Capture, privacy: Privacy): Prepared => {
  if (privacy === 'none') return { capture, report: null };
  if (privacy === 'standard') {
    const { capture: safe, report } = redactCapture(capture, { policy: 'standard' });
    return { capture: safe, report };
  }
  const key = [...crypto.getRandomValues(new Uint32Array(8))].join('-');
  try {
    const { capture: safe, report } = redactCapture(capture, { policy: 'scramble', key, verdict: verdictOf });
    return { capture: safe, report };
  } catch (error) {
    if (!(error instanceof ScrambleError) || error.members.length === 0) throw error;
    // One kind of text that carries the verdict stays readable; the report of the file says that it was scrambled.
    const { capture: safe, report } = redactCapture(capture, {
      policy: 'scramble',
      key,
      verdict: verdictOf,
      keep: error.members.slice(0, 1),
    });
    return { capture: safe, report };
  }
};

/** The bytes of the file. */
export const fileOf = async (capture: Capture, form: FileForm): Promise<Blob> => {
  if (form === 'har') return new Blob([JSON.stringify(exportHar(capture).har, null, 1)], { type: 'application/json' });
  const plain = new Blob([...serialiseCapture(capture)], { type: 'application/jsonl' });
  if (form === 'capture') return plain;
  return new Response(plain.stream().pipeThrough(new CompressionStream('gzip'))).blob();
};
