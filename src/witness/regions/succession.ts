/** Regions that leave the page, and which of those that come take up their place and text: a re-render, a virtual list. */
import type { Region } from '../../core/model';

/** What is known of a region while it is on the page. */
export interface RegionState {
  key: string;
  readonly root: Element;
  epoch: number;
  text: string;
  glyph: string | null;
  /** It was reported. */
  known: boolean;
  dirty: boolean;
  /** Time of the last change that was noticed. */
  changedAt: number;
  lastRead: number;
  cost: number;
  /** Nothing changes in it at present. */
  rested: boolean;
  /** Something was said of it since it was last said to rest. */
  news: boolean;
  visible: boolean;
  rest: boolean;
  region: Region | null;
  /** It stands among blocks that were there before: only what is directly in it is its text. */
  shallow: boolean;
}

interface Gone {
  readonly key: string;
  readonly text: string;
  readonly path: string;
}

const GONE = 200;
/** A shorter text says too little about whether a region that went some time ago is the one that came. */
const SAME_CHARS = 12;

const placeOf = (state: RegionState): string => state.region?.path ?? '';

export const createSuccession = () => {
  /** Left the page since the last reading: their successors may be about to be read. */
  const leaving: { readonly state: RegionState; readonly at: number }[] = [];
  let gone: Gone[] = [];
  return {
    leaves(state: RegionState, at: number): void {
      leaving.push({ state, at });
    },
    /** Some of those that left may still be succeeded. */
    get open(): boolean {
      return leaving.length > 0;
    },
    /** Whose place and text this is: a region that has just left, or one that went some time ago and is not here again. */
    predecessor(path: string, text: string, isHere: (key: string) => boolean): RegionState | Gone | null {
      const fits = (before: string, at: string, least: number): boolean =>
        at === path &&
        (before === text || (Math.min(before.length, text.length) >= least && (before.startsWith(text) || text.startsWith(before))));
      const moved = leaving.findIndex(({ state }) => fits(state.text, placeOf(state), 1));
      if (moved !== -1) return leaving.splice(moved, 1)[0]!.state;
      const back = gone.findIndex((one) => !isHere(one.key) && fits(one.text, one.path, SAME_CHARS));
      return back === -1 ? null : gone.splice(back, 1)[0]!;
    },
    /** Those that nobody succeeded: they are gone. */
    settle(): typeof leaving {
      const settled = leaving.splice(0);
      for (const { state } of settled) gone.push({ key: state.key, text: state.text, path: placeOf(state) });
      if (gone.length > GONE) gone = gone.slice(-GONE);
      return settled;
    },
  };
};
