/**
 * The event table's index. Built once and appended to: an event costs the same however many came before, and drawing
 * asks only for the rows in view.
 *
 * Four layers. A **unit** is an event, a run of deltas of one part folded into one, or a mark (a gap, the end of a
 * flow). The **filter** keeps the units that pass, in slices of time so that 100,000 of them never block a frame. The
 * **sort** says in which order they stand. A **row** is a unit or, where a fold is opened, one of its events; positions are found by search, never by a copy.
 */
import type { AgentEvent, Flow } from '../core/model';
import { createOrder, isDescending, type Sort, sortedBy } from './order';
import { type Between, continues, eventKey, type Mark, type Row, type RowFilter, type RowSource, type Unit } from './row';
import { textOf } from './summary';
import { createUnitReader } from './unit';

/** A unit as it is kept: very many of them, so that what can be made from its event is. */
class Kept implements Unit {
  lower: string | null = null;
  lowerFor = -1;
  constructor(
    private readonly source: RowSource,
    readonly from: number,
    public count: number,
    public chars: number,
    readonly mark: Mark | null,
  ) {}
  get key(): string {
    const { mark } = this;
    return mark === null ? eventKey(this.source.events[this.from]!) : `${mark.kind}|${mark.flow.id}|${mark.seq}`;
  }
}

/** `cut`: folds end where this stretch of time does. */
export const createRows = (source: RowSource, fold: boolean, cut: Between | null = null) => {
  const units: Unit[] = [];
  const { text, gapBefore, timeOf, passes } = createUnitReader(source);
  /** Of each flow, how many of its gaps have been taken in, and whether its end has. */
  const marked = new Map<Flow, { gaps: number; end: boolean }>();
  /** Marks whose place has not been reached. */
  let waiting: Mark[] = [];
  /** Those that were found so far in a look at all flows, and how many of these it has come through. */
  let fresh: Mark[] = [];
  let looked = 0;
  /** How many events there were when that look began: of none of them a mark before it is unknown once the look is over (`end`). */
  let seen = 0;
  let end = 0;
  let taken = 0;
  let chars = 0;

  let filter: RowFilter | null = null;
  /** Indices of units that pass, ascending. */
  let passing: number[] = [];
  /** Units looked at so far. */
  let tested = 0;
  /** How many events the last unit looked at had: it may have grown since. */
  let testedCount = 0;
  /** Events in passing units. */
  let matched = 0;
  let lastMatched = 0;

  let sort: Sort = 'sequence';
  /** By time: the units that are listed. Filled in slices, like the filter. */
  const byTime = createOrder();
  /** Units (without a filter) or passing ones that are in `byTime`. */
  let ordered = 0;

  /** Opened folds, by position in `passing`, ascending, rebuilt when either changes. */
  let opened: { at: number; count: number; before: number }[] = [];
  let openedStale = false;
  const openKeys = new Set<string>();
  let version = 0;
  let counting: { by: RowFilter; next: number; sum: number } | null = null;

  /** What is new of gaps and ends goes to those that wait, until the clock says stop; true when all of it does. */
  const takeMarks = (overdue: () => boolean): boolean => {
    const flows = source.flows();
    const from = looked;
    if (from === 0) seen = source.events.length;
    for (; looked < flows.length; looked++) {
      if ((looked & 1023) === 0 && looked > from && overdue()) return false;
      const flow = flows[looked]!;
      let known = marked.get(flow);
      if (known === undefined) {
        known = { gaps: 0, end: false };
        marked.set(flow, known);
      }
      if (flow.end !== null && !known.end) {
        known.end = true;
        fresh.push({ kind: 'end', seq: flow.end.seq, at: flow.end.at, flow });
      }
      for (; known.gaps < flow.gaps.length; known.gaps++) {
        const gap = flow.gaps[known.gaps]!;
        fresh.push({ kind: 'gap', seq: gap.seq, at: gap.at, flow, gap });
      }
    }
    looked = 0;
    end = seen;
    if (fresh.length > 0) waiting = [...waiting, ...fresh].sort((a, b) => a.seq - b.seq);
    fresh = [];
    return true;
  };

  const addMark = (mark: Mark): void => {
    units.push(new Kept(source, taken - 1, 0, 0, mark));
  };

  const addEvent = (event: AgentEvent): void => {
    const length = textOf(event).length;
    chars += length;
    const last = units.at(-1);
    if (fold && last !== undefined && last.mark === null && continues(source.events[last.from]!, event, source, cut)) {
      last.count++;
      last.chars += length;
    } else units.push(new Kept(source, taken, 1, length, null));
    taken++;
  };

  /** Takes in what is new at the source, until the clock says stop; true when all of it is there. */
  const grow = (overdue: () => boolean = () => false): boolean => {
    // An event may have to stand behind any of them.
    if (taken >= end && !takeMarks(overdue)) return false;
    const { events } = source;
    if (waiting.length === 0 && taken === events.length) return true;
    version++;
    if (sort !== 'sequence') openedStale = true;
    let next = 0;
    let steps = 0;
    while (taken < end) {
      if ((++steps & 255) === 0 && overdue()) {
        waiting = waiting.slice(next);
        return false;
      }
      const event = events[taken]!;
      while (next < waiting.length && waiting[next]!.seq < event.seq) addMark(waiting[next++]!);
      addEvent(event);
    }
    const after = events[end]?.seq ?? Number.POSITIVE_INFINITY;
    while (next < waiting.length && waiting[next]!.seq < after) addMark(waiting[next++]!);
    waiting = waiting.slice(next);
    return end === events.length;
  };

  /** Looks at units until all are done or the clock says stop; true when all are done. */
  const settleFilter = (overdue: () => boolean): boolean => {
    if (filter === null) return settleOrder(overdue);
    const start = tested;
    // The last unit looked at may have grown: look again.
    if (tested > 0 && units[tested - 1]!.count !== testedCount) {
      tested--;
      if (passing.at(-1) === tested) {
        passing.pop();
        matched -= lastMatched;
        if (ordered > passing.length) {
          ordered--;
          byTime.remove(tested, timeOf(units[tested]!));
        }
      }
    }
    let steps = 0;
    while (tested < units.length) {
      if ((++steps & 127) === 0 && overdue()) break;
      const unit = units[tested]!;
      if (passes(unit, filter)) {
        passing.push(tested);
        lastMatched = unit.count;
        matched += unit.count;
      }
      testedCount = unit.count;
      tested++;
    }
    if (steps > 0 || tested !== start) {
      version++;
      openedStale = true;
    }
    return settleOrder(overdue) && tested === units.length;
  };

  /** Puts what passes into its order; true when all of it is. */
  const settleOrder = (overdue: () => boolean): boolean => {
    if (sortedBy(sort) !== 'time') return true;
    const length = filter === null ? units.length : passing.length;
    const start = ordered;
    for (; ordered < length; ordered++) {
      if ((ordered & 1023) === 1023 && ordered > start && overdue()) break;
      const index = filter === null ? ordered : passing[ordered]!;
      byTime.add(index, timeOf(units[index]!));
    }
    if (ordered !== start) {
      version++;
      openedStale = true;
    }
    return ordered === length;
  };

  const listLength = (): number => {
    if (sortedBy(sort) === 'time') return byTime.length;
    return filter === null ? units.length : passing.length;
  };
  const unitAt = (position: number): Unit | undefined => {
    const at = isDescending(sort) ? listLength() - 1 - position : position;
    if (sortedBy(sort) === 'time') return units[byTime.at(at) ?? -1];
    return units[filter === null ? at : (passing[at] ?? -1)];
  };

  const refreshOpened = (): void => {
    if (!openedStale) return;
    openedStale = false;
    opened = [];
    if (openKeys.size === 0) return;
    let before = 0;
    const length = listLength();
    let found = 0;
    for (let at = 0; at < length && found < openKeys.size; at++) {
      const unit = unitAt(at)!;
      if (unit.count < 2 || !openKeys.has(unit.key)) continue;
      found++;
      opened.push({ at, count: unit.count, before });
      before += unit.count;
    }
  };

  const extraRows = (): number => {
    refreshOpened();
    let sum = 0;
    for (const entry of opened) {
      // An opened fold at the tail may have grown.
      entry.count = unitAt(entry.at)!.count;
      entry.before = sum;
      sum += entry.count;
    }
    return sum;
  };

  const rowOf = (unit: Unit, open: boolean, child: number): Row => {
    const index = unit.mark !== null ? -1 : unit.from + Math.max(child, 0);
    const event = index < 0 ? null : source.events[index]!;
    return {
      unit,
      event,
      index,
      fold: unit.count > 1 && child < 0,
      open,
      child: child >= 0,
      key: child >= 0 ? `${unit.key}+${child}` : unit.key,
    };
  };

  /** Position of a unit in the list; -1 if it does not pass. */
  const positionOf = (unitIndex: number): number => {
    const at = sortedBy(sort) === 'time' ? byTime.where(unitIndex, timeOf(units[unitIndex]!)) : placeOf(unitIndex);
    return at < 0 || !isDescending(sort) ? at : listLength() - 1 - at;
  };

  /** The same, as records arrived. */
  const placeOf = (unitIndex: number): number => {
    if (filter === null) return unitIndex;
    let low = 0;
    let high = passing.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (passing[middle]! === unitIndex) return middle;
      if (passing[middle]! < unitIndex) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };

  /** The unit that holds the source's event with this index. */
  const unitOfEvent = (index: number): number => {
    let low = 0;
    let high = units.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const unit = units[middle]!;
      if (unit.from < index || (unit.from === index && unit.mark === null)) low = middle;
      else high = middle - 1;
    }
    // Marks lie between: step back to the unit that holds it.
    while (low > 0 && units[low]!.mark !== null) low--;
    return low;
  };

  const rowsBefore = (position: number): number => {
    let sum = position;
    extraRows();
    for (const entry of opened) if (entry.at < position) sum += entry.count;
    return sum;
  };

  /** What stood in order stands in it no more. */
  const unsort = (): void => {
    byTime.clear();
    ordered = 0;
    openedStale = true;
    version++;
  };

  return {
    grow,
    /** Sets the filter (null: none) and forgets what passed before. */
    setFilter(next: RowFilter | null): void {
      filter = next;
      passing = [];
      tested = 0;
      testedCount = 0;
      matched = 0;
      lastMatched = 0;
      unsort();
    },
    setSort(next: Sort): void {
      if (sort === next) return;
      sort = next;
      unsort();
    },
    settleFilter,
    /** Bumped whenever rows may have changed. */
    get version() {
      return version;
    },
    /** Rows to draw, opened folds included. */
    get length() {
      return listLength() + extraRows();
    },
    /** Events that pass, and all there are. */
    get matched() {
      return filter === null ? taken : matched;
    },
    get total() {
      return taken;
    },
    get chars() {
      return chars;
    },
    row(at: number): Row | null {
      extraRows();
      let position = at;
      let low = 0;
      let high = opened.length - 1;
      let inside = -1;
      while (low <= high) {
        const middle = (low + high) >> 1;
        const entry = opened[middle]!;
        // The row of the fold itself is entry.at + entry.before; its events follow.
        if (entry.at + entry.before < at) {
          inside = middle;
          low = middle + 1;
        } else high = middle - 1;
      }
      if (inside >= 0) {
        const entry = opened[inside]!;
        const start = entry.at + entry.before;
        if (at <= start + entry.count) return rowOf(unitAt(entry.at)!, true, at - start - 1);
        position = at - entry.before - entry.count;
      } else position = at;
      const unit = unitAt(position);
      return unit === undefined ? null : rowOf(unit, openKeys.has(unit.key), -1);
    },
    /** Counts events that pass another filter, in slices: null when out of time, then call again. */
    countPassing(by: RowFilter, overdue: () => boolean): number | null {
      if (counting?.by !== by) counting = { by, next: 0, sum: 0 };
      let steps = 0;
      while (counting.next < units.length) {
        if ((++steps & 127) === 0 && overdue()) return null;
        const unit = units[counting.next++]!;
        if (unit.mark === null && passes(unit, by)) counting.sum += unit.count;
      }
      const { sum } = counting;
      counting = null;
      return sum;
    },
    /** All events that pass, in order. */
    passing(): readonly AgentEvent[] {
      const list = filter === null ? units : passing.map((index) => units[index]!);
      return list.flatMap((unit) => (unit.mark === null ? source.events.slice(unit.from, unit.from + unit.count) : []));
    },
    isOpen: (key: string): boolean => openKeys.has(key),
    toggle(key: string, open = !openKeys.has(key)): void {
      if (open) openKeys.add(key);
      else openKeys.delete(key);
      openedStale = true;
      version++;
    },
    /** Where an event is drawn: its own row if its fold is open, else the fold's; -1 if filtered out or not yet looked at. */
    whereIs(index: number): number {
      if (index < 0 || index >= taken) return -1;
      const at = unitOfEvent(index);
      const unit = units[at]!;
      if (index < unit.from || index >= unit.from + unit.count) return -1;
      const position = positionOf(at);
      if (position < 0) return -1;
      const base = rowsBefore(position);
      return unit.count > 1 && openKeys.has(unit.key) ? base + 1 + (index - unit.from) : base;
    },
    /** Where a row with this key is drawn; linear, for marks only. */
    whereIsKey(key: string): number {
      const length = listLength();
      for (let at = length - 1; at >= 0; at--) if (unitAt(at)!.key === key) return rowsBefore(at);
      return -1;
    },
    unitOf(index: number): Unit | null {
      return index < 0 || index >= taken ? null : (units[unitOfEvent(index)] ?? null);
    },
    text,
    gapBefore,
    units: units as readonly Unit[],
  };
};

export type Rows = ReturnType<typeof createRows>;
