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
export {
  type Redacted,
  type RedactionReport,
  type RedactOptions,
  type Replacement,
  redactCapture,
  redactText,
  ScrambleError,
  type SecretKind,
} from '../core/capture/redact';
export { createDecoder, type DecodeFault, type DecodeOptions, type StreamDecoder } from '../core/decode';
export { DIALECTS } from '../core/dialects';
export type { Dialect } from '../core/dialects/dialect';
export { RULES } from '../core/findings';
export type { Rule } from '../core/findings/rule';
export { type MappingResult, readMapping } from '../core/mapping/mapping';
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
  verdictsOf,
} from '../core/report';
export { type Counts, createSession, type Entry, isSighting, type Session, type SessionOptions } from '../core/session';
