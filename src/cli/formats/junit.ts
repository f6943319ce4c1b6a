/** JUnit XML: a suite per file, a test case per run, so that CI shows which run failed in which capture. */
import type { FileReport, ReportFinding } from '../../core/report';
import { plain } from '../style';
import type { Format, FormatOptions } from './format';

/** Escaped, without the characters that XML 1.0 forbids, and without those that steer who reads it. */
const xml = (text: string): string =>
  plain(text, true)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[<>&"']/gu, (c) => `&#${c.charCodeAt(0)};`);

const element = (name: string, attributes: Readonly<Record<string, string | number>>, content = ''): string => {
  const open = `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${xml(String(value))}"`)
    .join('')}`;
  return content === '' ? `${open}/>` : `${open}>${content}</${name}>`;
};

const detail = (finding: ReportFinding): string =>
  [
    finding.message,
    finding.text === '' ? '' : `${finding.voice ?? 'text'}: ${finding.text}`,
    finding.atMs === null ? '' : `at ${finding.atMs} ms${finding.untilMs === null ? '' : ` until ${finding.untilMs} ms`}`,
  ]
    .filter((line) => line !== '')
    .join('\n');

const suite = (file: FileReport, options: FormatOptions): string => {
  const cases: string[] = [];
  let failures = 0;
  let errors = 0;
  let skipped = 0;
  /** A test case has failed once, however many findings it holds. */
  const withFindings = (all: readonly ReportFinding[]): string => {
    if (all.some((one) => options.counts(one.severity, one.verdict))) failures++;
    return all.map(finding).join('');
  };
  const finding = (one: ReportFinding): string => {
    if (options.counts(one.severity, one.verdict)) {
      return element('failure', { type: one.rule, message: `${one.rule}: ${one.message}` }, xml(detail(one)));
    }
    return element('system-out', {}, xml(`${one.verdict === 'fail' ? one.severity : 'cannot tell'} ${one.rule}: ${detail(one)}`));
  };
  if (file.unjudged !== null) {
    errors++;
    cases.push(
      element('testcase', { classname: file.file, name: 'can be judged' }, element('error', { type: 'unjudged', message: file.unjudged })),
    );
  }
  for (const run of file.runs) {
    const own = file.findings.filter((one) => one.run === run.key);
    const content = withFindings(own);
    const { openedMs, settledMs } = run;
    const time = openedMs === null ? {} : { time: (Math.max(0, (settledMs ?? openedMs) - openedMs) / 1000).toFixed(3) };
    cases.push(
      element('testcase', { classname: file.file, name: `${run.dialect} ${run.key}: ${run.outcome ?? 'open'}`, ...time }, content),
    );
  }
  const keys = new Set(file.runs.map((run) => run.key));
  for (const one of file.findings)
    if (!keys.has(one.run)) cases.push(element('testcase', { classname: file.file, name: one.rule }, withFindings([one])));
  if (cases.length === 0) {
    skipped++;
    cases.push(element('testcase', { classname: file.file, name: 'no run' }, element('skipped', { message: 'no run in it' })));
  }
  return element('testsuite', { name: file.file, tests: cases.length, failures, errors, skipped }, `\n${cases.join('\n')}\n`);
};

export const junit: Format = (report, options) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'unsettled' }, `\n${report.files.map((file) => suite(file, options)).join('\n')}\n`)}\n`;
