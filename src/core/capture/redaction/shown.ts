/**
 * The texts of the page, put together from their edits. A text that grows, letter by letter perhaps, is judged as the whole
 * that it grew into: half an article number would be somebody's phone number for a moment. So states are held until it is
 * known that a region's text grows no further; of each only its length and its edit.
 */
import type { Sighting } from '../../model';

type TextSighting = Sighting & { type: 'sight.text' };
export interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

export interface Shown {
  take(entry: number, sighting: TextSighting): void;
  end(): void;
}

/** Numbers held of one state: entry, length of its text, and the edit's place, removal and insertion. */
const WIDTH = 5;

interface Region {
  text: string;
  /** What a state before the growing text became; null: there was none, or it was not this one's beginning. */
  before: { readonly text: string; readonly now: string };
  states: number[];
}

/**
 * `rewrite` says what a whole text becomes, of the same length; null while secrets are only learnt: then `learn` gets each
 * whole. `put` gets the edits that change.
 */
export const createShown = (
  handlers:
    | { readonly learn: (text: string) => void }
    | { readonly rewrite: (text: string) => string; readonly put: (entry: number, edit: Edit) => void },
): Shown => {
  const regions = new Map<string, Region>();

  const settle = (region: Region): void => {
    const { states, text } = region;
    if (states.length === 0) return;
    if ('learn' in handlers) {
      handlers.learn(text);
      region.states = [];
      return;
    }
    const now = handlers.rewrite(text);
    const { before } = region;
    if (now !== text || before.now !== before.text) {
      let lastNow = before.now;
      for (let i = 0; i < states.length; i += WIDTH) {
        const [entry, length, at, removed, inserted] = states.slice(i, i + WIDTH) as [number, number, number, number, number];
        const old: Edit = { at, removed, inserted: text.slice(at, at + inserted) };
        const nextNow = now.slice(0, length);
        const edit = editBetween(lastNow, nextNow, old);
        if (edit.at !== at || edit.removed !== removed || edit.inserted !== old.inserted) handlers.put(entry, edit);
        lastNow = nextNow;
      }
    }
    region.before = { text, now };
    region.states = [];
  };

  return {
    take(entry, sighting) {
      const { region: about, change, edit } = sighting;
      const key = `${sighting.document}\n${about.key}`;
      let region = regions.get(key);
      if (!edit) {
        if (change !== 'removed' || !region) return;
        settle(region);
        regions.delete(key);
        return;
      }
      if (!region) {
        region = { text: '', before: NOTHING, states: [] };
        regions.set(key, region);
      }
      const { at, removed, inserted } = edit;
      const fresh = change === 'appeared';
      const before = fresh ? '' : region.text;
      const appends = at === before.length && removed === 0;
      const text = appends ? before + inserted : before.slice(0, at) + inserted + before.slice(at + removed);
      const grows = !fresh && region.states.length > 0 && (appends || text.startsWith(before));
      if (!grows) {
        settle(region);
        // What it grows from is not what stood there before it appeared anew.
        if (fresh || region.before.text !== before) region.before = before === '' ? NOTHING : { text: before, now: rewritten(before) };
      }
      region.text = text;
      region.states.push(entry, text.length, at, removed, inserted.length);
    },
    end() {
      for (const region of regions.values()) settle(region);
      regions.clear();
    },
  };

  function rewritten(text: string): string {
    return 'rewrite' in handlers ? handlers.rewrite(text) : text;
  }
};

const NOTHING = { text: '', now: '' };

/** The edit that leads from one text to the other: the original one where it fits, else the smallest. */
export const editBetween = (before: string, after: string, edit: Edit): Edit => {
  const inserted = after.slice(edit.at, edit.at + edit.inserted.length);
  if (edit.at === before.length && edit.removed === 0 && after.startsWith(before) && after.length === before.length + inserted.length)
    return { at: edit.at, removed: 0, inserted };
  if (before.slice(0, edit.at) + inserted + before.slice(edit.at + edit.removed) === after)
    return { at: edit.at, removed: edit.removed, inserted };
  let at = 0;
  while (at < before.length && at < after.length && before[at] === after[at]) at++;
  let tail = 0;
  while (tail < before.length - at && tail < after.length - at && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail++;
  return { at, removed: before.length - at - tail, inserted: after.slice(at, after.length - tail) };
};
