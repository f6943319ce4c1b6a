/** What one unit of the table says, and whether it passes a filter. The index over all units is rows.ts. */
import type { AgentEvent } from '../core/model';
import type { Searchable } from './query';
import { eventKey, isWithin, type RowFilter, type RowSource, type Unit } from './row';
import { idsOf, textOf } from './summary';
import { laneOf } from './voices';

export const createUnitReader = (source: RowSource) => {
  const lowerOf = (unit: Unit): string => {
    if (unit.lower !== null && unit.lowerFor === unit.count) return unit.lower;
    unit.lower = joined(unit).toLowerCase();
    unit.lowerFor = unit.count;
    return unit.lower;
  };

  const joined = (unit: Unit, limit = Number.POSITIVE_INFINITY): string => {
    if (unit.mark !== null) return unit.mark.kind === 'end' ? unit.mark.flow.end!.how : unit.mark.gap.reason;
    if (unit.count === 1) return textOf(source.events[unit.from]!);
    const pieces: string[] = [];
    let length = 0;
    for (let i = unit.from; i < unit.from + unit.count && length < limit; i++) {
      const text = textOf(source.events[i]!);
      pieces.push(text);
      length += text.length;
    }
    return pieces.join('');
  };

  const gapBefore = (index: number): number => {
    const event = source.events[index];
    const before = source.events[index - 1];
    if (event === undefined || before === undefined) return 0;
    return source.timeOf(event.flow, event.at) - source.timeOf(before.flow, before.at);
  };

  const timeOf = ({ mark, from }: Unit): number => {
    if (mark !== null) return source.timeOf(mark.flow.id, mark.at);
    const event = source.events[from]!;
    return source.timeOf(event.flow, event.at);
  };

  const passes = (unit: Unit, filter: RowFilter): boolean => {
    if (filter.between !== null && !isWithin(filter.between, timeOf(unit))) return false;
    if (unit.mark !== null) {
      // Gaps and ends are what a filter must not hide by accident: they go only where text or findings are asked for.
      if (filter.only !== null) return unit.mark.kind === 'end';
      if (filter.query.empty) return true;
      return filter.query.test(markSearchable(unit));
    }
    const event = source.events[unit.from]!;
    if (!filter.lanes.has(laneOf(event)) || !filter.standings.has(event.standing)) return false;
    if (filter.only !== null) {
      let named = false;
      for (let i = unit.from; i < unit.from + unit.count && !named; i++) named = filter.only.has(eventKey(source.events[i]!));
      if (!named) return false;
    }
    return filter.query.empty || filter.query.test(searchable(unit, event));
  };

  const searchable = (unit: Unit, event: AgentEvent): Searchable => ({
    lower: lowerOf(unit),
    get text() {
      return joined(unit);
    },
    type: event.raw,
    voice: laneOf(event),
    standing: event.standing,
    get ids() {
      return idsOf(event.identity);
    },
    get run() {
      return source.runOf(event) ?? '';
    },
    get size() {
      return unit.count === 1 ? (source.sizeOf(event) ?? unit.chars) : unit.chars;
    },
    get gap() {
      return gapBefore(unit.from);
    },
  });

  const markSearchable = (unit: Unit): Searchable => {
    const text = joined(unit);
    return { lower: text, text, type: unit.mark!.kind, voice: '', standing: '', ids: unit.mark!.flow.id, run: '', size: 0, gap: 0 };
  };

  return { text: joined, gapBefore, timeOf, passes };
};
