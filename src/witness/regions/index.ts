/**
 * Holds the regions of the page whose text changed while it was watched, reads them a few times a second, and says what
 * changed as an edit against what was said before. A region that is replaced by the same text elsewhere (a re-render, a
 * virtual list) keeps its key.
 */
import type { Region } from '../../core/model';
import type { Unstamped } from '../../link/messages';
import { CARET } from '../lexicon';
import { isOnPage } from '../realms';
import { isRendered, parentOf, pathOf } from '../surface';
import { createTextReader, hasText, isBlock } from '../text';
import { createAge } from './age';
import { type Edit, editOf } from './edit';
import { isInline, isPiece, pieceOf } from './pieces';
import { presentation } from './presented';
import { createSuccession, type RegionState } from './succession';

/** A region is read at most this often, and counts as resting after as long a silence. */
const READ_MS = 250;
/** Reading may take this share of the time: a huge region is read less often. */
const READ_SHARE = 20;
const REGIONS = 500;
/** Of so many of the last regions it is asked again how their places are called. */
const NAMED = 8;

export interface RegionsOptions {
  readonly document: string;
  readonly emit: (sighting: Unstamped) => void;
  readonly now: () => number;
  readonly shadowOf: (element: Element) => ShadowRoot | null;
  /** A region's text ends in a caret glyph, or no longer does. */
  readonly caret: (region: string, glyph: string | null, at: number) => void;
  /** A region was taken up: its surroundings are worth noting. */
  readonly born: (region: string, root: Element) => void;
}

export interface Regions {
  /** A new flow opened: what is on the page now is old. */
  epoch(): void;
  /** A new slice of work: what was looked up in the one before may have moved. */
  slice(): void;
  added(element: Element): void;
  /** Text directly in this element changed at this time. */
  changed(holder: Element, at: number): void;
  /** Text that was there before; nothing is said of it unless it is near. */
  present(holder: Element, at: number): void;
  /** Something in or on this element changed that may show or hide text in it. */
  touched(element: Element, at: number): void;
  /** Regions may have left the page; `at` says when. */
  left(when: (root: Element) => number): void;
  /** Reads what is due. `all`: everything that changed, due or not. False: time ran out. */
  work(deadline: number, all: boolean): boolean;
  /** Whether each region can still be seen. */
  look(at: number): void;
  /** When there is something to read next; null: nothing. */
  readonly due: number | null;
  /** The region that the element sits in or beside. */
  regionOf(element: Element): string | null;
  rootOf(key: string): Element | null;
  /** Nobody looked for a while: everything known is read again. */
  recheck(at: number): void;
}

export const createRegions = (options: RegionsOptions): Regions => {
  const { now, shadowOf } = options;
  const byRoot = new WeakMap<Element, RegionState>();
  const byKey = new Map<string, RegionState>();
  /** Elements close around a region, by its key; '' where they are around several. */
  const near = new WeakMap<Element, string>();
  const age = createAge();
  const active = new Set<RegionState>();
  const succession = createSuccession();
  let serial = 0;
  let skipped = 0;

  const reader = createTextReader({ shadowOf, apart: (element) => byRoot.get(element)?.known === true });

  const pieces = {
    isRegion: (element: Element) => byRoot.has(element),
    isYoung: (element: Element) => byRoot.get(element)?.epoch === age.epoch,
    isFresh: age.isFresh,
    hasText,
  };

  const standsAmongOld = (root: Element): boolean => {
    let n = 0;
    for (let child = root.firstElementChild; child !== null && n < 60; child = child.nextElementSibling, n++)
      if (isBlock(child) && !age.isFresh(child) && !byRoot.has(child) && hasText(child)) return !age.isFresh(root);
    return false;
  };

  /** Roots looked up in this slice, by every element on the way: words in spans come by the hundred into one paragraph. */
  const rootsOf = new Map<Element, Element>();
  const rootFor = (holder: Element): Element => {
    const known = rootsOf.get(holder);
    if (known !== undefined) return known;
    const parent = parentOf(holder);
    const around = parent === null ? undefined : rootsOf.get(parent);
    const root =
      around !== undefined && around !== holder && holder.attributes.length === 0 && isInline(holder) ? around : pieceOf(holder, pieces);
    for (let up: Element | null = holder; up !== null; up = parentOf(up)) {
      rootsOf.set(up, root);
      if (up === root) break;
    }
    return root;
  };

  const surround = (state: RegionState): void => {
    for (let at = parentOf(state.root), n = 0; at !== null && n < 3; at = parentOf(at), n++) {
      if (at.localName === 'body' || at.matches('[role="log"], main')) return;
      const other = near.get(at);
      const piece = isPiece(at);
      near.set(at, other === undefined || other === state.key || piece ? state.key : '');
      if (piece) return;
    }
  };

  const take = (root: Element, rest: boolean): RegionState | null => {
    const known = byRoot.get(root);
    if (known !== undefined) return known;
    if (byKey.size >= REGIONS && !forgetOne()) {
      skipped++;
      return null;
    }
    const state: RegionState = {
      key: `r${++serial}`,
      root,
      epoch: age.epoch,
      text: '',
      glyph: null,
      known: false,
      dirty: false,
      changedAt: 0,
      lastRead: 0,
      cost: 0,
      rested: false,
      news: false,
      visible: true,
      rest,
      region: null,
      shallow: standsAmongOld(root),
    };
    byRoot.set(root, state);
    byKey.set(state.key, state);
    return state;
  };

  /** Makes room by letting go of the oldest region that rests. */
  const forgetOne = (): boolean => {
    for (const state of byKey.values()) {
      if (active.has(state) || state.epoch === age.epoch) continue;
      forget(state);
      return true;
    }
    return false;
  };
  const forget = (state: RegionState): void => {
    byRoot.delete(state.root);
    byKey.delete(state.key);
    active.delete(state);
  };

  const touchUp = (from: Element, root: Element): void => {
    for (let at: Element | null = from; at !== null; at = parentOf(at)) {
      reader.touch(at);
      if (at === root) return;
    }
  };

  const dirty = (state: RegionState, at: number): void => {
    state.dirty = true;
    state.rested = false;
    if (at > state.changedAt) state.changedAt = at;
    active.add(state);
  };

  const portrait = (state: RegionState): Region => ({ key: state.key, path: pathOf(state.root), ...presentation(state.root) });

  const say = (state: RegionState, change: 'appeared' | 'changed' | 'rested' | 'removed', edit: Edit | null, at: number): void => {
    // Labels change as a run goes on ("Thinking…", "Thought for 5 s"), and a region that rests has its last one.
    if (state.region === null || change === 'rested' || change === 'appeared') state.region = portrait(state);
    options.emit({
      at,
      document: options.document,
      type: 'sight.text',
      region: state.region,
      change,
      edit,
      length: state.text.length,
      visible: state.visible,
      rest: state.rest,
    });
  };

  /** A region of before whose place and text this one takes up. */
  const adopt = (state: RegionState, text: string): 'moved' | 'back' | null => {
    const before = succession.predecessor(pathOf(state.root), text, (key) => byKey.has(key));
    if (before === null) return null;
    byKey.delete(state.key);
    state.key = before.key;
    byKey.set(before.key, state);
    if (!('root' in before)) return 'back';
    state.text = before.text;
    state.region = before.region;
    state.rest = before.rest;
    state.glyph = before.glyph;
    return 'moved';
  };

  const read = (state: RegionState): void => {
    const started = now();
    state.dirty = false;
    state.lastRead = started;
    if (!isOnPage(state.root)) return;
    let text = reader.read(state.root, state.shallow);
    const glyph = CARET.exec(text);
    if (glyph !== null) text = text.slice(0, glyph.index);
    const visible = isRendered(state.root);
    let change: 'appeared' | 'changed' = 'changed';
    if (!state.known) {
      if (text === '' && glyph === null) {
        forget(state);
        return;
      }
      state.known = true;
      if (adopt(state, text) !== 'moved') change = 'appeared';
      surround(state);
      setApart(state);
      options.born(state.key, state.root);
    }
    const edit = editOf(state.text, text);
    const shown = visible !== state.visible;
    // Taken to another place, with the same words: what the place is called may be all that the page says.
    const named = change === 'changed' && edit === null && !state.rest && state.region !== null ? portrait(state) : state.region;
    const renamed = named?.label !== state.region?.label;
    state.region = named;
    state.visible = visible;
    state.text = text;
    if (change === 'appeared' || edit !== null || shown || renamed) {
      state.news = true;
      say(state, change, edit, state.changedAt);
    }
    const caret = glyph?.[1] ?? null;
    if (caret !== state.glyph) {
      state.glyph = caret;
      options.caret(state.key, caret, state.changedAt);
    }
    state.cost = now() - started;
  };

  /** What is a region of its own is no longer read with the region around it. */
  const setApart = (state: RegionState): void => {
    for (let up = parentOf(state.root), n = 0; up !== null && n < 24; up = parentOf(up), n++) {
      reader.touch(up);
      const around = byRoot.get(up);
      if (around === undefined) continue;
      dirty(around, state.changedAt);
      return;
    }
  };

  const dueOf = (state: RegionState): number => {
    if (!state.dirty) return state.changedAt + READ_MS;
    return state.known ? state.lastRead + Math.max(READ_MS, state.cost * READ_SHARE) : 0;
  };

  const leave = (): void => {
    for (const { state, at } of succession.settle()) {
      options.emit({
        at,
        document: options.document,
        type: 'sight.text',
        region: state.region ?? portrait(state),
        change: 'removed',
        edit: null,
        length: state.text.length,
        visible: false,
        rest: state.rest,
      });
      if (state.glyph !== null) options.caret(state.key, null, at);
    }
  };

  return {
    epoch: age.begin,
    added: age.added,
    slice() {
      rootsOf.clear();
    },
    changed(holder, at) {
      const root = rootFor(holder);
      for (let up: Element | null = holder; up !== null && (up === holder || up !== root); up = parentOf(up)) age.changed(up);
      const state = take(root, false);
      if (state === null) return;
      if (root === holder) state.epoch = age.epoch;
      touchUp(holder, root);
      dirty(state, at);
    },
    present(holder, at) {
      if (age.isFresh(holder)) return;
      const root = pieceOf(holder, pieces);
      if (byRoot.has(root)) return;
      const state = take(root, true);
      if (state === null) return;
      state.epoch = age.epoch - 1;
      dirty(state, at);
    },
    touched(element, at) {
      for (let up: Element | null = element, n = 0; up !== null && n < 24; up = parentOf(up), n++) {
        const state = byRoot.get(up);
        if (state === undefined) continue;
        touchUp(element, up);
        dirty(state, at);
        return;
      }
    },
    left(when) {
      for (const state of byKey.values()) {
        if (isOnPage(state.root)) continue;
        forget(state);
        if (state.known) succession.leaves(state, when(state.root));
      }
    },
    work(deadline, all) {
      const time = now();
      // What is new first: it may take the place of what left.
      const waiting = [...active].sort((a, b) => Number(a.known) - Number(b.known) || a.lastRead - b.lastRead);
      for (const state of waiting) {
        if (state.dirty ? !all && dueOf(state) > time : dueOf(state) > time) continue;
        if (now() > deadline) return false;
        if (state.dirty) read(state);
        else if (!state.rested) {
          state.rested = true;
          if (state.known && state.news && isOnPage(state.root)) say(state, 'rested', null, time);
          state.news = false;
        }
        if (state.rested) active.delete(state);
      }
      leave();
      if (skipped > 0) {
        options.emit({ at: now(), type: 'gap', flow: null, reason: 'over-budget', lost: skipped });
        skipped = 0;
      }
      return true;
    },
    look(at) {
      let asked = 0;
      for (const state of [...byKey.values()].reverse()) {
        if (!state.known || active.has(state)) continue;
        const visible = isRendered(state.root);
        // What came last may have been taken to another place, or its place be called otherwise now.
        const named = !state.rest && state.region !== null && asked++ < NAMED ? portrait(state) : state.region;
        if (visible === state.visible && named?.label === state.region?.label) continue;
        state.visible = visible;
        state.region = named;
        say(state, 'changed', null, at);
      }
    },
    get due() {
      let due: number | null = null;
      for (const state of active) {
        const mine = dueOf(state);
        if (due === null || mine < due) due = mine;
      }
      return succession.open ? 0 : due;
    },
    regionOf(element) {
      for (let at: Element | null = element, n = 0; at !== null && n < 12; at = parentOf(at), n++) {
        const inside = byRoot.get(at);
        if (inside?.known === true) return inside.key;
        const beside = near.get(at);
        if (beside !== undefined) return beside === '' || !byKey.has(beside) ? null : beside;
      }
      return null;
    },
    rootOf: (key) => byKey.get(key)?.root ?? null,
    recheck(at) {
      reader.forget();
      for (const state of byKey.values()) dirty(state, at);
    },
  };
};
