/** The questions rules ask of what a run's screen showed. Each answer is read off `RunScreen`; nothing new is inferred. */
import type { PageTime, Seq, Voice } from '../model';
import type { HonestSign, Presented, RunScreen, ShownRegion } from '../screen/screen';

export interface Moment {
  readonly seq: Seq;
  readonly at: PageTime;
}

/** Signs that are no fixed part of the end count only if they came with it. */
const BEFORE_MS = 300;
const AFTER_MS = 5000;
/** A stretch after the end that gave way to work this soon was a handover, e.g. to the next attempt. */
const HANDOVER_MS = 300;

/** A page that shows no sign of work has had its say about an end after this long. */
const STANDING_MS = 3000;

/** Regions that showed text at this moment, in order of appearing. */
export const shownAt = (screen: RunScreen, seq: Seq): readonly ShownRegion[] =>
  screen.regions.filter((region) => region.visible && (region.textAt(seq) ?? '').trim() !== '');

/** Regions that still stand at the end of what was seen. */
export const shownNow = (screen: RunScreen): readonly ShownRegion[] =>
  screen.regions.filter((region) => region.visible && region.removedSeq === null && region.text.trim() !== '');

export const presentedAt = (screen: RunScreen, seq: Seq): Presented | null =>
  screen.presented.find((stretch) => stretch.fromSeq <= seq && (stretch.untilSeq === null || stretch.untilSeq > seq)) ?? null;

/** What goes in the very change that makes the page look final was part of the work, whichever of the two was noted first. */
const goneBy = (sign: HonestSign, from: Moment): boolean =>
  sign.untilSeq !== null && (sign.untilSeq <= from.seq || (sign.until ?? 0) <= from.at);

/** What the page owns up to while it looks final from `from` to `untilSeq`. New controls count only for questions. */
export const signsDuring = (
  screen: RunScreen,
  from: Moment,
  untilSeq: Seq | null,
  kinds: 'any' | 'question' = 'any',
): readonly HonestSign[] =>
  screen.honestSigns.filter((sign) => {
    if (sign.kind === 'control' && kinds !== 'question') return false;
    if (untilSeq !== null && sign.seq >= untilSeq) return false;
    if (goneBy(sign, from)) return false;
    return sign.strong || (sign.at >= from.at - BEFORE_MS && sign.at <= from.at + AFTER_MS);
  });

/**
 * Until when the page was still writing out what had been said by `from`: it types more slowly than the text comes, or had no
 * time to draw. `from` itself where it was not.
 */
export const writtenUntil = (screen: RunScreen, { seq, at }: Moment): PageTime =>
  Math.max(at, ...screen.regions.map((region) => region.writtenOut(seq) ?? at));

/** Until when it is known what the page showed. */
export const seenUntil = ({ screen, now }: { readonly screen: RunScreen | null; readonly now: PageTime }): PageTime =>
  screen === null ? 0 : screen.watching ? Math.max(screen.lastAt, now) : screen.lastAt;

/** How the page stood after a run was over. */
export interface Aftermath {
  /**
   * none: nothing of the run is shown. final: the page came to rest with it, or never showed any sign of work that could be
   * missing (then `stretch` is null). unclear: final or not cannot be told.
   */
  readonly as: 'final' | 'working' | 'none' | 'unclear';
  /** The moment from which the page looked final and the run was over. */
  readonly from: Moment;
  readonly until: PageTime | null;
  readonly stretch: Presented | null;
  /** Regions of the run that stood then. */
  readonly shown: readonly ShownRegion[];
  readonly signs: readonly HonestSign[];
}

/** What the page showed of a run once it was over (settled, or its transport gone). */
export const aftermath = (screen: RunScreen, now: PageTime, over: Moment, kinds: 'any' | 'question' = 'any'): Aftermath => {
  const stretch = screen.presented.find(
    (one) =>
      one.as === 'final' &&
      (one.untilSeq === null || (one.untilSeq > over.seq && (one.until ?? 0) - Math.max(one.from, over.at) > HANDOVER_MS)),
  );
  const last = screen.presented.at(-1);
  const from: Moment = stretch === undefined ? over : stretch.fromSeq > over.seq ? { seq: stretch.fromSeq, at: stretch.from } : over;
  // What is shown is read when the page has come to rest: text may trail behind its controls.
  const until = stretch?.untilSeq ?? null;
  const shown = screen.regions.filter(
    (region) =>
      region.visible &&
      region.text.trim() !== '' &&
      (until === null || region.appearedSeq < until) &&
      (region.removedSeq === null || (until !== null && region.removedSeq >= until)),
  );
  // With the end of this run, too, where the page came to rest later, for another one beside it.
  const late = signsDuring(screen, from, until, kinds);
  const signs =
    from === over ? late : [...new Set([...signsDuring(screen, over, until, kinds).filter((sign) => !goneBy(sign, from)), ...late])];
  const base = { from, until: stretch?.until ?? null, stretch: stretch ?? null, shown, signs };
  if (shown.length === 0) return { ...base, as: 'none' };
  if (stretch !== undefined) return { ...base, as: stretch.sure ? 'final' : 'unclear' };
  if (last?.as === 'working') return { ...base, as: 'working' };
  // A page that looked the same all along looks as it does after a whole answer: that is how it presents this one.
  if (screen.noCue && screen.hasRest && seenUntil({ screen, now }) - over.at >= STANDING_MS) return { ...base, as: 'final' };
  return { ...base, as: 'unclear' };
};

/** What made the page look final, in words. */
export const cueWords = (after: Aftermath): string =>
  (after.stretch?.cues ?? []).map((cue) => cue.text).join(', ') || 'no sign of unfinished text';

/** Voices that are not meant for the person as an answer, and that a labelled place of their own may show. */
const SET_APART: readonly (Voice | 'unknown')[] = ['reasoning', 'tool', 'progress', 'log', 'lifecycle', 'interaction'];

/** The markup names the place as one for working material: a disclosure, a region called thinking, a live status. */
export const isSetApart = (region: ShownRegion): boolean => SET_APART.includes(region.region.presentedAs);

/** Two regions are of one kind of place: same path but for positions, same role, same naming by the markup. */
export const samePlace = (a: ShownRegion, b: ShownRegion): boolean =>
  placeOf(a) === placeOf(b) && a.region.role === b.region.role && a.region.presentedAs === b.region.presentedAs;

const placeOf = (region: ShownRegion): string => region.region.path.replace(/\d+/gu, '#');

/** Whether what holds a place holds text of the run as well. A bare `div` is like every other. */
export const isBeside = (screen: RunScreen, place: string): boolean => {
  const holder = place.split(' › ').at(-2);
  return screen.regions.some(({ region: { path } }) => path === place || (holder !== 'div' && path.split(' › ').includes(holder!)));
};

/** The words of regions, one after another, at most so many of them: for people to recognise. */
export const words = (regions: readonly ShownRegion[], seq: Seq | null = null): string => {
  const all = regions
    .map((region) => (seq === null ? region.text : (region.textAt(seq) ?? region.text)).trim())
    .filter((text) => text !== '')
    .join(' ');
  return all.length > LONGEST ? `${all.slice(0, LONGEST)}…` : all;
};

const LONGEST = 400;
