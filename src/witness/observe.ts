/**
 * DOM to sightings: watches the page while an agent flow is open and says what its texts and cues were, and when. It
 * gathers and never concludes.
 *
 * The mutation callback only notes what changed and the time; everything is read after the frame has painted, when asking
 * for styles is cheap, for a few milliseconds at a time. Every cue carries the time of the mutation that changed it. While
 * no flow is open nothing is observed: the page at rest is looked at once it has loaded, and just before the page reacts to
 * a person.
 */
import type { Unstamped } from '../link/messages';
import { type Cue, type CuePicture, createCueWatcher } from './cues';
import { createOverlay } from './overlay';
import { createRegions } from './regions';
import { createRoots } from './roots';
import { parentOf } from './surface';
import { isInNoText, isNoText } from './text';
import { type Batch, createTimes } from './times';

export interface ObserverOptions {
  readonly document: string;
  readonly emit: (sighting: Unstamped) => void;
}

export interface PageObserver {
  /** A flow may be opening: note what changes from now on, for a moment, without reading it. */
  arm(): void;
  /** An agent flow is open: watch. */
  start(): void;
  /** Nothing is open any more. */
  stop(): void;
  /** A run begins while nothing else is busy: what is on the page now was there before. */
  epoch(): void;
  /** Something ended: read what is shown in the next frame. */
  lookSoon(): void;
  point(region: string | null): void;
  close(): void;
}

/** Time for our work after a frame. */
const SLICE_MS = 4;
/** Frames do not come while the page is hidden. */
const HIDDEN_MS = 50;
/** A picture of the page at rest is good for this long. */
const PICTURE_MS = 1_000;
/** How long a flow may take to prove that it is an agent's, once it was heard of. */
const ARMED_MS = 3_000;
/** Things that change without a mutation (animations by script, a late shadow tree) are looked for this often. */
const ROUND_MS = 250;
/** More records than this between two frames are not gone through one by one. */
const RECORDS = 4_000;
/** Reading cues may take one part in so many of the time. */
const CUE_SHARE = 10;
const BATCHES = 200;
/** Texts in what was added that are looked at, at most, in one piece. */
const TEXTS = 4_000;

/** How far around a growing text other texts are noted. */
const NEAR_LEVELS = 4;
const NEAR_SIBLINGS = 12;
const NEAR_TEXTS = 200;

export const createObserver = ({ document: key, emit }: ObserverOptions): PageObserver => {
  const now = (): number => performance.now();
  const overlay = createOverlay();
  let watching = false;
  /** Watching, and everything that was there is known. */
  let live = false;
  /** Since when mutations are noted; null: they are not. */
  let armedAt: number | null = null;
  let disarm: ReturnType<typeof setTimeout> | null = null;
  let closed = false;

  /** Noted in callbacks, read after the next frame. */
  let batches: Batch[] = [];
  /** Since cues were last read. */
  let sinceCues: Batch[] = [];
  let nextCues = 0;
  let noted = 0;
  /** Added elements whose texts were not gone through yet. */
  let unread: { readonly walker: TreeWalker; readonly at: number }[] = [];
  /** The texts around the first growing region were noted. */
  let nearby = false;
  let cuesDirty = false;
  let looksDirty = false;
  let urgent = false;
  let scheduled = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lastRound = 0;
  /** Since when the page is watched. */
  let since = 0;

  /** The page at rest. */
  let rest: { readonly at: number; readonly cues: CuePicture; readonly visible: boolean } | null = null;
  /** What was said of each cue. */
  const said = new Map<string, Cue>();

  const roots = createRoots({
    ours: overlay.is,
    found(root) {
      if (watching || armedAt !== null) attach(root);
      cues.search(root);
      cues.searchAnimations(root);
      // What was there before the watch is no news.
      if (live) addTexts(root, now());
    },
  });
  const regions = createRegions({
    document: key,
    emit,
    now,
    shadowOf: roots.shadowOf,
    caret(region, glyph) {
      cues.caret(region, glyph);
      cuesDirty = true;
    },
    born(region, root) {
      cues.container(root, 5, region);
      cuesDirty = true;
      if (!nearby) readNearby(root);
      nearby = true;
    },
  });
  const cues = createCueWatcher({ regionOf: regions.regionOf, ours: overlay.is });

  // Noticing.

  const schedule = (): void => {
    if (scheduled || closed) return;
    scheduled = true;
    if (document.hidden) setTimeout(run, HIDDEN_MS);
    else requestAnimationFrame(() => afterPaint.port2.postMessage(null));
  };
  const afterPaint = new MessageChannel();
  afterPaint.port1.onmessage = () => run();

  const observer = new MutationObserver((records) => {
    note(records);
    if (watching) schedule();
  });
  const note = (records: readonly MutationRecord[]): void => {
    noted += records.length;
    // Beyond this everything is looked at anyway; what was noted would only be held on to.
    batches.push({ at: now(), records: noted > RECORDS ? [] : records });
  };
  const attach = (root: Document | ShadowRoot): void => {
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    root.addEventListener('animationstart', animationNoticed, true);
    root.addEventListener('animationcancel', animationNoticed, true);
    root.addEventListener('slotchange', slotNoticed, true);
  };
  const animationNoticed = (event: Event): void => {
    const target = event.composedPath()[0];
    if (!(target instanceof Element) || overlay.is(target)) return;
    cues.animated(target, (event as AnimationEvent).pseudoElement !== '');
    cuesDirty = true;
    schedule();
  };
  const slotNoticed = (event: Event): void => {
    if (event.target instanceof Element) regions.touched(event.target, now());
    schedule();
  };
  const visibilityNoticed = (): void => {
    // Frames stop when the page is hidden; whatever was scheduled must not wait for the next one.
    if (scheduled) {
      scheduled = false;
      schedule();
    }
    emit({ at: now(), document: key, type: 'sight.watch', state: 'started', visible: !document.hidden });
  };

  // Reading.

  /** Queues the texts in what was added. */
  const addTexts = (within: Element | Document | ShadowRoot, at: number): void => {
    if (within.nodeType === 1 && isInNoText(within as Element)) {
      cuesDirty = true;
      return;
    }
    unread.push({ walker: document.createTreeWalker(within, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, skipNoText), at });
  };

  /** True when done. */
  const readAdded = (deadline: number): boolean => {
    let n = 0;
    while (unread.length > 0) {
      const { walker, at } = unread[0]!;
      let holder: Node | null = null;
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.nodeType !== 3 || (node as Text).data.trim() === '') continue;
        const parent = parentOf(node);
        if (parent !== null && parent !== holder && parent.isConnected) regions.changed(parent, at);
        holder = parent;
        if (++n % 32 === 0 && (now() > deadline || n > TEXTS)) return false;
      }
      unread.shift();
    }
    return true;
  };

  /** Texts that were there before, around the place where text grows: earlier messages, notices. */
  const readNearby = (root: Element): void => {
    let n = 0;
    for (let at = root, level = 0; level < NEAR_LEVELS; level++) {
      const around = parentOf(at);
      if (around === null || around.localName === 'html') return;
      const siblings = [...around.children];
      const mine = siblings.indexOf(at);
      for (const sibling of siblings.slice(Math.max(0, mine - NEAR_SIBLINGS), mine + NEAR_SIBLINGS)) {
        if (sibling === at || isNoText(sibling)) continue;
        const walker = document.createTreeWalker(sibling, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, skipNoText);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          if (node.nodeType !== 3 || (node as Text).data.trim() === '') continue;
          if (++n > NEAR_TEXTS) return;
          const holder = parentOf(node);
          if (holder !== null) regions.present(holder, now());
        }
      }
      at = around;
    }
  };

  const goThrough = (records: readonly MutationRecord[], at: number, seen: Set<Node>): void => {
    for (const record of records) {
      const { target, type } = record;
      if (type === 'characterData') {
        if (seen.has(target)) continue;
        seen.add(target);
        const holder = parentOf(target);
        if (holder?.isConnected === true) inText(holder, at);
        continue;
      }
      if (type === 'attributes') {
        const element = target as Element;
        if (overlay.is(element)) continue;
        cuesDirty = true;
        // A style that changes on a leaf is an animation; on what holds others it may hide or show them.
        if (record.attributeName !== 'style' || element.firstElementChild !== null) {
          looksDirty = true;
          if (!seen.has(target)) {
            seen.add(target);
            cues.consider(element);
            regions.touched(element, at);
          }
        }
        continue;
      }
      let elements = false;
      for (const node of record.removedNodes) if (node.nodeType === 1) elements = true;
      for (const node of record.addedNodes) {
        if (node.nodeType === 1) {
          const element = node as Element;
          if (overlay.is(element) || !element.isConnected || seen.has(element)) continue;
          seen.add(element);
          regions.added(element);
          // Words that are put into spans one by one are leaves, and most of what is ever added.
          if (element.firstElementChild === null && LEAVES.has(element.localName)) {
            if (element.firstChild !== null) inText(element, at);
          } else {
            elements = true;
            addTexts(element, at);
            cues.search(element);
            roots.search(element);
          }
        } else if (node.nodeType === 3 && (node as Text).data.trim() !== '') {
          const holder = parentOf(node);
          if (holder?.isConnected === true && !seen.has(node)) inText(holder, at);
          seen.add(node);
        }
      }
      if (elements) cuesDirty = true;
      if (record.removedNodes.length > 0) {
        const holder = target.nodeType === 1 ? (target as Element) : parentOf(target);
        if (holder !== null) regions.touched(holder, at);
      }
    }
  };

  const inText = (holder: Element, at: number): void => {
    if (isInNoText(holder)) cuesDirty = true;
    else regions.changed(holder, at);
  };

  const sayCue = (cue: Cue, name: string, value: string | null, at: number, atRest: boolean): void => {
    emit({ at, document: key, type: 'sight.cue', key: name, kind: cue.kind, label: cue.label, region: cue.region, value, rest: atRest });
  };

  /** Says what differs from what was said. `at` for all of it, or the time of each change. */
  const sayCues = (picture: CuePicture, at: (cue: Cue) => number, atRest: boolean): boolean => {
    let any = false;
    for (const [name, cue] of said) {
      if (picture.has(name)) continue;
      said.delete(name);
      sayCue(cue, name, null, at(cue), atRest);
      any = true;
    }
    for (const [name, cue] of picture) {
      const before = said.get(name);
      if (before?.value === cue.value && !atRest) continue;
      said.set(name, cue);
      sayCue(cue, name, cue.value, at(cue), atRest);
      any = true;
    }
    return any;
  };

  const run = (): void => {
    scheduled = false;
    if (!watching || closed) return;
    const started = now();
    const deadline = started + SLICE_MS;
    const past = batches;
    const many = noted > RECORDS;
    batches = [];
    noted = 0;
    if (many) {
      // Too much to go through: everything that is there now is looked at instead.
      const at = past.at(-1)?.at ?? started;
      cues.search(document);
      for (const root of roots.all) if (root !== document) cues.search(root);
      unread = [];
      addTexts(document, at);
      cuesDirty = true;
    } else {
      const seen = new Set<Node>();
      for (const { at, records } of past) goThrough(records, at, seen);
    }
    if (past.length > 0) regions.left(createTimes(past, started));
    const round = started - lastRound >= ROUND_MS;
    if (round) {
      lastRound = started;
      if (roots.searchAgain()) cuesDirty = true;
      for (const root of roots.all) cues.searchAnimations(root);
      if (looksDirty) regions.look(past.at(-1)?.at ?? started);
      looksDirty = false;
    }
    // Cues are read on every frame in which anything but text changed, unless that is dear; then their times are looked up later.
    sinceCues = many ? [] : [...sinceCues, ...past].slice(-BATCHES);
    if ((cuesDirty || round) && started >= nextCues) {
      cuesDirty = false;
      const before = sinceCues;
      sinceCues = [];
      const from = now();
      const when = createTimes(before, from);
      if (sayCues(cues.picture(), (cue) => when(cue.element), false)) urgent = true;
      const done = now();
      nextCues = done + (done - from) * CUE_SHARE;
    }
    const done = readAdded(deadline) && regions.work(urgent ? deadline + SLICE_MS : deadline, urgent);
    if (done) urgent = false;
    if (cuesDirty || !done) schedule();
    else wake();
  };

  /** Comes back when the next region is due, and once a round as long as anything is under way. */
  const wake = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const due = regions.due;
    const at = Math.min(due ?? Number.POSITIVE_INFINITY, lastRound + ROUND_MS);
    timer = setTimeout(schedule, Math.max(0, at - now()));
  };

  const detach = (): void => {
    observer.disconnect();
    for (const root of roots.all) {
      root.removeEventListener('animationstart', animationNoticed, true);
      root.removeEventListener('animationcancel', animationNoticed, true);
      root.removeEventListener('slotchange', slotNoticed, true);
    }
    batches = [];
    noted = 0;
    armedAt = null;
  };

  // The page at rest.

  const survey = (): void => {
    roots.prune();
    roots.search(document);
    for (const root of roots.all) {
      cues.search(root);
      cues.searchAnimations(root);
    }
  };
  const takePicture = (): void => {
    if (closed || document.body === null) return;
    survey();
    rest = { at: now(), cues: cues.picture(), visible: !document.hidden };
    // What was found is let go of; the shadow trees are kept, for the moment when there is no time to look for them.
    if (!watching) cues.forget();
  };
  const beforeReaction = (event: Event): void => {
    if (watching || !event.isTrusted) return;
    if (event.type === 'keydown' && (event as KeyboardEvent).key !== 'Enter') return;
    if (rest === null || now() - rest.at > PICTURE_MS) takePicture();
  };
  const REACTIONS = ['pointerdown', 'keydown', 'submit'] as const;
  for (const type of REACTIONS) window.addEventListener(type, beforeReaction, true);

  const whenIdle = (): void => {
    const look = (): void => {
      if (!watching && rest === null) takePicture();
    };
    if (typeof requestIdleCallback === 'function') requestIdleCallback(look, { timeout: 2_000 });
    else setTimeout(look, 200);
  };
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });

  // The page's own word.

  const marks =
    typeof PerformanceObserver === 'function'
      ? new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const value = entry.name === 'unsettled:working' ? 'working' : entry.name === 'unsettled:final' ? 'final' : null;
            if (value === null || !watching || entry.startTime < since) continue;
            const detail: unknown = (entry as PerformanceMark).detail;
            cues.said(value, typeof detail === 'string' ? detail.slice(0, 200) : null);
            // A mark is an event of its own: it is said at its own time, also when it repeats the one before.
            const cue: Cue = {
              kind: 'outright',
              label: typeof detail === 'string' ? detail.slice(0, 200) : null,
              region: null,
              value,
              element: null,
            };
            said.set('outright|mark', cue);
            sayCue(cue, 'outright|mark', value, entry.startTime, false);
          }
        })
      : null;

  return {
    arm() {
      if (watching || closed) return;
      if (armedAt === null) {
        armedAt = now();
        for (const root of roots.all) attach(root);
      }
      if (disarm !== null) clearTimeout(disarm);
      disarm = setTimeout(() => {
        disarm = null;
        if (!watching) detach();
      }, ARMED_MS);
    },
    start() {
      if (watching || closed) return;
      watching = true;
      const from = armedAt ?? now();
      if (rest === null) takePicture();
      else survey();
      if (rest !== null) {
        emit({ at: rest.at, document: key, type: 'sight.watch', state: 'rest', visible: rest.visible });
        const { at } = rest;
        sayCues(rest.cues, () => at, true);
      }
      emit({ at: from, document: key, type: 'sight.watch', state: 'started', visible: !document.hidden });
      if (armedAt === null) for (const root of roots.all) attach(root);
      since = from;
      marks?.observe({ type: 'mark', buffered: true });
      document.addEventListener('visibilitychange', visibilityNoticed);
      regions.recheck(from);
      live = true;
      nearby = false;
      cuesDirty = true;
      lastRound = 0;
      schedule();
    },
    stop() {
      if (!watching) return;
      urgent = true;
      note(observer.takeRecords());
      run();
      watching = false;
      live = false;
      detach();
      marks?.disconnect();
      document.removeEventListener('visibilitychange', visibilityNoticed);
      if (timer !== null) clearTimeout(timer);
      timer = null;
      emit({ at: now(), document: key, type: 'sight.watch', state: 'stopped', visible: !document.hidden });
      takePicture();
    },
    epoch: () => regions.epoch(),
    lookSoon() {
      if (!watching) return;
      urgent = true;
      cuesDirty = true;
      schedule();
    },
    point(region) {
      overlay.show(region === null ? null : regions.rootOf(region));
    },
    close() {
      this.stop();
      closed = true;
      if (disarm !== null) clearTimeout(disarm);
      detach();
      overlay.show(null);
      for (const type of REACTIONS) window.removeEventListener(type, beforeReaction, true);
      window.removeEventListener('load', whenIdle);
      afterPaint.port1.close();
    },
  };
};

const LEAVES = new Set(['span', 'b', 'i', 'em', 'strong', 'a', 'code', 'p', 'li', 'br', 'u', 's', 'mark']);

const skipNoText = (node: Node): number =>
  node.nodeType === 1 && isNoText(node as Element) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
