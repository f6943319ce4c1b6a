/**
 * Folds sightings into what one document showed over time: the text of each region and the value of each cue. Nothing is
 * judged here. A change that does not fit what was seen before is a gap: something in between was not seen.
 */
import type { CueKind, PageTime, Region, Seq, Sighting } from '../model';

export interface Mark {
  readonly seq: Seq;
  readonly at: PageTime;
}

/** One stay of a region on the page, from its appearing to its removal. */
export interface Stay {
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
  readonly edits: {
    readonly seq: Seq;
    readonly time: PageTime;
    readonly at: number;
    readonly removed: number;
    readonly inserted: string;
  }[];
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
}

export interface CueLog {
  readonly key: string;
  readonly kind: CueKind;
  readonly changes: CueChange[];
}

export interface Watch extends Mark {
  readonly state: 'rest' | 'started' | 'stopped';
  readonly visible: boolean;
}

export interface History {
  readonly document: string;
  readonly stays: readonly Stay[];
  readonly cues: ReadonlyMap<string, CueLog>;
  readonly watches: readonly Watch[];
  readonly gaps: readonly Mark[];
  /** The last sighting. */
  readonly last: Mark;
  readonly version: number;
}

export interface HistoryBuilder extends History {
  add(sighting: Sighting): void;
  gap(mark: Mark): void;
}

export const createHistory = (document: string): HistoryBuilder => {
  const stays: Stay[] = [];
  const current = new Map<string, Stay>();
  const cues = new Map<string, CueLog>();
  const watches: Watch[] = [];
  const gaps: Mark[] = [];
  let last: Mark = { seq: -1, at: 0 };
  let version = 0;

  const text = (sighting: Sighting & { type: 'sight.text' }): void => {
    const mark: Mark = { seq: sighting.seq, at: sighting.at };
    const { region, change, edit } = sighting;
    let stay = current.get(region.key);
    if (change === 'removed') {
      if (stay === undefined) return;
      stay.removed = mark;
      stay.version++;
      current.delete(region.key);
      return;
    }
    if (stay === undefined || change === 'appeared') {
      // A region that grows without having appeared was missed.
      if (change !== 'appeared') gaps.push(mark);
      if (stay !== undefined) stay.removed = mark;
      stay = {
        region,
        rest: sighting.rest,
        appeared: mark,
        changed: mark,
        removed: null,
        rested: false,
        visible: sighting.visible,
        text: '',
        edits: [],
        labels: [{ ...mark, label: region.label }],
        version: 0,
      };
      stays.push(stay);
      current.set(region.key, stay);
    }
    stay.version++;
    if (stay.labels.at(-1)!.label !== region.label) stay.labels.push({ ...mark, label: region.label });
    stay.region = region;
    stay.visible = sighting.visible;
    if (edit !== null) {
      if (edit.at > stay.text.length || edit.at + edit.removed > stay.text.length) gaps.push(mark);
      stay.text = stay.text.slice(0, edit.at) + edit.inserted + stay.text.slice(edit.at + edit.removed);
      stay.edits.push({ seq: mark.seq, time: mark.at, at: edit.at, removed: edit.removed, inserted: edit.inserted });
      stay.changed = mark;
      stay.rested = false;
      if (stay.text.length !== sighting.length) gaps.push(mark);
    }
    if (change === 'rested') stay.rested = true;
  };

  const cue = (sighting: Sighting & { type: 'sight.cue' }): void => {
    let log = cues.get(sighting.key);
    if (log === undefined) {
      // A thing that goes was there before.
      if (sighting.value === null && !sighting.rest) gaps.push({ seq: sighting.seq, at: sighting.at });
      log = { key: sighting.key, kind: sighting.kind, changes: [] };
      cues.set(sighting.key, log);
    }
    log.changes.push({
      seq: sighting.seq,
      at: sighting.at,
      value: sighting.value,
      label: sighting.label ?? log.changes.at(-1)?.label ?? null,
      region: sighting.region,
      rest: sighting.rest,
    });
  };

  return {
    document,
    stays,
    cues,
    watches,
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
          watches.push({ seq: sighting.seq, at: sighting.at, state: sighting.state, visible: sighting.visible });
          return;
      }
    },
    gap(mark) {
      version++;
      gaps.push(mark);
    },
  };
};

/** The text a region showed right after this moment; null if it was not there. */
export const textAt = (stay: Stay, seq: Seq): string | null => {
  if (stay.appeared.seq > seq || (stay.removed !== null && stay.removed.seq <= seq)) return null;
  if (stay.changed.seq <= seq) return stay.text;
  let text = '';
  for (const edit of stay.edits) {
    if (edit.seq > seq) break;
    text = text.slice(0, edit.at) + edit.inserted + text.slice(edit.at + edit.removed);
  }
  return text;
};
