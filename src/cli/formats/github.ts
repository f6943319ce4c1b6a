/** Workflow commands: GitHub shows each as an annotation on the capture. */
import { plain, plural } from '../style';
import type { Format } from './format';

const data = (text: string): string => plain(text, true).replaceAll('%', '%25').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

export const github: Format = (report, options) => {
  const lines: string[] = [];
  const say = (level: 'error' | 'warning' | 'notice', file: string, line: number | null, title: string, message: string): void => {
    lines.push(`::${level} file=${property(file)},line=${line ?? 1},title=${property(title)}::${data(message)}`);
  };
  for (const file of report.files) {
    if (file.unjudged !== null) say('error', file.file, file.faults[0]?.line ?? null, 'could not be judged', file.unjudged);
    for (const fault of file.faults) if (fault.message !== file.unjudged) say('warning', file.file, fault.line, 'note', fault.message);
    for (const finding of file.findings) {
      const level = options.counts(finding.severity, finding.verdict) ? 'error' : finding.verdict === 'fail' ? 'warning' : 'notice';
      const text = finding.text === '' || finding.message.includes(finding.text) ? '' : `\n${finding.voice ?? 'text'}: ${finding.text}`;
      say(
        level,
        file.file,
        null,
        `${finding.rule} (${finding.verdict === 'fail' ? finding.severity : 'cannot tell'})`,
        `${finding.message}${text}`,
      );
    }
  }
  const { files, runs, unjudged, findings } = report.summary;
  const total = findings.critical + findings.serious + findings.moderate + findings.minor;
  lines.push(`unsettled: ${plural(files, 'file')}, ${plural(runs, 'run')}, ${plural(total, 'finding')}, ${unjudged} could not be judged`);
  return `${lines.join('\n')}\n`;
};
