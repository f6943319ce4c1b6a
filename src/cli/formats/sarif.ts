/** SARIF 2.1.0, for code scanning and editors. Results point at the capture; fingerprints hold while the same run fails the same rule. */
import { relative, sep } from 'node:path';
import type { FileReport, ReportFinding } from '../../core/report';
import { plainJson } from '../style';
import type { Format } from './format';

const LEVEL: Readonly<Record<string, string>> = { critical: 'error', serious: 'error', moderate: 'warning', minor: 'note' };

const uri = (path: string): string => {
  const short = relative(process.cwd(), path);
  return encodeURI((short.startsWith('..') || short === '' ? path : short).split(sep).join('/'));
};

const location = (file: FileReport, line: number | null) => ({
  physicalLocation: { artifactLocation: { uri: uri(file.file) }, region: { startLine: line ?? 1 } },
});

const result = (file: FileReport, finding: ReportFinding) => ({
  ruleId: finding.rule,
  // What is no failure has no level (SARIF 2.1.0, 3.27.10).
  level: finding.verdict === 'fail' ? LEVEL[finding.severity] : 'none',
  kind: finding.verdict === 'fail' ? 'fail' : 'review',
  message: {
    text:
      finding.text === '' || finding.message.includes(finding.text)
        ? finding.message
        : `${finding.message} (${finding.voice ?? 'text'}: ${finding.text})`,
  },
  locations: [{ ...location(file, null), logicalLocations: [{ name: finding.run, kind: 'object' }] }],
  partialFingerprints: { 'unsettled/v1': `${finding.rule}:${finding.run}:${finding.voice ?? ''}` },
  properties: { severity: finding.severity, atMs: finding.atMs, untilMs: finding.untilMs },
});

export const sarif: Format = (report, options) => {
  const rules = [...new Set(report.files.flatMap((file) => file.findings.map((finding) => finding.rule)))].sort();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'unsettled',
            semanticVersion: options.version,
            rules: rules.map((id) => ({ id, name: id, shortDescription: { text: id.replaceAll('-', ' ') } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: report.files.flatMap((file) => file.findings.map((finding) => result(file, finding))),
        invocations: [
          {
            executionSuccessful: report.summary.unjudged === 0,
            toolExecutionNotifications: report.files.flatMap((file) => [
              ...(file.unjudged === null
                ? []
                : [{ level: 'error', message: { text: file.unjudged }, locations: [location(file, file.faults[0]?.line ?? null)] }]),
              ...file.faults.flatMap((fault) =>
                fault.message === file.unjudged
                  ? []
                  : [{ level: 'warning', message: { text: fault.message }, locations: [location(file, fault.line)] }],
              ),
            ]),
          },
        ],
      },
    ],
  };
  return `${plainJson(JSON.stringify(log, null, 2))}\n`;
};
