/**
 * Finds the trees that make up the page: the document, the documents of frames that it may look into (a chat widget often
 * lives in one, drawn by the page that holds the stream), and every shadow tree, open ones by their host, closed ones through the
 * door that browsers keep for extensions. Without that door (a witness that runs in the page) closed trees stay closed.
 */
import { documentIn, holderOf } from './realms';

interface ShadowDoor {
  readonly dom?: { openOrClosedShadowRoot(element: Element): ShadowRoot | null };
}
type FirefoxElement = Element & { readonly openOrClosedShadowRoot?: ShadowRoot | null };

const door = (globalThis as unknown as { chrome?: ShadowDoor }).chrome?.dom;

/** Plain elements that may have a shadow tree. */
const HOSTS = new Set([
  'article',
  'aside',
  'blockquote',
  'body',
  'div',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'main',
  'nav',
  'p',
  'section',
  'span',
]);

const knock = (element: Element): ShadowRoot | null => {
  const { openOrClosedShadowRoot } = element as FirefoxElement;
  if (openOrClosedShadowRoot !== undefined) return openOrClosedShadowRoot;
  try {
    return door?.openOrClosedShadowRoot(element) ?? null;
  } catch {
    // Only HTML elements may be asked.
    return null;
  }
};

export interface Roots {
  /** The shadow tree of an element, open or closed. */
  shadowOf(element: Element): ShadowRoot | null;
  readonly all: ReadonlySet<Document | ShadowRoot>;
  /** The shadow trees and documents of frames in and on this, known or new. */
  search(within: Element | Document | ShadowRoot): readonly (Document | ShadowRoot)[];
  /** Custom elements without a tree may get one later. */
  searchAgain(): readonly (Document | ShadowRoot)[];
  /** Lets go of trees that left the page. */
  prune(): void;
}

export interface RootsOptions {
  readonly found: (root: Document | ShadowRoot) => void;
  /** The overlay's own host. */
  readonly ours: (element: Element) => boolean;
}

/** Custom elements that never get a tree are many on some pages; they are not asked for ever. */
const PATIENCE = 20;
const HOPEFUL = 2_000;

export const createRoots = ({ found, ours }: RootsOptions): Roots => {
  const all = new Set<Document | ShadowRoot>([document]);
  const shadows = new WeakMap<Element, ShadowRoot>();
  let hopeful = new Map<Element, number>();

  const shadowOf = (element: Element): ShadowRoot | null => {
    const open = element.shadowRoot;
    if (open !== null) return open;
    const known = shadows.get(element);
    if (known !== undefined) return known;
    const { localName } = element;
    const custom = localName.includes('-');
    // A plain element with a closed tree shows nothing of its own children.
    if (!custom && (element.firstChild !== null || !HOSTS.has(localName))) return null;
    const closed = knock(element);
    if (closed !== null) shadows.set(element, closed);
    return closed;
  };

  const take = (element: Element, into: (Document | ShadowRoot)[]): void => {
    if (ours(element)) return;
    const tree = documentIn(element) ?? shadowOf(element);
    if (tree === null) {
      if (element.localName.includes('-') && hopeful.size < HOPEFUL && !hopeful.has(element)) hopeful.set(element, 0);
      return;
    }
    into.push(tree);
    if (!all.has(tree)) {
      all.add(tree);
      found(tree);
    }
    walk(tree, into);
  };

  const walk = (within: Element | Document | ShadowRoot, into: (Document | ShadowRoot)[]): void => {
    if (within.nodeType === 1) take(within as Element, into);
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) take(node as Element, into);
  };

  return {
    shadowOf,
    all,
    search(within) {
      const into: (Document | ShadowRoot)[] = [];
      walk(within, into);
      return into;
    },
    searchAgain() {
      const into: (Document | ShadowRoot)[] = [];
      const still = hopeful;
      hopeful = new Map();
      for (const [element, tries] of still) {
        if (!element.isConnected || tries > PATIENCE) continue;
        take(element, into);
        if (hopeful.has(element)) hopeful.set(element, tries + 1);
      }
      return into;
    },
    prune() {
      for (const root of all) if (root !== document && holderOf(root)?.isConnected !== true) all.delete(root);
    },
  };
};
