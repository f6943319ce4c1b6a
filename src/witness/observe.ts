/**
 * DOM to sightings: watches the page while an agent flow is open and says what its texts and cues were, and when. It
 * gathers and never concludes.
 *
 * The mutation callback only notes what changed and the time; everything is read after the frame has painted, when asking
 * for styles is cheap, for a few milliseconds at a time. Every cue carries the time of the mutation that changed it. While
 * no flow is open nothing is observed: the page at rest is looked at once it has loaded, and just before the page reacts to
 * a person.
 */
import type { OutlineMark, Placed, Unstamped } from '../link/messages';
import { createChanges, RECORDS } from './changes';
import { type Cue, type CuePicture, createCueWatcher } from './cues';
import { createMarks } from './marks';
import { createOverlay } from './overlay';
import { placeInWindow } from './place';
import { documentIn, isElement } from './realms';
import { createRegions } from './regions';
import { createRest, type Eyes, type Rest } from './rest';
import { createRoots } from './roots';
import { type Batch, createTimes } from './times';

export interface ObserverOptions {
  readonly document: string;
  readonly emit: (sighting: Unstamped) => void;
  /** Who keeps the picture of the page at rest, where somebody does so already. */
  readonly rest?: (eyes: Eyes) => Rest;
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
  /** Outlines these regions and no others; null: nothing at all. */
  draw(marks: readonly OutlineMark[] | null): void;
  /** Whoever says what to outline cannot be heard at present. */
  lapse(): void;
  /** Where the region is in the tab's window. */
  place(region: string | null): Placed;
  /** Where a region stands on the page now; null if it is gone. */
  elementOf(region: string): Element | null;
  close(): void;
}

/** Time for our work after a frame. */
const SLICE_MS = 4;
/** Frames do not come while the page is hidden. */
const HIDDEN_MS = 50;
/** How long a flow may take to prove that it is an agent's, once it was heard of. */
const ARMED_MS = 3_000;
/** Things that change without a mutation (animations by script, a late shadow tree) are looked for this often. */
const ROUND_MS = 250;
/** Reading cues may take one part in so many of the time. */
const CUE_SHARE = 10;
const BATCHES = 200;

const now = (): number => performance.now();

export const createObserver = ({
  document: key,
  emit,
  rest: restOf = (eyes) => createRest({ now, ...eyes }),
}: ObserverOptions): PageObserver => {
  const overlay = createOverlay({ rootOf: (region) => regions.rootOf(region) });
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
  /** The texts around the first growing region were noted. */
  let nearby = false;
  let urgent = false;
  let scheduled = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lastRound = 0;
  /** What was said of each cue. */
  const said = new Map<string, Cue>();

  const roots = createRoots({
    ours: overlay.is,
    found(root) {
      if (watching || armedAt !== null) attach(root);
      cues.search(root);
      cues.searchAnimations(root);
      // What was there before the watch is no news.
      if (live) changes.addRoot(root, now());
    },
  });
  const regions = createRegions({
    document: key,
    emit,
    now,
    shadowOf: roots.shadowOf,
    caret(region, glyph) {
      cues.caret(region, glyph);
      changes.cues = true;
    },
    born(region, root) {
      cues.container(root, 5, region);
      changes.cues = true;
      if (!nearby) changes.nearby(root);
      nearby = true;
    },
  });
  const cues = createCueWatcher({ regionOf: regions.regionOf, ours: overlay.is });
  const changes = createChanges({ now, regions, cues, roots, ours: overlay.is });

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
    root.addEventListener('load', frameNoticed, true);
  };
  /** A frame has another document now. */
  const frameNoticed = ({ target }: Event): void => {
    if (!isElement(target) || documentIn(target) === null) return;
    for (const root of roots.search(target)) changes.addRoot(root, now());
    // What stood in the document before has left, though no mutation tells of it.
    note([]);
    schedule();
  };
  const animationNoticed = (event: Event): void => {
    const target = event.composedPath()[0];
    if (!isElement(target) || overlay.is(target)) return;
    cues.animated(target, (event as AnimationEvent).pseudoElement !== '');
    changes.cues = true;
    schedule();
  };
  const slotNoticed = (event: Event): void => {
    if (isElement(event.target)) regions.touched(event.target, now());
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
    // A timer may come once more after its window was closed; in Firefox asking for a style throws then.
    if (!watching || closed || document.defaultView === null) return;
    const started = now();
    const deadline = started + SLICE_MS;
    const past = batches;
    const many = noted > RECORDS;
    batches = [];
    noted = 0;
    if (many) changes.everything(past.at(-1)?.at ?? started);
    else batches.push(...changes.through(past, deadline));
    if (past.length > 0) regions.left(createTimes(past, started));
    const round = started - lastRound >= ROUND_MS;
    if (round) {
      lastRound = started;
      for (const root of roots.searchAgain()) changes.addRoot(root, started);
      for (const root of roots.all) cues.searchAnimations(root);
      if (changes.looks) regions.look(past.at(-1)?.at ?? started);
      changes.looks = false;
    }
    // Cues are read on every frame in which anything but text changed, unless that is dear; then their times are looked up later.
    sinceCues = many ? [] : [...sinceCues, ...past].slice(-BATCHES);
    if ((changes.cues || round) && started >= nextCues) {
      changes.cues = false;
      const before = sinceCues;
      sinceCues = [];
      const from = now();
      const when = createTimes(before, from);
      if (sayCues(cues.picture(), (cue) => when(cue.element), false)) urgent = true;
      const done = now();
      nextCues = done + (done - from) * CUE_SHARE;
    }
    const done = changes.readAdded(deadline) && regions.work(urgent ? deadline + SLICE_MS : deadline, urgent);
    if (done) urgent = false;
    if (!done || batches.length > 0) schedule();
    else wake();
  };

  /** Comes back when the next region is due, when cues may be read that changed, and once a round as long as anything is under way. */
  const wake = (): void => {
    if (timer !== null) clearTimeout(timer);
    const at = Math.min(regions.due ?? Number.POSITIVE_INFINITY, changes.cues ? nextCues : Number.POSITIVE_INFINITY, lastRound + ROUND_MS);
    timer = setTimeout(awake, Math.max(0, at - now()));
  };
  /** Where nothing was noted since the last frame, styles are as clean as after the next one: that would be painted for us alone. */
  const awake = (): void => {
    timer = null;
    if (batches.length === 0) run();
    else schedule();
  };

  const detach = (): void => {
    observer.disconnect();
    for (const root of roots.all) {
      root.removeEventListener('animationstart', animationNoticed, true);
      root.removeEventListener('animationcancel', animationNoticed, true);
      root.removeEventListener('slotchange', slotNoticed, true);
      root.removeEventListener('load', frameNoticed, true);
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
      cues.searchStatus(root);
    }
  };
  const rest = restOf({
    busy: () => watching,
    look() {
      survey();
      cues.learnStatus(roots.all);
      changes.old();
      const picture = cues.picture();
      // What was found is let go of; the shadow trees are kept, for the moment when there is no time to look for them.
      if (!watching) cues.forget();
      return picture;
    },
  });

  const marks = createMarks((value, label, at) => {
    sayCue({ kind: 'outright', label, region: null, value, element: null }, 'outright|mark', value, at, false);
  });

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
      if (rest.picture === null) rest.take();
      else survey();
      if (rest.picture !== null) {
        const { at, visible, cues: stood } = rest.picture;
        emit({ at, document: key, type: 'sight.watch', state: 'rest', visible });
        sayCues(stood, () => at, true);
      }
      emit({ at: from, document: key, type: 'sight.watch', state: 'started', visible: !document.hidden });
      if (armedAt === null) for (const root of roots.all) attach(root);
      marks.start(from);
      document.addEventListener('visibilitychange', visibilityNoticed);
      regions.recheck(from);
      live = true;
      nearby = false;
      changes.cues = true;
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
      marks.stop();
      document.removeEventListener('visibilitychange', visibilityNoticed);
      if (timer !== null) clearTimeout(timer);
      timer = null;
      emit({ at: now(), document: key, type: 'sight.watch', state: 'stopped', visible: !document.hidden });
      rest.take();
    },
    epoch: () => regions.epoch(),
    lookSoon() {
      if (!watching) return;
      urgent = true;
      changes.cues = true;
      schedule();
    },
    elementOf(region) {
      const root = regions.rootOf(region);
      return isElement(root) ? root : null;
    },
    point(region) {
      overlay.show(region === null ? null : regions.rootOf(region));
    },
    draw: (marks) => overlay.draw(marks),
    lapse: () => overlay.lapse(),
    place: (region) => ({
      at: now(),
      visible: !document.hidden,
      ...placeInWindow(region === null ? null : regions.rootOf(region)),
    }),
    close() {
      this.stop();
      closed = true;
      if (disarm !== null) clearTimeout(disarm);
      detach();
      overlay.draw(null);
      rest.close();
      afterPaint.port1.close();
    },
  };
};
