/**
 * A bound on what the panel holds of the inspected tab. Over it, what is over is let go: the flows of runs that are still open
 * stay, with all that was seen on their pages, and so no verdict on them changes.
 */
import { effect, signal, untracked } from '@preact/signals';
import type { Session } from '../core/engine';
import type { FlowId } from '../core/model';
import type { Store } from './store';

/** Megabytes as the status bar counts them: two bytes a character. */
export const MEGABYTE_CHARS = 524_288;

/** Letting go costs a second reading of what stays: only for at least this share of the bound. */
const WORTH = 0.2;

/** The bound, in megabytes, that made the panel let go of something; null: nothing to say. */
export const letGoOver = signal<number | null>(null);

/** The flows of runs that are not over: one of a run's flows is open. */
export const openFlows = (session: Session): ReadonlySet<FlowId> => {
  const open = new Set<FlowId>();
  for (const flow of session.flows.values()) if (flow.end === null) open.add(flow.id);
  const kept = new Set(open);
  for (const run of session.runs) {
    const own = run.attempts.flatMap((attempt) => attempt.flows);
    if (own.some((flow) => open.has(flow))) for (const flow of own) kept.add(flow);
  }
  return kept;
};

/** Begins to watch the bound; the function returned ends it. */
export const followHold = (store: Store): (() => void) => {
  /** What was held when it was last found that nothing is to be gained. */
  let looked = 0;
  return effect(() => {
    const feed = store.liveFeed.value;
    feed.revision.value;
    const limit = store.settings.holdLimit.value * MEGABYTE_CHARS;
    const { session } = feed;
    const held = session.counts.chars;
    if (held < looked) looked = 0;
    // What waits to be taken in belongs to this session: it is let in first.
    if (limit === 0 || held <= limit || held - looked < limit * 0.05 || feed.waiting.value > 0) return;
    looked = held;
    const kept = openFlows(session);
    let left = 0;
    for (const id of kept) left += session.flows.get(id)?.chars ?? 0;
    if (held - left < limit * WORTH) return;
    looked = 0;
    untracked(() => {
      store.letGo(kept);
      letGoOver.value = store.settings.holdLimit.peek();
    });
  });
};
