/**
 * Short words that stand on the page at rest: "online", "Ready", the title of the tab. A page may say that it works by
 * nothing but changing them, and back again. Which words they are is not looked at. Only what stood there at rest is
 * followed, by its place; what comes later is text, and belongs to the regions.
 */
import type { Cue } from './cues';
import { isOnPage } from './realms';
import { isVisible, parentOf, placeOf } from './surface';
import { isInNoText } from './text';

/** Longer words are content. */
const CHARS = 48;
/** So many texts are looked at in one tree; of those found, the first and the last are kept: head and foot of a page. */
const VISITED = 2_000;
const KEPT = 60;
/** What takes the place of one that left comes with it, or with one of the next renders. */
const LOOKS = 4;
const LETTERS = /\p{L}/u;
const HOLDERS = 'button, [role="button"], a[href], label, option, h1, h2, h3, code, pre, td, th';
const TITLE = 'text|title';

export interface StatusWords {
  /** The page is at rest: what stands in these trees is followed from now on, and nothing else. */
  learn(roots: Iterable<Document | ShadowRoot>): void;
  /** Looks again for what stands where something stood at rest. */
  search(root: Document | ShadowRoot): void;
  read(into: Map<string, Cue>, calm: (key: string, value: string) => string): void;
  forget(): void;
}

const wordsOf = (element: Element): string => (element.textContent ?? '').replace(/\s+/gu, ' ').trim();
/** Numbers count, and tell nothing of work. */
const stateOf = (text: string): string => (text.length > CHARS ? '(long)' : text.replace(/\p{N}+/gu, '#'));
const baseOf = (element: Element): string => `text|${placeOf(element)}>${element.localName}`;

/** Whether it holds a few words and nothing else, and is no control. */
const isShort = (element: Element): boolean => {
  if (element.firstElementChild !== null || element.closest(HOLDERS) !== null) return false;
  const text = wordsOf(element);
  return text !== '' && text.length <= CHARS && LETTERS.test(text) && !isInNoText(element);
};

export const createStatusWords = (ours: (element: Element) => boolean): StatusWords => {
  const elements = new Map<Element, Document | ShadowRoot>();
  /** Trees in which one of them left the page, and how often to look there for what takes its place. */
  const bereft = new Map<Document | ShadowRoot, number>();
  /** Where they stood at rest, and how many. */
  const places = new Map<string, number>();
  /** Which of several in one place an element is. */
  const numbers = new WeakMap<Element, { readonly base: string; readonly n: number }>();

  const shortIn = (root: Document | ShadowRoot): readonly Element[] => {
    const found: Element[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let n = 0;
    for (let node = walker.nextNode(); node !== null && n < VISITED; node = walker.nextNode(), n++) {
      const { data } = node as Text;
      if (data.length > 4 * CHARS || data.trim() === '') continue;
      const holder = parentOf(node);
      if (holder !== null && !ours(holder) && isShort(holder)) found.push(holder);
    }
    return found.length <= 2 * KEPT ? found : [...found.slice(0, KEPT), ...found.slice(-KEPT)];
  };

  const search = (root: Document | ShadowRoot): void => {
    if (places.size === 0 || elements.size >= 4 * KEPT) return;
    for (const element of shortIn(root)) if (places.has(baseOf(element))) elements.set(element, root);
  };

  return {
    learn(roots) {
      elements.clear();
      places.clear();
      bereft.clear();
      for (const root of roots)
        for (const element of shortIn(root)) {
          elements.set(element, root);
          const base = baseOf(element);
          places.set(base, (places.get(base) ?? 0) + 1);
        }
    },
    search,
    read(into, calm) {
      if (places.size === 0) return;
      for (const [element, root] of elements)
        if (!isOnPage(element)) {
          elements.delete(element);
          bereft.set(root, LOOKS);
        }
      for (const [root, left] of bereft) {
        if (left === 0) bereft.delete(root);
        else bereft.set(root, left - 1);
        search(root);
      }
      const taken = new Set<string>();
      for (const element of elements.keys()) {
        const base = baseOf(element);
        const most = places.get(base) ?? 0;
        let number = numbers.get(element);
        if (number?.base !== base || taken.has(`${base}|${number.n}`)) {
          let n = 1;
          while (n <= most && taken.has(`${base}|${n}`)) n++;
          if (n > most) continue;
          number = { base, n };
          numbers.set(element, number);
        }
        const key = `${base}|${number.n}`;
        taken.add(key);
        const text = wordsOf(element);
        if (text === '' || !isVisible(element)) continue;
        into.set(key, { kind: 'text', label: null, region: null, value: calm(key, stateOf(text)), element });
      }
      const title = stateOf(document.title.trim().slice(0, CHARS));
      if (title !== '') into.set(TITLE, { kind: 'text', label: 'title', region: null, value: calm(TITLE, title), element: null });
    },
    forget() {
      elements.clear();
      bereft.clear();
    },
  };
};
