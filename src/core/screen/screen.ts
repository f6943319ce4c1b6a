/**
 * Reads sightings: from what was on the screen and which cues stood there, to what the page presented as working and as
 * final, by return to rest (design: findings.md). Pure; no wording of an answer is ever looked at.
 */
import type { AgentEvent, Match, PageTime, Region, Run, Seq, Sighting, Voice } from '../model';

/** One stretch of time in which the page presented the run's text in one way. */
export interface Presented {
  readonly as: 'working' | 'final' | 'unknown';
  readonly from: PageTime;
  readonly fromSeq: Seq;
  /** Null: still so. */
  readonly until: PageTime | null;
  /** What says so, in words, with the sighting that showed it: "Stop button gone". */
  readonly cues: readonly { readonly text: string; readonly at: PageTime; readonly seq: Seq }[];
}

/** A region that showed text of the run. */
export interface ShownRegion {
  readonly region: Region;
  /** The text it shows now, or showed last. */
  readonly text: string;
  readonly appearedAt: PageTime;
  readonly lastChangeAt: PageTime;
  readonly removedAt: PageTime | null;
  readonly visible: boolean;
  readonly matches: readonly Match[];
  /** The voice of the part that explains most of it; null where nothing does. */
  readonly voice: Voice | null;
}

/** What the screen showed around one run. */
export interface RunScreen {
  readonly document: string;
  /** In order, without holes, from the run's opening to the last sighting. Empty if the page never was watched. */
  readonly presented: readonly Presented[];
  readonly regions: readonly ShownRegion[];
  /** Signs of unfinished or failed business that belong to no stream text: error notices, "interrupted", retry controls, questions. */
  readonly honestSigns: readonly { readonly text: string; readonly at: PageTime; readonly seq: Seq; readonly until: PageTime | null }[];
  /** Nothing on the page told the run apart from the page after it. */
  readonly noCue: boolean;
  readonly gaps: readonly { readonly at: PageTime; readonly seq: Seq }[];
}

export interface Screen {
  sighting(sighting: Sighting): void;
  /** Null where nothing watched the run's document. */
  of(run: Run, document: string, events: readonly AgentEvent[], now: PageTime): RunScreen | null;
}

export const createScreen = (): Screen => ({
  sighting: () => {},
  of: () => null,
});
