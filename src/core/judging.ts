/**
 * Which runs have to be judged, and what is known of all of them by then. Only runs that changed are judged again, and those
 * that the screen or the mere passing of time can still change; what a judging asks of the other runs is kept between judgings and
 * brought up to date once. So a run costs the same however many stand beside it. May be done in slices: whoever judges
 * between frames says when to stop.
 */
import type { StreamDecoder } from './decode';
import { inOrder, judgeCase, merged, type RuleFault } from './findings/engine';
import type { Rule } from './findings/rule';
import type { Ledger } from './ledger/ledger';
import type { AgentEvent, Finding, Flow, PageTime, Run } from './model';
import { createOverlap, type Others, type Overlap } from './overlap';
import type { Neighbour, RunScreen, Screen } from './screen/screen';

interface Sources {
  readonly rules: readonly Rule[];
  readonly ledger: Ledger;
  readonly decoder: Pick<StreamDecoder, 'flows' | 'dialectOf'>;
  readonly screen: Screen;
  eventsOf(run: string): readonly AgentEvent[];
  /** The clock of a document. */
  nowIn(document: string): PageTime;
}

/** What is kept of a run until it changes. */
interface Known extends Neighbour {
  readonly run: Run;
  /** All flows that carried it, and those of the document that it was last on. */
  all: readonly Flow[];
  document: string;
  flows: readonly Flow[];
  opened: Neighbour['opened'];
  stale: boolean;
  home: Home;
}

/** The root runs of a document. */
interface Home {
  readonly roots: Overlap<Known>;
  /** How many of them have been put in their places. */
  placed: number;
}

/** How long after its end a run's verdicts can change by what the page goes on to show; the last run of a page has no such end. */
const ON_SCREEN_MS = 30_000;
const never = (): boolean => false;

export const createJudging = ({ rules, ledger, decoder, screen, eventsOf, nowIn }: Sources) => {
  const findingsByRun = new Map<string, readonly Finding[]>();
  const screens = new Map<string, RunScreen>();
  const faults = new Map<string, readonly RuleFault[]>();
  let ordered: readonly Finding[] = [];
  /** Runs whose findings are not in `ordered` as they are now. */
  const rejudged = new Set<string>();
  let unjudged = new Set<string>();
  /** What is being judged in slices; what changes meanwhile is judged the next time. */
  let round: Set<string> | null = null;
  /** Something happened on the screen, or time went on. */
  let timePassed = false;
  /** Runs that have not been found to be out of reach of that. */
  const within = new Set<string>();
  /** Runs that are over for good and judged, whose events are gone. */
  const letGo = new Set<string>();
  let intact = true;

  const known = new Map<string, Known>();
  const homes = new Map<string, Home>();
  const roots = createOverlap<Known>();
  /** Something came, or was told to have changed, since the runs were last put in their places. */
  let moved = true;

  const homeOf = (document: string): Home => {
    let home = homes.get(document);
    if (home === undefined) {
      home = { roots: createOverlap(), placed: 0 };
      homes.set(document, home);
    }
    return home;
  };

  /** Where the page last had to do with the run: after a reload it comes back to it on another document. */
  const knownOf = (run: Run): Known => {
    const before = known.get(run.key);
    if (before?.run === run && !before.stale) return before;
    const ids = new Set(run.attempts.flatMap((attempt) => attempt.flows));
    const all = [...ids].flatMap((id) => decoder.flows.get(id) ?? []);
    const document = all.at(-1)?.document ?? '';
    const flows = all.filter((flow) => flow.document === document);
    const [first] = flows;
    const opened = first === undefined ? { seq: run.openedSeq, at: run.openedAt } : { seq: first.openedSeq, at: first.openedAt };
    const facts = { all, document, flows, opened, stale: false, home: homeOf(document) };
    if (before?.run === run) return Object.assign(before, facts);
    const made: Known = {
      run,
      ...facts,
      get events() {
        return eventsOf(run.key);
      },
    };
    known.set(run.key, made);
    return made;
  };

  /** Puts every root run in its place. */
  const arrange = (): void => {
    if (!moved) return;
    moved = false;
    for (const home of homes.values()) home.placed = 0;
    let placed = 0;
    for (const run of ledger.runs()) {
      if (run.parent !== null) continue;
      let here = roots.items[placed];
      if (here === undefined || here.run !== run || here.stale) here = knownOf(run);
      roots.set(placed++, here);
      here.home.roots.set(here.home.placed++, here);
    }
    roots.cut(placed);
    for (const home of homes.values()) {
      home.roots.cut(home.placed);
      const last = home.roots.items.at(-1);
      if (last !== undefined) within.add(last.run.key);
    }
  };

  const judge = (run: Run): readonly Finding[] => {
    const events = eventsOf(run.key);
    const { document, flows, home } = knownOf(run);
    const shown = screen.of({
      run,
      document,
      events,
      flows,
      get roots() {
        arrange();
        return home.roots;
      },
    });
    if (shown === null) screens.delete(run.key);
    else screens.set(run.key, shown);
    const others: Others = {
      some(bounds, is) {
        arrange();
        return roots.but(run).some(bounds, is);
      },
    };
    const failed: RuleFault[] = [];
    const found = run.attempts.flatMap((attempt) =>
      judgeCase(
        rules,
        {
          run,
          attempt,
          events,
          flows: attempt.flows.flatMap((id) => decoder.flows.get(id) ?? []),
          screen: shown,
          hasTerminalWord: attempt.flows.some((id) => decoder.dialectOf(id)?.hasTerminalWord ?? false),
          others,
          now: nowIn(document),
        },
        failed,
      ),
    );
    if (failed.length > 0) faults.set(run.key, failed);
    else faults.delete(run.key);
    return found;
  };

  const keep = (run: string, found: readonly Finding[]): void => {
    if (found.length === 0 && !findingsByRun.has(run)) return;
    if (found.length > 0) findingsByRun.set(run, found);
    else findingsByRun.delete(run);
    rejudged.add(run);
  };

  const noteChanged = (): readonly Run[] => {
    const changed = ledger.takeChanged();
    if (changed.length > 0) moved = true;
    for (const run of changed) {
      const facts = known.get(run.key);
      if (facts !== undefined) facts.stale = true;
      if (letGo.has(run.key)) intact = false;
      else {
        unjudged.add(run.key);
        within.add(run.key);
      }
    }
    for (const key of ledger.takeDropped()) {
      keep(key, []);
      known.delete(key);
      screens.delete(key);
      faults.delete(key);
      within.delete(key);
    }
    return changed;
  };

  /** Whether a sighting, or the mere passing of time, can still change a verdict on the run. */
  const onScreen = (run: Run): boolean => {
    const { document, home, flows, all } = knownOf(run);
    // Where what would have settled it is missing, it is over with its transport.
    if (run.settlement === null && (all.length === 0 || all.some(({ end }) => end === null))) return true;
    const over = run.settlement?.at ?? Math.max(...flows.map(({ end }) => end?.at ?? 0));
    return nowIn(document) - over <= ON_SCREEN_MS || home.roots.items.at(-1)?.run === run;
  };

  const begin = (): Set<string> => {
    noteChanged();
    if (timePassed) {
      timePassed = false;
      arrange();
      for (const key of within) {
        if (unjudged.has(key) || letGo.has(key)) continue;
        const run = ledger.run(key);
        if (run !== undefined && onScreen(run)) unjudged.add(key);
        else within.delete(key);
      }
    }
    const begun = unjudged;
    unjudged = new Set();
    return begun;
  };

  /** Judges what is to be judged until it is `overdue`; true when all is done that was to be done when it began. */
  const step = (overdue: () => boolean): boolean => {
    round ??= begin();
    for (const key of round) {
      round.delete(key);
      const run = ledger.run(key);
      if (run !== undefined) keep(key, judge(run));
      if (round.size > 0 && overdue()) return false;
    }
    round = null;
    if (rejudged.size === 0) return true;
    const fresh = inOrder([...rejudged].flatMap((run) => findingsByRun.get(run) ?? []));
    ordered = merged(
      ordered.filter((finding) => !rejudged.has(finding.run)),
      fresh,
    );
    rejudged.clear();
    return true;
  };

  /** Settled by its producer's word, not waiting, all its flows ended: nothing that is likely to come can change it. */
  const isOver = (run: Run): boolean =>
    run.settlement?.strength === 'reason' &&
    run.settlement.outcome !== 'waiting' &&
    knownOf(run).all.every((flow) => flow.end !== null && decoder.dialectOf(flow.id)?.runs !== 'interval');

  const finish = (): readonly Finding[] => {
    if (round !== null) step(never);
    step(never);
    return ordered;
  };

  return {
    /** A record came. */
    recordCame(): void {
      moved = true;
    },
    /** A sighting or a tick came. */
    timePassed(): void {
      timePassed = true;
    },
    /** What was let go might have been judged otherwise. */
    spoil(): void {
      if (letGo.size > 0) intact = false;
    },
    /** Judges the runs that are over for good, at once, and names those whose events nobody needs any more. */
    letGoOfSettled(): readonly string[] {
      const gone: string[] = [];
      for (const run of noteChanged()) {
        if (letGo.has(run.key) || !isOver(run)) continue;
        keep(run.key, judge(run));
        unjudged.delete(run.key);
        letGo.add(run.key);
        gone.push(run.key);
      }
      return gone;
    },
    step,
    /** As of the last judging, in order. */
    findings: (): readonly Finding[] => ordered,
    /** Judges all that is to be judged. */
    finish,
    intact(): boolean {
      finish();
      return intact;
    },
    /** As of the last judging of the run. */
    screenOf: (run: string): RunScreen | null => screens.get(run) ?? null,
    faults(): readonly RuleFault[] {
      return [...faults.values()].flat();
    },
    faultCount(): number {
      let sum = 0;
      for (const list of faults.values()) sum += list.length;
      return sum;
    },
  };
};
