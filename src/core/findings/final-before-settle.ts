/** The page presented provisional text as final while its run was open on a live connection. */
import type { Part, Seq } from '../model';
import { isAfter, placeOf } from '../order';
import { around } from '../overlap';
import type { Presented, RunScreen, ShownRegion } from '../screen/screen';
import { eventRef, excerpt, fail, inconclusive, isLast, isRoot, ms, partOf, pass, settledWords, sighting, speaks } from './judgement';
import { landmarksOf } from './landmarks';
import type { Case, Judgement, Rule } from './rule';
import { type Moment, shownAt, signsDuring, words } from './shown';

/** A page that cuts its own stream this soon after it looked final did so for the same reason. */
const CUT_MS = 1000;
/** A return to rest this soon after another run was settled is for that one. */
const BESIDE_MS = 1500;
/** What changes within this time was drawn at once. */
const RENDER_MS = 50;
/** Text that grew for less than this cannot be told from text that came at once. */
const GREW_MS = 500;

export const finalBeforeSettle: Rule = {
  id: 'final-before-settle',
  severity: 'critical',
  needs: ['wire', 'screen'],
  message: {
    fail: 'Shown as final {leadMs} ms too early: at {shownMs} ms {cue}, and {settled}. The page showed “{excerpt}”.',
    inconclusive: 'Perhaps shown as final too early: at {shownMs} ms {cue}, but {why}. The page showed “{excerpt}”.',
  },
  judge(subject) {
    const { screen, attempt } = subject;
    if (screen === null || !isRoot(subject) || screen.regions.length === 0) return null;
    if (screen.noCue) return withoutSign(subject, screen);
    const until = liveUntil(subject);
    for (const stretch of screen.presented) {
      if (stretch.as !== 'final' || stretch.fromSeq <= attempt.openedSeq) continue;
      if (stretch.fromSeq >= until && !cutsWith(subject, stretch)) continue;
      const judged = early(subject, screen, stretch, stretch.fromSeq >= until);
      if (judged !== null) return judged;
    }
    return screen.presented.some((stretch) => stretch.as !== 'unknown') ? pass(attempt.openedAt) : null;
  },
};

/** Up to here the attempt was open on a live connection. */
const liveUntil = ({ run, attempt, flows, events }: Case): Seq => {
  const { settlement } = attempt;
  let until = settlement?.seq ?? Number.POSITIVE_INFINITY;
  const ends = flows.map((flow) => flow.end?.seq ?? Number.POSITIVE_INFINITY);
  if (ends.length > 0) until = Math.min(until, Math.max(...ends));
  // Where the whole agent's state has a channel of its own, idle may be told before the ending that it stands for.
  const status = landmarksOf(events).statuses.findLast(
    (event) => event.seq <= until && (settlement === null || !isAfter(event, placeOf(settlement))),
  );
  if (status !== undefined && status.state === 'idle') until = Math.min(until, status.seq);
  const next = run.attempts[attempt.ordinal];
  return next === undefined ? until : Math.min(until, next.openedSeq);
};

/** The page cut its own stream in the moment in which it came to rest: which of the two was told first is chance. */
const cutsWith = ({ flows }: Case, stretch: Presented): boolean =>
  flows.some(({ end }) => end?.how === 'aborted-by-page' && Math.abs(end.at - stretch.from) <= RENDER_MS);

const early = (subject: Case, screen: RunScreen, stretch: Presented, cut: boolean): Judgement | null => {
  const { attempt } = subject;
  const from: Moment = { seq: stretch.fromSeq, at: stretch.from };
  // Text and cues of one render are told one after another.
  const together = screen.regions.filter(
    (region) => region.visible && region.appearedSeq > from.seq && region.appearedAt - from.at <= RENDER_MS && region.text.trim() !== '',
  );
  // What the very same render takes away, nobody saw on the page at rest.
  const stands = ({ removedAt }: ShownRegion): boolean => removedAt === null || removedAt - from.at > RENDER_MS;
  const shown = [...shownAt(screen, from.seq), ...together].filter(
    (region) => region.matches.length > 0 && stands(region) && hadBeenSaid(subject, region, from.seq),
  );
  if (shown.length === 0) return growing(subject, screen, stretch);
  if (signsDuring(screen, from, stretch.untilSeq).length > 0) return null;
  // Nobody stops what is not there yet.
  const first = shown.every((one) => one.appearedSeq > from.seq);
  if (cut && !first) return null;
  if (stoppedByPerson(subject, screen, stretch, first) || restsForAnother(subject, stretch)) return null;

  const provisional = shown.filter((region) => region.matches.some((match) => isProvisional(partOf(attempt, match.part), from.seq)));
  const goesOn = subject.events.find((event) => event.seq > from.seq && isContent(event.type));
  // All that is shown is committed, and nothing but a good end was still to come: early by the letter only.
  const badly = attempt.settlement !== null && !GOOD.has(attempt.settlement.outcome);
  if (provisional.length === 0 && goesOn === undefined && !badly) return null;

  const blamed = provisional.length > 0 ? provisional : shown;
  const facts = { ...(provisional.length > 0 ? {} : { severity: 'serious' as const }), ...factsOf(subject, stretch, blamed, from) };
  return stretch.sure ? fail(from.at, facts) : inconclusive(from.at, facts);
};

const factsOf = (subject: Case, stretch: Presented, blamed: readonly ShownRegion[], from: Moment) => {
  const { attempt } = subject;
  const { settlement } = attempt;
  const region = blamed.at(-1)!;
  const part = partOf(attempt, region.owner ?? region.matches[0]!.part);
  const said = part === null ? null : speaks(subject, part);
  const text = words(blamed, from.seq);
  const settledAt = settlement?.at ?? stretch.until ?? subject.now;
  return {
    subject: 'early',
    voice: part?.voice ?? region.voice,
    text,
    region: region.region.key,
    until: stretch.until ?? (settlement !== null && settlement.seq > from.seq ? settlement.at : null),
    evidence: [
      ...stretch.cues.slice(0, 1).map((cue) => sighting(cue.seq)),
      sighting(region.appearedSeq),
      ...(said === null ? [] : [eventRef(said)]),
    ],
    data: {
      leadMs: ms(Math.max(0, settledAt - from.at)),
      shownMs: ms(from.at),
      settledMs: settlement === null ? 'never' : ms(settlement.at),
      cue: cueWords(stretch),
      settled: settledWords(settlement),
      excerpt: excerpt(text),
      why: 'the same control is switched by typing, too, or may belong to a block of the text',
    },
  };
};

/** The page had come to rest before the first word, and then text grew on it while more was still being said. */
const growing = (subject: Case, screen: RunScreen, stretch: Presented): Judgement | null => {
  const { events } = subject;
  const until = Math.min(liveUntil(subject), stretch.untilSeq ?? Number.POSITIVE_INFINITY);
  const said = events.filter((event) => event.type === 'part.delta' && event.voice === 'assistant' && event.seq < until);
  const region = screen.regions.find((one) => {
    if (!one.visible || !owned(one) || one.appearedSeq <= stretch.fromSeq || one.appearedSeq >= until) return false;
    const after = said.filter((event) => event.seq > one.appearedSeq);
    return (
      after.length > 0 && after.at(-1)!.at - one.appearedAt >= GREW_MS && one.changes().some((seq) => seq > after[0]!.seq && seq < until)
    );
  });
  if (region === undefined || signsDuring(screen, { seq: stretch.fromSeq, at: stretch.from }, stretch.untilSeq).length > 0) return null;
  if (restsForAnother(subject, stretch)) return null;
  const facts = factsOf(subject, stretch, [region], { seq: region.appearedSeq, at: region.appearedAt });
  return stretch.sure ? fail(region.appearedAt, facts) : inconclusive(region.appearedAt, facts);
};

/** What the region shows had begun to be said by then; what it showed later is another matter. */
const hadBeenSaid = (subject: Case, region: ShownRegion, seq: Seq): boolean => {
  const part = partOf(subject.attempt, region.owner ?? region.matches[0]!.part);
  return part === null || (speaks(subject, part)?.seq ?? seq) < seq;
};

const GOOD: ReadonlySet<string> = new Set(['completed', 'unattested', 'superseded', 'cancelled']);

const cueWords = (stretch: Presented): string => stretch.cues.map((cue) => cue.text).join(', ') || 'the page came to rest';

const isContent = (type: string): boolean =>
  type === 'part.delta' ||
  type === 'part.replaced' ||
  type === 'tool.called' ||
  type === 'asked' ||
  type === 'attempt.opened' ||
  type === 'step.opened';

/** Only the assistant's words are ever committed as an answer; progress that its producer stands by is none. */
const isProvisional = (part: Part | null, seq: Seq): boolean =>
  part === null || part.voice !== 'assistant' || part.committedSeq === null || part.committedSeq > seq;

/**
 * The page cut the stream at the moment it came to rest. If it offered a way to stop, the person may have used it, and if
 * the next run began, the person went on; otherwise, and where the first words were drawn in that very moment, the page
 * itself took what it had for the end.
 */
const stoppedByPerson = ({ attempt, flows, others, run }: Case, screen: RunScreen, stretch: Presented, first: boolean): boolean => {
  const ends = flows.map((flow) => flow.end);
  const cut = ends.find((end) => end !== null && (end.how === 'aborted-by-page' || end.how === 'document-gone'));
  const cancelled = attempt.settlement?.outcome === 'cancelled' && attempt.settlement.at - stretch.from <= CUT_MS;
  if (cancelled && attempt.settlement?.endedBy === 'producer') return true;
  if (cut === undefined || cut === null) return false;
  if (cut.how === 'document-gone') return cut.at - stretch.from <= CUT_MS;
  if (cut.at - stretch.from > CUT_MS) return false;
  if (
    others.some({ openedAfter: run.openedSeq, ...around('opened', cut.at, CUT_MS) }, (other) => Math.abs(other.openedAt - cut.at) <= CUT_MS)
  )
    return true;
  if (first) return false;
  return screen.presented.some(
    (one) => one.as === 'working' && one.fromSeq < stretch.fromSeq && one.cues.some((cue) => cue.kind === 'control'),
  );
};

/** Another run was settled just before: the page came to rest for that one, and this one runs in the background. */
const restsForAnother = ({ run, others }: Case, stretch: Presented): boolean =>
  others.some(
    {
      settledAfter: run.openedSeq,
      settledBefore: stretch.fromSeq,
      openedBefore: stretch.fromSeq,
      settledFrom: around('settled', stretch.from, BESIDE_MS).settledFrom,
    },
    ({ settlement }) => settlement !== null && stretch.from - settlement.at <= BESIDE_MS,
  );

/** No sign told the run apart from the page after it. Said once per page, and only of a whole run. */
const withoutSign = (subject: Case, screen: RunScreen): Judgement | null => {
  const { settlement } = subject.attempt;
  if (settlement === null || !isLast(subject) || !screen.firstWithoutCue) return null;
  if (settlement.endedBy === 'page') return null;
  const grown = screen.regions.filter((one) => one.visible && owned(one));
  const region = grown[0];
  if (region === undefined || Math.max(...grown.map((one) => one.lastChangeAt)) - region.appearedAt < GREW_MS) return null;
  const text = words(grown);
  return fail(region.appearedAt, {
    subject: 'no-sign',
    severity: 'serious',
    voice: region.voice,
    text,
    region: region.region.key,
    until: settlement.at,
    evidence: [sighting(region.appearedSeq)],
    data: {
      leadMs: ms(settlement.at - region.appearedAt),
      shownMs: ms(region.appearedAt),
      settledMs: ms(settlement.at),
      cue: 'the page shows no sign of unfinished text',
      settled: settledWords(settlement),
      excerpt: excerpt(text),
    },
  });
};

const owned = (region: ShownRegion): boolean => region.owner !== null && region.voice === 'assistant';
