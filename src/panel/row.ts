/** What the event table is made of: units, marks and rows, and what may be asked of them. The index over them is rows.ts. */
import type { AgentEvent, Flow, FlowId, Seq } from '../core/model';
import type { Query } from './query';
import type { Lane } from './voices';

export type Mark =
  | { readonly kind: 'end'; readonly seq: Seq; readonly at: number; readonly flow: Flow }
  | { readonly kind: 'gap'; readonly seq: Seq; readonly at: number; readonly flow: Flow; readonly gap: Flow['gaps'][number] };

export interface Unit {
  /** Stable: what is opened and what is selected is remembered by it. Made when asked for: a unit is kept of every event. */
  readonly key: string;
  /** Index of its first event among the source's events; for a mark, of the event it follows. */
  readonly from: number;
  /** Events it stands for; 0 for a mark. */
  count: number;
  /** UTF-16 units of text, summed. */
  chars: number;
  readonly mark: Mark | null;
  /** Lower-case text, made when first searched, and the count it was made for. */
  lower: string | null;
  lowerFor: number;
}

export interface Row {
  readonly unit: Unit;
  /** The event shown; null for a mark. For a fold, its first. */
  readonly event: AgentEvent | null;
  /** Its index among the source's events; -1 for a mark. */
  readonly index: number;
  readonly fold: boolean;
  readonly open: boolean;
  /** One event of an opened fold. */
  readonly child: boolean;
  readonly key: string;
}

export interface RowFilter {
  readonly lanes: ReadonlySet<Lane>;
  readonly standings: ReadonlySet<string>;
  readonly query: Query;
  /** Where not null, only units with one of these events (`flow:ordinal`) pass. */
  readonly only: ReadonlySet<string> | null;
  /** Where not null, only what lies in this stretch of time passes. */
  readonly between: Between | null;
}

/** A stretch of time on the feed's clock, both ends included. */
export interface Between {
  readonly from: number;
  readonly to: number;
}

export const isWithin = ({ from, to }: Between, time: number): boolean => time >= from && time <= to;

export interface RowSource {
  readonly events: readonly AgentEvent[];
  /** Flows whose ends and gaps belong in between. May grow. */
  flows(): readonly Flow[];
  runOf(event: AgentEvent): string | null;
  /** Characters on the wire of the event's frame; null if not known. */
  sizeOf(event: AgentEvent): number | null;
  /** A time of a flow's page on the feed's clock. */
  timeOf(flow: FlowId, at: number): number;
}

export const eventKey = (event: { readonly flow: FlowId; readonly ordinal: number }): string => `${event.flow}:${event.ordinal}`;

/**
 * Deltas that read on from each other fold into one row. `cut`: a stretch of time at whose ends folds end, so that a fold
 * is in it or out of it as a whole.
 */
export const continues = (a: AgentEvent, b: AgentEvent, source: RowSource, cut: Between | null): boolean =>
  a.type === b.type &&
  (a.type === 'part.delta' || a.type === 'tool.input') &&
  a.flow === b.flow &&
  a.raw === b.raw &&
  a.voice === b.voice &&
  a.standing === b.standing &&
  a.lane === b.lane &&
  a.part === b.part &&
  a.identity.message === b.identity.message &&
  a.identity.part === b.identity.part &&
  a.identity.toolCall === b.identity.toolCall &&
  source.runOf(a) === source.runOf(b) &&
  (cut === null || isWithin(cut, source.timeOf(a.flow, a.at)) === isWithin(cut, source.timeOf(b.flow, b.at)));
