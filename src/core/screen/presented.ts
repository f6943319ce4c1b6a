/**
 * Working or final: page at rest → departure → return to rest (design: findings.md). What differs from rest since the run
 * opened, and goes again, is a working cue; when the working cues are gone, the page presents its text as final.
 *
 * Controls decide when cues leave one after another; what the page says outright wins over everything. No word decides.
 */
import type { CueKind, PageTime, Seq } from '../model';
import { EVER } from '../overlap';
import type { CueLog, History, Mark, Stay } from './history';
import { firstWhere } from './peaks';
import { cuesOf, type Span, spansOf, turnedSpans, type Window, wordSpans, wordsGone, wordsStanding } from './spans';
import { AFTERWARDS, says } from './words';

/** One stretch of time in which the page presented the run's text in one way. */
export interface Presented {
  readonly as: 'working' | 'final' | 'unknown';
  readonly from: PageTime;
  readonly fromSeq: Seq;
  /** Null: still so. */
  readonly until: PageTime | null;
  readonly untilSeq: Seq | null;
  /** False where what says so has another explanation too: a control that the person's own typing also switches. */
  readonly sure: boolean;
  /** What says so, in words, with the sighting that showed it: "Stop button gone". The one that decides comes first. */
  readonly cues: readonly PresentedCue[];
}

export interface PresentedCue {
  readonly text: string;
  readonly kind: CueKind | 'words';
  readonly at: PageTime;
  readonly seq: Seq;
  /** When it went; none: it stands, or its going is what says so. */
  readonly until?: PageTime | undefined;
}

export interface Presentation {
  readonly presented: readonly Presented[];
  readonly noCue: boolean;
  /** The page at rest was seen before the run. */
  readonly hasRest: boolean;
}

/** Cues that leave within this time after the controls are back are lag: fades, cleared by the next render. */
const LAG_MS = 1500;
/** A typing indicator that gives way to the first word leaves within this time of it. */
const FIRST_WORD_MS = 150;
/** A return to rest that was taken back this soon is a re-render: nobody can have seen it. */
const FLICKER_MS = 150;

/** What is drawn at once is told within this time. */
const RENDER_MS = 50;

/** What a page changes because a run is over, it changes this soon before at the earliest. */
const AROUND_MS = 300;

interface Stretch {
  as: Presented['as'];
  from: Mark;
  sure: boolean;
  cues: PresentedCue[];
}

const strongFirst = (spans: readonly Span[]): readonly Span[] => [...spans].sort((a, b) => Number(b.strong) - Number(a.strong));

const within = (span: Span, at: Seq): boolean => span.from.seq <= at && (span.until === null || span.until.seq > at);

const cueOf = (span: Span, gone: boolean): PresentedCue => {
  const mark = gone && span.until !== null ? span.until : span.from;
  return {
    text: gone ? wordsGone(span) : wordsStanding(span),
    kind: span.kind,
    at: mark.at,
    seq: mark.seq,
    until: gone ? undefined : span.until?.at,
  };
};

/**
 * How the page presented itself during the window. `unattributed`: stays of regions whose text nobody said; `shown`: those of
 * the run, and of these `named` where the page gave the place its name.
 */
export const present = (
  history: History,
  window: Window,
  unattributed: readonly Stay[],
  shown: readonly Stay[] = [],
  named = shown,
): Presentation => {
  const { start, end, firstText, lastText, over } = window;
  const hasRest = window.picture !== null;
  const all: Span[] = [];
  const outright: Span[] = [];
  // What a row of a tool call says of that call is not what the page says of the run.
  for (const log of cuesOf(history, window)) {
    if (log.kind === 'outright') outright.push(...outrightSpans(log, window));
    else if (log.inTools === 0) all.push(...spansOf(log, window));
  }
  all.push(...wordSpans(unattributed, window, all), ...turnedSpans(shown, named, window));
  const lastMark: Mark = end ?? history.last;

  if (outright.length > 0) return { presented: finish(fromOutright(outright, start), end), noCue: false, hasRest };

  const isOver = (mark: Mark): boolean => over !== null && mark.seq > over.seq;
  /** Once it is over, what one render changes is told one after another. */
  const grewAfter = (mark: Mark): boolean =>
    lastText !== null && lastText.seq > mark.seq && !(isOver(mark) && lastText.at - mark.at <= RENDER_MS);
  /** Gives way to the first word: says something of the time before it only. */
  const beforeOnly = (span: Span): boolean =>
    !span.control &&
    span.until !== null &&
    firstText !== null &&
    !isOver(span.until) &&
    (span.until.seq < firstText.seq || span.until.at - firstText.at <= FIRST_WORD_MS) &&
    (span.until.seq < firstText.seq || grewAfter(span.until) || over === null || span.until.seq < over.seq);

  /** Controls that only finished messages have, in the order in which they came. */
  const finished = firstText === null ? [] : finishedControls(history, window, firstText);
  /** Its leaving says nothing for sure: typing switches it too, or text went on and nothing names it as a sign of work. */
  const weak = (span: Span): boolean => {
    if (span.kind === 'control' && span.restValue !== null && span.value !== null) {
      const { until } = span;
      if (!span.returned || until === null) return true;
      // Nobody types the next question in the very moment of the end, nor does typing bring what finished messages have.
      const withEnd = over !== null && isOver(until) && until.at - over.at <= AROUND_MS;
      return !withEnd && !finished.some(({ mark }) => Math.abs(mark.at - until.at) <= RENDER_MS);
    }
    return (
      !span.strong &&
      span.kind !== 'composer' &&
      span.restValue === null &&
      span.until !== null &&
      !isOver(span.until) &&
      grewAfter(span.until)
    );
  };

  const usable = all.filter((span) => {
    if (span.strong) return true;
    // Words that nobody knows must come back to what they were at rest, and not while text still grows: tips rotate.
    if (span.kind === 'text' && (!span.returned || (span.until !== null && grewAfter(span.until)))) return false;
    if (!hasRest || !span.main || span.until === null) return false;
    // A class or an attribute that goes while text still comes (an entrance, a highlight) is no sign of work.
    return span.control || !weak(span);
  });
  const early = usable.filter(beforeOnly);
  const others = usable.filter((span) => !span.control && !early.includes(span));
  const mainOthers = others.filter((span) => span.main);
  const controls = usable.filter((span) => span.control && (span.main || span.strong));
  const firm = controls.filter((span) => !weak(span));
  // An unnamed control of the page that came with the run and never went: perhaps the stop button, or one to answer with, or to
  // try again. Nobody needs any of them once the run is concluded.
  const dubious = all.some(
    (span) =>
      span.kind === 'control' &&
      span.main &&
      span.until === null &&
      span.restValue === null &&
      (span.label ?? '') === '' &&
      span.from.seq > start.seq &&
      !(window.concluded && isOver(span.from)),
  );

  const deciding = firm.length > 0 ? firm : mainOthers.length > 0 ? mainOthers : controls;
  // A look that came with the text may be there to stay, or say that it is not certain yet.
  const veiled = all.some((span) => span.kind === 'attribute' && span.label === 'look' && span.main && !span.returned);
  const unclear = dubious || veiled || usable.length > early.length || turnsWithEnd(all, unattributed, window);
  if (deciding.length === 0) return withoutCue(history, window, early, hasRest, unclear);

  const byControls = deciding[0]!.control;
  const holders = [...new Set(byControls ? deciding : [...deciding, ...others, ...controls])];
  const trailing = byControls ? others : [];
  const moments = [...holders, ...trailing]
    .flatMap((span) => (span.until === null ? [span.from] : [span.from, span.until]))
    .filter((mark) => mark.seq >= start.seq)
    .sort((a, b) => a.seq - b.seq);

  const stretches: Stretch[] = [{ as: 'unknown', from: start, sure: true, cues: [] }];
  const enter = (as: Presented['as'], from: Mark, cues: Stretch['cues'], sure = true): void => {
    const current = stretches.at(-1)!;
    if (current.as === as) return;
    if (current.from.seq === from.seq) stretches.pop();
    stretches.push({ as, from, sure, cues });
  };
  let departed = false;
  for (const moment of [start, ...moments]) {
    const holding = holders.filter((span) => within(span, moment.seq));
    if (holding.length > 0) {
      departed = true;
      // One render changes several: all that came with it say so.
      const came = holders.filter(
        (span) => within(span, moment.seq) || (span.from.seq > moment.seq && span.from.at - moment.at <= FLICKER_MS),
      );
      enter(
        'working',
        moment,
        strongFirst(came).map((span) => cueOf(span, false)),
      );
      continue;
    }
    if (!departed) continue;
    const gone = holders.filter((span) => span.until !== null && span.until.seq <= moment.seq);
    const lastGone = gone.reduce((a, b) => (b.until!.seq > a.until!.seq ? b : a), gone[0]!);
    const left = gone.filter((span) => lastGone.until!.at - span.until!.at <= FLICKER_MS);
    const cues = [...left]
      .sort((a, b) => Number(b.strong) - Number(a.strong) || b.until!.seq - a.until!.seq)
      .map((span) => cueOf(span, true));
    const sure = hasRest && !dubious && left.some((span) => !weak(span));
    const still = trailing.filter((span) => within(span, moment.seq));
    if (still.length === 0) {
      enter('final', moment, cues, sure);
      continue;
    }
    const lastOff = still.reduce<Mark | null>(
      (a, span) => (a === null || span.until === null ? null : span.until.seq > a.seq ? span.until : a),
      {
        seq: -1,
        at: 0,
      },
    );
    if (lastOff !== null && lastOff.at - moment.at <= LAG_MS) enter('final', moment, cues, sure);
    else if (lastOff !== null || lastMark.at - moment.at > LAG_MS)
      enter(
        'working',
        moment,
        strongFirst(still).map((span) => cueOf(span, false)),
      );
    else enter('unknown', moment, cues);
  }
  return { presented: finish(stretches, end), noCue: false, hasRest };
};

const outrightSpans = (log: CueLog, window: Window): readonly Span[] => {
  const spans: Span[] = [];
  const { changes } = log;
  const first = firstWhere(changes, ({ seq }) => seq >= window.start.seq);
  let value = changes[first - 1]?.value ?? null;
  let from: Mark = window.start;
  for (let i = first; i < changes.length; i++) {
    const change = changes[i]!;
    if (window.end !== null && change.seq >= window.end.seq) break;
    if (value !== null && from.seq >= window.start.seq) spans.push(outrightSpan(value, from, change, change.value));
    value = change.value;
    from = { seq: change.seq, at: change.at };
  }
  if (value !== null && from.seq > window.start.seq) spans.push(outrightSpan(value, from, null, null));
  return spans;
};

const outrightSpan = (value: string, from: Mark, until: Mark | null, next: string | null): Span => ({
  kind: 'outright',
  control: false,
  label: null,
  value,
  restValue: null,
  from,
  until,
  next,
  main: true,
  strong: true,
  returned: false,
});

/** The page's own word: working while any mark says so, final where one says so and none says working. */
const fromOutright = (spans: readonly Span[], start: Mark): Stretch[] => {
  const stretches: Stretch[] = [{ as: 'unknown', from: start, sure: true, cues: [] }];
  const moments = spans.flatMap((span) => (span.until === null ? [span.from] : [span.from, span.until])).sort((a, b) => a.seq - b.seq);
  for (const moment of moments) {
    const now = spans.filter((span) => within(span, moment.seq));
    const working = now.filter((span) => span.value === 'working');
    const final = now.filter((span) => span.value === 'final');
    const was = stretches.at(-1)!;
    const as = working.length > 0 ? 'working' : final.length > 0 || was.as === 'working' ? 'final' : was.as;
    if (as === was.as) continue;
    const cues =
      as === 'working'
        ? working.map((span) => cueOf(span, false))
        : final.length > 0
          ? final.map((span) => cueOf(span, false))
          : [{ text: 'the page no longer says “working”', kind: 'outright' as const, at: moment.at, seq: moment.seq }];
    stretches.push({ as, from: moment, sure: true, cues });
  }
  return stretches;
};

/** Nothing told the run apart from rest, or only until its first word; controls of finished messages may still say. */
const withoutCue = (history: History, window: Window, early: readonly Span[], hasRest: boolean, later: boolean): Presentation => {
  const { start, end, firstText, lastText } = window;
  const stretches: Stretch[] = [{ as: 'unknown', from: start, sure: true, cues: [] }];
  const first = early.reduce<Span | null>((a, span) => (a === null || span.from.seq < a.from.seq ? span : a), null);
  if (first !== null && firstText !== null && first.from.seq < firstText.seq) {
    stretches.push({ as: 'working', from: first.from, sure: true, cues: [cueOf(first, false)] });
    stretches.push({ as: 'unknown', from: firstText, sure: true, cues: [] });
  }
  const control = firstText === null ? null : finishedControl(history, window, firstText);
  if (control !== null) {
    const { log, mark, alone } = control;
    // One on its own, with text still to come, may belong to a block within the message.
    const open = window.over === null || mark.seq < window.over.seq;
    const sure = hasRest && !(open && alone && lastText !== null && lastText.seq > mark.seq);
    stretches.push({
      as: 'final',
      from: mark,
      sure,
      cues: [{ text: `“${log.changes.at(-1)?.label ?? ''}” appeared`, kind: 'control', at: mark.at, seq: mark.seq }],
    });
  }
  const grew = firstText !== null && lastText !== null && lastText.seq > firstText.seq;
  const watched =
    hasRest && (history.stops[firstWhere(history.stops, ({ seq }) => seq > start.seq)]?.seq ?? EVER) >= (window.over?.seq ?? 0);
  return { presented: finish(stretches, end), noCue: control === null && !later && grew && watched && firstText !== null, hasRest };
};

/** Words that stood beside the run and became others at its end, whatever they say: the page tells it by them. */
const turnsWithEnd = (spans: readonly Span[], unattributed: readonly Stay[], { over, end }: Window): boolean => {
  if (over === null) return false;
  const since = over.at - AROUND_MS;
  const turned = ({ appeared, edits }: Stay): boolean =>
    edits
      .slice(firstWhere(edits, ({ latest }) => latest >= since))
      .some(({ seq, time }) => seq > appeared.seq && time >= since && (end === null || seq < end.seq));
  return spans.some(({ kind, until }) => kind === 'text' && until !== null && until.at >= since) || unattributed.some(turned);
};

interface FinishedControl {
  readonly log: CueLog;
  readonly mark: Mark;
}

/** Controls of the kind that only finished messages have: they come after text, not with it. */
const finishedControls = (history: History, window: Window, firstText: Mark): readonly FinishedControl[] => {
  const found: FinishedControl[] = [];
  const { over, end } = window;
  const from = Math.min(firstText.seq, over?.seq ?? EVER);
  for (const log of history.cues.begun(from, end?.seq ?? EVER)) {
    if (log.kind !== 'control') continue;
    const [first] = log.changes;
    if (first === undefined || first.rest) continue;
    // It comes after the text, or, once the run is over, with it.
    const early = over === null || first.seq < over.seq;
    if (early && (first.seq <= firstText.seq || first.at - firstText.at <= FIRST_WORD_MS)) continue;
    // One that comes and goes is under the pointer.
    if (first.value === null || log.left || !says(first.label, AFTERWARDS)) continue;
    found.push({ log, mark: { seq: first.seq, at: first.at } });
  }
  return found.sort((a, b) => a.mark.seq - b.mark.seq);
};

/** The first of them. */
const finishedControl = (history: History, window: Window, firstText: Mark): (FinishedControl & { readonly alone: boolean }) | null => {
  const [earliest, second] = finishedControls(history, window, firstText);
  if (earliest === undefined) return null;
  const alone =
    second === undefined ||
    second.mark.at - earliest.mark.at > FIRST_WORD_MS ||
    second.log.changes[0]!.label === earliest.log.changes[0]!.label;
  return { ...earliest, alone };
};

/** Drops what nobody can have seen, and closes each stretch where the next begins. */
const finish = (stretches: readonly Stretch[], end: Mark | null): readonly Presented[] => {
  const kept: Stretch[] = [];
  for (let i = 0; i < stretches.length; i++) {
    const stretch = stretches[i]!;
    const next = stretches[i + 1];
    const flicker = stretch.as === 'final' && next?.as === 'working' && next.from.at - stretch.from.at < FLICKER_MS;
    if (flicker) continue;
    if (kept.at(-1)?.as === stretch.as) continue;
    kept.push(stretch);
  }
  return kept.map((stretch, i) => {
    const next = kept[i + 1]?.from ?? end;
    return {
      as: stretch.as,
      from: stretch.from.at,
      fromSeq: stretch.from.seq,
      until: next?.at ?? null,
      untilSeq: next?.seq ?? null,
      sure: stretch.sure,
      cues: stretch.cues,
    };
  });
};
