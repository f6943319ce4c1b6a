/**
 * Common blocks of two folded texts: which stretches of a shown text occur in a said text. For texts that are neither
 * equal nor contained: truncated, interspersed with a page's own words, or with formulas and notes rendered differently.
 * Linear in the shown text; the index over the said text grows with it.
 */

/** Blocks shorter than this are chance: in running text, six folded characters repeat far too easily. */
export const BLOCK = 10;
const GRAM = 6;
/** Places of one gram that are tried; more only occur in repetitive texts. */
const PLACES = 8;

export interface Block {
  /** Offset in the shown text. */
  readonly at: number;
  /** Offset in the said text. */
  readonly from: number;
  readonly length: number;
}

export interface Index {
  /** Where this gram stands, oldest first. */
  places(gram: string): readonly number[];
  grow(text: string): void;
}

export const createIndex = (): Index => {
  let indexed = '';
  let grams = new Map<string, number[]>();
  return {
    places: (gram) => grams.get(gram) ?? [],
    grow(text) {
      if (text === indexed) return;
      let from = Math.max(0, indexed.length - GRAM + 1);
      if (!text.startsWith(indexed)) {
        grams = new Map();
        from = 0;
      }
      for (let i = from; i + GRAM <= text.length; i++) {
        const gram = text.slice(i, i + GRAM);
        const list = grams.get(gram);
        if (list === undefined) grams.set(gram, [i]);
        else if (list.length < PLACES) list.push(i);
      }
      indexed = text;
    },
  };
};

/** Greedy, left to right: at each place the longest stretch that the said text has, preferring to read on where it left off. */
export const blocksOf = (shown: string, said: string, index: Index): readonly Block[] => {
  const blocks: Block[] = [];
  let next = 0;
  for (let i = 0; i + GRAM <= shown.length; ) {
    let best = 0;
    let from = -1;
    for (const place of index.places(shown.slice(i, i + GRAM))) {
      let length = GRAM;
      while (i + length < shown.length && place + length < said.length && shown[i + length] === said[place + length]) length++;
      if (length > best || (length === best && from < next && place >= next)) {
        best = length;
        from = place;
      }
    }
    if (best >= BLOCK) {
      blocks.push({ at: i, from, length: best });
      next = from + best;
      i += best;
    } else i++;
  }
  return blocks;
};
