/** `diff`: what two files come to, side by side: outcomes, finish reasons, texts and findings. For telling a fix from a change. */
import type { FileReport, ReportRun } from '../core/report';
import { CANNOT_JUDGE, CLEAN, type Command, FINDINGS, UsageError } from './command';
import { expandFiles, STDIN, shown } from './files';
import { judgeFile } from './judge';
import { MAPPING_OPTION } from './mappings';
import { clip, plain, plural, style } from './style';

interface Difference {
  readonly where: string;
  readonly what: string;
  readonly a: string;
  readonly b: string;
}

/** The texts around the first place where they differ. */
const around = (a: string, b: string): readonly [string, string] => {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 20);
  const cut = (text: string): string => JSON.stringify(`${from > 0 ? '\u2026' : ''}${clip(plain(text.slice(from)), 70)}`);
  return [cut(a), cut(b)];
};

const compareRuns = (where: string, a: ReportRun, b: ReportRun): Difference[] => {
  const found: Difference[] = [];
  const compare = (what: string, left: unknown, right: unknown): void => {
    if (left !== right) found.push({ where, what, a: String(left ?? 'none'), b: String(right ?? 'none') });
  };
  compare('dialect', a.dialect, b.dialect);
  compare('outcome', a.outcome ?? 'open', b.outcome ?? 'open');
  compare('evidence', a.evidence, b.evidence);
  compare('ended by', a.endedBy, b.endedBy);
  compare('waiting for', a.waitingFor, b.waitingFor);
  compare('finish reason', a.finishReason.raw ?? a.finishReason.state, b.finishReason.raw ?? b.finishReason.state);
  compare('attempts', a.attempts, b.attempts);
  for (const standing of ['committed', 'provisional'] as const)
    for (const voice of ['assistant', 'reasoning'] as const) {
      const [left, right] = [a.text[standing][voice], b.text[standing][voice]];
      if (left === right) continue;
      const [shownA, shownB] = around(left, right);
      found.push({ where, what: `${standing} ${voice} text`, a: shownA, b: shownB });
    }
  return found;
};

const tally = (file: FileReport): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { verdict, severity, rule } of file.findings) {
    const key = `${rule} (${verdict === 'fail' ? severity : 'cannot tell'})`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/** Runs are compared in order of opening. */
export const differences = (a: FileReport, b: FileReport): readonly Difference[] => {
  const found: Difference[] = [];
  if (a.runs.length !== b.runs.length) found.push({ where: 'file', what: 'runs', a: String(a.runs.length), b: String(b.runs.length) });
  for (let i = 0; i < Math.min(a.runs.length, b.runs.length); i++) found.push(...compareRuns(`run ${i + 1}`, a.runs[i]!, b.runs[i]!));
  const [left, right] = [tally(a), tally(b)];
  for (const rule of [...new Set([...left.keys(), ...right.keys()])].sort())
    if (left.get(rule) !== right.get(rule))
      found.push({ where: 'findings', what: rule, a: String(left.get(rule) ?? 0), b: String(right.get(rule) ?? 0) });
  return found;
};

export const diff: Command = {
  name: 'diff',
  about: 'compare what two files come to',
  usage: ['unsettled diff BEFORE AFTER'],
  options: { ...MAPPING_OPTION, format: { value: 'FORMAT', about: 'how to print it', choices: ['pretty', 'json'], short: 'f' } },
  help: `Runs are compared in order of opening. Times, ids and transports do not count.

Exit code 0: the same. 1: they differ. 2: one could not be judged.`,
  async run(args, terminal) {
    // Each by itself: a file compared with itself is two files that are the same.
    const files = (await Promise.all(args.rest.map((name) => expandFiles([name])))).flat();
    if (files.length !== 2)
      throw new UsageError(`Name two files; ${files.length === 0 ? 'none is' : plural(files.length, 'is', 'are')} named.`);
    if (files.every((file) => file === STDIN)) throw new UsageError('Standard input comes only once: name a file for the other side.');
    const mappings = args.all('mapping');
    const reports: FileReport[] = [];
    for (const file of files) reports.push(await judgeFile(file, { muted: [], allowEmpty: true, mappings }, terminal.stdin));
    const bad = reports.filter((report) => report.unjudged !== null);
    for (const report of bad) terminal.err(`unsettled: ${shown(report.file)}: ${report.unjudged}\n`);
    if (bad.length > 0) return CANNOT_JUDGE;
    const found = differences(reports[0]!, reports[1]!);
    if (args.one('format') === 'json') {
      await terminal.out(`${JSON.stringify({ same: found.length === 0, differences: found }, null, 2)}\n`);
    } else if (found.length === 0) await terminal.out('They come to the same.\n');
    else {
      const paint = style(terminal.color);
      for (const { where, what, a, b } of found)
        await terminal.out(`${where}: ${what}\n  ${paint.red('-')} ${plain(a)}\n  ${paint.green('+')} ${plain(b)}\n`);
    }
    return found.length === 0 ? CLEAN : FINDINGS;
  },
};
