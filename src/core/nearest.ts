/** The right name nearest to a wrong one, for everything that takes names out of a closed set. */

/** Edit distance. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
};

/** The shortest name that has this word among its own, or is among this one's: `openai` of `openai-chat`. */
const partOf = (word: string, words: readonly string[]): string | undefined => {
  const parts = (name: string): readonly string[] => name.toLowerCase().split(/[-._ ]/u);
  const within = (a: readonly string[], b: readonly string[]): boolean => a.every((part) => part.length > 1 && b.includes(part));
  return words
    .filter((name) => within(parts(word), parts(name)) || within(parts(name), parts(word)))
    .sort((a, b) => a.length - b.length)[0];
};

/** ` Did you mean X?`, or '' where nothing is near. */
export const nearest = (word: string, words: readonly string[], prefix = ''): string => {
  const best = words.map((candidate) => ({ candidate, far: distance(word, candidate) })).sort((a, b) => a.far - b.far)[0];
  const near = best && best.far <= Math.max(2, word.length / 3) ? best.candidate : partOf(word, words);
  return near === undefined ? '' : ` Did you mean ${prefix}${near}?`;
};

/** What is wrong with a name that is not in the set: said with the nearest one and all of them; null where it is in it. */
export const wrongName = (kind: string, word: string, words: readonly string[]): string | null =>
  words.includes(word) ? null : `There is no ${kind} ${JSON.stringify(word)}.${nearest(word, words)} There are: ${words.join(', ')}.`;
