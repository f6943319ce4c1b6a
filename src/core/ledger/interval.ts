/**
 * Owned intervals: runs of dialects whose log belongs to a conversation, not to a flow (`runs: 'interval'`).
 * An interval runs from the durable receipt of a submitted message to the next whole-agent idle (design: product.md §1).
 */
import type { Dialect } from '../dialects/dialect';
import type { AgentEvent, FlowId } from '../model';
import type { AttemptState, RunState } from './run-state';

/** What the ledger lends to the intervals. */
export interface IntervalHost {
  /** Opens the run with this key, or starts the one that has it over (the log is folded again). */
  openRun(event: AgentEvent, parentKey: string | null, key: string): RunState;
  openAttempt(run: RunState, event: AgentEvent, dialect: Dialect): AttemptState;
  carry(run: RunState, attempt: AttemptState, flow: FlowId): void;
  apply(run: RunState, attempt: AttemptState, event: AgentEvent): void;
  touch(run: RunState): void;
}

export interface Intervals {
  event(event: AgentEvent, dialect: Dialect): string | null;
  tick(): void;
}

export const createIntervals = (_host: IntervalHost): Intervals => ({
  event: () => null,
  tick: () => {},
});
