/** Where a moment lies among what is shown: by record, by time, and one event on or back. */
import type { AgentEvent, Seq } from '../../core/model';
import type { Feed } from '../feed';

/** How many of a sorted list are not past a moment. */
const countUpTo = (length: number, isUpTo: (at: number) => boolean): number => {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isUpTo(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The event read from a record, or the last one before it; the first of those that came with the same record. */
export const lastUpTo = (events: readonly AgentEvent[], seq: Seq): AgentEvent | undefined => {
  let at = countUpTo(events.length, (index) => events[index]!.seq <= seq) - 1;
  while (at > 0 && events[at - 1]!.seq === events[at]!.seq) at--;
  return events[at];
};

/** The last record at or before a time on the feed's clock. */
export const seqAt = ({ session, timeOf }: Feed, time: number): Seq => {
  const { entries } = session;
  const count = countUpTo(entries.length, (index) => timeOf(entries[index]!.seq, entries[index]!.at) <= time);
  return entries[count - 1]?.seq ?? -1;
};

/** The event after or before a record (null: now); undefined: there is none, which is now. Not called without events. */
export const nextFrom = (events: readonly AgentEvent[], now: Seq | null, by: 1 | -1): AgentEvent | undefined => {
  let at = now === null ? events.length : events.findLastIndex((event) => event.seq <= now);
  const seq = events[Math.min(at, events.length - 1)]?.seq;
  at += by;
  // Events of one record come together.
  while (events[at] !== undefined && events[at]!.seq === seq && now !== null) at += by;
  return events[Math.max(0, at)];
};
