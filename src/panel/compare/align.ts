/**
 * Which piece of one run answers to which of the other. Pieces that are the same are matched first, in order, by a diff of
 * the two lists; what is left between two matches is paired by kind and by how many words it shares; what is left then and
 * occurs on both sides in another place has moved. Pure.
 */
import diff from 'fast-diff';
import type { Piece } from './pieces';

export interface Pair {
  readonly a: Piece | null;
  readonly b: Piece | null;
  /** Not in the same place among the others. */
  readonly moved: boolean;
}

/** Beyond this many pieces of one run nothing is aligned; the caller says so. */
export const MOST_PIECES = 2_000;
/** Cells of the table in which leftovers are paired. */
const MOST_CELLS = 160_000;
const WORDS = 80;

const kindOf = (piece: Piece): string => `${piece.kind}|${piece.lane}|${piece.kind === 'tool' || piece.kind === 'ask' ? piece.name : ''}`;
const keyOf = (piece: Piece): string => `${kindOf(piece)}|${piece.name}|${piece.text.trim()}`;

const wordsOf = (text: string): ReadonlySet<string> => new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS));

/** Share of words in common, 0 to 1; two empty texts are the same. */
const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  if (a.size === 0 && b.size === 0) return 1;
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  return (2 * both) / (a.size + b.size);
};

/** Indices of the same pieces in the same order: each distinct piece is one character for the diff. */
const sameInOrder = (a: readonly Piece[], b: readonly Piece[]): readonly (readonly [number, number])[] => {
  const letters = new Map<string, string>();
  const spell = (pieces: readonly Piece[]): string =>
    pieces
      .map((piece) => {
        const key = keyOf(piece);
        let letter = letters.get(key);
        if (letter === undefined) {
          // Below the surrogates: there are at most 4,000 of them.
          letter = String.fromCharCode(0x100 + letters.size);
          letters.set(key, letter);
        }
        return letter;
      })
      .join('');
  const matched: [number, number][] = [];
  let i = 0;
  let j = 0;
  for (const [op, text] of diff(spell(a), spell(b))) {
    if (op === diff.EQUAL) for (let k = 0; k < text.length; k++) matched.push([i + k, j + k]);
    if (op !== diff.INSERT) i += text.length;
    if (op !== diff.DELETE) j += text.length;
  }
  return matched;
};

/** Pairs leftovers of a stretch in order, those of one kind, preferring words in common. */
const pairStretch = (a: readonly Piece[], b: readonly Piece[], first: readonly [number, number]): [number, number][] => {
  const pairs: [number, number][] = [];
  if (a.length * b.length > MOST_CELLS) {
    // Too many for the table: the next of the same kind is as good a guess as any.
    const waiting = new Map<string, number[]>();
    b.forEach((piece, j) => {
      const list = waiting.get(kindOf(piece));
      if (list) list.push(j);
      else waiting.set(kindOf(piece), [j]);
    });
    let from = -1;
    a.forEach((piece, i) => {
      const list = waiting.get(kindOf(piece));
      while (list !== undefined && list.length > 0 && list[0]! <= from) list.shift();
      const j = list?.shift();
      if (j === undefined) return;
      from = j;
      pairs.push([first[0] + i, first[1] + j]);
    });
    return pairs;
  }
  const wordsA = a.map((piece) => wordsOf(piece.text));
  const wordsB = b.map((piece) => wordsOf(piece.text));
  const width = b.length + 1;
  const best = new Float64Array((a.length + 1) * width);
  const worth = (i: number, j: number): number =>
    kindOf(a[i]!) === kindOf(b[j]!) ? 0.4 + likeness(wordsA[i]!, wordsB[j]!) : Number.NEGATIVE_INFINITY;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i * width + j] = Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!, best[(i + 1) * width + j + 1]! + worth(i, j));
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const here = best[i * width + j]!;
    if (here === best[(i + 1) * width + j + 1]! + worth(i, j)) pairs.push([first[0] + i++, first[1] + j++]);
    else if (here === best[(i + 1) * width + j]!) i++;
    else j++;
  }
  return pairs;
};

/** Both lists as one, in order; at most `MOST_PIECES` of each are looked at. */
export const alignPieces = (allA: readonly Piece[], allB: readonly Piece[]): readonly Pair[] => {
  const a = allA.slice(0, MOST_PIECES);
  const b = allB.slice(0, MOST_PIECES);
  const matched: (readonly [number, number])[] = [];
  let i = 0;
  let j = 0;
  for (const [toA, toB] of [...sameInOrder(a, b), [a.length, b.length] as const]) {
    matched.push(...pairStretch(a.slice(i, toA), b.slice(j, toB), [i, j]));
    if (toA < a.length || toB < b.length) matched.push([toA, toB]);
    i = toA + 1;
    j = toB + 1;
  }
  const pairs: { a: Piece | null; b: Piece | null; moved: boolean }[] = [];
  i = 0;
  j = 0;
  for (const [toA, toB] of [...matched, [a.length, b.length] as const]) {
    while (i < toA) pairs.push({ a: a[i++]!, b: null, moved: false });
    while (j < toB) pairs.push({ a: null, b: b[j++]!, moved: false });
    if (i < a.length && j < b.length) pairs.push({ a: a[i++]!, b: b[j++]!, moved: false });
  }
  // The same words in another place: told where the second of the two stands.
  const lonely = new Map<string, typeof pairs>();
  for (const pair of pairs) {
    const only = pair.a === null ? pair.b : pair.b === null ? pair.a : null;
    if (only === null || only.text.trim() === '') continue;
    const list = lonely.get(keyOf(only));
    if (list) list.push(pair);
    else lonely.set(keyOf(only), [pair]);
  }
  const gone = new Set<(typeof pairs)[number]>();
  for (const list of lonely.values()) {
    const left = list.filter((pair) => pair.b === null);
    const right = list.filter((pair) => pair.a === null);
    for (let k = 0; k < Math.min(left.length, right.length); k++) {
      const early = pairs.indexOf(left[k]!) < pairs.indexOf(right[k]!) ? left[k]! : right[k]!;
      const late = early === left[k] ? right[k]! : left[k]!;
      late.a ??= early.a;
      late.b ??= early.b;
      late.moved = true;
      gone.add(early);
    }
  }
  return pairs.filter((pair) => !gone.has(pair));
};
