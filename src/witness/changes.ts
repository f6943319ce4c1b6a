/**
 * Goes through what the mutation observer noted: which texts changed, what was added that is worth watching, whether cues
 * or looks have to be read again. Works in slices; what does not fit into one waits for the next.
 */
import type { CueWatcher } from './cues';
import type { Regions } from './regions';
import type { Roots } from './roots';
import { foldsOrUnfolds, parentOf } from './surface';
import { isInNoText, isNoText } from './text';
import type { Batch } from './times';

/** More records than this between two frames are not gone through one by one. */
export const RECORDS = 4_000;
/** The clock is looked at after so many records or texts. */
const STRIDE = 32;
/** How far around a growing text other texts are noted. */
const NEAR_LEVELS = 4;
const NEAR_SIBLINGS = 12;
const NEAR_TEXTS = 200;
/** Leaves that hold words and nothing else: most of what is ever added. */
const LEAVES = new Set(['span', 'b', 'i', 'em', 'strong', 'a', 'code', 'p', 'li', 'br', 'u', 's', 'mark']);

export interface ChangesOptions {
  readonly now: () => number;
  readonly regions: Regions;
  readonly cues: CueWatcher;
  readonly roots: Roots;
  readonly ours: (element: Element) => boolean;
}

export interface Changes {
  /** Cues may have changed. */
  cues: boolean;
  /** Something may have been shown or hidden. */
  looks: boolean;
  /** Goes through batches until the deadline; gives back those that are left. */
  through(batches: readonly Batch[], deadline: number): readonly Batch[];
  /** Instead of going through: everything is looked at. */
  everything(at: number): void;
  /** Reads the texts of what was added. False: time ran out. */
  readAdded(deadline: number): boolean;
  /** A shadow tree or a frame's document came, with the texts in it. */
  addRoot(root: Document | ShadowRoot, at: number): void;
  /** What is in the trees known by now was there before. */
  old(): void;
  /** Notes the texts that were there before around the place where text grows: earlier messages, notices. */
  nearby(root: Element): void;
}

const skipNoText = (node: Node): number =>
  node.nodeType === 1 && isNoText(node as Element) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;

export const textsIn = (within: Node): TreeWalker =>
  document.createTreeWalker(within, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, skipNoText);

const isWords = (node: Node): boolean => node.nodeType === 3 && (node as Text).data.trim() !== '';

export const createChanges = ({ now, regions, cues, roots, ours }: ChangesOptions): Changes => {
  /** Added nodes whose texts were not gone through yet. */
  let unread: { readonly walker: TreeWalker; readonly at: number }[] = [];
  /** Shadow trees and documents of frames whose texts are known, or were there before. */
  const readRoots = new WeakSet<Document | ShadowRoot>();

  /** Whether text in this element is no content, looked up once for all that stands side by side. */
  const noText = new Map<Element, boolean>();
  const isNone = (holder: Element): boolean => {
    if (isNoText(holder)) return true;
    const parent = parentOf(holder);
    if (parent === null) return false;
    let known = noText.get(parent);
    if (known === undefined) {
      known = isInNoText(parent);
      noText.set(parent, known);
    }
    return known;
  };

  const inText = (holder: Element, at: number): void => {
    if (isNone(holder)) state.cues = true;
    else regions.changed(holder, at);
  };

  const addTexts = (within: Element | Document | ShadowRoot, at: number): void => {
    if (within.nodeType === 1 && isInNoText(within as Element)) state.cues = true;
    else unread.push({ walker: textsIn(within), at });
  };

  const addElement = (element: Element, at: number): boolean => {
    regions.added(element);
    if (element.firstElementChild === null && LEAVES.has(element.localName)) {
      if (element.firstChild !== null) inText(element, at);
      return false;
    }
    addTexts(element, at);
    cues.search(element);
    // Trees that were found before this came to be gone through, and those that are found now.
    for (const root of roots.search(element)) state.addRoot(root, at);
    return true;
  };

  const attribute = ({ target, attributeName }: MutationRecord, at: number, seen: Set<Node>): void => {
    const element = target as Element;
    if (ours(element)) return;
    state.cues = true;
    // A style that changes on a leaf is an animation, unless it takes the leaf away; on what holds others it may hide or show them.
    if (attributeName === 'style' && element.firstElementChild === null && !foldsOrUnfolds(element)) return;
    state.looks = true;
    if (seen.has(target)) return;
    seen.add(target);
    cues.consider(element);
    regions.touched(element, at);
  };

  const children = ({ target, addedNodes, removedNodes }: MutationRecord, at: number, seen: Set<Node>): void => {
    for (const node of removedNodes) if (node.nodeType === 1) state.cues = true;
    for (const node of addedNodes) {
      if (seen.has(node)) continue;
      if (node.nodeType === 1) {
        const element = node as Element;
        if (ours(element) || !element.isConnected) continue;
        seen.add(element);
        if (addElement(element, at)) state.cues = true;
      } else if (isWords(node)) {
        seen.add(node);
        const holder = parentOf(node);
        if (holder?.isConnected === true) inText(holder, at);
      }
    }
    if (removedNodes.length === 0) return;
    const holder = target.nodeType === 1 ? (target as Element) : parentOf(target);
    if (holder !== null) regions.touched(holder, at);
  };

  const one = (record: MutationRecord, at: number, seen: Set<Node>): void => {
    if (record.type === 'attributes') attribute(record, at, seen);
    else if (record.type === 'childList') children(record, at, seen);
    else if (!seen.has(record.target)) {
      seen.add(record.target);
      const holder = parentOf(record.target);
      if (holder?.isConnected === true) inText(holder, at);
    }
  };

  const state: Changes = {
    cues: false,
    looks: false,
    through(batches, deadline) {
      const seen = new Set<Node>();
      noText.clear();
      regions.slice();
      let n = 0;
      for (const [i, { at, records }] of batches.entries())
        for (const [j, record] of records.entries()) {
          one(record, at, seen);
          if (++n % STRIDE === 0 && now() > deadline) return [{ at, records: records.slice(j + 1) }, ...batches.slice(i + 1)];
        }
      return [];
    },
    everything(at) {
      unread = [];
      roots.search(document);
      for (const root of roots.all) {
        cues.search(root);
        addTexts(root, at);
      }
      state.cues = true;
      state.looks = true;
    },
    readAdded(deadline) {
      let n = 0;
      while (unread.length > 0) {
        const { walker, at } = unread[0]!;
        let holder: Node | null = null;
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          if (!isWords(node)) continue;
          const parent = parentOf(node);
          if (parent !== null && parent !== holder && parent.isConnected) regions.changed(parent, at);
          holder = parent;
          if (++n % STRIDE === 0 && now() > deadline) return false;
        }
        unread.shift();
      }
      return true;
    },
    addRoot(root, at) {
      if (readRoots.has(root)) return;
      readRoots.add(root);
      addTexts(root, at);
      state.cues = true;
    },
    old() {
      for (const root of roots.all) if (root !== document) readRoots.add(root);
    },
    nearby(root) {
      let n = 0;
      for (let at = root, level = 0; level < NEAR_LEVELS; level++) {
        const around = parentOf(at);
        if (around === null || around.localName === 'html') return;
        const siblings = [...around.children];
        const mine = siblings.indexOf(at);
        for (const sibling of siblings.slice(Math.max(0, mine - NEAR_SIBLINGS), mine + NEAR_SIBLINGS)) {
          if (sibling === at || isNoText(sibling)) continue;
          const walker = textsIn(sibling);
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            if (!isWords(node)) continue;
            if (++n > NEAR_TEXTS) return;
            const holder = parentOf(node);
            if (holder !== null) regions.present(holder, now());
          }
        }
        at = around;
      }
    },
  };
  return state;
};
