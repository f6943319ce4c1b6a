/**
 * Order within what was said. All that one record brings shares its `seq`: how a read happened to cut the stream must not decide what
 * came after what, so there the place in the flow does. What the page showed has a number of its own: against it, a record is one moment.
 */
import type { AgentEvent, Evidence, Seq } from './model';

export type Place = Pick<AgentEvent, 'seq' | 'ordinal'>;

export const isAfter = (a: Place, b: Place): boolean => a.seq > b.seq || (a.seq === b.seq && a.ordinal > b.ordinal);

export const isAt = (a: Place, b: Place): boolean => a.seq === b.seq && a.ordinal === b.ordinal;

/** Where the event stands that a mark rests on; the end of a flow stands after all that its record says. */
export const placeOf = ({ seq, evidence }: { readonly seq: Seq; readonly evidence: Evidence }): Place => {
  const last = evidence.at(-1);
  return { seq, ordinal: last?.kind === 'event' ? last.event : Number.POSITIVE_INFINITY };
};

/** Where the event stands that opened it. */
export const openingOf = (one: { readonly openedSeq: Seq; readonly openedOrdinal: number }): Place => ({
  seq: one.openedSeq,
  ordinal: one.openedOrdinal,
});
