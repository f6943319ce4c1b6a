/**
 * The one function that decides how an attempt ended. It is the table of docs/settlement.md, first matching row wins;
 * settle.test.ts has one test per row. No evidence, no settlement: null means still open.
 */

import type { Evidence, FinishReason, FlowEnd, PageTime, Seq, Settlement, WaitKind } from '../model';
import { isAfter, placeOf } from '../order';

/** What the producer said to end the attempt, with what was still open at that moment. */
export interface Terminal {
  readonly finish: FinishReason;
  readonly error: string | null;
  /** What the dialect itself says is being waited for. */
  readonly waitingFor: WaitKind | null;
  /** Unanswered requests to a person, oldest first, when the terminal came. */
  readonly openAsks: readonly WaitKind[];
  /** Tool calls without a result that the page owes, when the terminal came. */
  readonly openTools: number;
  readonly at: PageTime;
  readonly seq: Seq;
  readonly evidence: Evidence;
}

export interface Mark {
  readonly at: PageTime;
  readonly seq: Seq;
  readonly evidence: Evidence;
}

export interface Facts {
  readonly terminal: Terminal | null;
  readonly sentinel: Mark | null;
  /** The run stands still for an answer, and nothing else has ended it. */
  readonly blockedOn: (Mark & { readonly kind: WaitKind }) | null;
  /** Set once every flow that carried the attempt has ended. */
  readonly end: (Mark & { readonly how: FlowEnd }) | null;
  readonly hasTerminalWord: boolean;
  /** Something may be missing between the last event and the end of the transport, or was said to come by another one. */
  readonly gapAtTail: boolean;
  /** A later attempt of the same run has opened. */
  readonly superseded: boolean;
}

export const settle = (facts: Facts): Settlement | null => {
  const { terminal, sentinel, blockedOn, end } = facts;

  if (terminal !== null) {
    const { finish, error, at, seq, evidence } = terminal;
    const said = { strength: 'reason', endedBy: 'producer', finish, error, at, seq, evidence, waitingFor: null } as const;
    switch (finish.reason) {
      case 'error':
        return { ...said, outcome: 'failed' };
      case 'refusal':
      case 'content-filter':
        return { ...said, outcome: 'refused' };
      case 'length':
        return { ...said, outcome: 'truncated' };
      case 'cancelled':
        return { ...said, outcome: 'cancelled' };
      case 'waiting':
        return { ...said, outcome: 'waiting', waitingFor: terminal.waitingFor ?? terminal.openAsks[0] ?? 'other' };
      case 'stop':
      case 'tool-calls': {
        // A polite ending with something still owed is a wait, whatever it is called.
        const ask = terminal.waitingFor ?? terminal.openAsks[0] ?? (terminal.openTools > 0 ? 'tool' : null);
        if (ask !== null) return { ...said, outcome: 'waiting', waitingFor: ask };
        return { ...said, outcome: 'completed' };
      }
      case 'other':
        return { ...said, outcome: 'unattested' };
    }
  }

  if (facts.superseded && (end !== null || sentinel !== null)) {
    const mark = end ?? sentinel!;
    return unsaid('superseded', sentinel === null ? 'none' : 'sentinel', 'page', mark);
  }
  if (sentinel !== null) return unsaid('unattested', 'sentinel', 'producer', sentinel);
  if (end === null)
    return blockedOn === null ? null : { ...unsaid('waiting', 'reason', 'producer', blockedOn), waitingFor: blockedOn.kind };
  if (facts.gapAtTail) return null;
  if (end.how === 'aborted-by-page' || end.how === 'document-gone') return unsaid('cancelled', 'none', 'page', end);
  // Where the dialect has no word for the end, the clean end of the body is its only end mark: it says that, not how.
  if (!facts.hasTerminalWord && end.how === 'eof') return unsaid('unattested', 'sentinel', 'transport', end);
  return unsaid('severed', 'none', 'transport', end);
};

/** Where an owned interval stands. */
export interface IntervalState {
  /** What ended it; null while it is open. */
  over: Mark | null;
  /** A child it started is still at work: the work is not done, whatever the interval's own ending says. */
  held: boolean;
}

/**
 * The settlement of a run that is an owned interval, from the facts of its last turn: that turn's ending is the run's only
 * once the interval is over. A lost transport tells nothing about an agent that works on without it, so it is never an
 * ending of the interval, and leaving the page is no cancel.
 */
export const settleInterval = ({ over, held }: IntervalState, last: Facts): Settlement | null => {
  const facts: Facts =
    last.end !== null && (last.end.how === 'aborted-by-page' || last.end.how === 'document-gone')
      ? { ...last, end: { ...last.end, how: 'network-error' } }
      : last;
  if (over === null) {
    const ended = facts.terminal !== null || facts.sentinel !== null;
    if (ended && facts.end === null) return null;
    return settle({ ...facts, terminal: null, sentinel: null, blockedOn: ended ? null : facts.blockedOn });
  }
  if (held && facts.end === null) return null;
  const settlement = settle(facts);
  if (settlement === null || !isAfter(placeOf(over), placeOf(settlement))) return settlement;
  return { ...settlement, at: over.at, seq: over.seq, evidence: [...settlement.evidence, ...over.evidence] };
};

const unsaid = (
  outcome: Settlement['outcome'],
  strength: Settlement['strength'],
  endedBy: Settlement['endedBy'],
  mark: Mark,
): Settlement => ({
  outcome,
  strength,
  endedBy,
  waitingFor: null,
  finish: null,
  error: null,
  at: mark.at,
  seq: mark.seq,
  evidence: mark.evidence,
});
