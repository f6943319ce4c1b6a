import { describe, expect, it } from 'vitest';
import { type FileReport, type ReportFinding, reportOf } from '../../core/report';
import { counting, exitCode } from '../verdict';
import type { FormatOptions } from './format';
import { github } from './github';
import { json } from './json';
import { junit } from './junit';
import { pretty } from './pretty';
import { sarif } from './sarif';

const finding = (more: Partial<ReportFinding> = {}): ReportFinding => ({
  rule: 'final-before-settle',
  severity: 'critical',
  verdict: 'fail',
  run: 'f1#1',
  voice: 'reasoning',
  text: 'I should verify <the> "migration" & more\u0000\nnext',
  atMs: 100,
  untilMs: 250,
  message: 'Shown as final while the run was open.',
  ...more,
});

const fileReport = (more: Partial<FileReport> = {}): FileReport => ({
  file: 'a,b:c.jsonl',
  source: 'unsettled-capture',
  flows: [],
  runs: [
    {
      key: 'f1#1',
      parent: null,
      dialect: 'ai-sdk',
      identity: {},
      attempts: 1,
      outcome: null,
      evidence: 'none',
      endedBy: null,
      waitingFor: null,
      error: null,
      finishReason: { state: 'none', raw: null, reason: null },
      openedMs: 0,
      settledMs: null,
      text: { committed: { assistant: '', reasoning: '' }, provisional: { assistant: '', reasoning: '' } },
    },
  ],
  findings: [finding()],
  muted: 0,
  gaps: 0,
  unjudged: null,
  faults: [],
  ...more,
});

const options: FormatOptions = { color: false, columns: 80, version: '1.2.3', counts: counting('moderate') };
const minor = finding({ rule: 'stalled', severity: 'minor' });
const unsure = finding({ verdict: 'inconclusive' });

describe('exit codes', () => {
  it.each([
    [[], 'moderate', 0],
    [[minor], 'moderate', 0],
    [[minor], 'minor', 1],
    [[finding()], 'critical', 1],
    [[finding()], 'none', 0],
    [[unsure], 'minor', 0],
    [[unsure], 'inconclusive', 1],
  ])('of findings %#', (findings, failOn, code) => {
    expect(exitCode(reportOf([fileReport({ findings })]), counting(failOn))).toBe(code);
  });
  it('puts findings before what could not be judged', () => {
    const bad = fileReport({ findings: [], unjudged: 'empty' });
    expect(exitCode(reportOf([bad]), counting('minor'))).toBe(2);
    expect(exitCode(reportOf([bad, fileReport()]), counting('minor'))).toBe(1);
  });
});

describe('formats', () => {
  const report = reportOf([
    fileReport({ findings: [finding(), minor, unsure] }),
    fileReport({ file: 'bad', findings: [], runs: [], unjudged: 'The file is empty.' }),
  ]);

  it('counts failures by severity and keeps the inconclusive apart', () => {
    expect(report.summary.findings).toEqual({ critical: 1, serious: 0, moderate: 0, minor: 1, inconclusive: 1 });
  });
  it('junit is well-formed, with a failure for what counts and an error for what could not be judged', () => {
    const text = junit(report, options);
    expect(text).toContain('tests="1" failures="1" errors="0"');
    expect(text).toContain('tests="1" failures="0" errors="1"');
    expect(text).toContain('&#60;the&#62;');
    expect(text).not.toMatch(/[\u0000-\u0008]/u);
    // Every element that opens closes again, in order.
    const open: string[] = [];
    for (const [, close, name, self] of text.matchAll(/<(\/?)([a-z-]+)(?:\s[^<>]*?)?(\/?)>/gu)) {
      if (close) expect(open.pop()).toBe(name);
      else if (!self) open.push(name!);
    }
    expect(open).toEqual([]);
  });
  it('junit counts failed tests, however many findings each has', () => {
    const text = junit(reportOf([fileReport({ findings: [finding(), finding({ rule: 'stalled' })] })]), options);
    expect(text).toContain('tests="1" failures="1" errors="0"');
    expect(text.match(/<failure /gu)).toHaveLength(2);
  });
  it('sarif says rule, level, place and a fingerprint', () => {
    const log = JSON.parse(sarif(report, options)) as {
      version: string;
      runs: {
        tool: { driver: { rules: unknown[] } };
        results: { level: string; kind: string }[];
        invocations: { executionSuccessful: boolean }[];
      }[];
    };
    expect(log.version).toBe('2.1.0');
    const [run] = log.runs;
    expect(run!.results.map(({ level, kind }) => [level, kind])).toEqual([
      ['error', 'fail'],
      ['note', 'fail'],
      // A kind other than fail has no level.
      ['none', 'review'],
    ]);
    expect(run!.results[0]).toMatchObject({
      ruleId: 'final-before-settle',
      partialFingerprints: { 'unsettled/v1': 'final-before-settle:f1#1:reasoning' },
    });
    expect(run!.tool.driver.rules).toHaveLength(2);
    expect(run!.invocations[0]!.executionSuccessful).toBe(false);
  });
  it('github escapes what would end a command or a property', () => {
    const [first] = github(report, options).split('\n');
    expect(first).toBe(
      '::error file=a%2Cb%3Ac.jsonl,line=1,title=final-before-settle (critical)::Shown as final while the run was open.%0Areasoning: I should verify <the> "migration" & more\ufffd%0Anext',
    );
    expect(github(report, options)).toContain('::error file=bad,line=1,title=could not be judged::The file is empty.');
  });
  it('every format that counts in words says one as one', () => {
    const one = reportOf([fileReport({ findings: [finding()] })]);
    expect(github(one, options)).toContain('unsettled: 1 file, 1 run, 1 finding, 0 could not be judged');
    expect(pretty(one, options)).toContain('1 file, 1 run, 1 finding (1 critical)');
    expect(github(report, options)).toContain('unsettled: 2 files, 1 run, 2 findings, 1 could not be judged');
  });
  it('pretty says what was found, in words and marks', () => {
    const text = pretty(report, options);
    expect(text).toContain('\u2717 final-before-settle  critical');
    expect(text).toContain('could not be judged: The file is empty.');
    expect(text).toContain('2 findings (1 critical, 1 minor), 1 cannot tell, 1 could not be judged');
    expect(text).not.toMatch(/[\u0000-\u0009]/u);
  });
});

describe('what steers a terminal or turns the order of what is read', () => {
  const steering = '\u001b]0;x\u0007\u009b2J\u202egnp\u2066\u200f\u061c\u2028';
  const name = `a${steering}b.jsonl`;
  const report = reportOf([
    fileReport({
      file: name,
      findings: [finding({ text: steering, message: steering, run: steering })],
      faults: [{ kind: 'file', message: steering, line: 1, where: steering }],
      unjudged: `not ${steering}`,
    }),
  ]);
  it.each(Object.entries({ github, junit, pretty, sarif, json }))('is in no text of %s', (_, format) => {
    expect(format(report, options)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
  });
  it('is still there for who reads the JSON', () => {
    expect(JSON.parse(json(report, options)).files[0].file).toBe(name);
  });
});
