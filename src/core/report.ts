/**
 * The JSON report: what a session comes to, in the form that scripts and other tools read. Pure. Field names are for
 * ever; fields may be added.
 */

import type { Session } from './engine';
import type { Attempt, Finding, Outcome, Run, Severity, WaitKind } from './model';

export const REPORT_FORMAT = 1;

export interface ReportText {
  readonly assistant: string;
  readonly reasoning: string;
}

export interface ReportRun {
  readonly key: string;
  readonly parent: string | null;
  readonly dialect: string;
  readonly identity: Run['identity'];
  readonly attempts: number;
  readonly outcome: Outcome | null;
  readonly evidence: 'reason' | 'sentinel' | 'none';
  readonly endedBy: 'producer' | 'transport' | 'page' | null;
  readonly waitingFor: WaitKind | null;
  readonly error: string | null;
  readonly finishReason: {
    readonly state: 'reported' | 'none' | 'protocol-error';
    readonly raw: string | null;
    readonly reason: string | null;
  };
  /** Times are null where the file does not say when the pieces of the stream came. */
  readonly openedMs: number | null;
  readonly settledMs: number | null;
  readonly text: { readonly committed: ReportText; readonly provisional: ReportText };
}

export interface ReportFlow {
  readonly id: string;
  readonly dialect: string | null;
  readonly transport: string;
  readonly url: string;
  readonly frames: number;
  readonly events: number;
  readonly unrecognised: number;
  readonly end: string | null;
}

export interface ReportFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly verdict: 'fail' | 'inconclusive';
  readonly run: string;
  readonly voice: string | null;
  readonly text: string;
  readonly atMs: number | null;
  readonly untilMs: number | null;
  readonly message: string;
}

export interface ReportFault {
  /** `file`: the file or a part of it could not be read or judged. */
  readonly kind: 'file' | 'decode' | 'rule';
  readonly message: string;
  /** Where in the file, for `file`. */
  readonly line: number | null;
  readonly where: string | null;
}

export interface FileReport {
  readonly file: string;
  /** What kind of file it was taken for; null where it could not be read. */
  readonly source: string | null;
  readonly flows: readonly ReportFlow[];
  readonly runs: readonly ReportRun[];
  readonly findings: readonly ReportFinding[];
  /** Findings left out because their rule is muted. */
  readonly muted: number;
  readonly gaps: number;
  /** Why the file, or the rest of it, could not be judged; null where it could. */
  readonly unjudged: string | null;
  readonly faults: readonly ReportFault[];
}

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

export interface Report {
  readonly format: typeof REPORT_FORMAT;
  /** Where only a part of the files was judged: which of how many. */
  readonly shard?: Shard;
  readonly files: readonly FileReport[];
  readonly summary: {
    readonly files: number;
    readonly unjudged: number;
    readonly runs: number;
    /** Failures by severity. Inconclusive findings are counted apart. */
    readonly findings: Readonly<Record<Severity | 'inconclusive', number>>;
  };
}

/** The text of one voice and standing: parts in order, a line end between them, nothing that was withdrawn or started over. */
const textOf = (attempts: readonly Attempt[], voice: 'assistant' | 'reasoning', standing: 'committed' | 'provisional'): string => {
  const texts: string[] = [];
  for (const attempt of attempts) {
    if (attempt.replaced) continue;
    for (const part of attempt.parts)
      if (part.voice === voice && part.standing === standing && !part.withdrawn && part.text !== '') texts.push(part.text);
  }
  return texts.join('\n');
};

const textsOf = (run: Run, standing: 'committed' | 'provisional'): ReportText => ({
  assistant: textOf(run.attempts, 'assistant', standing),
  reasoning: textOf(run.attempts, 'reasoning', standing),
});

/** Whether nobody noted when what was said in the run came. */
export const isUntimedRun = ({ flows }: Session, run: Run): boolean =>
  run.attempts.some((attempt) => attempt.flows.some((id) => flows.get(id)?.untimed));

const runReport = (session: Session, run: Run): ReportRun => {
  const { settlement } = run;
  const untimed = isUntimedRun(session, run);
  return {
    key: run.key,
    parent: run.parent,
    dialect: run.dialect,
    identity: run.identity,
    attempts: run.attempts.length,
    outcome: settlement?.outcome ?? null,
    evidence: settlement?.strength ?? 'none',
    endedBy: settlement?.endedBy ?? null,
    waitingFor: settlement?.waitingFor ?? null,
    error: settlement?.error ?? null,
    finishReason: { state: run.ending.state, raw: run.ending.raw, reason: settlement?.finish?.reason ?? null },
    openedMs: untimed ? null : run.openedAt,
    settledMs: untimed ? null : (settlement?.at ?? null),
    text: { committed: textsOf(run, 'committed'), provisional: textsOf(run, 'provisional') },
  };
};

const findingReport = (finding: Finding): ReportFinding => ({
  rule: finding.rule,
  severity: finding.severity,
  verdict: finding.verdict,
  run: finding.run,
  voice: finding.voice,
  text: finding.text,
  atMs: finding.untimed ? null : finding.at,
  untilMs: finding.untimed ? null : finding.until,
  message: finding.message,
});

export interface FileFacts {
  readonly file: string;
  readonly source: string | null;
  readonly muted: ReadonlySet<string>;
  readonly unjudged: string | null;
  readonly faults: readonly ReportFault[];
}

/** The report on one file. */
export const reportFile = (session: Session, facts: FileFacts): FileReport => {
  const findings = session.findings;
  const kept = findings.filter((finding) => !facts.muted.has(finding.rule));
  return {
    file: facts.file,
    source: facts.source,
    flows: [...session.flows.values()].map((flow) => ({
      id: flow.id,
      dialect: flow.dialect,
      transport: flow.transport,
      url: flow.url,
      frames: flow.frames,
      events: flow.events,
      unrecognised: flow.unrecognised,
      end: flow.end?.how ?? null,
    })),
    runs: session.runs.map((run) => runReport(session, run)),
    findings: kept.map(findingReport),
    muted: findings.length - kept.length,
    gaps: session.counts.gaps,
    unjudged: facts.unjudged,
    faults: [
      ...facts.faults,
      ...session.faults.map(
        (fault): ReportFault =>
          'rule' in fault
            ? { kind: 'rule', message: fault.message, line: null, where: `${fault.rule} on ${fault.run}` }
            : { kind: 'decode', message: fault.message, line: null, where: `${fault.dialect}, frame ${fault.frame} of ${fault.flow}` },
      ),
    ],
  };
};

/** The report on a file that could not be read at all. */
export const unreadFile = (file: string, unjudged: string, fault: ReportFault): FileReport => ({
  file,
  source: null,
  flows: [],
  runs: [],
  findings: [],
  muted: 0,
  gaps: 0,
  unjudged,
  faults: [fault],
});

/** Puts file reports together. Also merges reports: pass the files of all of them. */
export const reportOf = (files: readonly FileReport[], shard: Shard | null = null): Report => {
  const findings = { critical: 0, serious: 0, moderate: 0, minor: 0, inconclusive: 0 };
  let runs = 0;
  let unjudged = 0;
  for (const file of files) {
    runs += file.runs.length;
    if (file.unjudged !== null) unjudged++;
    for (const finding of file.findings) findings[finding.verdict === 'fail' ? finding.severity : 'inconclusive']++;
  }
  return { format: REPORT_FORMAT, ...(shard === null ? {} : { shard }), files, summary: { files: files.length, unjudged, runs, findings } };
};

/**
 * Everything that is judged, without the words: two captures with the same verdicts have the same string. For telling
 * whether a change to a capture (redaction, scrambling, conversion) left its verdicts alone.
 */
export const verdictsOf = (session: Session): string => {
  // A reason in a sentence of its own is words; only that there is one is a verdict.
  const word = (raw: string | null): string | number | null => (raw !== null && /\s/u.test(raw) ? raw.length : raw);
  const lengths = (texts: ReportText): readonly number[] => [texts.assistant.length, texts.reasoning.length];
  return JSON.stringify({
    flows: [...session.flows.values()].map(({ id, dialect, frames, events, unrecognised, end }) => [
      id,
      dialect,
      frames,
      events,
      unrecognised,
      end?.how ?? null,
    ]),
    runs: session.runs.map((run) => {
      const { parent, dialect, attempts, outcome, evidence, endedBy, waitingFor, finishReason, text } = runReport(session, run);
      return [
        run.key,
        parent,
        dialect,
        attempts,
        outcome,
        evidence,
        endedBy,
        waitingFor,
        [finishReason.state, word(finishReason.raw), finishReason.reason],
        lengths(text.committed),
        lengths(text.provisional),
        run.voices,
      ];
    }),
    findings: session.findings.map(({ rule, severity, verdict, run, voice, at, until }) => [
      rule,
      severity,
      verdict,
      run,
      voice,
      at,
      until,
    ]),
    faults: session.faults.length,
  });
};
