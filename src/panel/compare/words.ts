/**
 * What differs between two texts, in words: a letter that changed marks its whole word, which is what a reader looks for,
 * and long texts cost little. Characters of scripts without spaces are words of their own. Pure.
 */
import diff from 'fast-diff';

export interface WordDiff {
  /** Each side in stretches; `differs` where the other side has something else. */
  readonly a: readonly Stretch[];
  readonly b: readonly Stretch[];
  /** Words only here, and only there. */
  readonly removed: number;
  readonly added: number;
}

export interface Stretch {
  readonly text: string;
  readonly differs: boolean;
}

/** Beyond this many words on a side (after what both begin and end with), the middle counts as different throughout. */
const MOST_WORDS = 6_000;
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}\s]/gu;

const split = (text: string): readonly string[] => text.match(WORD) ?? [];
const isWord = (text: string): boolean => /\S/u.test(text);

const joined = (pieces: readonly (readonly [differs: boolean, words: readonly string[]])[]): Stretch[] =>
  pieces.filter(([, words]) => words.length > 0).map(([differs, words]) => ({ text: words.join(''), differs }));

export const diffWords = (a: string, b: string): WordDiff => {
  if (a === b) return { a: [{ text: a, differs: false }], b: [{ text: b, differs: false }], removed: 0, added: 0 };
  const wordsA = split(a);
  const wordsB = split(b);
  let head = 0;
  while (head < wordsA.length && head < wordsB.length && wordsA[head] === wordsB[head]) head++;
  let tail = 0;
  while (tail < wordsA.length - head && tail < wordsB.length - head && wordsA.at(-1 - tail) === wordsB.at(-1 - tail)) tail++;
  const middleA = wordsA.slice(head, wordsA.length - tail);
  const middleB = wordsB.slice(head, wordsB.length - tail);
  const left: [boolean, string[]][] = [[false, wordsA.slice(0, head)]];
  const right: [boolean, string[]][] = [[false, wordsB.slice(0, head)]];
  let removed = 0;
  let added = 0;
  const take = (into: [boolean, string[]][], differs: boolean, words: string[]): void => {
    const last = into.at(-1)!;
    if (last[0] === differs) last[1].push(...words);
    else into.push([differs, words]);
  };
  if (Math.max(middleA.length, middleB.length) > MOST_WORDS) {
    take(left, true, middleA);
    take(right, true, middleB);
    removed = middleA.filter(isWord).length;
    added = middleB.filter(isWord).length;
  } else {
    const letters = new Map<string, string>();
    const spell = (words: readonly string[]): string =>
      words
        .map((word) => {
          let letter = letters.get(word);
          if (letter === undefined) {
            letter = String.fromCharCode(0x100 + letters.size);
            letters.set(word, letter);
          }
          return letter;
        })
        .join('');
    let i = 0;
    let j = 0;
    for (const [op, text] of diff(spell(middleA), spell(middleB), undefined, true)) {
      const fromA = middleA.slice(i, i + (op === diff.INSERT ? 0 : text.length));
      const fromB = middleB.slice(j, j + (op === diff.DELETE ? 0 : text.length));
      i += fromA.length;
      j += fromB.length;
      if (fromA.length > 0) take(left, op !== diff.EQUAL, fromA);
      if (fromB.length > 0) take(right, op !== diff.EQUAL, fromB);
      if (op === diff.DELETE) removed += fromA.filter(isWord).length;
      if (op === diff.INSERT) added += fromB.filter(isWord).length;
    }
  }
  take(left, false, wordsA.slice(wordsA.length - tail));
  take(right, false, wordsB.slice(wordsB.length - tail));
  return { a: joined(left), b: joined(right), removed, added };
};
