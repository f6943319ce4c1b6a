/**
 * The question two rules share: is text of these voices presented as the assistant's answer? It is if the markup calls the
 * place the assistant's, if it stands in the same kind of place as assistant text, or if it is all that a page at rest
 * shows of the run. It is not where the markup sets the place apart. Never asked of the words themselves.
 */
import type { Part, Voice } from '../model';
import type { RunScreen, ShownRegion } from '../screen/screen';
import { eventRef, excerpt, fail, inconclusive, isRoot, ms, partOf, pass, sighting, speaks } from './judgement';
import type { Case, Judgement } from './rule';
import { isSetApart, samePlace, signsDuring } from './shown';

/** Fewer folded characters than this may be chance, or a label. */
const LEAST_CHARS = 12;
/** Or than this, where it is all of the text and all of the region. */
const LEAST_WHOLE = 8;
/** Of a region with several texts in it, this much must be of the voice. */
const LEAST_SHARE = 0.3;
/** Or, in a region with a long answer in it: so much of the text itself, and so many characters. */
const MOST_OF_IT = 0.6;
const SENTENCE_CHARS = 40;
/** Shares of two texts in one region sum up to this if each explains words of its own. */
const OVERLAP = 1.1;
/** So much of a region must be explained by one text for it to be that text's region. */
const OWN_SHARE = 0.8;

/** The place itself, and none around it, goes by a name for what happens on the way. */
const FOR_WORK = /[.#](?:logs?|activity|progress|steps|events|console)[^›]*$/iu;

interface Suspect {
  readonly region: ShownRegion;
  readonly part: Part | null;
  readonly text: string;
  readonly voice: Voice;
  readonly share: number;
}

export const asAnswer = (subject: Case, voices: readonly Voice[]): Judgement | null => {
  const { screen, attempt } = subject;
  if (screen === null || !isRoot(subject) || attempt.replaced) return null;
  const suspects = suspectsOf(subject, screen, voices);
  if (suspects.length === 0) return saysAny(subject, voices) && screen.regions.length > 0 ? pass(attempt.openedAt) : null;

  // Where the same words were said in two voices (a draft, then the answer), the region has no owner and shows the answer too.
  const answers = screen.regions.filter(
    (region) =>
      region.visible &&
      !isSetApart(region) &&
      (region.voice === 'assistant' ||
        (region.owner === null &&
          region.matches.some((match) => match.share >= OWN_SHARE && partOf(attempt, match.part)?.voice === 'assistant'))),
  );
  const open = suspects.filter((suspect) => !isSetApart(suspect.region));
  if (open.length === 0) return pass(attempt.openedAt);
  // While the run works, a page may show its thoughts where the answer will stand.
  const left = open.flatMap((suspect) => {
    const moment = leftAt(subject, screen, suspect.region);
    return moment === null ? [] : [{ suspect, moment }];
  });
  if (left.length === 0) return pass(attempt.openedAt);
  let doubt: Judgement | null = null;
  for (const { suspect, moment } of left) {
    const because = reason(subject, screen, suspect, answers);
    if (because === null) continue;
    const { region, part, text } = suspect;
    const said = part === null ? null : speaks(subject, part);
    const facts = {
      subject: region.region.key,
      voice: suspect.voice,
      text,
      region: region.region.key,
      until: region.removedAt,
      evidence: [sighting(region.appearedSeq), ...because.evidence.map(sighting), ...(said === null ? [] : [eventRef(said)])],
      data: {
        shownMs: ms(moment),
        share: Math.round(suspect.share * 100),
        because: because.words,
        bySaying: part?.voiceBySaying === false ? 'by inference: a thinking tag opened the message' : 'on the wire as such',
        excerpt: excerpt(text),
        voice: suspect.voice,
      },
    };
    if (because.sure) return fail(moment, facts);
    doubt ??= inconclusive(moment, facts);
  }
  return doubt ?? pass(attempt.openedAt);
};

/** From when on the text was left standing: the page at rest with it, or the run over. Null: the page still works on it. */
const leftAt = ({ attempt, flows }: Case, screen: RunScreen, region: ShownRegion): number | null => {
  const final = screen.presented.find(
    (stretch) => stretch.as === 'final' && (stretch.untilSeq === null || stretch.untilSeq > region.appearedSeq),
  );
  const ends = flows.map((flow) => flow.end?.at ?? Number.POSITIVE_INFINITY);
  const over = Math.min(attempt.settlement?.at ?? Number.POSITIVE_INFINITY, ends.length > 0 ? Math.max(...ends) : Number.POSITIVE_INFINITY);
  const moment = Math.max(region.appearedAt, Math.min(final?.from ?? Number.POSITIVE_INFINITY, over));
  return Number.isFinite(moment) ? moment : null;
};

/** Regions, visible and still standing (or standing when the run was over), that show text of the voices. */
const suspectsOf = (subject: Case, screen: RunScreen, voices: readonly Voice[]): readonly Suspect[] => {
  const found: Suspect[] = [];
  const over = subject.attempt.settlement?.seq ?? Number.POSITIVE_INFINITY;
  for (const region of screen.regions) {
    if (!region.visible) continue;
    // Shown while working and taken away by the end: it was never left as the answer.
    if (region.removedSeq !== null && region.removedSeq < over) continue;
    for (const match of region.matches) {
      const part = partOf(subject.attempt, match.part);
      const voice = part?.voice ?? (match.part === region.owner ? region.voice : null);
      if (voice === null || !voices.includes(voice) || match.weak) continue;
      if (match.part !== region.owner && match.share < LEAST_SHARE && !isWhole(match)) continue;
      if (match.share * match.shownLength < LEAST_CHARS && !isAllOf(match)) continue;
      if (isMention(match)) continue;
      // The same words were said in the owner's voice: what the owner explains is not explained again.
      const owner = match.part === region.owner ? undefined : region.matches.find((other) => other.part === region.owner);
      if (owner !== undefined && owner.share + match.share > OVERLAP && !region.holdsBeside(match.part)) continue;
      // Two voices said the same words, and nothing tells which this is.
      if (
        region.owner === null &&
        region.matches.some((other) => other.part !== match.part && Math.abs(other.share - match.share) <= 0.02 && match.share > 0.6)
      )
        continue;
      found.push({ region, part, text: part?.text ?? region.text, voice, share: match.share });
      break;
    }
  }
  return found;
};

/** A text that is shown nearly whole is no chance, however long the rest of the region. */
const isWhole = (match: ShownRegion['matches'][number]): boolean =>
  match.covered >= MOST_OF_IT && match.share * match.shownLength >= SENTENCE_CHARS;

/** Some words from the middle of a text, as a title or a link repeats them. What was said of it is shown from its beginning. */
const isMention = (match: ShownRegion['matches'][number]): boolean =>
  match.covered < MOST_OF_IT && match.share * match.shownLength < SENTENCE_CHARS && (match.from > 0 || match.share < OWN_SHARE);

/** One text, from its first to its last character, is the whole of the region. */
const isAllOf = (match: ShownRegion['matches'][number]): boolean =>
  match.share === 1 && match.covered === 1 && match.shownLength >= LEAST_WHOLE && match.saidLength === match.shownLength;

const saysAny = (subject: Case, voices: readonly Voice[]): boolean =>
  subject.attempt.parts.some((part) => voices.includes(part.voice) && part.text.trim() !== '');

/** Its text goes on in the middle of a word: whoever drew it counted characters. Only scripts with cases have spaces for sure. */
const beginsInWord = ({ attempt }: Case, { text, owner }: ShownRegion): boolean => {
  const said = partOf(attempt, owner ?? '')?.text ?? '';
  const at = said.indexOf(text.slice(0, LEAST_CHARS));
  return at > 0 && /^\p{LC}{2}/u.test(said[at - 1] + text);
};

interface Because {
  readonly words: string;
  readonly sure: boolean;
  readonly evidence: readonly number[];
}

const reason = (subject: Case, screen: RunScreen, suspect: Suspect, answers: readonly ShownRegion[]): Because | null => {
  const { region } = suspect;
  if (region.region.presentedAs === 'assistant')
    return { words: 'the page’s own markup calls the place the assistant’s', sure: true, evidence: [] };
  const beside = answers.find((answer) => answer !== region && samePlace(answer, region));
  if (beside !== undefined) {
    // In lines of a screen of characters colour sets voices apart, and no sighting tells it.
    const broken = answers.some((one) => beginsInWord(subject, one));
    return { words: 'it stands in the same kind of place as the assistant’s text', sure: !broken, evidence: [] };
  }
  // In one region with assistant text, undivided.
  const mixed = region.matches.find((match) => partOf(subject.attempt, match.part)?.voice === 'assistant' && match.share >= LEAST_SHARE);
  if (mixed !== undefined) return { words: 'it is in one block with the assistant’s text', sure: true, evidence: [] };
  if (answers.length > 0 || (suspect.voice !== 'reasoning' && FOR_WORK.test(region.region.path))) return null;
  const { settlement } = subject.attempt;
  const final = screen.presented.find(
    (stretch) => stretch.as === 'final' && (stretch.untilSeq === null || stretch.untilSeq > region.appearedSeq),
  );
  if (final === undefined) {
    if (settlement === null) return null;
    const sure = screen.noCue && screen.hasRest && suspect.share >= OWN_SHARE;
    return { words: 'it is all that is shown, and nothing on the page tells working from final', sure, evidence: [] };
  }
  // A page that says that it went wrong has not presented what is left as the answer.
  if (signsDuring(screen, { seq: final.fromSeq, at: final.from }, final.untilSeq).length > 0) return null;
  if (suspect.share < OWN_SHARE) return { words: 'it is part of a block whose other words nobody said', sure: false, evidence: [] };
  return {
    words: 'it is all that the page shows of the run, and the page came to rest with it',
    sure: final.sure,
    evidence: final.cues.slice(0, 1).map((cue) => cue.seq),
  };
};
