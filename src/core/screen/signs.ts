/**
 * Honest signs: what a page shows when it owns up to unfinished or failed business. Text that nobody said on any stream
 * and that is no control, controls of the retry kind, states that say so. Copy, regenerate and send are none of these.
 */
import type { PageTime, Seq } from '../model';
import { EVER } from '../overlap';
import { asksHowItWas, isFurniture, takesAway } from './furniture';
import { type CueChange, type History, type Mark, type Stay, textAt } from './history';
import { freshWords, type OwnLine } from './lines';
import { firstWhere } from './peaks';
import type { Window } from './spans';
import { AFTERWARDS, FAILED, FINISHED, RATING, RETRY, STOPPING, says, UNFINISHED, WORKING } from './words';

export interface HonestSign {
  readonly text: string;
  readonly at: PageTime;
  readonly seq: Seq;
  /** Null: still there. */
  readonly until: PageTime | null;
  readonly untilSeq: Seq | null;
  /**
   * notice: words nobody said. retry: a way to take it up again. state: a class or attribute that owns up.
   * error: the producer's error message. question: what the producer asks. control: a new control that is no usual one.
   */
  readonly kind: 'notice' | 'retry' | 'state' | 'error' | 'question' | 'control';
  /** Counts whenever it stands; the others only if they came with the end. */
  readonly strong: boolean;
  /** It says that something went wrong, by its role or in words. */
  readonly alarming: boolean;
  /** The path of the region that it stands in; null where it is told by a cue. */
  readonly place: string | null;
}

/** Roles by which a page speaks up. */
const LIVE = new Set(['alert', 'alertdialog', 'dialog', 'status']);
const INDICATOR_CHARS = 60;
/** Controls that one render brings come within this time. */
const TOGETHER_MS = 150;
/** A page says within this time of an end how it went. */
const GOOD_END_MS = 1000;
/** The time of a day. */
const CLOCK = /\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\.?)?/iu;
/** Places whose words speak of the work, not of its end. */
const WORKING_MATERIAL: ReadonlySet<string> = new Set(['user', 'tool', 'reasoning', 'progress', 'log']);
const LETTERS = /\p{L}/u;

/** When the text as it stands now came to be. */
const since = (stay: Stay): Mark => (stay.edits.length > 1 ? stay.changed : stay.appeared);

export interface SaidStay {
  readonly stay: Stay;
  readonly kind: 'error' | 'question';
}

/** A line of the page's own in a region of the run. */
export interface OwnWords {
  readonly stay: Stay;
  readonly line: OwnLine;
}

export const signsOf = (
  history: History,
  window: Window,
  unattributed: readonly Stay[],
  said: readonly SaidStay[],
  own: readonly OwnWords[] = [],
  answers: ReadonlySet<string> = new Set(),
  shown: readonly Stay[] = [],
  isSpoken: (text: string) => boolean = () => false,
  /** The good ends of runs beside this one, before its own. */
  wellEnded: readonly Mark[] = [],
): readonly HonestSign[] => {
  const { start, end } = window;
  const signs: HonestSign[] = [];
  const inWindow = (seq: Seq): boolean => seq > start.seq && (end === null || seq < end.seq);
  /** The stay as a sign, or one line of it, from when that came. */
  const stand = (
    stay: Stay,
    kind: HonestSign['kind'],
    strong: boolean,
    alarming: boolean,
    { text, at, seq }: OwnLine = { text: stay.text, at: since(stay).at, seq: since(stay).seq },
  ): void => {
    signs.push({
      text: text.trim(),
      at,
      seq,
      until: stay.removed?.at ?? null,
      untilSeq: stay.removed?.seq ?? null,
      kind,
      strong,
      alarming,
      place: stay.region.path,
    });
  };
  const { labels } = history.cues;
  /** Controls that came to the region in one go with something. */
  const controlsAround = (region: string, time: PageTime): readonly CueChange[] =>
    history.cues
      .inRegion(region)
      .filter(({ log, value, rest, at }) => log.kind === 'control' && value !== null && !rest && Math.abs(at - time) <= TOGETHER_MS);
  const moved = shown.flatMap((stay) => stay.labels.slice(1).map(({ seq, at, label }) => ({ stay, seq, at, label })));
  const stood = new Set([...history.cues.standing].map(lettersOf));
  const endedWell = ({ at, seq }: Mark): boolean =>
    (window.over === null || seq < window.over.seq) && wellEnded.some((end) => at >= end.at - TOGETHER_MS && at <= end.at + GOOD_END_MS);
  /** What the page said when a run beside this one ended well owns up to nothing here, too. */
  const ofGoodEnds = new Set(
    wellEnded.length === 0
      ? []
      : [
          ...unattributed.flatMap((stay) => (endedWell(since(stay)) ? news(stay) : [])),
          ...history.cues
            .changes(start.seq, end?.seq ?? EVER)
            .flatMap((change) => (change.log.kind === 'text' && change.value !== null && endedWell(change) ? [change.value] : [])),
        ].map(lettersOf),
  );
  /** The beginning of a line that stood before: the name of who speaks. */
  const stoodBefore = (letters: string, { at }: Mark): boolean =>
    [...unattributed, ...shown].some(
      (stay) => stay.appeared.at < at && stay.text.split('\n').some((line) => `${lettersOf(line)} `.startsWith(`${letters} `)),
    );
  /** No word at all, or words that own up to nothing; those of the page at rest, come back; those of a list drawn anew. */
  const isNothing = (text: string, mark: Mark): boolean => {
    if (text.trim() === '' || isFurniture(text, (part) => stood.has(lettersOf(part)))) return true;
    if (BAD_MARK.test(text) || says(text, UNFINISHED) || says(text, FAILED)) return false;
    const lines = text.split('\n').map(lettersOf);
    const gone = redrawn(history, mark, start);
    if (lines.every((letters) => letters === '' || stood.has(letters) || gone.has(letters) || ofGoodEnds.has(letters))) return true;
    const unclocked = lettersOf(text.replace(CLOCK, ''));
    return CLOCK.test(text) && (unclocked === '' || stoodBefore(unclocked, mark));
  };
  /** It asks how the answer was: it came with the controls to say so. */
  const asksForRating = (text: string, mark: Mark, region: string): boolean =>
    /[?？؟]/u.test(text) &&
    ![UNFINISHED, FAILED, RETRY, STOPPING].some((table) => says(text, table)) &&
    controlsAround(region, mark.at).some(({ label }) => says(label, RATING));

  for (const stay of unattributed) {
    if (
      // What stood at rest says something only once it says something else.
      (stay.rest && stay.edits.length <= 1) ||
      // A live status or an alert is where a page speaks up, whatever else its place is for.
      (WORKING_MATERIAL.has(stay.region.presentedAs) && !(stay.region.presentedAs === 'log' && LIVE.has(stay.region.role ?? ''))) ||
      !inWindow(stay.changed.seq) ||
      !stay.visible ||
      !LETTERS.test(stay.text)
    )
      continue;
    if (labels.has(stay.text.trim().toLowerCase()) || news(stay).every((words) => isNothing(words, since(stay)))) continue;
    // Words that say work goes on, outside of a place for working material, are a spinner in words.
    const spins = stay.text.length <= INDICATOR_CHARS && stay.region.presentedAs === 'unknown' && says(stay.text, WORKING);
    const strong = LIVE.has(stay.region.role ?? '') || says(stay.region.label, UNFINISHED) || spins;
    stand(stay, 'notice', strong, stay.region.role === 'alert' || says(stay.region.label, FAILED) || says(stay.text, FAILED));
  }
  for (const { stay, line } of own) {
    const { presentedAs, role } = stay.region;
    const text = line.text.trim();
    if (WORKING_MATERIAL.has(presentedAs) || !inWindow(line.seq) || !stay.visible || labels.has(text.toLowerCase())) continue;
    const forms = freshWords(text, textAt(stay, line.seq - 1) ?? '', textAt(stay, line.seq) ?? '');
    if (forms.some((words) => isNothing(words, line)) || asksForRating(text, line, stay.region.key)) continue;
    stand(stay, 'notice', LIVE.has(role ?? ''), role === 'alert' || says(text, FAILED), line);
  }
  // The name of the place to which the run's region was taken.
  for (const { stay, seq, at, label } of moved)
    if (inWindow(seq) && stay.visible && says(label, UNFINISHED) && !says(label, WORKING))
      signs.push({
        ...{ text: label ?? '', at, seq, until: null, untilSeq: null, kind: 'state', strong: true },
        alarming: says(label, FAILED),
        place: null,
      });
  for (const { stay, kind } of said) if (stay.visible && inWindow(stay.changed.seq)) stand(stay, kind, true, kind === 'error');

  /** What came in one go with copy or rate, to the same message, is of their kind. */
  const inToolbar = ({ region, at }: CueChange): boolean =>
    region !== null && controlsAround(region, at).some(({ label }) => says(label, AFTERWARDS));
  /** A notice that can be pressed: its name is a statement, and no other came with it, as suggestions do. */
  const isNotice = ({ label, at }: CueChange): boolean =>
    states(label) &&
    !history.cues
      .changes(start.seq, end?.seq ?? EVER)
      .some((one) => one.label !== label && states(one.label) && Math.abs(one.at - at) <= TOGETHER_MS);
  /** "Yes" and "No" are answers to the question with which they came. */
  const rating = unattributed.filter((stay) => inWindow(stay.changed.seq) && stay.text.split(/\n|\s[·•|]\s/u).some(asksHowItWas));
  const votes = (change: CueChange): boolean => rating.some((stay) => Math.abs(since(stay).at - change.at) <= TOGETHER_MS);

  for (const log of history.cues.changed(start.seq, end?.seq ?? EVER)) {
    const { changes, restValues } = log;
    for (let i = firstWhere(changes, ({ seq }) => seq > start.seq); i < changes.length; i++) {
      const change = changes[i]!;
      if (!inWindow(change.seq)) break;
      if (change.value === null || change.rest) continue;
      const next = changes[i + 1] ?? null;
      const base = { at: change.at, seq: change.seq, until: next?.at ?? null, untilSeq: next?.seq ?? null, place: null };
      // One that stood in the answer, switched off while it grew, belongs to a block of it: a table, a listing.
      const stood = i > 0 && changes[i - 1]!.value !== null && change.region !== null && answers.has(change.region);
      if (log.kind === 'control' && change.value === 'enabled' && restValues.size === 0 && !stood) {
        if (says(change.label, RETRY) && !says(change.label, STOPPING))
          signs.push({ ...base, text: change.label ?? '', kind: 'retry', strong: true, alarming: false });
        else if (isNotice(change))
          signs.push({ ...base, text: change.label ?? '', kind: 'notice', strong: false, alarming: says(change.label, FAILED) });
        else if (!isUsual(change.label) && !inToolbar(change) && !votes(change))
          signs.push({ ...base, text: change.label ?? '', kind: 'control', strong: false, alarming: false });
      } else if (log.kind === 'text') {
        // Neither what stood at rest, nor of work, nor a claim of the end: the page's own words for how it went.
        const own = i > 0 && !restValues.has(change.value) && !isSpoken(change.value);
        if (
          own &&
          !says(change.value, WORKING) &&
          (says(change.value, UNFINISHED) ||
            !(says(change.value, FINISHED) || isFurniture(change.value) || ofGoodEnds.has(lettersOf(change.value))))
        )
          signs.push({
            ...base,
            text: change.value,
            kind: 'notice',
            strong: says(change.value, UNFINISHED),
            alarming: says(change.value, FAILED),
          });
      } else if ((log.kind === 'attribute' || log.kind === 'class') && owns(log.kind, change.label, change.value))
        signs.push({
          ...base,
          text: log.kind === 'class' ? change.value : `${change.label ?? 'state'} “${change.value}”`,
          kind: 'state',
          strong: true,
          alarming: says(change.value, FAILED),
        });
    }
  }
  return signs.sort((a, b) => a.seq - b.seq);
};

/** What the stay says since its last change that it did not say before; line by line, where more than one is new. */
const news = (stay: Stay): readonly string[] => {
  if (stay.edits.length <= 1) return [stay.text];
  const before = textAt(stay, stay.changed.seq - 1) ?? '';
  const had = new Set(before.split('\n'));
  const lines = stay.text.split('\n').filter((line) => !had.has(line));
  return lines.length === 1 ? shortest(freshWords(lines[0]!, before, stay.text)) : lines;
};

/** Of several ways to read it, the one that leaves least. */
const shortest = (forms: readonly string[]): readonly string[] => [forms.reduce((a, b) => (b.length < a.length ? b : a))];

/** The letters of lines that went in this moment, within the run. */
const redrawn = (history: History, mark: Mark, start: Mark): ReadonlySet<string> =>
  new Set(
    history
      .removedAround(mark.at, TOGETHER_MS)
      .flatMap(({ text, appeared, removed }) =>
        removed!.seq > start.seq && appeared.seq < mark.seq ? text.split('\n').map(lettersOf) : [],
      ),
  );

/** Marks that tell of a bad end beside the words that stood there before. */
const BAD_MARK = /[✗✘✕✖×❌⚠⛔🚫❗!?？！]/u;
const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();

/** Whole sentences, the last of them with its full stop: no name of a deed, and no question. */
const SENTENCES = /\s.*\s.*\p{L}\.$|.{6}。$/u;
const states = (label: string | null): boolean => SENTENCES.test(label ?? '');

/** No name, or one of what messages have after good and bad ends alike. */
const isUsual = (label: string | null): boolean =>
  (label ?? '') === '' || says(label, AFTERWARDS) || says(label, STOPPING) || takesAway(label);

/** A state that owns up. Waiting and pending before the end are states of work, which the presentation reads. */
const owns = (kind: 'attribute' | 'class', label: string | null, value: string): boolean => {
  if (says(value, UNFINISHED)) return !(kind === 'class' && says(value, WORKING));
  return value === 'true' && says(label, UNFINISHED);
};
