/**
 * Plain-texting: what is left of a text once everything that markdown, typography and layout may change is folded away.
 * Letters (case kept), digits, marks and symbols such as emoji stay; white space, punctuation, zero-width and caret glyphs go.
 *
 * A said text has two forms: `raw` (shown as it came) and `plain` (shown rendered: no link targets, no tags, no list
 * numbers). Growing texts are folded line by line, and finished lines are never folded again.
 */

/** Everything that is not told apart: ASCII that is no letter or digit, punctuation, spaces, controls, format characters. */
const DROPPED = /[\0-/:-@[-`{-\x7f\s\p{P}\p{Z}\p{Cc}\p{Cf}\p{Variation_Selector}\u2500-\u25ff]+/gu;
const ASCII = /^[\0-\x7f]*$/u;

/** The comparable characters of a text. */
export const fold = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFKC')).replace(DROPPED, '');

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/gu;
/** Entities of letters and symbols; those of punctuation and spaces are folded away whatever they are. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  copy: '\u00a9',
  reg: '\u00ae',
  trade: '\u2122',
  euro: '\u20ac',
  pound: '\u00a3',
  yen: '\u00a5',
  deg: '\u00b0',
  times: '\u00d7',
  divide: '\u00f7',
  plusmn: '\u00b1',
  micro: '\u00b5',
  szlig: '\u00df',
  auml: '\u00e4',
  ouml: '\u00f6',
  uuml: '\u00fc',
  Auml: '\u00c4',
  Ouml: '\u00d6',
  Uuml: '\u00dc',
  eacute: '\u00e9',
  egrave: '\u00e8',
  agrave: '\u00e0',
  ccedil: '\u00e7',
  ntilde: '\u00f1',
  hellip: '\u2026',
  mdash: '\u2014',
  ndash: '\u2013',
  rarr: '\u2192',
  larr: '\u2190',
};

const codePoint = (value: number): string => (value > 0 && value <= 0x10ffff ? String.fromCodePoint(value) : '');

const entities = (text: string): string =>
  text.replace(ENTITY, (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
    if (decimal !== undefined) return codePoint(Number.parseInt(decimal, 10));
    if (hex !== undefined) return codePoint(Number.parseInt(hex, 16));
    return (name !== undefined ? NAMED[name] : undefined) ?? whole;
  });

const FENCE = /^\s{0,3}(`{3,}|~{3,})/u;
/** What can only be markup: lines without any of these are shown as they came. */
const MARKUP = /[[\]<&]|^\s*(?:\d{1,9}[.)]|\[\^)/u;
const LIST_NUMBER = /^(\s*(?:>\s*)*)\d{1,9}[.)]\s+/u;
const DEFINITION = /^\s{0,3}\[[^\]\n]+\]:\s*\S.*$/u;
/** Target of an inline link or image, with one level of brackets in it; the words stay. */
const LINK_TARGET = /\]\((?:[^()\n]|\([^()\n]*\))*\)/gu;
const LINK_REFERENCE = /\]\[[^\]\n]*\]/gu;
const TAG = /<\/?[a-zA-Z][^<>\n]*>|<!--.*?-->/gu;
/** An autolink is shown, a tag is not. */
const AUTOLINK = /<((?:https?|mailto):[^<>\s]*)>/gu;
const TASK = /^(\s*(?:[-*+]|\d+[.)])\s+)\[[ xX]\]\s/u;

const plainLine = (line: string): string => {
  if (!MARKUP.test(line)) return line;
  if (DEFINITION.test(line) && !line.trimStart().startsWith('[^')) return '';
  return entities(
    line
      .replace(TASK, '$1')
      .replace(LIST_NUMBER, '$1')
      .replace(AUTOLINK, '$1')
      .replace(LINK_TARGET, ']')
      .replace(LINK_REFERENCE, ']')
      .replace(TAG, ''),
  );
};

/** The folded forms of one text. `plain` equals `raw` where no markup was found. */
export interface Folded {
  readonly raw: string;
  readonly plain: string;
}

/** Folds a text that mostly grows at its end. */
export interface Folder {
  /** The forms of the text as it is now. */
  of(text: string): Folded;
}

export const createFolder = (): Folder => {
  let text: string | null = null;
  /** Up to here all lines are complete and folded. */
  let done = 0;
  let raw = '';
  let plain = '';
  let fence: string | null = null;
  let folded: Folded = { raw: '', plain: '' };

  const line = (source: string): { raw: string; plain: string; fence: string | null } => {
    const mark = FENCE.exec(source)?.[1] ?? null;
    // The word after an opening fence names a language: some pages show it, most do not.
    if (mark !== null && fence === null) return { raw: fold(source), plain: '', fence: mark };
    if (mark !== null && fence !== null && mark.startsWith(fence) && source.trim() === mark) return { raw: '', plain: '', fence: null };
    if (fence !== null) {
      const code = fold(source);
      return { raw: code, plain: code, fence };
    }
    return { raw: fold(source), plain: MARKUP.test(source) ? fold(plainLine(source)) : fold(source), fence };
  };

  return {
    of(next) {
      if (next === text) return folded;
      if (text === null || next.length < done || !next.startsWith(text.slice(0, done))) {
        done = 0;
        raw = '';
        plain = '';
        fence = null;
      }
      text = next;
      for (let end = next.indexOf('\n', done); end !== -1; end = next.indexOf('\n', done)) {
        const read = line(next.slice(done, end));
        raw += read.raw;
        plain += read.plain;
        fence = read.fence;
        done = end + 1;
      }
      const tail = line(next.slice(done));
      folded = { raw: raw + tail.raw, plain: plain + tail.plain };
      return folded;
    },
  };
};
