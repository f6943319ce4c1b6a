/**
 * When a thing changed: the time of the last mutation in, on or around it, looked up in what was noted since the last
 * reading. Built once per reading, so that a page that changes a thousand things at once costs no more than one that
 * changes a few.
 */
import { parentOf } from './surface';

export interface Batch {
  readonly at: number;
  readonly records: readonly MutationRecord[];
}

/** More than this is not indexed; what is not found has the time of the last batch. */
const RECORDS = 2_000;
/** A change of a word deep inside a control changes its name. */
const LEVELS = 6;
const DEPTH = 40;

export const createTimes = (batches: readonly Batch[], otherwise: number): ((element: Element | null) => number) => {
  const last = batches.at(-1)?.at ?? otherwise;
  if (batches.length < 2) return () => last;
  /** Changes that concern a node and all that is in it. */
  const around = new Map<Node, number>();
  const inside = new Map<Node, number>();
  const removed = new Map<Node, number>();
  let n = 0;
  let from = batches.length;
  while (from > 0 && n < RECORDS) n += batches[--from]!.records.length;
  for (const { at, records } of batches.slice(from))
    for (const { type, target, addedNodes, removedNodes } of records) {
      if (type === 'attributes') around.set(target, at);
      for (let up: Node | null = target, level = 0; up !== null && level < LEVELS; up = parentOf(up), level++) inside.set(up, at);
      for (const node of addedNodes) around.set(node, at);
      for (const node of removedNodes) removed.set(node, at);
    }
  return (element) => {
    if (element === null) return last;
    const gone = !element.isConnected;
    let time = gone ? undefined : inside.get(element);
    for (let up: Element | null = element, depth = 0; up !== null && depth < DEPTH; up = parentOf(up), depth++) {
      const other = gone ? removed.get(up) : around.get(up);
      if (other !== undefined && (time === undefined || other > time)) time = other;
    }
    return time ?? last;
  };
};
