/** What `check` and `merge` share: which findings count, how a report is printed, and the exit code. */
import { version } from '../../package.json' with { type: 'json' };
import { sentence } from '../core/findings/sentence';
import type { Report } from '../core/report';
import { type Args, CANNOT_JUDGE, CLEAN, FINDINGS, type Option, type Terminal } from './command';
import { FORMATS } from './formats';

const SEVERITIES = ['minor', 'moderate', 'serious', 'critical'];

/** Whether a finding counts against the exit code. */
export const counting =
  (failOn: string) =>
  (severity: string, verdict: string): boolean => {
    if (failOn === 'none') return false;
    if (verdict === 'inconclusive') return failOn === 'inconclusive';
    return failOn === 'inconclusive' || SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(failOn);
  };

/** Findings are certain, so they come before what could not be judged. */
export const exitCode = (report: Report, counts: (severity: string, verdict: string) => boolean): number =>
  report.files.some((file) => file.findings.some((finding) => counts(finding.severity, finding.verdict)))
    ? FINDINGS
    : report.summary.unjudged > 0
      ? CANNOT_JUDGE
      : CLEAN;

export const VERDICT_OPTIONS: Readonly<Record<string, Option>> = {
  format: { value: 'FORMAT', about: 'how to print the report', choices: Object.keys(FORMATS), short: 'f' },
  'fail-on': {
    value: 'SEVERITY',
    about: 'the least severity that gives exit code 1 (default: moderate)',
    choices: [...SEVERITIES, 'inconclusive', 'none'],
  },
};

export const EXIT_CODES = `Exit code 0: nothing found. 1: findings at or above --fail-on. 2: something could not be read or judged
(and no findings). Findings that a gap in the record could change are "cannot tell"; they count only with
--fail-on inconclusive.`;

/** The report with sentences for people. */
const worded = (report: Report): Report => ({
  ...report,
  files: report.files.map((file) => ({
    ...file,
    findings: file.findings.map((finding) => ({ ...finding, message: sentence(finding.message) })),
  })),
});

export const deliver = async (report: Report, args: Args, terminal: Terminal): Promise<number> => {
  const counts = counting(args.one('fail-on') ?? 'moderate');
  const name = args.one('format') ?? 'pretty';
  await terminal.out(
    FORMATS[name]!(name === 'json' ? report : worded(report), { color: terminal.color, columns: terminal.columns, version, counts }),
  );
  return exitCode(report, counts);
};
