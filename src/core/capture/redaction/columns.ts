/**
 * Secrets that begin in one string and end in a later one. Strings that continue each other (the deltas of one part) form a
 * column, and a column is looked through as one text: in windows that overlap, so that a stream of any length needs little
 * memory, and nothing that lies over the seam of two windows is missed or judged by half of it.
 */
import { DEPTH, explore, type Find, type Visit } from './explore';
import type { Leaf } from './texts';
import { type JoinedView, joinedView, type View } from './views';

export interface ColumnLimits {
  /** Characters of a column that are looked through at once. */
  readonly window: number;
  /** What all columns together may weigh; the ones that rested longest are looked through before their time. */
  readonly total: number;
}

export interface Columns {
  /** Names of columns are told apart by the stream they belong to. */
  add(stream: string, leaf: Leaf): void;
  /** The stream goes no further. Yields between columns. */
  close(stream: string | null): Generator<void>;
}

/** What comes after a hit decides over it, at most so far: the longest beginning that a pattern needs. */
const AHEAD = 2048;
/** What stands before a hit decides over it, at most so far. */
const BEHIND = 256;
/** A secret that is longer is cut. */
const LONGEST = 262_144;
/** A string longer than this is no delta: what it ends in does not go on in the next, if it is whole by itself. */
const DELTA = 60;
/** What a string weighs beside its characters. */
const PIECE = 600;

interface Column {
  pieces: View[];
  /** Characters of the pieces, and how many of them belong to the window before. */
  chars: number;
  seen: number;
  /** The window must be this long, or of so many strings, before it is looked through again. */
  due: number;
  room: number;
  /** Strings that repeat what came before them, as snapshots do: nothing goes on from one to the next. */
  repeats: number;
  steps: number;
  last: string;
  touched: number;
}

export const createColumns = (find: Find, visit: Visit, { window, total }: ColumnLimits): Columns => {
  const streams = new Map<string, Map<string, Column>>();
  /** Strings of one column that are held at once, where they are tiny. */
  const strings = Math.ceil(total / 8 / PIECE);
  let weight = 0;
  let clock = 0;

  const isRepeating = ({ repeats, steps }: Column): boolean => steps > 0 && repeats * 2 >= steps;

  const look = (column: Column, final: boolean): void => {
    const { pieces, seen } = column;
    weight -= column.chars + pieces.length * PIECE;
    if (isRepeating(column) || pieces.length < 2) {
      column.pieces = final ? [] : pieces.slice(-1);
      column.seen = 0;
    } else {
      const joined = joinedView(pieces);
      const keep = lookThrough(joined, pieces, seen, final);
      const first = final ? pieces.length : joined.pieceAt(Math.max(0, keep - BEHIND));
      column.seen = final ? 0 : keep - joined.startOf(first);
      column.pieces = pieces.slice(first);
    }
    column.chars = column.pieces.reduce((sum, piece) => sum + piece.text.length, 0);
    column.due = column.chars + window;
    column.room = column.pieces.length + strings;
    weight += column.chars + column.pieces.length * PIECE;
  };

  /** Numbers of the strings, and the stretches over several of them that were visited. */
  const numbers = new WeakMap<View, number>();
  const visited = new Set<string>();
  let numbered = 0;
  const isNew = (joined: JoinedView, pieces: readonly View[], start: number, end: number): boolean => {
    const [first, last] = [joined.pieceAt(start), joined.pieceAt(end - 1)];
    let key = `${start - joined.startOf(first)} ${end - joined.startOf(last)}`;
    for (let i = first; i <= last; i++) {
      let number = numbers.get(pieces[i]!);
      if (number === undefined) {
        number = numbered++;
        numbers.set(pieces[i]!, number);
      }
      key += ` ${number}`;
    }
    return !visited.has(key) && visited.add(key) !== null;
  };

  /** Visits what is found from `seen` on. Returns from where on the next window has to look again. */
  const lookThrough = (joined: JoinedView, pieces: readonly View[], seen: number, final: boolean): number => {
    const { length } = joined.text;
    let keep = final ? length : Math.max(seen, length - AHEAD);
    const crosses = ({ start, end, kind }: { start: number; end: number; kind: string }): boolean => {
      const first = joined.pieceAt(start);
      if (first === joined.pieceAt(end - 1)) return false;
      // An address that is whole in its own string does not go on in the next, nor does anything at the end of a long one.
      const [from, to] = [joined.startOf(first), first + 1 < pieces.length ? joined.startOf(first + 1) : length];
      if (kind !== 'e-mail' && to - from <= DELTA) return true;
      return !find(joined.text.slice(from, to)).some((inner) => inner.end === to - from);
    };
    explore(
      joined,
      DEPTH - 1,
      find,
      (view, hits) => {
        if (view !== joined) {
          visit(view, hits);
          return;
        }
        // What runs into the end may go on: the next window sees it whole.
        if (!final)
          for (const hit of hits)
            if (hit.end === length && hit.start >= seen && length - hit.start < LONGEST) keep = Math.min(keep, hit.start);
        visit(
          joined,
          hits.filter((hit) => hit.start >= seen && (final || hit.start < keep) && crosses(hit)),
          // The same strings are in several columns; and what lies in one of them was counted there.
          {
            writes: ({ start, end }) => isNew(joined, pieces, start, end),
            counts: ({ start, end }) => joined.pieceAt(start) !== joined.pieceAt(end - 1),
          },
        );
      },
      (start) => start >= seen && (final || start < keep),
    );
    return keep;
  };

  const drop = (columns: Map<string, Column>, name: string): void => {
    const column = columns.get(name)!;
    look(column, true);
    columns.delete(name);
  };

  /** Lets go of the half that rested longest. */
  const relieve = (): void => {
    const all = [...streams].flatMap(([stream, columns]) => [...columns].map(([name, column]) => ({ stream, name, column })));
    all.sort((a, b) => a.column.touched - b.column.touched);
    for (const { stream, name } of all) {
      if (weight * 2 <= total) break;
      const columns = streams.get(stream)!;
      drop(columns, name);
      if (columns.size === 0) streams.delete(stream);
    }
  };

  return {
    add(stream, leaf) {
      const { text } = leaf.view;
      let columns = streams.get(stream);
      if (!columns) {
        columns = new Map();
        streams.set(stream, columns);
      }
      clock++;
      for (const name of leaf.columns) {
        let column = columns.get(name);
        if (!column) {
          column = { pieces: [], chars: 0, seen: 0, due: window, room: strings, repeats: 0, steps: 0, last: '', touched: 0 };
          columns.set(name, column);
        }
        if (column.last !== '') {
          column.steps++;
          const { last } = column;
          if (Math.min(last.length, text.length) > 3 && (text.startsWith(last) || last.startsWith(text))) column.repeats++;
        }
        column.last = text;
        column.touched = clock;
        column.pieces.push(leaf.view);
        column.chars += text.length;
        weight += text.length + PIECE;
        if (column.chars >= column.due || column.pieces.length >= column.room) look(column, false);
      }
      if (weight > total) relieve();
    },
    *close(stream) {
      for (const name of stream === null ? [...streams.keys()] : [stream]) {
        const columns = streams.get(name);
        if (!columns) continue;
        for (const column of [...columns.keys()]) {
          // The budget may have taken it meanwhile.
          if (columns.has(column)) drop(columns, column);
          yield;
        }
        streams.delete(name);
      }
    },
  };
};
