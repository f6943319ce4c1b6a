/** `merge`: joins the JSON reports of shards into one, in any format, with the exit code of the whole. */
import { readFile } from 'node:fs/promises';
import { type FileReport, REPORT_FORMAT, type Report, reportOf } from '../core/report';
import { CANNOT_JUDGE, type Command, UsageError } from './command';
import { expandFiles } from './files';
import { explain } from './judge';
import { deliver, EXIT_CODES, VERDICT_OPTIONS } from './verdict';

const filesOf = (text: string): readonly FileReport[] | string => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'This is not JSON. Make it with: unsettled check FILE… --format json';
  }
  const report = value as Partial<Report> | null;
  if (typeof report !== 'object' || report === null || !Array.isArray(report.files))
    return 'This is not a report. Make it with: unsettled check FILE… --format json';
  if (report.format !== REPORT_FORMAT)
    return `This report has format ${String(report.format)}; this Unsettled reads ${REPORT_FORMAT}. Use one version for all shards.`;
  return report.files;
};

export const merge: Command = {
  name: 'merge',
  about: 'join the JSON reports of several checks',
  usage: ['unsettled merge REPORT…', 'unsettled merge shard-*.json --format junit > report.xml'],
  options: VERDICT_OPTIONS,
  help: `Takes what \`unsettled check --format json\` printed.\n\n${EXIT_CODES}`,
  async run(args, terminal) {
    if (args.rest.length === 0) throw new UsageError('Name the reports to join.');
    const files: FileReport[] = [];
    for (const path of await expandFiles(args.rest)) {
      let read: readonly FileReport[] | string;
      try {
        read = filesOf(await readFile(path, 'utf8'));
      } catch (error) {
        read = explain(error);
      }
      if (typeof read === 'string') {
        terminal.err(`unsettled: ${path}: ${read}\n`);
        return CANNOT_JUDGE;
      }
      files.push(...read);
    }
    return deliver(reportOf(files), args, terminal);
  },
};
