/**
 * Runs every rule over every case: isolates a rule that throws, turns verdicts that a gap could change into
 * `inconclusive`, fills messages, and keeps a stable order. Knows no rule by name.
 */
import type { Finding, Severity } from '../model';
import { isUntimed } from './judgement';
import type { Case, Judgement, Rule } from './rule';

export interface RuleFault {
  readonly rule: string;
  readonly run: string;
  readonly message: string;
}

const RANK: Readonly<Record<Severity, number>> = { critical: 0, serious: 1, moderate: 2, minor: 3 };

const fill = (template: string, data: Readonly<Record<string, string | number>>): string =>
  template.replace(/\{(\w+)\}/gu, (whole, name: string) => (name in data ? String(data[name]) : whole));

/** The words that tell a time. */
const TIMES = /,? (at |since |for )?\{\w+Ms\} ms( later)?/gu;

/** Whether something that the rule needs is missing in the time it judges. */
const gapIn = (subject: Case, rule: Rule, judgement: Judgement): boolean => {
  const until = judgement.until ?? subject.now;
  if (rule.needs.includes('wire'))
    // A gap before the attempt's first event is the attach; one that stands open at EventSource is the platform's own.
    for (const flow of subject.flows)
      for (const gap of flow.gaps)
        if (gap.reason !== 'read-natively' && gap.reason !== 'redacted' && gap.at <= until && gap.seq > subject.attempt.openedSeq)
          return true;
  return (
    rule.needs.includes('screen') && (subject.screen?.gaps.some((gap) => gap.at <= until && gap.at >= subject.attempt.openedAt) ?? false)
  );
};

export const judgeCase = (rules: readonly Rule[], subject: Case, faults: RuleFault[]): readonly Finding[] => {
  const findings: Finding[] = [];
  const untimed = isUntimed(subject.flows);
  for (const rule of rules) {
    let judged: ReturnType<Rule['judge']> = null;
    try {
      judged = rule.judge(subject);
    } catch (error) {
      faults.push({ rule: rule.id, run: subject.run.key, message: error instanceof Error ? error.message : String(error) });
    }
    const list: readonly Judgement[] = judged === null ? [] : Array.isArray(judged) ? judged : [judged as Judgement];
    for (const judgement of list) {
      if (judgement.verdict === 'pass') continue;
      const verdict = judgement.verdict === 'fail' && gapIn(subject, rule, judgement) ? 'inconclusive' : judgement.verdict;
      const data: Record<string, string | number> = { text: judgement.text, ...judgement.data };
      let template = rule.message[verdict];
      if (untimed) {
        template = template.replace(TIMES, '');
        for (const name in data) if (name.endsWith('Ms')) delete data[name];
      }
      findings.push({
        key: `${rule.id}|${subject.attempt.key}|${judgement.subject ?? ''}`,
        rule: rule.id,
        verdict,
        severity: judgement.severity ?? rule.severity,
        run: subject.run.key,
        attempt: subject.attempt.key,
        voice: judgement.voice,
        text: judgement.text,
        region: judgement.region,
        at: judgement.at,
        untimed,
        until: judgement.until,
        data,
        message: fill(template, data),
        evidence: judgement.evidence,
      });
    }
  }
  return findings;
};

/** Failures first, then by severity, then by time. */
const compare = (a: Finding, b: Finding): number =>
  (a.verdict === 'fail' ? 0 : 1) - (b.verdict === 'fail' ? 0 : 1) ||
  RANK[a.severity] - RANK[b.severity] ||
  a.at - b.at ||
  a.key.localeCompare(b.key);

export const inOrder = (findings: readonly Finding[]): readonly Finding[] => [...findings].sort(compare);

/** Two lists that are in order, as one. */
export const merged = (a: readonly Finding[], b: readonly Finding[]): readonly Finding[] => {
  if (a.length === 0) return b;
  const all: Finding[] = [];
  let next = 0;
  for (const finding of a) {
    while (next < b.length && compare(b[next]!, finding) < 0) all.push(b[next++]!);
    all.push(finding);
  }
  while (next < b.length) all.push(b[next++]!);
  return all;
};
