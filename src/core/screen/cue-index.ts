/**
 * The cues of one document, found by time. A page may be watched over very many runs, and each message may bring controls of its
 * own: whoever asks what a run could see of them is not led through all there ever were.
 */
import type { Seq, Sighting } from '../model';
import type { CueChange, CueLog, Mark } from './history';
import { createPeaks, firstWhere } from './peaks';
import { looksWorking } from './words';

/** Which of the logs stood in a way, and from when to when. */
const createStands = () => {
  const open = new Map<CueLog, Seq>();
  const closed: { readonly until: Seq; readonly log: CueLog }[] = [];
  /** Of those, the earlier the higher. */
  const begun = createPeaks();
  return {
    set(log: CueLog, seq: Seq, stands: boolean): void {
      const from = open.get(log);
      if (from !== undefined) {
        begun.raise(closed.length, -from);
        closed.push({ until: seq, log });
        open.delete(log);
      }
      if (stands) open.set(log, seq);
    },
    at(seq: Seq): readonly CueLog[] {
      const first = firstWhere(closed, ({ until }) => until >= seq);
      const found = begun.from(first, closed.length, -seq).map((place) => closed[place]!.log);
      for (const [log, from] of open) {
        if (from > seq) break;
        found.push(log);
      }
      return found;
    },
  };
};

const inOrder = (logs: readonly CueLog[]): readonly CueLog[] => [...new Set(logs)].sort((a, b) => a.turn - b.turn);

export const createCueIndex = () => {
  const logs = new Map<string, CueLog>();
  const inTurn: CueLog[] = [];
  const told: CueChange[] = [];
  /** Stand otherwise than when they last moved: whoever does not know the picture that says so has them still where they were. */
  const moved = createStands();
  /** Stood in a way that says something. */
  const speaking = createStands();
  const byRegion = new Map<string, CueChange[]>();
  /** How many stays of a region show a tool. */
  const tools = new Map<string, number>();
  const labels = new Set<string>();
  const standing = new Set<string>();
  const changesIn = (from: (change: CueChange) => boolean, end: Seq): readonly CueChange[] =>
    told.slice(
      firstWhere(told, from),
      firstWhere(told, ({ seq }) => seq >= end),
    );
  const toldIn = (from: (change: CueChange) => boolean, end: Seq): readonly CueLog[] => changesIn(from, end).map(({ log }) => log);
  const inRegion = (region: string): readonly CueChange[] => byRegion.get(region) ?? [];

  return {
    has: (key: string): boolean => logs.has(key),
    /** `first`: it is of the first picture of the page at rest, if of one. */
    add({ seq, at, key, kind, value, region, rest, ...sighting }: Sighting & { type: 'sight.cue' }, first: boolean): void {
      let log = logs.get(key);
      if (log === undefined) {
        log = { kind, turn: inTurn.length, changes: [], rests: [], restValues: new Set(), regions: new Set(), left: false, inTools: 0 };
        inTurn.push(log);
        logs.set(key, log);
      }
      const { changes, restValues, regions } = log;
      const place = changes.length;
      const before = changes[place - 1];
      const label = sighting.label ?? before?.label ?? null;
      const change: CueChange = {
        ...{ seq, at, value, label, region, rest, log, place },
        latest: Math.max(at, before?.latest ?? at),
        latestOfAll: Math.max(at, told.at(-1)?.latestOfAll ?? at),
        moved: rest ? (before?.moved ?? -1) : place,
      };
      changes.push(change);
      told.push(change);
      if (rest) {
        log.rests.push(place);
        if (value !== null) restValues.add(value);
      }
      if (place > 0 && value === null) log.left = true;
      const last = changes[change.moved];
      const otherwise = value !== null && last !== undefined && (last.value !== value || last.label !== label);
      moved.set(log, seq, otherwise);
      // A value that looks like work, or like text that is not certain yet.
      const says = looksWorking(log.kind, label, value, true) || label === 'look';
      speaking.set(log, seq, !otherwise && says && (value !== null || restValues.size > 0));
      if (region !== null) {
        if (byRegion.get(region)?.push(change) === undefined) byRegion.set(region, [change]);
        if (!regions.has(region) && (tools.get(region) ?? 0) > 0) log.inTools++;
        regions.add(region);
      }
      if (log.kind === 'control' && label !== null) labels.add(label.trim().toLowerCase());
      if (log.kind === 'text' && rest && first && value !== null) standing.add(value);
    },
    /** A stay of the region shows a tool (1), or no longer does (-1). */
    tool(region: string, by: 1 | -1): void {
      const before = tools.get(region) ?? 0;
      tools.set(region, before + by);
      if (before > 0 !== before + by > 0) for (const log of new Set(inRegion(region).map((change) => change.log))) log.inTools += by;
    },
    /**
     * Those that can say something of the time from `start` on, in the order in which they began: what changed then, or not longer
     * than so many milliseconds before, and what stood there. `afresh`: what had stood for long was at rest.
     */
    seen(start: Mark, end: Seq, before: number, afresh: boolean): readonly CueLog[] {
      const stood = Math.min(start.seq, end);
      return inOrder([
        ...moved.at(stood),
        ...(afresh ? [] : speaking.at(stood)),
        ...toldIn(({ seq, latestOfAll }) => seq >= start.seq || start.at - latestOfAll <= before, end),
      ]);
    },
    /** Those that changed after one moment and before another, in the order in which they began. */
    changed: (after: Seq, end: Seq): readonly CueLog[] => inOrder(toldIn(({ seq }) => seq > after, end)),
    /** What was told after one moment and before another. */
    changes: (after: Seq, end: Seq): readonly CueChange[] => changesIn(({ seq }) => seq > after, end),
    /** Those that were first told of from one moment on and before another. */
    begun: (from: Seq, end: Seq): readonly CueLog[] =>
      inTurn.slice(
        firstWhere(inTurn, ({ changes }) => changes[0]!.seq >= from),
        firstWhere(inTurn, ({ changes }) => changes[0]!.seq >= end),
      ),
    /** All that was told in a region. */
    inRegion,
    /** The names of all controls there ever were, in lower case. */
    labels: labels as ReadonlySet<string>,
    /** The short words that stood on the page before its first run. */
    standing: standing as ReadonlySet<string>,
  };
};

export type CueIndex = ReturnType<typeof createCueIndex>;
