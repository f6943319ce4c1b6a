/**
 * The contract of a rule: one file, one doc, one fixture folder. A rule reads its `Case` and nothing else, keeps no state
 * between calls, and knows no dialect, library, site or scenario by name.
 */
import type { AgentEvent, Attempt, Evidence, Flow, PageTime, Run, Severity, Voice } from '../model';
import type { Others } from '../overlap';
import type { RunScreen } from '../screen/screen';

/** All a rule may look at: one run, what was said, what was shown, and the time of the last record. */
export interface Case {
  readonly run: Run;
  /** The attempt under judgement: each attempt of a run is one case. */
  readonly attempt: Attempt;
  /** Every event of the run, in order of arrival. */
  readonly events: readonly AgentEvent[];
  /** The flows that carried the attempt. */
  readonly flows: readonly Flow[];
  /** What the screen showed around this run; null where nothing was watching. */
  readonly screen: RunScreen | null;
  /** The dialect has a word of its own that ends a run. */
  readonly hasTerminalWord: boolean;
  /** Other root runs of the session: asked, never gone through, since there may be very many. */
  readonly others: Others;
  readonly now: PageTime;
}

export interface Judgement {
  readonly verdict: 'fail' | 'inconclusive' | 'pass';
  /** What the finding is about within the attempt, where a rule may speak more than once. */
  readonly subject?: string;
  readonly severity?: Severity;
  readonly voice: Voice | null;
  /** The offending words; '' where there are none. */
  readonly text: string;
  /** Region key, where one is at fault. */
  readonly region: string | null;
  readonly at: PageTime;
  readonly until: PageTime | null;
  readonly evidence: Evidence;
  /** Fills the message template; also shown as facts. */
  readonly data: Readonly<Record<string, string | number>>;
}

export interface Rule {
  /** For ever. File name = id = doc name = fixture folder; its title is in titles.ts. */
  readonly id: string;
  readonly severity: Severity;
  /** Where these have gaps over the judged time, the engine turns fail into inconclusive. */
  readonly needs: readonly ('wire' | 'screen')[];
  /** `{name}` is filled from the judgement's data, `{text}` with the offending words. */
  readonly message: { readonly fail: string; readonly inconclusive: string };
  /** Null or empty: does not apply. */
  judge(subject: Case): Judgement | readonly Judgement[] | null;
}
