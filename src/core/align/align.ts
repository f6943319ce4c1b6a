/**
 * Which region shows which said text: plain-texting, containment, growth. The only fuzzy code there is. Pure.
 *
 * Promises: a region belongs to the text that explains most of it; a text is never shown before it was said; the same
 * words in two voices are told apart by when they appeared, or not at all. What cannot be matched is left out.
 */
import type { Match, Part, Seq, Voice } from '../model';
import { BLOCK, type Block, blocksOf, createIndex, type Index } from './blocks';
import { createFolder, type Folded, type Folder } from './fold';

/** Something that was said on a stream: a part, or another event's words. */
export interface SaidText {
  readonly key: string;
  readonly voice: Voice;
  readonly text: string;
  readonly openedSeq: Seq;
  readonly lastSeq: Seq;
  /** Withdrawn, said again by a later attempt, or only the words of an event: loses every tie. */
  readonly stale: boolean;
}

/** The text of a region, with when it came to be. */
export interface ShownText {
  readonly region: string;
  readonly text: string;
  readonly appearedSeq: Seq;
  readonly changedSeq: Seq;
}

/** A match, and where in the (folded) text the region begins and ends. */
export interface Alignment extends Match {
  readonly from: number;
  readonly to: number;
  /** Folded length of the said text and of the region's text. */
  readonly saidLength: number;
  readonly shownLength: number;
  /** Short, and found somewhere inside: may be chance. */
  readonly weak: boolean;
  /** The region's whole text stands in the said text as one stretch. */
  readonly contained: boolean;
}

/** What one region shows. */
export interface Placed {
  readonly region: string;
  /** Best first. */
  readonly matches: readonly Alignment[];
  /** The text it belongs to; null where nothing explains it or two voices explain it equally. */
  readonly owner: string | null;
  readonly ambiguous: boolean;
}

export interface Aligner {
  /** `taken`: texts that regions which appeared earlier already show. Regions are best placed in order of appearance. */
  place(said: readonly SaidText[], shown: ShownText, taken?: ReadonlySet<string>): Placed;
  /** Whether the whole of the shown text stands in the said text more than once. */
  saidAgain(said: SaidText, shown: ShownText): boolean;
}

/** Matches that explain less of a region, and show less of a text, than this are left out. */
const FLOOR = 0.25;
/** A region belongs to a text that explains at least this much of it. */
const OWNS = 0.5;
/** Fewer characters than this between two pieces that were found are taken to be there. */
const HOLE = 2 * BLOCK;
/** Shorter stretches in the middle of a text occur by chance. */
const SHORT = 8;

interface SaidState {
  readonly folder: Folder;
  folded: Folded;
  readonly indexes: { raw: Index | null; plain: Index | null };
}

interface Fit {
  readonly explained: number;
  /** Of the said text: what stands in the region, less than the stretch from its first to its last piece where that has holes. */
  readonly covered: number;
  readonly from: number;
  readonly to: number;
  readonly length: number;
  readonly weak: boolean;
  readonly contained: boolean;
  readonly form: 'raw' | 'plain';
}

export const createAligner = (): Aligner => {
  const saidStates = new Map<string, SaidState>();
  const shownFolders = new Map<string, Folder>();
  /** The last fit of each pair, by the two folded texts it was made for. */
  const fits = new Map<string, { said: Folded; shown: string; fit: Fit | null }>();

  const saidState = (said: SaidText): SaidState => {
    let state = saidStates.get(said.key);
    if (state === undefined) {
      state = { folder: createFolder(), folded: { raw: '', plain: '' }, indexes: { raw: null, plain: null } };
      saidStates.set(said.key, state);
    }
    state.folded = state.folder.of(said.text);
    return state;
  };

  const shownForm = (shown: ShownText): string => {
    let folder = shownFolders.get(shown.region);
    if (folder === undefined) {
      folder = createFolder();
      shownFolders.set(shown.region, folder);
    }
    return folder.of(shown.text).raw;
  };

  const partial = (state: SaidState, form: 'raw' | 'plain', shown: string): Fit | null => {
    const said = state.folded[form];
    if (shown.length < BLOCK || said.length < BLOCK) return null;
    let index = state.indexes[form];
    if (index === null) {
      index = createIndex();
      state.indexes[form] = index;
    }
    index.grow(said);
    const blocks = blocksOf(shown, said, index);
    return blocks.length === 0 ? null : fitOf(blocks, said.length, form);
  };

  const fitPair = (state: SaidState, shown: string): Fit | null => {
    const { raw, plain } = state.folded;
    const forms = raw === plain ? (['raw'] as const) : (['plain', 'raw'] as const);
    let best: Fit | null = null;
    for (const form of forms) {
      const fit = contained(state.folded[form], shown, form);
      if (fit !== null && (best === null || fit.explained > best.explained)) best = fit;
    }
    if (best !== null && best.explained === shown.length) return best;
    for (const form of forms) {
      const fit = partial(state, form, shown);
      if (fit !== null && (best === null || fit.explained > best.explained)) best = fit;
    }
    return best;
  };

  return {
    saidAgain(said, shown) {
      const text = shownForm(shown);
      if (text === '') return false;
      const { raw, plain } = saidState(said).folded;
      return (raw === plain ? [raw] : [raw, plain]).some((form) => {
        const at = form.indexOf(text);
        return at !== -1 && form.includes(text, at + 1);
      });
    },
    place(said, shown, taken = NONE) {
      const text = shownForm(shown);
      const found: { said: SaidText; alignment: Alignment }[] = [];
      if (text !== '')
        for (const candidate of said) {
          // Nothing is shown before it was said.
          if (candidate.text === '' || shown.changedSeq <= candidate.openedSeq) continue;
          const state = saidState(candidate);
          const pair = `${candidate.key}\n${shown.region}`;
          const known = fits.get(pair);
          let fit: Fit | null;
          if (known !== undefined && known.said === state.folded && known.shown === text) fit = known.fit;
          else if (
            known?.fit?.contained === true &&
            known.shown === text &&
            state.folded[known.fit.form].startsWith(text, known.fit.from)
          ) {
            // The said text grew, and what the region shows of it stands where it stood.
            fit = { ...known.fit, length: state.folded[known.fit.form].length };
            fits.set(pair, { said: state.folded, shown: text, fit });
          } else {
            fit = fitPair(state, text);
            fits.set(pair, { said: state.folded, shown: text, fit });
          }
          if (fit === null) continue;
          const share = Math.min(1, fit.explained / text.length);
          const covered = Math.min(1, fit.covered / Math.max(1, fit.length));
          if (share < FLOOR && !(covered >= 0.9 && fit.length >= SHORT)) continue;
          found.push({
            said: candidate,
            alignment: {
              part: candidate.key,
              region: shown.region,
              share,
              covered,
              from: fit.from,
              to: fit.to,
              saidLength: fit.length,
              shownLength: text.length,
              weak: fit.weak,
              contained: fit.contained,
            },
          });
        }
      found.sort((a, b) => b.alignment.share - a.alignment.share || Number(a.said.stale) - Number(b.said.stale));
      const matches = found.map((one) => one.alignment);
      const first = found[0];
      if (first === undefined || first.alignment.share < OWNS) return { region: shown.region, matches, owner: null, ambiguous: false };
      const tied = found.filter((one) => one.alignment.share >= first.alignment.share - 0.02);
      const owner = tied.length === 1 ? first.said : byGrowth(tied, shown, taken);
      return { region: shown.region, matches, owner: owner?.key ?? null, ambiguous: owner === null };
    },
  };
};

const NONE: ReadonlySet<string> = new Set();

const contained = (said: string, shown: string, form: Fit['form']): Fit | null => {
  if (said === '') return null;
  const at = said.indexOf(shown);
  if (at !== -1) {
    const weak = shown.length < SHORT && at !== 0;
    // One or two characters in the middle of a text say nothing at all, unless each is a word by itself.
    if (weak && shown.length < 3 && !WIDE.test(shown)) return null;
    return {
      explained: shown.length,
      covered: shown.length,
      from: at,
      to: at + shown.length,
      length: said.length,
      weak,
      contained: true,
      form,
    };
  }
  if (said.length < SHORT && said.length * 2 < shown.length) return null;
  return shown.includes(said)
    ? { explained: said.length, covered: said.length, from: 0, to: said.length, length: said.length, weak: false, contained: false, form }
    : null;
};

/** Scripts that put a word into a character or two. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const fitOf = (blocks: readonly Block[], saidLength: number, form: Fit['form']): Fit => {
  let explained = 0;
  let covered = 0;
  let from = saidLength;
  let to = 0;
  for (const block of [...blocks].sort((a, b) => a.from - b.from)) {
    const end = block.from + block.length;
    explained += block.length;
    if (end > to) {
      // What is said once and shown twice counts once; a hole too small for a piece of its own (a sign, a link's end) is none.
      const hole = covered > 0 && block.from - to <= HOLE ? Math.max(0, block.from - to) : 0;
      covered += hole + end - Math.max(to, block.from);
      to = end;
    }
    from = Math.min(from, block.from);
  }
  return { explained, covered, from, to, length: saidLength, weak: false, contained: false, form };
};

/**
 * Several texts explain the region equally well. Of one voice: the freshest. Of two: the one that came to be while the
 * region did; null if all had been said before the region appeared and nothing else tells.
 */
const byGrowth = (
  tied: readonly { readonly said: SaidText; readonly alignment: Alignment }[],
  shown: ShownText,
  taken: ReadonlySet<string>,
): SaidText | null => {
  const strong = tied.filter((one) => !one.alignment.weak);
  const candidates = (strong.length > 0 ? strong : tied).map((one) => one.said);
  const live = candidates.filter((said) => !said.stale);
  const pool = live.length > 0 ? live : candidates;
  const latest = pool.reduce((a, b) => (b.openedSeq > a.openedSeq ? b : a));
  const voices = new Set(pool.map((said) => said.voice));
  if (voices.size === 1) return latest;
  // The region was there before the later text was opened: it cannot have been made for that one.
  const before = pool.filter((said) => said.openedSeq < shown.appearedSeq);
  if (before.length === 0) return null;
  const owner = before.reduce((a, b) => (b.openedSeq > a.openedSeq ? b : a));
  const others = before.filter((said) => said.voice !== owner.voice);
  if (others.length === 0) return owner;
  if (others.some((said) => said.lastSeq >= owner.openedSeq)) return null;
  // It appeared while the owner was being said, after every other was complete; or each of those has a region already.
  const alongside = shown.appearedSeq <= owner.lastSeq;
  return alongside || others.every((said) => taken.has(said.key)) ? owner : null;
};

/**
 * Stretches of a said text that one shown text repeats although the said text has them once: offsets into the folded said
 * text. Empty where nothing of at least `least` characters is repeated.
 */
export const repeatedIn = (
  said: string,
  shown: string,
  least: number,
): readonly { readonly from: number; readonly to: number; readonly words: string }[] => {
  const source = createFolder().of(said);
  const text = createFolder().of(shown).raw;
  for (const form of source.raw === source.plain ? [source.raw] : [source.plain, source.raw]) {
    if (form.length < least || form.includes(text)) continue;
    const index = createIndex();
    index.grow(form);
    const blocks = blocksOf(text, form, index);
    const repeats: { from: number; to: number; words: string }[] = [];
    for (let i = 1; i < blocks.length; i++)
      for (let j = 0; j < i; j++) {
        const a = blocks[j]!;
        const b = blocks[i]!;
        const from = Math.max(a.from, b.from);
        const to = Math.min(a.from + a.length, b.from + b.length);
        if (to - from < least) continue;
        const words = form.slice(from, to);
        if (form.indexOf(words) === form.lastIndexOf(words)) repeats.push({ from, to, words });
      }
    if (repeats.length > 0) return repeats;
  }
  return [];
};

/** How much of each region each part explains; matches below the floor are left out. Without times: for single pictures. */
export const alignTexts = (
  parts: readonly Part[],
  shown: readonly { readonly region: string; readonly text: string }[],
): readonly Match[] => {
  const aligner = createAligner();
  const said = parts.map(
    (part): SaidText => ({
      key: part.key,
      voice: part.voice,
      text: part.text,
      openedSeq: part.openedSeq,
      lastSeq: part.lastSeq,
      stale: part.withdrawn,
    }),
  );
  const never = Number.MAX_SAFE_INTEGER;
  return shown.flatMap(({ region, text }) =>
    aligner
      .place(said, { region, text, appearedSeq: never, changedSeq: never })
      .matches.map(({ part, region: key, share, covered }) => ({ part, region: key, share, covered })),
  );
};
