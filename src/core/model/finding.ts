/** What we conclude. */
import type { Voice } from './event';
import type { PageTime } from './record';
import type { Evidence } from './run';

export type Severity = 'critical' | 'serious' | 'moderate' | 'minor';
export type Verdict = 'fail' | 'inconclusive' | 'pass' | 'inapplicable';

export interface Finding {
  /** Stable within a session: rule, run and subject. */
  readonly key: string;
  readonly rule: string;
  readonly verdict: 'fail' | 'inconclusive';
  readonly severity: Severity;
  readonly run: string;
  readonly attempt: string | null;
  readonly voice: Voice | null;
  /** The offending words; '' where there are none. */
  readonly text: string;
  readonly region: string | null;
  readonly at: PageTime;
  /** The file does not say when this came: `at` and `until` are for order only, and `data` has no times. */
  readonly untimed: boolean;
  readonly until: PageTime | null;
  /** Values the rule's message template is filled with, and further facts for the panel (leadMs, cue, …). */
  readonly data: Readonly<Record<string, string | number>>;
  readonly message: string;
  readonly evidence: Evidence;
}
