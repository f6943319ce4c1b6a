/**
 * Folds sightings into what one document showed over time: the text of each region and the value of each cue. Nothing is
 * judged here. A change that does not fit what was seen before is a gap: something in between was not seen.
 *
 * A page may be watched over very many runs, and each of them is judged by what it can see of that. So whatever a run asks for
 * is found by time (`peaks.ts`, `cue-index.ts`), and nothing goes through all there was.
 */
import type { CueKind, PageTime, Region, Seq, Sighting } from '../model';
import { type CueIndex, createCueIndex } from './cue-index';
import { createPeaks, firstWhere } from './peaks';

export interface Mark {
  readonly seq: Seq;
  readonly at: PageTime;
}

interface Edit {
  readonly seq: Seq;
  readonly time: PageTime;
  /** The latest time of this and those before it. */
  readonly latest: PageTime;
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

/** One stay of a region on the page, from its appearing to its removal. */
export interface Stay {
  /** Its place among all stays: the order in which they appeared. */
  readonly place: number;
  region: Region;
  /** True for text that was there before any agent flow opened. */
  readonly rest: boolean;
  readonly appeared: Mark;
  changed: Mark;
  removed: Mark | null;
  /** The text stands still since its last change. */
  rested: boolean;
  visible: boolean;
  text: string;
  /** What was put in at each change; null where text was not known. */
  readonly edits: Edit[];
  /** The text before some of the edits, so that no moment is far from one that is known. */
  readonly known: { readonly edit: number; readonly text: string }[];
  /** How much was put in since the last of these. */
  put: number;
  /** What its place was called, from when on. */
  readonly labels: (Mark & { readonly label: string | null })[];
  /** Bumped by every change. */
  version: number;
}

export interface CueChange extends Mark {
  readonly value: string | null;
  readonly label: string | null;
  readonly region: string | null;
  readonly rest: boolean;
  readonly log: CueLog;
  /** Its place there. */
  readonly place: number;
  /** The latest time of this and those before it in its log, and in all. */
  readonly latest: PageTime;
  readonly latestOfAll: PageTime;
  /** The place of the last one up to here that was not of the page at rest; -1 if there is none. */
  readonly moved: number;
}

export interface CueLog {
  readonly kind: CueKind;
  /** In which turn it began. */
  readonly turn: number;
  readonly changes: CueChange[];
  /** Places of the changes that tell of the page at rest. */
  readonly rests: number[];
  /** What it was at rest, ever. */
  readonly restValues: Set<string>;
  /** It went, at least once since it came. */
  left: boolean;
  /** The regions it ever sat in, and how many of them show a tool. */
  readonly regions: Set<string>;
  inTools: number;
}

export interface Watch extends Mark {
  readonly state: 'rest' | 'started' | 'stopped';
  readonly visible: boolean;
}

export interface History {
  readonly document: string;
  readonly stays: readonly Stay[];
  readonly cues: CueIndex;
  /** The pictures of the page at rest, and the ends of watching. */
  readonly rests: readonly Watch[];
  readonly stops: readonly Watch[];
  readonly lastWatch: Watch | null;
  readonly gaps: readonly Mark[];
  /** The last sighting. */
  readonly last: Mark;
  readonly version: number;
  /** Those that appeared before `end` and changed at `start` or later, or not longer than so many milliseconds before. */
  staysWithin(start: Mark, end: Seq, before: number): readonly Stay[];
  /** Those that were removed within so many milliseconds of a time. */
  removedAround(at: PageTime, ms: number): readonly Stay[];
}

export interface HistoryBuilder extends History {
  add(sighting: Sighting): void;
  gap(mark: Mark): void;
}

export const createHistory = (document: string): HistoryBuilder => {
  const stays: Stay[] = [];
  const current = new Map<string, Stay>();
  const cues = createCueIndex();
  const rests: Watch[] = [];
  const stops: Watch[] = [];
  let lastWatch: Watch | null = null;
  const gaps: Mark[] = [];
  /** Of each stay, when it changed last. */
  const changedSeqs = createPeaks();
  const changedTimes = createPeaks();
  const removals: { readonly at: PageTime; readonly stay: Stay }[] = [];
  let last: Mark = { seq: -1, at: 0 };
  let version = 0;

  const noteChanged = (stay: Stay, { seq, at }: Mark): void => {
    changedSeqs.raise(stay.place, seq);
    changedTimes.raise(stay.place, at);
  };
  const remove = (stay: Stay, mark: Mark): void => {
    stay.removed = mark;
    byTime(removals, { at: mark.at, stay });
  };

  const text = (sighting: Sighting & { type: 'sight.text' }): void => {
    const mark: Mark = { seq: sighting.seq, at: sighting.at };
    const { region, change, edit } = sighting;
    let stay = current.get(region.key);
    if (change === 'removed') {
      if (stay === undefined) return;
      remove(stay, mark);
      stay.version++;
      current.delete(region.key);
      return;
    }
    if (stay === undefined || change === 'appeared') {
      // A region that grows without having appeared was missed.
      if (change !== 'appeared') gaps.push(mark);
      if (stay !== undefined) remove(stay, mark);
      stay = {
        place: stays.length,
        region,
        rest: sighting.rest,
        appeared: mark,
        changed: mark,
        removed: null,
        rested: false,
        visible: sighting.visible,
        text: '',
        edits: [],
        known: [],
        put: 0,
        labels: [{ ...mark, label: region.label }],
        version: 0,
      };
      stays.push(stay);
      noteChanged(stay, mark);
      current.set(region.key, stay);
      if (region.presentedAs === 'tool') cues.tool(region.key, 1);
    } else if ((stay.region.presentedAs === 'tool') !== (region.presentedAs === 'tool'))
      cues.tool(region.key, region.presentedAs === 'tool' ? 1 : -1);
    stay.version++;
    if (stay.labels.at(-1)!.label !== region.label) stay.labels.push({ ...mark, label: region.label });
    stay.region = region;
    stay.visible = sighting.visible;
    if (edit !== null) {
      if (edit.at > stay.text.length || edit.at + edit.removed > stay.text.length) gaps.push(mark);
      keepKnown(stay);
      stay.put += edit.inserted.length;
      stay.text = applied(stay.text, edit);
      const latest = Math.max(mark.at, stay.edits.at(-1)?.latest ?? mark.at);
      stay.edits.push({ seq: mark.seq, time: mark.at, latest, at: edit.at, removed: edit.removed, inserted: edit.inserted });
      stay.changed = mark;
      noteChanged(stay, mark);
      stay.rested = false;
      if (stay.text.length !== sighting.length) gaps.push(mark);
    }
    if (change === 'rested') stay.rested = true;
  };

  const cue = (sighting: Sighting & { type: 'sight.cue' }): void => {
    // A thing that goes was there before.
    if (!cues.has(sighting.key) && sighting.value === null && !sighting.rest) gaps.push({ seq: sighting.seq, at: sighting.at });
    cues.add(sighting, rests.length < 2);
  };

  return {
    document,
    stays,
    cues,
    rests,
    stops,
    get lastWatch() {
      return lastWatch;
    },
    gaps,
    get last() {
      return last;
    },
    get version() {
      return version;
    },
    add(sighting) {
      version++;
      last = { seq: sighting.seq, at: sighting.at };
      switch (sighting.type) {
        case 'sight.text':
          text(sighting);
          return;
        case 'sight.cue':
          cue(sighting);
          return;
        case 'sight.watch':
          lastWatch = { seq: sighting.seq, at: sighting.at, state: sighting.state, visible: sighting.visible };
          if (lastWatch.state === 'rest') rests.push(lastWatch);
          else if (lastWatch.state === 'stopped') stops.push(lastWatch);
          return;
      }
    },
    gap(mark) {
      version++;
      gaps.push(mark);
    },
    staysWithin(start, end, before) {
      const to = firstWhere(stays, ({ appeared }) => appeared.seq >= end);
      const found = new Set([...changedSeqs.from(0, to, start.seq), ...changedTimes.from(0, to, start.at - before)]);
      return [...found].sort((a, b) => a - b).map((place) => stays[place]!);
    },
    removedAround: (at, ms) => around(removals, at, ms).map(({ stay }) => stay),
  };
};

/** Puts it into its place by time, which is almost always the last. */
export const byTime = <T extends { readonly at: PageTime }>(list: T[], item: T): void => {
  list.splice(
    firstWhere(list, ({ at }) => at > item.at),
    0,
    item,
  );
};

/** Those within so many milliseconds of a time, of a list that is in order of time. */
export const around = <T extends { readonly at: PageTime }>(list: readonly T[], at: PageTime, ms: number): readonly T[] =>
  list.slice(
    firstWhere(list, (item) => item.at - at >= -ms),
    firstWhere(list, (item) => item.at - at > ms),
  );

const applied = (text: string, { at, removed, inserted }: Pick<Edit, 'at' | 'removed' | 'inserted'>): string =>
  text.slice(0, at) + inserted + text.slice(at + removed);

/** So few edits are gone through at any rate. */
const EDITS = 16;

/** Keeps the text as it stands, once as much was put in since the last that was kept: all that is kept is no longer than what was put in. */
const keepKnown = (stay: Stay): void => {
  if (stay.edits.length - (stay.known.at(-1)?.edit ?? 0) < EDITS || stay.put < stay.text.length) return;
  stay.known.push({ edit: stay.edits.length, text: stay.text });
  stay.put = 0;
};

/** The text a region showed right after this moment; null if it was not there. */
export const textAt = (stay: Stay, seq: Seq): string | null => {
  if (stay.appeared.seq > seq || (stay.removed !== null && stay.removed.seq <= seq)) return null;
  if (stay.changed.seq <= seq) return stay.text;
  const end = editAfter(stay, seq);
  const { edit, text } = stay.known[firstWhere(stay.known, (one) => one.edit > end) - 1] ?? START;
  return stay.edits.slice(edit, end).reduce(applied, text);
};
const START = { edit: 0, text: '' };

/** The place of the first edit after this moment. */
export const editAfter = ({ edits }: Pick<Stay, 'edits'>, seq: Seq): number => firstWhere(edits, (edit) => edit.seq > seq);
