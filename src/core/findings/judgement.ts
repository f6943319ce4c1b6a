/** Building judgements: the usual members first, evidence by what it points at, times as people read them. */
import type { AgentEvent, Attempt, EvidenceRef, Flow, PageTime, Part, Seq, Settlement } from '../model';
import { isAfter, openingOf } from '../order';
import type { Case, Judgement } from './rule';
import { type Aftermath, words } from './shown';

type Facts = Partial<Omit<Judgement, 'verdict'>>;

const judgement = (verdict: Judgement['verdict'], at: PageTime, facts: Facts): Judgement => ({
  voice: null,
  text: '',
  region: null,
  until: null,
  evidence: [],
  data: {},
  ...facts,
  verdict,
  at,
});

export const fail = (at: PageTime, facts: Facts): Judgement => judgement('fail', at, facts);
export const inconclusive = (at: PageTime, facts: Facts): Judgement => judgement('inconclusive', at, facts);
export const pass = (at: PageTime): Judgement => judgement('pass', at, {});

export const sighting = (seq: Seq): EvidenceRef => ({ kind: 'sighting', seq });
export const record = (seq: Seq): EvidenceRef => ({ kind: 'record', seq });
export const eventRef = (event: AgentEvent): EvidenceRef => ({ kind: 'event', seq: event.seq, flow: event.flow, event: event.ordinal });

/** What the page left standing of a run that was over by then, for a rule that objects to it: the words, their place, and what makes them look final. */
export const leftStanding = (subject: Case, after: Aftermath, over: Seq) => {
  const region = after.shown.at(-1);
  return {
    voice: region === undefined ? null : (partOf(subject.attempt, region.owner)?.voice ?? region.voice),
    text: words(after.shown),
    region: region?.region.key ?? null,
    until: after.until,
    evidence: [record(over), ...(after.stretch?.cues ?? []).slice(0, 1).map((cue) => sighting(cue.seq))],
  };
};

/** Where the last of it stands, and the event that said it. */
export const saidAndShown = (subject: Case, after: Aftermath): readonly EvidenceRef[] => {
  const region = after.shown.at(-1);
  if (region === undefined) return [];
  const part = partOf(subject.attempt, region.owner);
  const said = part === null ? null : speaks(subject, part);
  return [sighting(region.appearedSeq), ...(said === null ? [] : [eventRef(said)])];
};

/** The event by which a part first got text; null where it has none. */
export const speaks = (subject: Case, part: Part): AgentEvent | null => {
  const opened = openingOf(part);
  for (const event of subject.events) {
    if (isAfter(opened, event) || event.voice !== part.voice) continue;
    if (event.type === 'part.delta' && event.text !== '') return event;
    if (event.type === 'part.replaced' && event.text !== '') return event;
    if (event.type === 'part.closed' && (event.text ?? '') !== '') return event;
  }
  return null;
};

export const partOf = (attempt: Attempt, key: string | null): Part | null =>
  key === null ? null : (attempt.parts.find((part) => part.key === key || `${part.key}#streamed` === key) ?? null);

/** The attempt that speaks for its run: the last one. */
export const isLast = (subject: Case): boolean => subject.run.attempts.at(-1)?.key === subject.attempt.key;

/** Rules about what the page presented speak of what the person asked for, not of work delegated within it. */
export const isRoot = (subject: Case): boolean => subject.run.parent === null;

export const ms = (time: PageTime): number => Math.round(time);

/** "completed at 1234 ms", "not settled": for messages. */
export const settledWords = (settlement: Settlement | null): string =>
  settlement === null ? 'nothing has settled the run yet' : `the run was settled (${settlement.outcome}) at ${ms(settlement.at)} ms`;

/** Whether nobody can tell when all of it came. */
export const isUntimed = (flows: readonly Flow[]): boolean => flows.some((flow) => flow.untimed);

/** Short enough for a message; the whole text is in the finding. */
export const excerpt = (text: string, length = 80): string => {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
};
