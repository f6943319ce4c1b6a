/** `merge`: joins the JSON reports of shards into one, in any format, with the exit code of the whole. */
import { readFile } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { type FileReport, REPORT_FORMAT, type Report, reportOf, type Shard } from '../core/report';
import { CANNOT_JUDGE, type Command, UsageError } from './command';
import { expandFiles } from './files';
import { explain } from './judge';
import { deliver, EXIT_CODES, VERDICT_OPTIONS } from './verdict';

const HOW = 'Make it with: unsettled check FILE… --format json';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';

/** As much of a report as joining and printing it needs. */
const isFileReport = (value: unknown): value is FileReport =>
  isObject(value) &&
  isText(value.file) &&
  (value.unjudged === null || isText(value.unjudged)) &&
  [value.flows, value.runs, value.findings, value.faults].every((list) => Array.isArray(list) && list.every(isObject)) &&
  (value.runs as Record<string, unknown>[]).every(
    (run) => isText(run.key) && isText(run.dialect) && isObject(run.text) && isObject(run.finishReason),
  ) &&
  (value.findings as Record<string, unknown>[]).every((finding) =>
    [finding.rule, finding.severity, finding.verdict, finding.message, finding.text].every(isText),
  ) &&
  (value.faults as Record<string, unknown>[]).every((fault) => isText(fault.message));

const isShard = (value: unknown): value is Shard =>
  isObject(value) &&
  Number.isInteger(value.index) &&
  Number.isInteger(value.of) &&
  Number(value.index) >= 1 &&
  Number(value.index) <= Number(value.of);

const reportIn = (text: string): Report | string => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `This is not JSON, or it was cut off. ${HOW}`;
  }
  if (!isObject(value) || !Array.isArray(value.files)) return `This is not a report. ${HOW}`;
  if (value.format !== REPORT_FORMAT)
    return `This report has format ${String(value.format)}; this Unsettled reads ${REPORT_FORMAT}. Use one version for all shards.`;
  const wrong = value.files.findIndex((file) => !isFileReport(file));
  if (wrong >= 0) return `File ${wrong + 1} in this report is not as check writes it. ${HOW}`;
  if (value.shard !== undefined && !isShard(value.shard)) return `The shard of this report is none. ${HOW}`;
  return value as unknown as Report;
};

/** As a folder's files are listed by `check`: level by level. Shards hold every N-th file each. */
const byPath = ({ file: a }: FileReport, { file: b }: FileReport): number => {
  const [left, right] = [a.split(sep), b.split(sep)];
  const at = left.findIndex((step, i) => step !== right[i]);
  if (at < 0) return left.length - right.length;
  return right[at] === undefined ? 1 : left[at]! < right[at] ? -1 : 1;
};

/** A report that is named twice stands for a part that is not there, more often than not. */
const namedTwice = (names: readonly string[]): string | undefined => {
  const paths = names.map((name) => resolve(name));
  return names.find((_, i) => paths.indexOf(paths[i]!) < i);
};

/** A part that nobody handed in was judged by nobody: what is missing must not pass. */
const shardsWrong = (reports: readonly { readonly path: string; readonly report: Report }[]): string | null => {
  const parts = reports.flatMap(({ path, report }) => (report.shard ? [{ path, ...report.shard }] : []));
  if (parts.length === 0) return null;
  const { of, path: first } = parts[0]!;
  const other = parts.find((part) => part.of !== of);
  if (other) return `${first} is one of ${of} shards, ${other.path} one of ${other.of}: they are not parts of one check.`;
  const byIndex = new Map<number, string>();
  for (const { index, path } of parts) {
    const before = byIndex.get(index);
    if (before !== undefined) return `${before} and ${path} are both shard ${index} of ${of}.`;
    byIndex.set(index, path);
  }
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !byIndex.has(index));
  return missing.length === 0
    ? null
    : `${missing.length === 1 ? 'Shard' : 'Shards'} ${missing.join(', ')} of ${of} ${missing.length === 1 ? 'is' : 'are'} missing. Name the reports of all shards.`;
};

export const merge: Command = {
  name: 'merge',
  about: 'join the JSON reports of several checks',
  usage: ['unsettled merge REPORT…', 'unsettled merge shard-*.json --format junit > report.xml'],
  options: VERDICT_OPTIONS,
  help: `Takes what \`unsettled check --format json\` printed. Reports of shards must be all there, each once.\n\n${EXIT_CODES}`,
  async run(args, terminal) {
    if (args.rest.length === 0) throw new UsageError('Name the reports to join.');
    const twice = namedTwice(args.rest);
    if (twice !== undefined) throw new UsageError(`${twice} is named twice. Name the report of each shard once.`);
    const reports: { path: string; report: Report }[] = [];
    for (const path of await expandFiles(args.rest)) {
      let read: Report | string;
      try {
        read = reportIn(await readFile(path, 'utf8'));
      } catch (error) {
        read = explain(error);
      }
      if (typeof read === 'string') {
        terminal.err(`unsettled: ${path}: ${read}\n`);
        return CANNOT_JUDGE;
      }
      reports.push({ path, report: read });
    }
    const wrong = shardsWrong(reports);
    if (wrong !== null) throw new UsageError(wrong);
    const files = reports.flatMap(({ report }) => report.files);
    return deliver(reportOf(reports.some(({ report }) => report.shard) ? files.sort(byPath) : files), args, terminal);
  },
};
