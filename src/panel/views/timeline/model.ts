/**
 * What the timeline draws, in milliseconds from the scope's start: what was said per voice, what was shown, and the
 * stretches where the page presented unsettled text as final. Pure; events are read once each, whatever the frame rate.
 */
import type { Flow, Part, Run, Seq } from '../../../core/model';
import type { Feed, Screen } from '../../feed';
import { type Ending, endingOf, isSettled } from '../../outcome';
import { LANES, type Lane, laneOf } from '../../voices';

/** A part, a tool call or a question: something that takes time. */
export interface Span {
  readonly lane: Lane;
  readonly from: number;
  readonly to: number;
  readonly seq: Seq;
  /** From when on its producer stood by it; null: never (so far). */
  readonly committedAt: number | null;
  readonly withdrawnAt: number | null;
  readonly failed: boolean;
  /** No end is known. */
  readonly open: boolean;
  /** Whose text it is; null: the name that stands in `text`. */
  readonly part: Part | null;
  readonly text: string;
}

export interface Line {
  readonly at: number;
  readonly seq: Seq;
  readonly ending: Ending;
  readonly settled: boolean;
  readonly run: string;
}

export interface ShownBar {
  readonly region: string;
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly open: boolean;
  readonly lane: Lane | null;
  readonly text: string;
}

export interface Stretch {
  readonly as: 'working' | 'final' | 'unknown';
  readonly from: number;
  readonly to: number;
  readonly open: boolean;
  readonly cues: readonly string[];
  readonly seq: Seq;
}

export interface TimelineModel {
  readonly to: number;
  readonly lanes: readonly Lane[];
  readonly spans: readonly Span[];
  /** Times of all events per lane, ascending. */
  readonly points: ReadonlyMap<Lane, readonly number[]>;
  readonly lines: readonly Line[];
  readonly bars: readonly ShownBar[];
  readonly stretches: readonly Stretch[];
  /** Shown as final while nothing had settled. */
  readonly red: readonly { readonly from: number; readonly to: number; readonly open: boolean }[];
  readonly gaps: readonly { readonly at: number; readonly reason: string }[];
  readonly watched: boolean;
  /** Not all events are in `points` yet: build it once more, a frame later. */
  readonly partial: boolean;
  /** The start of the scope on the feed's clock. */
  readonly base: number;
}

const pointCache = new WeakMap<Feed, Map<string, { taken: number; points: Map<Lane, number[]> }>>();

/** Events that one build takes in at most: a million at once would be a task of a fifth of a second. */
const AT_ONCE = 60_000;

/** Event times per lane on the feed's clock, of one run or of all (null); appended to. */
const pointsOf = (feed: Feed, run: string | null): { readonly points: Map<Lane, number[]>; readonly partial: boolean } => {
  let cache = pointCache.get(feed);
  if (cache === undefined) {
    cache = new Map();
    pointCache.set(feed, cache);
  }
  const key = run ?? '';
  let entry = cache.get(key);
  if (entry === undefined) {
    entry = { taken: 0, points: new Map(LANES.map((lane) => [lane, []])) };
    cache.set(key, entry);
  }
  const events = run === null ? feed.session.events : feed.session.eventsOf(run);
  const end = Math.min(events.length, entry.taken + AT_ONCE);
  for (; entry.taken < end; entry.taken++) {
    const event = events[entry.taken]!;
    entry.points.get(laneOf(event))!.push(feed.timeOfFlow(event.flow, event.at));
  }
  return { points: entry.points, partial: end < events.length };
};

/** What one run brings to the timeline. What has no end yet ends at infinity here. */
interface Piece extends Pick<TimelineModel, 'spans' | 'lines' | 'bars' | 'stretches' | 'red' | 'gaps' | 'base'> {
  readonly revision: number;
  readonly screen: Screen | null;
  /** By the part, tool call or question: what stays as it is keeps its span, so that a long run leaves little behind with each build. */
  readonly known: Map<object, Span>;
  /** When the last of it was. */
  readonly last: number;
}

/** What was put together of the pieces so far, for as long as nothing in them changes. */
interface Whole {
  readonly runs: readonly Run[];
  readonly judged: number;
  readonly base: number;
  /** So many of the runs. */
  taken: number;
  last: number;
  watched: boolean;
  readonly spans: Span[];
  readonly lines: Line[];
  readonly bars: ShownBar[];
  readonly stretches: Stretch[];
  readonly red: TimelineModel['red'][number][];
  readonly gaps: TimelineModel['gaps'][number][];
}

const caches = new WeakMap<Feed, { readonly pieces: Map<string, Piece>; whole: Whole | null }>();

/** Runs whose pieces one build makes at most; all others are there, or follow with the next. */
const RUNS_AT_ONCE = 1_000;

const NEVER = Number.POSITIVE_INFINITY;

const gapsOf = (feed: Feed, run: Run): readonly Flow['gaps'][number][] => {
  const found: Flow['gaps'][number][] = [];
  for (const { flows } of run.attempts)
    for (const flow of flows) for (const gap of feed.session.flows.get(flow)?.gaps ?? []) found.push(gap);
  return found;
};

export const excerpt = (text: string): string => (text.length > 160 ? `…${text.slice(-160)}` : text);

const pieceOf = (feed: Feed, run: Run, screen: Screen | null, base: number, known: Piece['known']): Piece => {
  const spans: Span[] = [];
  const span = (of: object, next: Span): void => {
    const before = known.get(of);
    if (before !== undefined && (Object.keys(next) as (keyof Span)[]).every((key) => before[key] === next[key])) spans.push(before);
    else {
      spans.push(next);
      known.set(of, next);
    }
  };
  const lines: Line[] = [];
  const bars: ShownBar[] = [];
  const stretches: Stretch[] = [];
  const red: { from: number; to: number; open: boolean }[] = [];
  let last = 0;
  const at = (seq: Seq, time: number): number => {
    const value = feed.timeOf(seq, time) - base;
    if (value > last) last = value;
    return value;
  };
  for (const attempt of run.attempts) {
    const { settlement } = attempt;
    if (settlement !== null)
      lines.push({
        at: at(settlement.seq, settlement.at),
        seq: settlement.seq,
        ending: endingOf(settlement),
        settled: isSettled(settlement),
        run: run.key,
      });
    for (const part of attempt.parts)
      span(part, {
        lane: part.voice,
        from: at(part.openedSeq, part.openedAt),
        to: at(part.lastSeq, part.lastAt),
        seq: part.openedSeq,
        committedAt: part.committedSeq === null ? null : at(part.committedSeq, part.committedAt!),
        withdrawnAt: part.withdrawn ? (part.withdrawnAt ?? part.lastAt) - part.openedAt + at(part.openedSeq, part.openedAt) : null,
        failed: false,
        open: false,
        part,
        text: '',
      });
    const offset = at(attempt.openedSeq, attempt.openedAt) - attempt.openedAt;
    for (const tool of attempt.tools)
      span(tool, {
        lane: 'tool',
        from: tool.calledAt + offset,
        to: (tool.returnedAt ?? attempt.lastEventAt) + offset,
        seq: -1,
        committedAt: tool.calledAt + offset,
        withdrawnAt: null,
        failed: tool.failed,
        open: tool.returnedAt === null,
        part: null,
        text: tool.name,
      });
    for (const ask of attempt.asks)
      span(ask, {
        lane: 'interaction',
        from: ask.askedAt + offset,
        to: (ask.answeredAt ?? attempt.lastEventAt) + offset,
        seq: ask.askedSeq,
        committedAt: ask.askedAt + offset,
        withdrawnAt: null,
        failed: false,
        open: ask.answeredAt === null,
        part: null,
        text: ask.prompt ?? ask.request,
      });
  }
  if (screen !== null) {
    const offset = feed.timeIn(screen.document, 0) - base;
    const start = feed.timeOf(run.openedSeq, run.openedAt) - base;
    const { settlement } = run;
    const settledAt = settlement !== null && isSettled(settlement) ? feed.timeOf(settlement.seq, settlement.at) - base : NEVER;
    let firstText = NEVER;
    for (const region of screen.regions) {
      const from = Math.max(region.appearedAt + offset, start);
      if (region.matches.length > 0) {
        firstText = Math.min(firstText, from);
        last = Math.max(last, region.lastChangeAt + offset);
      }
      bars.push({
        region: region.region.key,
        label: region.region.label ?? region.region.role ?? region.region.path,
        from,
        to: region.removedAt === null ? NEVER : Math.max(region.removedAt + offset, from),
        open: region.removedAt === null,
        lane: region.voice,
        text: excerpt(region.text),
      });
    }
    for (const piece of screen.presented) {
      const from = Math.max(piece.from + offset, start);
      const to = piece.until === null ? NEVER : piece.until + offset;
      last = Math.max(last, from, piece.until === null || piece.as === 'unknown' ? 0 : to);
      stretches.push({ as: piece.as, from, to, open: piece.until === null, cues: piece.cues.map((cue) => cue.text), seq: piece.fromSeq });
      if (piece.as === 'final')
        red.push({ from: Math.max(from, firstText), to: Math.min(to, settledAt), open: piece.until === null && settledAt === NEVER });
    }
  }
  const gaps = gapsOf(feed, run).map((gap) => ({ at: feed.timeOf(gap.seq, gap.at) - base, reason: gap.reason }));
  return { revision: run.revision, screen, known, base, last, spans, lines, bars, stretches, red, gaps };
};

/** Where what has no end yet is drawn to: a little beyond all that is known. */
const beyond = (last: number): number => last + Math.max(last * 0.12, 400);

const begin = (feed: Feed, runs: readonly Run[]): Whole => {
  let base = runs.length === 0 ? 0 : NEVER;
  for (const run of runs) base = Math.min(base, feed.timeOf(run.openedSeq, run.openedAt));
  const nothing = { spans: [], lines: [], bars: [], stretches: [], red: [], gaps: [] };
  return { runs, judged: feed.judged.peek(), base, taken: 0, last: 0, watched: false, ...nothing };
};

export const buildTimeline = (feed: Feed, runs: readonly Run[], screenOf: (run: string) => Screen | null): TimelineModel => {
  const cache = caches.get(feed) ?? { pieces: new Map<string, Piece>(), whole: null };
  caches.set(feed, cache);
  const whole = cache.whole?.runs === runs && cache.whole.judged === feed.judged.peek() ? cache.whole : begin(feed, runs);
  cache.whole = whole;
  const { base, spans, lines, bars, stretches, red, gaps } = whole;
  const { points, partial } = pointsOf(feed, runs.length === 1 ? runs[0]!.key : null);

  let made = 0;
  let stale = false;
  for (; whole.taken < runs.length; whole.taken++) {
    const run = runs[whole.taken]!;
    const screen = screenOf(run.key);
    let piece = cache.pieces.get(run.key);
    const same =
      piece?.revision === run.revision && piece.screen === screen && piece.base === base && piece.gaps.length === gapsOf(feed, run).length;
    if (!same && made++ < RUNS_AT_ONCE) {
      piece = pieceOf(feed, run, screen, base, piece?.base === base ? piece.known : new Map());
      cache.pieces.set(run.key, piece);
    } else if (piece === undefined) break;
    else stale ||= !same;
    whole.watched ||= screen !== null;
    whole.last = Math.max(whole.last, piece.last);
    spans.push(...piece.spans);
    lines.push(...piece.lines);
    bars.push(...piece.bars);
    stretches.push(...piece.stretches);
    red.push(...piece.red);
    gaps.push(...piece.gaps);
  }
  // What is not as it is now is put together anew.
  if (stale) cache.whole = null;

  let { last } = whole;
  for (const times of points.values()) if (times.length > 0) last = Math.max(last, times.at(-1)! - base);
  const end = beyond(last);
  const cut = <T extends { readonly from: number; readonly to: number }>(list: readonly T[]): readonly T[] =>
    list.map((each) => (each.to > end ? { ...each, to: end } : each)).filter(({ from, to }) => to >= from);
  return {
    to: Math.max(end, 50),
    lanes: LANES.filter((lane) => lane !== 'unrecognised' || (points.get(lane)?.length ?? 0) > 0),
    spans,
    points,
    lines,
    bars: bars.map((bar) => (bar.open ? { ...bar, to: Math.max(end, bar.from) } : bar)),
    stretches: cut(stretches),
    red: cut(red).filter(({ from, to }) => to > from),
    gaps,
    watched: whole.watched,
    partial: partial || stale || whole.taken < runs.length,
    base,
  };
};
