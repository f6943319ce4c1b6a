/**
 * One region that showed text of a run, as rules read it: the text over time, what it is aligned with, and what of it is
 * shown more often than it was said.
 */
import { type Alignment, type Placed, repeatedIn, type SaidText } from '../align/align';
import { fold } from '../align/fold';
import type { PageTime, Region, Seq, Voice } from '../model';
import { type Stay, textAt } from './history';
import { type Lines, withoutOthers } from './lines';
import { firstWhere } from './peaks';

/** A region that showed text of the run, for one stay on the page. */
export interface ShownRegion {
  readonly region: Region;
  /** The text it shows now, or showed last. */
  readonly text: string;
  readonly appearedAt: PageTime;
  readonly appearedSeq: Seq;
  readonly lastChangeAt: PageTime;
  readonly lastChangeSeq: Seq;
  readonly removedAt: PageTime | null;
  readonly removedSeq: Seq | null;
  readonly visible: boolean;
  /** The text stands still since its last change. */
  readonly rested: boolean;
  /** Best first. Keys of parts, or of events whose words make no part. */
  readonly matches: readonly Alignment[];
  /** The part (or event) that explains most of it; null where two voices explain it equally. */
  readonly owner: string | null;
  /** The voice of the part that explains most of it; null where nothing does. */
  readonly voice: Voice | null;
  /** What it showed of an earlier run when this one began, if that still stands in it. */
  readonly carriedOver: string;
  /** Seqs of its changes, the first of them its appearing. */
  changes(): readonly Seq[];
  /** When the last words of its owner stood in it; null: they did at this moment, or it has no owner that is a part. */
  writtenOut(seq: Seq): PageTime | null;
  /** The text it showed right after this moment; null if it was not there. */
  textAt(seq: Seq): string | null;
  /** Words of the said text that the region shows more than once although they were said once; '' if there are none. */
  repeated(part: string): string;
  /** Whether the region's whole text stands in the said text more than once. */
  saidAgain(part: string): boolean;
  /** Whether the whole said text stands in the region as one stretch, beside the words of the region's owner. */
  holdsBeside(part: string): boolean;
}

/** The beginning by which a text is known. */
const OPENING_CHARS = 24;
/** The ending by which it is known to be whole. */
const LAST_CHARS = 12;
/** Shorter repetitions are how people write. */
const REPEAT_CHARS = 10;

export const shownRegion = (
  stay: Stay,
  placed: Placed,
  lines: Lines,
  carriedOver: string,
  all: readonly SaidText[],
  texts: ReadonlyMap<string, SaidText>,
  saidAgain: (part: string) => boolean,
  edits = stay.edits.length,
): ShownRegion => ({
  region: stay.region,
  text: stay.text,
  appearedAt: stay.appeared.at,
  appearedSeq: stay.appeared.seq,
  lastChangeAt: stay.changed.at,
  lastChangeSeq: stay.changed.seq,
  removedAt: stay.removed?.at ?? null,
  removedSeq: stay.removed?.seq ?? null,
  visible: stay.visible,
  rested: stay.rested,
  matches: placed.matches.map((match) => ({ ...match, region: stay.region.key })),
  owner: placed.owner,
  voice: placed.owner === null ? null : (texts.get(placed.owner)?.voice ?? null),
  carriedOver,
  changes: () => stay.edits.slice(0, edits).map(({ seq }) => seq),
  writtenOut(from) {
    const last = fold(texts.get(placed.owner ?? '')?.text ?? '').slice(-LAST_CHARS);
    const stands = (seq: Seq): boolean => fold(textAt(stay, seq) ?? '').includes(last);
    if (last === '' || stands(from)) return null;
    // What stands once stays; where it never comes, the last change is the last that was written.
    const came = stay.edits[firstWhere(stay.edits, ({ seq }) => seq > from && stands(seq))];
    return came?.time ?? stay.changed.at;
  },
  textAt: (seq) => textAt(stay, seq),
  saidAgain,
  holdsBeside(part) {
    const text = fold(texts.get(part)?.text ?? '');
    const own = fold(texts.get(placed.owner ?? '')?.text ?? '').slice(0, OPENING_CHARS);
    const shown = fold(stay.text);
    const at = text === '' ? -1 : shown.indexOf(text);
    return at !== -1 && own !== '' && (shown.slice(0, at).includes(own) || shown.slice(at + text.length).includes(own));
  },
  repeated(part) {
    // One stretch of the said text is in it once.
    if (placed.matches.some((match) => match.part === part && match.contained)) return '';
    const said = texts.get(part)?.text ?? '';
    // Words that something else said, too, may stand here for both.
    const elsewhere = [...texts.values()].filter((text) => text.key !== part && !text.stale).map((text) => fold(text.text));
    const repeat = repeatedIn(said, withoutOthers(lines.text, part, all), REPEAT_CHARS).find(
      ({ words }) => !elsewhere.some((text) => text.includes(words)),
    );
    return repeat === undefined ? '' : repeat.words;
  },
});
