/**
 * Judges what this document's witness recorded, beside the page, so that the toolbar can show a count while nobody has the
 * developer tools open. The very session of the panel, fed a little at a time while the page is idle, up to a bound. It comes
 * with the decoders: where no stream was, there is nothing to judge.
 */

import { DIALECTS } from '../core/dialects';
import type { SourceDocument } from '../core/model';
import { createSession } from '../core/session';
import type { Unstamped } from '../link/messages';
import { mappedDialects } from './decoders';

export interface JudgeOptions {
  readonly document: SourceDocument;
  readonly mappings: readonly string[];
  readonly now: () => number;
  /** Calls back when the page has nothing to do, with the milliseconds that may be used. */
  readonly idle: (work: (ms: number) => void) => void;
  /** How many findings that are certain each rule has. */
  readonly counted: (rules: ReadonlyMap<string, number>) => void;
}

export interface Judge {
  add(entry: Unstamped): void;
}

export type CreateJudge = (options: JudgeOptions) => Judge;

/** Entries between two looks at the clock. */
const STRIDE = 20;
/** Judging may take one part in so many of the time. */
const SHARE = 20;
/** Entries that are judged at most: a session keeps what it was given, and the page's memory is not ours. */
const MOST = 50_000;

export const createJudge: CreateJudge = ({ document, mappings, now, idle, counted }) => {
  const session = createSession({ dialects: [...mappedDialects(mappings), ...DIALECTS] });
  session.document(document);
  let waiting: Unstamped[] = [];
  let seq = 0;
  let scheduled = false;
  let due = false;
  let notBefore = 0;
  let over = false;

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    idle(work);
  };
  const work = (ms: number): void => {
    scheduled = false;
    const deadline = now() + ms;
    let taken = 0;
    while (taken < waiting.length && (taken === 0 || now() < deadline)) {
      const some = waiting.slice(taken, taken + STRIDE);
      taken += some.length;
      session.ingest(some.map((entry) => ({ ...entry, seq: seq++ })));
      // A verdict changes when something ends, and when time goes on.
      due ||= some.some(({ type }) => type === 'flow.ended' || type === 'tick' || type === 'sight.watch');
    }
    waiting = waiting.slice(taken);
    if (waiting.length > 0) schedule();
    else if (due && now() >= notBefore) {
      due = false;
      const from = now();
      const rules = new Map<string, number>();
      for (const { rule, verdict } of session.findings) if (verdict === 'fail') rules.set(rule, (rules.get(rule) ?? 0) + 1);
      notBefore = now() + (now() - from) * SHARE;
      counted(rules);
    }
  };

  return {
    add(entry) {
      if (over) return;
      waiting.push(entry);
      over = seq + waiting.length >= MOST;
      schedule();
    },
  };
};
