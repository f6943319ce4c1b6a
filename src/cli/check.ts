/** `check`: judges files and exits 0 clean, 1 with findings, 2 if something could not be judged. */
import { version } from '../../package.json' with { type: 'json' };
import { type FileReport, type Report, reportOf } from '../core/report';
import { CANNOT_JUDGE, CLEAN, type Command, FINDINGS, UsageError } from './command';
import { expandFiles } from './files';
import { FORMATS } from './formats';
import { type JudgeOptions, judgeFile } from './judge';

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

export const check: Command = {
  name: 'check',
  about: 'judge captures, HAR files and saved streams',
  usage: ['unsettled check FILE…', 'cat body.sse | unsettled check -'],
  options: {
    format: { value: 'FORMAT', about: 'how to print the report', choices: Object.keys(FORMATS), short: 'f' },
    'fail-on': {
      value: 'SEVERITY',
      about: 'the least severity that gives exit code 1 (default: moderate)',
      choices: [...SEVERITIES, 'inconclusive', 'none'],
    },
    mute: { value: 'RULE', about: 'leave out the findings of a rule', many: true },
    'allow-empty': { value: null, about: 'a file with no agent stream in it is fine' },
  },
  help: `Each file is recognised by its content, never by its name.

Exit code 0: nothing found. 1: findings at or above --fail-on. 2: a file could not be read or judged
(and no findings). Findings that a gap in the record could change are "cannot tell" and count only with
--fail-on inconclusive.`,
  async run(args, terminal) {
    if (args.rest.length === 0) throw new UsageError('Name at least one file, a pattern, or - for standard input.');
    const files = await expandFiles(args.rest);
    const options: JudgeOptions = { muted: args.all('mute'), allowEmpty: args.has('allow-empty') };
    const reports: FileReport[] = [];
    for (const file of files) reports.push(await judgeFile(file, options, terminal.stdin));
    const report = reportOf(reports);
    const counts = counting(args.one('fail-on') ?? 'moderate');
    const format = FORMATS[args.one('format') ?? 'pretty']!;
    await terminal.out(format(report, { color: terminal.color, columns: terminal.columns, version, counts }));
    return exitCode(report, counts);
  },
};
