/** Words that somebody wants taken out, whatever they are: found like a secret, wherever they occur, in capitals or not. */
import type { Find } from './explore';
import { findSecrets, type Hit, mergeHits } from './secrets';

export const finderOf = (words: readonly string[]): Find => {
  const literal = [...new Set(words.map((word) => word.trim()))].filter((word) => word !== '');
  if (literal.length === 0) return findSecrets;
  // The longer first: of two that begin alike, all of the longer one goes.
  const escaped = literal.sort((a, b) => b.length - a.length).map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&'));
  const expression = new RegExp(escaped.join('|'), 'giu');
  return (text) => {
    const hits = findSecrets(text);
    const own: Hit[] = [];
    for (const match of text.matchAll(expression)) own.push({ start: match.index, end: match.index + match[0].length, kind: 'word' });
    return own.length === 0 ? hits : mergeHits([...hits, ...own]);
  };
};
