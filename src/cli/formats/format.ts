/** The contract of an output format: a report in, text out. */
import type { Report } from '../../core/report';

export interface FormatOptions {
  readonly color: boolean;
  readonly columns: number;
  readonly version: string;
  /** True for a finding that counts against the exit code. */
  counts(severity: string, verdict: string): boolean;
}

export type Format = (report: Report, options: FormatOptions) => string;
