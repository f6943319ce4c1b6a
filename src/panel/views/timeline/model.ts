/**
 * What the timeline draws, in milliseconds from the scope's start: what was said per voice, what was shown, and the
 * stretches where the page presented unsettled text as final. Pure; events are read once each, whatever the frame rate.
 */
import type { Run, Seq } from '../../../core/model';
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

/** Where what has no end yet is drawn to: a little beyond all that is known. */
const beyond = (last: number): number => last + Math.max(last * 0.12, 400);

export const buildTimeline = (feed: Feed, runs: readonly Run[], screenOf: (run: string) => Screen | null): TimelineModel => {
  let base = runs.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  for (const run of runs) base = Math.min(base, feed.timeOf(run.openedSeq, run.openedAt));
  const spans: Span[] = [];
  const lines: Line[] = [];
  const bars: ShownBar[] = [];
  const stretches: Stretch[] = [];
  const red: { from: number; to: number; open: boolean }[] = [];
  const gaps: { at: number; reason: string }[] = [];
  let last = 0;
  let watched = false;
  const at = (seq: Seq, time: number): number => {
    const value = feed.timeOf(seq, time) - base;
    if (value > last) last = value;
    return value;
  };

  const { points, partial } = pointsOf(feed, runs.length === 1 ? runs[0]!.key : null);
  for (const times of points.values()) if (times.length > 0) last = Math.max(last, times.at(-1)! - base);
  for (const run of runs) {
    for (const attempt of run.attempts) {
      const { settlement } = attempt;
      if (settlement !== null) {
        const when = at(settlement.seq, settlement.at);
        lines.push({ at: when, seq: settlement.seq, ending: endingOf(settlement), settled: isSettled(settlement), run: run.key });
      }
      for (const id of attempt.flows)
        for (const gap of feed.session.flows.get(id)?.gaps ?? [])
          gaps.push({ at: feed.timeOf(gap.seq, gap.at) - base, reason: gap.reason });
    }
  }
  const openEnd = (): number => beyond(last);
  // A second pass: what is open is drawn to where everything known ends.
  for (const run of runs)
    for (const attempt of run.attempts) {
      for (const part of attempt.parts)
        spans.push({
          lane: part.voice,
          from: at(part.openedSeq, part.openedAt),
          to: at(part.lastSeq, part.lastAt),
          seq: part.openedSeq,
          committedAt: part.committedSeq === null ? null : at(part.committedSeq, part.committedAt!),
          withdrawnAt: part.withdrawn ? (part.withdrawnAt ?? part.lastAt) - part.openedAt + at(part.openedSeq, part.openedAt) : null,
          failed: false,
          open: false,
          text: part.text.length > 160 ? `…${part.text.slice(-160)}` : part.text,
        });
      const offset = at(attempt.openedSeq, attempt.openedAt) - attempt.openedAt;
      for (const tool of attempt.tools)
        spans.push({
          lane: 'tool',
          from: tool.calledAt + offset,
          to: (tool.returnedAt ?? attempt.lastEventAt) + offset,
          seq: -1,
          committedAt: tool.calledAt + offset,
          withdrawnAt: null,
          failed: tool.failed,
          open: tool.returnedAt === null,
          text: tool.name,
        });
      for (const ask of attempt.asks)
        spans.push({
          lane: 'interaction',
          from: ask.askedAt + offset,
          to: (ask.answeredAt ?? attempt.lastEventAt) + offset,
          seq: ask.askedSeq,
          committedAt: ask.askedAt + offset,
          withdrawnAt: null,
          failed: false,
          open: ask.answeredAt === null,
          text: ask.prompt ?? ask.request,
        });
    }
  for (const run of runs) {
    const screen = screenOf(run.key);
    if (screen === null) continue;
    watched = true;
    const offset = feed.timeIn(screen.document, 0) - base;
    const start = feed.timeOf(run.openedSeq, run.openedAt) - base;
    for (const piece of screen.presented) {
      const from = Math.max(piece.from + offset, start);
      if (from > last) last = from;
      if (piece.until !== null && piece.until + offset > last && piece.as !== 'unknown') last = piece.until + offset;
    }
    for (const region of screen.regions) {
      const change = region.lastChangeAt + offset;
      if (change > last && region.matches.length > 0) last = change;
    }
  }
  const end = openEnd();
  for (const run of runs) {
    const screen = screenOf(run.key);
    if (screen === null) continue;
    const offset = feed.timeIn(screen.document, 0) - base;
    const start = feed.timeOf(run.openedSeq, run.openedAt) - base;
    let firstText = Number.POSITIVE_INFINITY;
    for (const region of screen.regions) {
      const from = Math.max(region.appearedAt + offset, start);
      if (region.matches.length > 0 && from < firstText) firstText = from;
      const to = region.removedAt === null ? end : region.removedAt + offset;
      bars.push({
        region: region.region.key,
        label: region.region.label ?? region.region.role ?? region.region.path,
        from,
        to: Math.max(to, from),
        open: region.removedAt === null,
        lane: region.voice,
        text: region.text.length > 160 ? `…${region.text.slice(-160)}` : region.text,
      });
    }
    const { settlement } = run;
    const settledAt =
      settlement !== null && isSettled(settlement) ? feed.timeOf(settlement.seq, settlement.at) - base : Number.POSITIVE_INFINITY;
    for (const piece of screen.presented) {
      const from = Math.max(piece.from + offset, start);
      const to = piece.until === null ? end : Math.min(piece.until + offset, end);
      if (to < from) continue;
      stretches.push({ as: piece.as, from, to, open: piece.until === null, cues: piece.cues.map((cue) => cue.text), seq: piece.fromSeq });
      if (piece.as !== 'final') continue;
      const redFrom = Math.max(from, firstText);
      const redTo = Math.min(to, settledAt);
      if (redTo > redFrom) red.push({ from: redFrom, to: redTo, open: piece.until === null && settledAt === Number.POSITIVE_INFINITY });
    }
  }
  const lanes = LANES.filter((lane) => lane !== 'unrecognised' || (points.get(lane)?.length ?? 0) > 0);
  return { to: Math.max(end, 50), lanes, spans, points, lines, bars, stretches, red, gaps, watched, partial, base };
};
