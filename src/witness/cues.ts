/**
 * What on the page may say "working" or "final": controls, text entries, busy marks, endless animations, states and class
 * tokens of containers, the page's own word. Each is a key and a value; nothing here knows what any of them means. Keys
 * name the thing by its words and its place, so that a re-rendered button is the same cue.
 */
import type { CueKind } from '../core/model';
import { NO_STATE_ATTRIBUTE, STATE_TOKEN, UTILITY_TOKEN } from './lexicon';
import { isElement, isOnPage } from './realms';
import { createStatusWords } from './status';
import { isVisible, nameOf, parentOf, pictureOf, placeOf, stopIconOf, takesRoom } from './surface';

export interface Cue {
  readonly kind: CueKind;
  readonly label: string | null;
  readonly region: string | null;
  readonly value: string;
  /** What it was read from; null for the page as a whole. */
  readonly element: Element | null;
}

/** The state of every cue at one moment, by key. */
export type CuePicture = ReadonlyMap<string, Cue>;

const CONTROLS = 'button, [role="button"], input[type="submit"], input[type="button"], input[type="image"], summary, a:not([href])';
const COMPOSERS =
  'textarea, input:not([type]), input[type="text"], input[type="search"], [contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"], [role="textbox"]';
const BUSY = '[aria-busy="true"], [role="progressbar"], progress';
const OUTRIGHT = '[data-unsettled]';
const SMIL = 'animate[repeatCount="indefinite"], animateTransform[repeatCount="indefinite"], animateMotion[repeatCount="indefinite"]';
/** Everything that is found by what it is. */
export const CUE_SELECTOR = [CONTROLS, COMPOSERS, BUSY, OUTRIGHT, SMIL].join(', ');

/** More than this on one page is a table or a grid, not a conversation. */
const ELEMENTS = 600;
/** Containers whose classes and attributes are noted. */
const CONTAINERS = 300;
/** Class tokens, and attributes, of one container. */
const TOKENS = 12;
const VALUE_CHARS = 80;
/** The name of a look that no attribute tells. */
const PALE = 'look';
const PALE_OPACITY = 0.9;
/** The name of a text entry's state, where the page itself writes into it. */
const FILLED = 'filled';
/** An attribute or token that changes this often is a counter or an animation, not a state. */
const RESTLESS = 24;

export interface CueWatcher {
  /** Looks for cue elements in and on what was added. */
  search(within: Element | Document | ShadowRoot): void;
  /** Notes the short words of the page at rest, which it may change while it works; and looks for those again. */
  learnStatus(roots: Iterable<Document | ShadowRoot>): void;
  searchStatus(root: Document | ShadowRoot): void;
  /** An attribute of it changed: it may have become one. */
  consider(element: Element): void;
  /** Notes the classes and attributes of this element and `levels` of what is around it; `region` is shown in it. */
  container(element: Element, levels: number, region?: string): void;
  /** An animation began on this element. */
  animated(element: Element, pseudo: boolean): void;
  /** Looks for endless animations in a whole tree. */
  searchAnimations(root: Document | ShadowRoot): void;
  /** The text of a region ends in a caret, or no longer does. */
  caret(region: string, glyph: string | null): void;
  picture(): Map<string, Cue>;
  forget(): void;
}

export interface CueWatcherOptions {
  /** The region that the element sits in or beside. */
  readonly regionOf: (element: Element) => string | null;
  readonly ours: (element: Element) => boolean;
}

const kindOf = (element: Element): 'control' | 'composer' | 'busy' | 'outright' | 'smil' | null => {
  if (element.matches(CONTROLS)) return 'control';
  if (element.matches(COMPOSERS)) return 'composer';
  if (element.matches(SMIL)) return 'smil';
  return element.matches(BUSY) ? 'busy' : element.hasAttribute('data-unsettled') ? 'outright' : null;
};

const isOff = (element: Element): boolean => element.matches(':disabled, [aria-disabled="true"], [inert], [inert] *');

interface Ordinal {
  readonly base: string;
  readonly n: number;
}

/**
 * Numbers things alike within one picture. An element keeps its number for as long as it is there; what replaces one in the
 * same picture takes its number over. All claims come before the first new number.
 */
const createNumbers = (known: WeakMap<Element, Ordinal>) => {
  const taken = new Map<string, Set<number>>();
  return {
    claim(element: Element, base: string): boolean {
      const numbers = taken.get(base) ?? new Set();
      taken.set(base, numbers);
      const before = known.get(element);
      if (before?.base === base && !numbers.has(before.n)) {
        numbers.add(before.n);
        return true;
      }
      known.delete(element);
      return false;
    },
    of(element: Element, base: string): number {
      const before = known.get(element);
      if (before?.base === base) return before.n;
      const numbers = taken.get(base)!;
      let n = 1;
      while (numbers.has(n)) n++;
      numbers.add(n);
      known.set(element, { base, n });
      return n;
    },
  };
};

export const createCueWatcher = ({ regionOf, ours }: CueWatcherOptions): CueWatcher => {
  const elements = new Set<Element>();
  /** Which of several alike an element is; kept while it is there. */
  const ordinals = new WeakMap<Element, Ordinal>();
  const boxNumbers = new WeakMap<Element, Ordinal>();
  /** With the region they were noted for, where they stand close around it. */
  const containers = new Map<Element, string | null>();
  /** True where it may be a pseudo-element of it that is animated: then asking is dearer. */
  const animations = new Map<Element, boolean>();
  /** The trees in which endless animations ran: what replaces one of them is looked for there. */
  const animatedIn = new WeakMap<Element, Document | ShadowRoot>();
  const restless = new Map<string, { value: string; changes: number }>();
  const carets = new Map<string, string>();
  const status = createStatusWords(ours);
  /** How much stands in text entries, and whether the page put it there; never what. */
  const fillings = new WeakMap<Element, { length: number; byPage: boolean }>();

  /** It grew while nobody's cursor was in it. */
  const isFilled = (element: Element): boolean => {
    const length = (element as Partial<HTMLTextAreaElement>).value?.length ?? 0;
    const known = fillings.get(element) ?? { length, byPage: false };
    const typed = (element.getRootNode() as Document | ShadowRoot).activeElement === element;
    if (length !== known.length) known.byPage = !typed && (length > known.length || known.byPage) && length > 0;
    known.length = length;
    fillings.set(element, known);
    return known.byPage;
  };

  const add = (element: Element): void => {
    if (elements.size >= ELEMENTS || ours(element)) return;
    elements.add(element);
    // A composer is watched with what is around it: pages put their state there.
    if (element.matches(COMPOSERS)) container(element, 5);
  };

  const container = (element: Element, levels: number, region: string | null = null): void => {
    for (let at: Element | null = element, n = 0; at !== null && n <= levels; at = parentOf(at), n++) {
      if (containers.size >= CONTAINERS) return;
      if (!containers.has(at)) containers.set(at, n <= 2 ? region : null);
    }
  };

  /** A value that never rests stands still here: it is no state, and must not look like a change of one. */
  const calm = (key: string, value: string): string => {
    const known = restless.get(key);
    if (known === undefined) restless.set(key, { value, changes: 0 });
    else if (known.value !== value && known.changes < RESTLESS) {
      known.value = value;
      known.changes++;
    }
    return known?.value ?? value;
  };

  const readContainers = (into: Map<string, Cue>): void => {
    const numbers = createNumbers(boxNumbers);
    const bases = new Map<Element, string>();
    for (const element of containers.keys()) {
      if (!isOnPage(element)) {
        containers.delete(element);
        continue;
      }
      const base = `${placeOf(element)}>${element.localName}`;
      bases.set(element, base);
      numbers.claim(element, base);
    }
    for (const [element, noted] of containers) {
      const base = bases.get(element)!;
      const place = `${base}|${numbers.of(element, base)}`;
      const region = regionOf(element) ?? noted;
      const put = (kind: 'class' | 'attribute', name: string, value: string): void => {
        const key = `${kind}|${name}|${place}`;
        into.set(key, { kind, label: name, region, value: calm(key, value), element });
      };
      // Close around a region: text that is not certain yet may be pale or blurred, and nothing else says so.
      if (noted !== null && isPale(element)) put('attribute', PALE, 'pale');
      let n = 0;
      for (const token of element.classList) {
        if (token.length > 60 || (UTILITY_TOKEN.test(token) && !STATE_TOKEN.test(token))) continue;
        if (n++ < TOKENS) put('class', token, token);
      }
      n = 0;
      for (const { name, value } of element.attributes)
        if (!NO_STATE_ATTRIBUTE.test(name) && n++ < TOKENS) put('attribute', name, value.slice(0, VALUE_CHARS));
      if (element.localName === 'textarea' || element.localName === 'input')
        put('attribute', 'placeholder', (element as HTMLTextAreaElement).placeholder.slice(0, VALUE_CHARS));
    }
  };

  const searchAnimations = (root: Document | ShadowRoot): void => {
    for (const animation of root.getAnimations()) {
      const effect = animation.effect as KeyframeEffect | null;
      if (!isElement(effect?.target)) continue;
      if (effect.getTiming().iterations !== Number.POSITIVE_INFINITY || ours(effect.target)) continue;
      animations.set(effect.target, effect.pseudoElement !== null || animations.get(effect.target) === true);
    }
  };

  /** One that was drawn anew runs already, though its start is told only later; it must not look like the end of the other. */
  const replaceAnimations = (): void => {
    const left = new Set<Document | ShadowRoot>();
    for (const element of animations.keys()) {
      const root = isOnPage(element) ? undefined : animatedIn.get(element);
      if (root !== undefined) left.add(root);
    }
    for (const root of left) searchAnimations(root);
  };

  const readAnimations = (into: Map<string, Cue>): void => {
    replaceAnimations();
    for (const [element, pseudo] of animations) {
      const running = isOnPage(element) ? endless(element, pseudo) : [];
      if (running.length === 0) {
        animations.delete(element);
        continue;
      }
      animatedIn.set(element, element.getRootNode() as Document | ShadowRoot);
      if (!isVisible(element)) continue;
      const region = regionOf(element);
      for (const name of running)
        into.set(`animation|${name}|${placeOf(element)}`, { kind: 'animation', label: name, region, value: 'running', element });
    }
  };

  return {
    search(within) {
      if (within.nodeType === 1 && (within as Element).matches(CUE_SELECTOR)) add(within as Element);
      for (const element of within.querySelectorAll(CUE_SELECTOR)) add(element);
    },
    learnStatus: status.learn,
    searchStatus: status.search,
    consider(element) {
      if (element.matches(CUE_SELECTOR)) add(element);
    },
    container,
    animated(element, pseudo) {
      if (!ours(element) && animations.size < ELEMENTS) animations.set(element, pseudo || animations.get(element) === true);
    },
    searchAnimations,
    caret(region, glyph) {
      if (glyph === null) carets.delete(region);
      else carets.set(region, glyph);
    },
    picture() {
      const cues = new Map<string, Cue>();
      const numbers = createNumbers(ordinals);
      const unplaced: { element: Element; base: string; cue: Cue }[] = [];
      const place = (element: Element, base: string, cue: Cue): void => {
        const n = numbers.of(element, base);
        cues.set(n === 1 ? base : `${base}|${n}`, cue);
      };
      for (const element of elements) {
        if (!isOnPage(element)) {
          elements.delete(element);
          continue;
        }
        const kind = kindOf(element) ?? (ordinals.get(element)?.base.startsWith('composer|') === true ? 'composer' : null);
        if (kind === null) continue;
        if (kind !== 'outright' && !isVisible(kind === 'smil' ? (element.closest('svg') ?? element) : element)) continue;
        const region = regionOf(element);
        let base: string;
        let cue: Cue;
        if (kind === 'control') {
          const label = nameOf(element) ?? stopIconOf(element);
          base = `control|${label ?? `picture ${pictureOf(element)}`}|${placeOf(element)}`;
          cue = { kind, label, region, value: isOff(element) ? 'disabled' : 'enabled', element };
        } else if (kind === 'composer') {
          base = `composer|${placeOf(element)}`;
          if (isFilled(element))
            cues.set(`attribute|${FILLED}|${placeOf(element)}`, {
              kind: 'attribute',
              label: FILLED,
              region,
              value: 'by the page',
              element,
            });
          const fixed = element.matches('[readonly], [aria-readonly="true"], [contenteditable="false"]');
          cue = { kind, label: nameOfEntry(element), region, value: isOff(element) ? 'disabled' : fixed ? 'readonly' : 'enabled', element };
        } else if (kind === 'outright') {
          const value = element.getAttribute('data-unsettled') ?? '';
          if (value !== 'working' && value !== 'final') continue;
          base = `outright|${placeOf(element)}`;
          cue = { kind, label: 'data-unsettled', region, value, element };
        } else if (kind === 'smil') {
          base = `animation|smil|${placeOf(element)}`;
          cue = { kind: 'animation', label: element.localName, region, value: 'running', element };
        } else {
          const label = element.getAttribute('aria-busy') === 'true' ? 'aria-busy' : 'progressbar';
          if (label === 'progressbar' && !takesRoom(element)) continue;
          base = `busy|${label}|${placeOf(element)}`;
          cue = { kind, label, region, value: 'true', element };
        }
        if (numbers.claim(element, base)) place(element, base, cue);
        else unplaced.push({ element, base, cue });
      }
      for (const { element, base, cue } of unplaced) place(element, base, cue);
      readAnimations(cues);
      readContainers(cues);
      status.read(cues, calm);
      for (const [region, glyph] of carets)
        cues.set(`caret|${region}`, { kind: 'caret', label: glyph, region, value: glyph, element: null });
      return cues;
    },
    forget() {
      elements.clear();
      containers.clear();
      status.forget();
      animations.clear();
      restless.clear();
      carets.clear();
    },
  };
};

/** Drawn so that it can be seen through, or out of focus. */
const isPale = (element: Element): boolean => {
  const { opacity, filter } = getComputedStyle(element);
  return Number(opacity) < PALE_OPACITY || filter.includes('blur(');
};

/** A text entry's own name, never what was typed into it. */
const nameOfEntry = (element: Element): string | null =>
  element.getAttribute('aria-label')?.trim().slice(0, VALUE_CHARS) ||
  element.getAttribute('placeholder')?.trim().slice(0, VALUE_CHARS) ||
  null;

const endless = (element: Element, pseudo: boolean): string[] => {
  const names: string[] = [];
  for (const animation of element.getAnimations({ subtree: pseudo })) {
    const effect = animation.effect as KeyframeEffect | null;
    if (effect?.target !== element || animation.playState !== 'running') continue;
    if (effect.getTiming().iterations === Number.POSITIVE_INFINITY)
      names.push((animation as Partial<CSSAnimation>).animationName ?? (animation.id === '' ? 'script' : animation.id));
  }
  return names;
};
