/** What is not in the record, counted by its reason; each entry is looked at once, however often this is asked. */

import type { Session } from '../core/engine';
import type { GapReason } from '../core/model';
import type { Feed } from './feed';

export interface GapFact {
  /** Gaps of this reason. */
  readonly gaps: number;
  /** Records (or characters) known to be missing in them; 0 where nobody knows. */
  readonly lost: number;
}

const known = new WeakMap<Session, { taken: number; facts: Map<GapReason, GapFact> }>();

export const gapsOf = (session: Session): ReadonlyMap<GapReason, GapFact> => {
  let mine = known.get(session);
  if (mine === undefined) {
    mine = { taken: 0, facts: new Map() };
    known.set(session, mine);
  }
  // Most sessions have none, and need not be looked through.
  if (session.counts.gaps === 0) return mine.facts;
  const { entries } = session;
  for (; mine.taken < entries.length; mine.taken++) {
    const entry = entries[mine.taken]!;
    if (entry.type !== 'gap') continue;
    const before = mine.facts.get(entry.reason) ?? { gaps: 0, lost: 0 };
    mine.facts.set(entry.reason, { gaps: before.gaps + 1, lost: before.lost + entry.lost });
  }
  return mine.facts;
};

/** Those that a reader can do something about, worst first. */
export const TELLING: readonly GapReason[] = ['fault', 'relay-lost', 'over-budget', 'attached-late', 'read-natively'];

/**
 * Which words say what a gap comes from. Reading a file leaves gaps of the same reasons as a page does (an entry that is none, a body
 * that was not saved), and a file does not say which of the two it was: what only a page does is said of a page alone.
 */
export const explanationOf = <R extends GapReason>(reason: R, feed: Feed['kind']): R | 'unread' | 'bodiless' => {
  if (feed === 'live') return reason;
  return reason === 'fault' ? 'unread' : reason === 'read-natively' ? 'bodiless' : reason;
};
