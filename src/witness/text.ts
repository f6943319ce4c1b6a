/**
 * The text of an element as a reader sees it: what is hidden, what is a control and what belongs to another region left
 * out, one line per block, shadow trees and slots followed. Built by walking text nodes, never by `innerText`, which would
 * make the browser lay out the page. Blocks that did not change since the last reading are not walked again.
 */
import { holderOf } from './realms';
import { isBoxless, isFolded, isRendered } from './surface';

/** Tags that never hold text of the page's content. */
const SKIP = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'head',
  'title',
  'meta',
  'link',
  'svg',
  'canvas',
  'video',
  'audio',
  'iframe',
  'object',
  'button',
  'input',
  'textarea',
  'select',
  'option',
  'datalist',
  'progress',
  'meter',
  'summary',
]);
const BLOCK = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'body',
  'center',
  'dd',
  'details',
  'dialog',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hgroup',
  'hr',
  'legend',
  'li',
  'main',
  'menu',
  'nav',
  'ol',
  'p',
  'pre',
  'section',
  'table',
  'tbody',
  'thead',
  'tfoot',
  'tr',
  'ul',
]);

export const isBlock = (element: Element): boolean => BLOCK.has(element.localName);

/** Inside such an element there is no content text: controls, editors, pictures. */
const NO_TEXT = [
  ...SKIP,
  ...['button', 'textbox', 'progressbar', 'switch', 'menuitem'].map((role) => `[role="${role}"]`),
  // The attribute, not `isContentEditable`: that one makes the browser bring all styles up to date.
  '[contenteditable]:not([contenteditable="false"])',
].join(', ');

export const isNoText = (element: Element): boolean =>
  SKIP.has(element.localName) || (element.attributes.length > 0 && element.matches(NO_TEXT));

/** Text in a control is its name, text in an editor is the person's own. */
export const isInNoText = (element: Element): boolean => {
  for (let at: Element | null = element; at !== null; ) {
    if (at.closest(NO_TEXT) !== null) return true;
    const root = at.getRootNode();
    const holder = holderOf(root);
    // A frame is no text of this document, and what is in it is.
    at = root.nodeType === 9 ? (holder?.parentElement ?? null) : holder;
  }
  return false;
};

/** Texts that are looked at before an element counts as empty. */
const FEW = 50;

/** Whether there is any text in it, shown or not. */
export const hasText = (element: Element): boolean => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let n = 0; n < FEW && walker.nextNode() !== null; n++) if ((walker.currentNode as Text).data.trim() !== '') return true;
  return false;
};

/** Longer texts are cut: nobody compares more than this, and a log viewer must not cost a conversation its place. */
export const TEXT_CHARS = 200_000;
/** Leaf spans are read without asking for their style: pages that animate words make them by the thousand. */
const PLAIN = new Set(['span', 'b', 'i', 'em', 'strong', 'a', 'code', 'u', 's', 'mark', 'small', 'sub', 'sup', 'q', 'cite', 'br', 'wbr']);

export interface TextReader {
  /** `shallow`: only what stands in it directly, without the blocks in it. */
  read(root: Element, shallow: boolean): string;
  /** Something in or on this element changed: it and what is around it, up to the region, are walked again. */
  touch(element: Element): void;
  /** Everything may have changed. */
  forget(): void;
}

export interface TextReaderOptions {
  /** The shadow tree of an element, open or closed. */
  readonly shadowOf: (element: Element) => ShadowRoot | null;
  /** The element is a region of its own. */
  readonly apart: (element: Element) => boolean;
}

/** What is read although it is not shown: text without a box, text kept from assistive technology. */
interface Reading {
  readonly shallow: boolean;
  readonly hidden: boolean;
  readonly silent: boolean;
}

export const createTextReader = ({ shadowOf, apart }: TextReaderOptions): TextReader => {
  /** The text of blocks that were walked and did not change since. */
  let known = new WeakMap<Element, string>();

  const readBlock = (root: Element, how: Reading): string => {
    let out = '';
    /** 0: nothing; 1: a space; 2: a line break is due before the next text. */
    let due = 0;

    const append = (text: string, pre: boolean): void => {
      if (pre) {
        if (text === '') return;
        if (due === 2 && out !== '' && !out.endsWith('\n')) out += '\n';
        else if (due === 1) out += ' ';
        due = 0;
        out += text;
        return;
      }
      const trimmed = text.replace(/[ \t\n\r\f]+/gu, ' ');
      if (trimmed === '') return;
      if (trimmed === ' ') {
        if (due === 0) due = 1;
        return;
      }
      const leading = trimmed.startsWith(' ');
      if (due === 2) {
        if (out !== '' && !out.endsWith('\n')) out += '\n';
      } else if ((due === 1 || leading) && out !== '' && !out.endsWith('\n')) out += ' ';
      due = trimmed.endsWith(' ') ? 1 : 0;
      out += leading ? trimmed.slice(1, due === 1 ? -1 : undefined) : due === 1 ? trimmed.slice(0, -1) : trimmed;
    };

    const children = (parent: Node, pre: boolean): void => {
      for (let node = parent.firstChild; node !== null; node = node.nextSibling) visit(node, pre);
    };

    const visit = (node: Node, pre: boolean): void => {
      if (out.length > TEXT_CHARS) return;
      if (node.nodeType === 3) append((node as Text).data, pre);
      else if (node.nodeType === 1) element(node as Element, pre);
    };

    const inside = (el: Element, pre: boolean): void => {
      const shadow = shadowOf(el);
      if (shadow !== null) children(shadow, pre);
      else if (el.localName === 'slot') {
        const assigned = (el as HTMLSlotElement).assignedNodes();
        if (assigned.length === 0) children(el, pre);
        else for (const node of assigned) visit(node, pre);
      } else children(el, pre);
    };

    const element = (el: Element, pre: boolean): void => {
      const tag = el.localName;
      if (tag === 'br') {
        if (pre) append('\n', true);
        else due = 2;
        return;
      }
      if (isNoText(el) || apart(el)) return;
      // A formula is there twice; the source is what was said.
      if (tag === 'math') {
        const source = el.querySelector('annotation[encoding="application/x-tex"]')?.textContent;
        append(source ?? el.textContent ?? '', pre);
        return;
      }
      if (!how.silent && el.getAttribute('aria-hidden') === 'true') return;
      const block = BLOCK.has(tag);
      if (block && how.shallow) {
        due = 2;
        return;
      }
      if (block) {
        const before = known.get(el);
        due = 2;
        if (before !== undefined && !how.silent) {
          append(before, true);
          due = 2;
          return;
        }
      }
      if (!how.hidden && hides(el, tag)) return;
      if (block) {
        const text = readBlock(el, how);
        if (!how.silent) known.set(el, text);
        append(text, true);
        due = 2;
        return;
      }
      inside(el, pre);
      if (tag === 'td' || tag === 'th') due = Math.max(due, 1);
    };

    inside(root, keepsSpace(root));
    return out;
  };

  return {
    read(root, shallow) {
      // A region that is not shown as a whole has its text all the same; whoever reports it says that it is not visible.
      const hidden = !isRendered(root);
      const text = readBlock(root, { shallow, hidden, silent: false });
      // Words that are animated one by one are often hidden from assistive technology, and there only once for it elsewhere.
      return (text.trim() === '' ? readBlock(root, { shallow, hidden, silent: true }) : text).slice(0, TEXT_CHARS).replace(/[ \t]+$/u, '');
    },
    touch(element) {
      known.delete(element);
    },
    forget() {
      known = new WeakMap();
    },
  };
};

/** Leaves are read without asking for their style, but for their own words of it; `display: contents` has no box, and its text is there all the same. */
const hides = (element: Element, tag: string): boolean => {
  if (PLAIN.has(tag) && element.firstElementChild === null && !element.hasAttribute('hidden')) return isFolded(element);
  return tag !== 'slot' && !isRendered(element) && !isBoxless(element);
};

const keepsSpace = (element: Element): boolean => {
  if (!element.isConnected) return false;
  const space = getComputedStyle(element).whiteSpace;
  return space.startsWith('pre') || space === 'break-spaces';
};
