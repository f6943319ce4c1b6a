/**
 * Which element is the region of a text: the smallest that reads as one piece. Paragraphs, lists, tables, code and inline
 * markup are parts of what holds them; a message, a disclosure, a status is a piece of its own. Where markup alone cannot
 * tell a paragraph of an answer from a message in a log, age does: a new paragraph beside old text is a piece of its own.
 */
import { PIECE_TOKEN, PROGRESS_LABELS, REASONING_NAMES } from '../lexicon';
import { isShadowRoot } from '../realms';
import { parentOf } from '../surface';
import { isBlock } from '../text';

/** Parts of running text. */
const PROSE = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'blockquote',
  'pre',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'td',
  'th',
  'figure',
  'figcaption',
  'hr',
  'center',
]);
const PIECE_ROLES = new Set([
  'article',
  'listitem',
  'status',
  'alert',
  'log',
  'dialog',
  'alertdialog',
  'region',
  'note',
  'complementary',
  'feed',
  'main',
  'form',
  'tooltip',
]);
const PIECE_TAGS = new Set(['details', 'dialog', 'article', 'aside', 'main', 'body', 'html', 'form', 'nav', 'header', 'footer', 'section']);
const PIECE_DATA = /^data-(?:message|role|author|sender|turn|part|speaker)/u;

/** Markup says that this is a thing of its own, whatever it is made of. */
export const isPiece = (element: Element): boolean => {
  if (PIECE_TAGS.has(element.localName)) return true;
  const role = element.getAttribute('role');
  if (role !== null && PIECE_ROLES.has(role)) return true;
  for (const token of element.classList) if (PIECE_TOKEN.test(token)) return true;
  for (const { name } of element.attributes) if (PIECE_DATA.test(name)) return true;
  const label = element.getAttribute('aria-label');
  return label !== null && (role === 'group' || namesWork(label.trim().toLowerCase()));
};

/** A place for working material by its name: what stands in it is not part of the text around it. */
const namesWork = (label: string): boolean => PROGRESS_LABELS.has(label) || REASONING_NAMES.some((name) => label.includes(name));

/** A block without a name of its own: a wrapper. */
const isBare = (element: Element): boolean =>
  element.localName === 'div' && (element.attributes.length === 0 || (element.attributes.length === 1 && element.hasAttribute('style')));

export const isInline = (element: Element): boolean =>
  !isBlock(element) && !element.localName.includes('-') && !PROSE.has(element.localName);

/** Inline, and not in the middle of a sentence. */
const standsAlone = (element: Element): boolean => {
  for (let node = element.parentNode?.firstChild ?? null; node !== null; node = node.nextSibling)
    if (node.nodeType === 3 && (node as Text).data.trim() !== '') return false;
  return true;
};

/** Code blocks and the like stand a few levels below the text they are in. */
const NESTED_LEVELS = 4;
const SIBLINGS = 60;

export interface PieceOptions {
  readonly isRegion: (element: Element) => boolean;
  /** The region began in this epoch: what is new in it belongs to it. */
  readonly isYoung: (element: Element) => boolean;
  /** The element, or what it came in, was added or got text in this epoch. */
  readonly isFresh: (element: Element) => boolean;
  /** Whether it holds text of the page's content. */
  readonly hasText: (element: Element) => boolean;
}

/** The region's root for text directly in `holder`, known or new. */
export const pieceOf = (holder: Element, options: PieceOptions): Element => {
  const besideOld = (element: Element, parent: Element): boolean => {
    let n = 0;
    for (let sibling = parent.firstElementChild; sibling !== null && n < SIBLINGS; sibling = sibling.nextElementSibling, n++)
      if (sibling !== element && !isInline(sibling) && !options.isFresh(sibling) && options.hasText(sibling)) return true;
    return false;
  };

  let at = holder;
  for (;;) {
    if (options.isRegion(at)) return at;
    const parent = parentOf(at);
    if (parent === null || parent.localName === 'body' || parent.localName === 'html') break;
    const shadowed = at.parentNode !== null && isShadowRoot(at.parentNode);
    if (isInline(at) && !(isPiece(at) && standsAlone(at))) {
      at = parent;
      continue;
    }
    if (isPiece(at) || shadowed) break;
    if (!PROSE.has(at.localName) && !isBare(at)) break;
    if (besideOld(at, parent)) break;
    at = parent;
  }
  // A named block inside a text that began with it: a code block, a card. It is read with the text.
  if (isPiece(at)) return at;
  let above = parentOf(at);
  for (let n = 0; above !== null && n < NESTED_LEVELS; above = parentOf(above), n++) {
    if (options.isRegion(above)) return options.isYoung(above) ? above : at;
    if (isPiece(above)) break;
  }
  return at;
};
