/**
 * `unsettled`, the library: the core that panel, command line and Playwright fixture share, for tools of your own. Records
 * in, runs and findings out. Runs anywhere: no DOM, no Node, no clock, no network. Everything is synchronous.
 *
 * @example Judge a saved capture, HAR file or event stream.
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { createSession, readCapture } from 'unsettled';
 *
 * const { capture } = readCapture(readFileSync('run.har'));
 * const session = createSession();
 * session.ingest(capture.entries);
 * for (const run of session.runs) console.log(run.dialect, run.settlement?.outcome ?? 'open');
 * for (const finding of session.findings) console.log(finding.rule, finding.message);
 * ```
 *
 * @packageDocumentation
 */

import type { Dialect } from '../core/dialects/dialect';
import { readMapping as read } from '../core/mapping/mapping';

export {
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type CaptureEntry,
  CaptureError,
  type CaptureFacts,
  type CaptureHeader,
  type CaptureReader,
  createReader,
  entryLine,
  headerLine,
  type ReaderOptions,
  type ReaderSink,
  type ReadSummary,
  readCapture,
  serialiseCapture,
} from '../core/capture/capture';
export { exportHar, type HarExport } from '../core/capture/export-har';
export { ReadStopped, type ReadStreamOptions, readStream, type StopSign } from '../core/capture/read-stream';
export {
  type Redacted,
  type RedactionLimits,
  type RedactionPasses,
  type RedactionReport,
  type RedactOptions,
  type Replacement,
  redactCapture,
  redactionPasses,
  redactSteps,
  redactText,
  ScrambleError,
  type SecretKind,
} from '../core/capture/redact';
export type { DecodeFault, StreamDecoder } from '../core/decode';
export { DIALECTS } from '../core/dialects';
export type { Dialect } from '../core/dialects/dialect';
export type { Rule } from '../core/findings/rule';
export { titled as RULES } from '../core/findings/titles';
export type * from '../core/model';
export {
  type FileReport,
  type Report,
  type ReportFault,
  type ReportFinding,
  type ReportFlow,
  type ReportRun,
  reportFile,
  reportOf,
  type Shard,
  verdictsOf,
} from '../core/report';
export {
  type Counts,
  createDecoder,
  createSession,
  type DecodeOptions,
  type Entry,
  isSighting,
  type Session,
  type SessionOptions,
} from '../core/session';

/** A mapping file read: the dialect it describes, or what is wrong with it and where. */
export type ReadMapping =
  | { readonly ok: true; readonly dialect: Dialect }
  | {
      readonly ok: false;
      readonly problems: readonly { readonly line: number | null; readonly key: string; readonly message: string }[];
    };

/**
 * Reads a mapping file, by which a protocol of one's own becomes a dialect (docs/mapping.md describes the format).
 *
 * @example
 * ```ts
 * const mapping = readMapping(text);
 * if (mapping.ok) createSession({ dialects: [mapping.dialect, ...DIALECTS] });
 * ```
 */
export const readMapping = (text: string): ReadMapping => {
  const result = read(text);
  return result.ok ? { ok: true, dialect: result.dialect } : { ok: false, problems: result.problems };
};
