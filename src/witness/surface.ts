/**
 * Reads single elements: whether they can be seen, what they are called, where they are. Only reads; every answer is a
 * string, a number or an element. Called after the page has painted, when styles are clean and asking is cheap.
 */
import { STOP_ICON } from './lexicon';
import { holderOf, isOnPage } from './realms';

/**
 * Folded away in a closed `<details>`. There nothing is seen, whatever its own style says; and to compute a style there is dear, since
 * the browser leaves the whole of it out otherwise.
 */
const isInClosed = (element: Element): boolean => {
  const details = element.parentElement?.closest('details:not([open])') ?? null;
  return details !== null && details.querySelector(':scope > summary')?.contains(element) !== true;
};

/** Without a box of its own, though what is in it may have one. */
export const isBoxless = (element: Element): boolean => !isInClosed(element) && getComputedStyle(element).display === 'contents';

/**
 * What has no box of its own (`display: contents`, as hosts of web components often have it) is never visible to
 * `checkVisibility`; it is seen where what is in it has a box, slotted or not, and where what is around it is seen.
 */
const isSeenThrough = (element: Element, how: CheckVisibilityOptions): boolean => {
  if (!isBoxless(element) || getComputedStyle(element).visibility !== 'visible') return false;
  const range = document.createRange();
  range.selectNodeContents(element);
  if (range.getClientRects().length === 0) return false;
  const around = parentOf(element);
  return around === null || shows(around, how);
};

const shows = (element: Element, how: CheckVisibilityOptions): boolean => element.checkVisibility(how) || isSeenThrough(element, how);

/** Whether anything of it can be seen. Old browsers without `checkVisibility` are asked by their boxes. */
export const isVisible = (element: Element): boolean => {
  if (!isOnPage(element)) return false;
  if (typeof element.checkVisibility !== 'function') return element.getClientRects().length > 0;
  return shows(element, { checkOpacity: true, checkVisibilityCSS: true });
};

/** Whether it is laid out at all; text that fades in counts from its first frame. */
export const isRendered = (element: Element): boolean =>
  typeof element.checkVisibility !== 'function' || shows(element, { checkVisibilityCSS: true });

/** How pages take a caret or a note away without taking it out: in the element's own style. Also those that were last seen so. */
const NO_DISPLAY = /display\s*:\s*none/u;
const folded = new WeakSet<Element>();

/** Whether its own style takes it away; cheap, since nothing is computed. */
export const isFolded = (element: Element): boolean => {
  const style = element.getAttribute('style');
  const now = style !== null && NO_DISPLAY.test(style);
  if (now) folded.add(element);
  else folded.delete(element);
  return now;
};

/** Whether its own style takes it away now and did not before, or the other way round. */
export const foldsOrUnfolds = (element: Element): boolean => {
  const before = folded.has(element);
  return isFolded(element) !== before;
};

/** Whether it, or anything in it, takes up any room: a bar that is folded to no height is nothing that anybody sees. */
export const takesRoom = (element: Element): boolean => {
  for (const one of [element, ...element.querySelectorAll('*')]) {
    const { width, height } = one.getBoundingClientRect();
    if (width > 0 && height > 0) return true;
  }
  return element.shadowRoot !== null;
};

/** The element around it, across the edge of a shadow tree or of a frame inside this document. */
export const parentOf = (node: Node): Element | null => {
  const parent = node.parentNode;
  if (parent === null) return null;
  if (parent.nodeType === 1) return parent as Element;
  return holderOf(parent);
};

const NAME_CHARS = 80;
const short = (text: string): string => text.replace(/\s+/gu, ' ').trim().slice(0, NAME_CHARS);

const byIds = (element: Element, ids: string): string => {
  const root = element.getRootNode() as Document | ShadowRoot;
  const texts: string[] = [];
  for (const id of ids.split(/\s+/u).slice(0, 4)) texts.push(root.getElementById?.(id)?.textContent?.slice(0, 200) ?? '');
  return short(texts.join(' '));
};

/** The words on it: a plain reading of how browsers compute an accessible name. Null: it has none. */
export const nameOf = (element: Element): string | null => {
  const labelledBy = element.getAttribute('aria-labelledby');
  const name =
    (labelledBy !== null && byIds(element, labelledBy)) ||
    short(element.getAttribute('aria-label') ?? '') ||
    (element.localName === 'input' ? short((element as HTMLInputElement).value || (element as HTMLInputElement).alt) : '') ||
    short((element.textContent ?? '').slice(0, 400)) ||
    short(element.querySelector('img[alt]')?.getAttribute('alt') ?? '') ||
    short(element.querySelector('svg [aria-label], svg[aria-label]')?.getAttribute('aria-label') ?? '') ||
    short(element.getAttribute('title') ?? '');
  return name === '' ? null : name;
};

/** A small, stable number for a string. */
const hash = (text: string): string => {
  let h = 5381;
  for (let i = 0; i < text.length; i++) h = ((h << 5) + h + text.charCodeAt(i)) | 0;
  return (h >>> 0).toString(36);
};

/** What is drawn on a control without a name: send and stop are often one button that changes its picture. */
export const pictureOf = (element: Element): string => {
  const drawn: string[] = [];
  for (const shape of element.querySelectorAll('path, rect, circle, polygon, polyline, line, use, img, i, [class*="icon"]')) {
    if (drawn.length >= 12) break;
    drawn.push(
      shape.localName,
      shape.getAttribute('d')?.slice(0, 200) ??
        shape.getAttribute('href') ??
        shape.getAttribute('src')?.slice(0, 200) ??
        shape.getAttribute('class') ??
        '',
    );
  }
  return drawn.length === 0 ? '' : hash(drawn.join(' '));
};

/**
 * The name of the icon on a control without words, in the page's own code, if that says that the control stops something:
 * only such a name makes a difference. (`<i class="icon-stop">`, `<svg data-icon="stop">`, `<use href="#stop">`.)
 */
export const stopIconOf = (element: Element): string | null => {
  let n = 0;
  for (const icon of [element, ...element.querySelectorAll('svg, use, img, i, span, div, [class*="icon"]')]) {
    if (++n > 12) return null;
    for (const name of [icon.id, icon.getAttribute('data-icon'), icon.getAttribute('href'), icon.getAttribute('class')])
      for (const token of (name ?? '').split(/\s+/u)) if (token.length <= 40 && STOP_ICON.test(token)) return token;
  }
  return null;
};

const LANDMARKS = new Set([
  'main',
  'nav',
  'header',
  'footer',
  'aside',
  'form',
  'article',
  'section',
  'dialog',
  'details',
  'li',
  'td',
  'fieldset',
  'menu',
]);
const LANDMARK_ROLES = new Set([
  'main',
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'form',
  'search',
  'article',
  'region',
  'dialog',
  'alertdialog',
  'log',
  'feed',
  'listitem',
  'toolbar',
  'group',
  'alert',
  'status',
]);
/** An id that was made up while rendering (a counter between signs, long numbers, hexadecimal) is another one the next time. */
const MADE_UP = /[:«»]|\d{3,}|(?:^|[-_])_?r_[\da-z]+_|^[0-9a-f-]{12,}$/iu;

/** Where it is, in words that survive re-rendering: the two nearest landmarks or named elements around it. */
export const placeOf = (element: Element): string => {
  const known = places.get(element);
  if (known !== undefined && known.parent === element.parentNode) return known.place;
  const found = findPlace(element);
  places.set(element, { parent: element.parentNode, place: found });
  return found;
};

/** Asked for again and again, and hardly ever another: a moved element has another parent. */
const places = new WeakMap<Element, { readonly parent: Node | null; readonly place: string }>();

const findPlace = (element: Element): string => {
  const place: string[] = [];
  let steps = 0;
  for (let at = parentOf(element); at !== null && place.length < 2 && steps < 24; at = parentOf(at), steps++) {
    const role = at.getAttribute('role');
    const { id, localName } = at;
    if (localName === 'body' || localName === 'html') break;
    if (id !== '' && id.length <= 40 && !MADE_UP.test(id)) place.unshift(`#${id}`);
    else if (role !== null && LANDMARK_ROLES.has(role)) place.unshift(role);
    else if (LANDMARKS.has(localName) || localName.includes('-')) place.unshift(localName);
  }
  return place.join('>');
};

/** A short path for people. Not a selector. */
export const pathOf = (element: Element): string => {
  const path: string[] = [];
  for (let at: Element | null = element; at !== null && path.length < 4; at = parentOf(at)) {
    if (at.localName === 'body' || at.localName === 'html') break;
    const id = at.id === '' || at.id.length > 40 ? '' : `#${at.id}`;
    const token = id === '' ? (at.classList[0] ?? '') : '';
    path.unshift(`${at.localName}${id}${token === '' ? '' : `.${token.slice(0, 40)}`}`);
  }
  return path.join(' › ');
};
