/** For people: what each file comes to, findings first, and what could not be judged. */

import type { FileReport, ReportFinding, ReportRun } from '../../core/report';
import { shown } from '../files';
import { clip, ms, plain, plural, style } from '../style';
import type { Format, FormatOptions } from './format';

const runLine = (run: ReportRun, options: FormatOptions): string => {
  const paint = style(options.color);
  const outcome = run.outcome ?? 'open';
  const word =
    outcome === 'completed'
      ? paint.green(outcome)
      : outcome === 'failed' || outcome === 'severed'
        ? paint.red(outcome)
        : outcome === 'open' || outcome === 'superseded'
          ? paint.dim(outcome)
          : paint.yellow(outcome);
  const facts: string[] = [];
  if (run.waitingFor !== null) facts.push(`for ${run.waitingFor}`);
  if (run.finishReason.state === 'reported') facts.push(`finish reason ${JSON.stringify(plain(run.finishReason.raw ?? ''))}`);
  else if (run.finishReason.state === 'protocol-error') facts.push('finish reason: protocol error');
  if (run.evidence === 'sentinel') facts.push('only an end mark, no reason');
  if (run.attempts > 1) facts.push(plural(run.attempts, 'attempt'));
  if (run.error !== null) facts.push(clip(plain(run.error), 80));
  const name = run.identity.run ?? run.key;
  return `${run.parent === null ? '  ' : '    '}${word}  ${plain(run.dialect)} ${paint.dim(clip(plain(name), 48))}${facts.length > 0 ? `  ${paint.dim(facts.join(', '))}` : ''}`;
};

const findingLines = (finding: ReportFinding, options: FormatOptions): string[] => {
  const paint = style(options.color);
  const mark =
    finding.verdict === 'inconclusive'
      ? paint.dim('?')
      : options.counts(finding.severity, finding.verdict)
        ? paint.red('\u2717')
        : paint.yellow('!');
  const severity = finding.verdict === 'inconclusive' ? 'cannot tell' : finding.severity;
  const { atMs, untilMs } = finding;
  const span = atMs === null ? '' : untilMs === null ? `at ${ms(atMs)}` : `${ms(atMs)} to ${ms(untilMs)}`;
  const lines = [
    `  ${mark} ${paint.bold(finding.rule)}  ${severity}${span === '' ? '' : `  ${paint.dim(span)}`}`,
    `    ${plain(finding.message)}`,
  ];
  if (finding.text !== '' && !finding.message.includes(finding.text))
    lines.push(
      `    ${paint.dim(finding.voice ?? 'text')}: ${JSON.stringify(clip(plain(finding.text), Math.max(40, options.columns - 20)))}`,
    );
  return lines;
};

const fileLines = (file: FileReport, options: FormatOptions, alone: boolean): string[] => {
  const paint = style(options.color);
  const lines = [paint.bold(plain(shown(file.file)))];
  if (file.unjudged !== null) lines.push(`  ${paint.red('could not be judged')}: ${plain(file.unjudged)}`);
  for (const fault of file.faults)
    if (fault.message !== file.unjudged)
      lines.push(
        `  ${paint.yellow(fault.kind === 'file' ? 'note' : 'fault')}: ${plain(fault.message)}${fault.where ? ` (${plain(fault.where)})` : ''}`,
      );
  if (alone || file.findings.length > 0 || file.unjudged !== null) for (const run of file.runs) lines.push(runLine(run, options));
  for (const finding of file.findings) lines.push(...findingLines(finding, options));
  if (file.runs.length === 0 && file.unjudged === null) lines.push(paint.dim('  no run in it'));
  if (file.gaps > 0) lines.push(paint.dim(`  ${plural(file.gaps, 'gap')} in the record`));
  return lines;
};

export const pretty: Format = (report, options) => {
  const paint = style(options.color);
  const lines: string[] = [];
  const few = report.files.length <= 3;
  for (const file of report.files) {
    if (!few && file.findings.length === 0 && file.unjudged === null && file.faults.length === 0) continue;
    lines.push(...fileLines(file, options, few), '');
  }
  const { findings, files, runs, unjudged } = report.summary;
  const failed = (['critical', 'serious', 'moderate', 'minor'] as const)
    .filter((severity) => findings[severity] > 0)
    .map((severity) => `${findings[severity]} ${severity}`);
  const total = findings.critical + findings.serious + findings.moderate + findings.minor;
  const parts = [
    plural(files, 'file'),
    plural(runs, 'run'),
    total === 0 ? paint.green('no findings') : paint.red(`${plural(total, 'finding')} (${failed.join(', ')})`),
  ];
  if (findings.inconclusive > 0) parts.push(`${findings.inconclusive} cannot tell`);
  if (unjudged > 0) parts.push(paint.red(`${unjudged} could not be judged`));
  lines.push(parts.join(', '));
  return `${lines.join('\n')}\n`;
};
