/**
 * Reads sightings: from what was on the screen and which cues stood there, to what the page presented as working and as
 * final, by return to rest (design: findings.md). Pure; no wording of an answer is ever looked at.
 *
 * `history.ts` folds, `presented.ts` tells working from final, `signs.ts` finds what the page owns up to; this file puts
 * them together for one run, and computes again only what a new record could have changed.
 */
import { createAligner, type Placed, type SaidText, type ShownText } from '../align/align';
import { fold } from '../align/fold';
import type { AgentEvent, Flow, PageTime, Run, Seq, Sighting } from '../model';
import { EVER, type Overlap } from '../overlap';
import { isFurniture } from './furniture';
import { type CueChange, createHistory, type History, type HistoryBuilder, type Mark, type Stay, textAt } from './history';
import { type Lines, linesOf, usersLines } from './lines';
import { firstWhere } from './peaks';
import { type Presented, present } from './presented';
import { createSpeech, isSpoken, type Said, type Speech } from './said';
import { type ShownRegion, shownRegion } from './shown-region';
import { type HonestSign, type OwnWords, type SaidStay, signsOf } from './signs';
import type { Window } from './spans';
import { type ToolRow, toolRows } from './tool-rows';

export type { Presented } from './presented';
export type { ShownRegion } from './shown-region';
export type { HonestSign } from './signs';
export type { ToolRow } from './tool-rows';

/** What the screen showed around one run. */
export interface RunScreen {
  readonly document: string;
  /** In order, without holes, from the run's opening to the last sighting. Empty if the page never was watched. */
  readonly presented: readonly Presented[];
  readonly regions: readonly ShownRegion[];
  /** Signs of unfinished or failed business: error notices, "interrupted", retry controls, questions. In order of appearing. */
  readonly honestSigns: readonly HonestSign[];
  readonly toolRows: readonly ToolRow[];
  /** When other words of the person's appeared after the run was over; null: they did not. */
  readonly askedOn: PageTime | null;
  /** The page shows different runs in regions of their own. */
  readonly separatesRuns: boolean;
  /** Nothing on the page told the run apart from the page after it. */
  readonly noCue: boolean;
  /** Of the runs on this page that had no cue, this is the first: it speaks for all. */
  readonly firstWithoutCue: boolean;
  /** The page at rest was seen before the run. */
  readonly hasRest: boolean;
  /** What the page shows can be read: text that came since the run began was seen, or its composer took part; and no field was filled. */
  readonly readable: boolean;
  readonly gaps: readonly { readonly at: PageTime; readonly seq: Seq }[];
  /** The last sighting of the window. */
  readonly lastSeq: Seq;
  readonly lastAt: PageTime;
  /** The page is still watched: what has not changed since then has not changed. */
  readonly watching: boolean;
}

/** What the screen is asked about. */
export interface ScreenSubject {
  readonly run: Run;
  readonly document: string;
  /** Every event of the run; the same growing array each time. */
  readonly events: readonly AgentEvent[];
  /** The flows of the document that carried the run. */
  readonly flows: readonly Flow[];
  /** The root runs of the document, this one too if it is one. */
  readonly roots: Pick<Overlap<Neighbour>, 'items' | 'first' | 'last'>;
}

/** A run of the same page, and when the flow that brought it was opened. */
export interface Neighbour {
  readonly run: Run;
  readonly opened: Mark;
  readonly events: readonly AgentEvent[];
  /** Those of the document. */
  readonly flows: readonly Flow[];
}

export interface Screen {
  sighting(sighting: Sighting): void;
  /** Sightings of every document may be missing here. */
  gap(seq: Seq, at: PageTime): void;
  /** Null where nothing watched the run's document. */
  of(subject: ScreenSubject): RunScreen | null;
  /** The seq of the last sighting of a document; -1 if there is none. */
  lastSeq(document: string): Seq;
}

/** Regions whose text is explained less than this by anything said are nobody's. */
const ATTRIBUTED = 0.5;
/** So much of a text on the screen is all of it. */
const WHOLE = 0.9;
/** A person's words make up this much of what shows nothing else. */
const MAINLY = 0.6;
/** A region that is explained this well shows what was said, whoever's words these were first. */
const OWNED = 0.9;
/** Short texts that occur inside an answer are still the page's own if they came after it. */
const NOTICE_CHARS = 12;
/** Texts of so many other runs, the newest, are told from this one's. */
const OTHERS = 8;
/** The person's message is drawn at most this long before its request. */
const ECHO_MS = 2000;

interface RunState {
  readonly speech: Speech;
  said: Said | null;
  readonly placed: Map<Stay, { version: number; said: Said; texts: ReadonlyMap<string, SaidText>; placed: Placed; lines: Lines }>;
  /** The person's lines, and of how many messages. */
  users: { readonly count: number; readonly lines: ReadonlySet<string> };
  version: number;
  revision: number;
  endSeq: Seq | null;
  result: RunScreen | null;
}

export const createScreen = (): Screen => {
  const histories = new Map<string, HistoryBuilder>();
  const states = new Map<string, RunState>();
  const aligner = createAligner();
  /** Keys of the runs that had no cue, by document. */
  const cueless = new Map<string, Map<string, Seq>>();
  const stayKeys = new Map<Stay, string>();
  let stays = 0;

  /** A region may come back with other text: each stay is a text of its own for the aligner. */
  const keyOf = (stay: Stay): string => {
    let key = stayKeys.get(stay);
    if (key === undefined) {
      key = `${stay.region.key}#${++stays}`;
      stayKeys.set(stay, key);
    }
    return key;
  };

  const stateOf = (run: string): RunState => {
    let state = states.get(run);
    if (state === undefined) {
      state = {
        speech: createSpeech(),
        said: null,
        placed: new Map(),
        users: NO_USERS,
        version: -1,
        revision: -1,
        endSeq: null,
        result: null,
      };
      states.set(run, state);
    }
    return state;
  };

  const shownText = (stay: Stay, text = stay.text): ShownText => ({
    region: keyOf(stay),
    text,
    appearedSeq: stay.appeared.seq,
    changedSeq: stay.changed.seq,
  });
  const isSaidAgain = (stay: Stay, text: string, said: SaidText | undefined): boolean =>
    said !== undefined && aligner.saidAgain(said, shownText(stay, text));

  const place = (
    state: RunState,
    said: Said,
    texts: ReadonlyMap<string, SaidText>,
    stay: Stay,
    taken: ReadonlySet<string>,
  ): { readonly placed: Placed; readonly lines: Lines } => {
    const known = state.placed.get(stay);
    if (known !== undefined && known.version === stay.version) {
      if (known.said === said) return known;
      // What it shows has not grown since: what was said later is not in it.
      const same = known.placed.matches.every((match) => texts.get(match.part)?.text === known.texts.get(match.part)?.text);
      if (known.placed.owner !== null && same) return known;
    }
    const lines = linesOf(stay, said.texts, state.users.lines);
    const placed = aligner.place(said.texts, shownText(stay, lines.text), taken);
    const made = { version: stay.version, said, texts, placed, lines };
    state.placed.set(stay, made);
    return made;
  };

  const bodiesOf = (flows: readonly Flow[]): readonly string[] =>
    flows.flatMap((flow) => (flow.requestBody === null ? [] : [flow.requestBody]));
  /** Texts of other runs of the document, whichever of them is looked at first. Of one that was let go, what it had said. */
  const foreign = (subject: ScreenSubject): readonly SaidText[] =>
    subject.roots.items
      .slice(-OTHERS - 1)
      .filter(({ run }) => run !== subject.run)
      .slice(-OTHERS)
      .flatMap(({ run, events, flows }) => {
        const state = stateOf(run.key);
        return events.length === 0 ? (state.said?.texts ?? []) : state.speech.of(run, events, bodiesOf(flows)).texts;
      });

  /** The ends of other runs of the page that went well, since this one began and before it was over. */
  const wellEnded = ({ run, roots }: ScreenSubject, start: Mark): readonly Mark[] =>
    roots.items
      .slice(-OTHERS - 1)
      .flatMap(({ run: { key, settlement } }) =>
        key !== run.key &&
        settlement?.outcome === 'completed' &&
        settlement.strength === 'reason' &&
        settlement.seq > start.seq &&
        settlement.seq < (run.settlement?.seq ?? EVER)
          ? [settlement]
          : [],
      );

  return {
    sighting(sighting) {
      let history = histories.get(sighting.document);
      if (history === undefined) {
        history = createHistory(sighting.document);
        histories.set(sighting.document, history);
      }
      history.add(sighting);
    },
    gap(seq, at) {
      for (const history of histories.values()) history.gap({ seq, at });
    },
    lastSeq: (document) => histories.get(document)?.last.seq ?? -1,
    of(subject) {
      const { run, document } = subject;
      const history = histories.get(document);
      if (history === undefined) return null;
      const state = stateOf(run.key);
      const bodies = bodiesOf(subject.flows);
      const said = state.speech.of(run, subject.events, bodies);
      const frame = frameOf(subject, history);
      const fresh =
        state.result !== null &&
        state.said === said &&
        state.revision === run.revision &&
        state.endSeq === (frame.end?.seq ?? null) &&
        (state.version === history.version || frame.end !== null);
      state.said = said;
      if (fresh) return state.result;
      if (state.users.count !== said.user.length) state.users = { count: said.user.length, lines: usersLines(said.user) };

      const { start, end } = frame;
      const mine: { stay: Stay; placed: Placed; lines: Lines; carriedOver: string }[] = [];
      const own: OwnWords[] = [];
      const rows: Stay[] = [];
      let apart = false;
      let askedOn: PageTime | null = null;
      let readable = false;
      const nobodys: Stay[] = [];
      const spoken: SaidStay[] = [];
      const taken = new Set<string>();
      const voices = new Map(said.texts.map((text) => [text.key, text]));
      const others = foreign(subject);
      let firstText: Mark | null = null;
      let lastText: Mark | null = null;
      for (const stay of history.staysWithin(start, end?.seq ?? EVER, ECHO_MS)) {
        // The person's own words may be drawn just before the request goes out.
        const recent = stay.changed.at >= start.at - ECHO_MS && (end === null || stay.appeared.seq < end.seq);
        if (recent && !stay.rest && stay.visible && stay.text.trim() !== '') readable = true;
        if (stay.changed.seq < start.seq || (end !== null && stay.appeared.seq >= end.seq)) continue;
        if (stay.removed !== null && stay.removed.seq < start.seq) continue;
        // Told after the run began, and there before it: earlier messages near the place where text grows.
        if (stay.rest && stay.edits.length <= 1) continue;
        // The person's own words, and nothing else.
        if (state.users.lines.has(stay.text.trim()) && !said.texts.some(({ text }) => text.includes(stay.text.trim()))) continue;
        const { placed, lines } = place(state, said, voices, stay, taken);
        const best = placed.matches[0];
        if (stay.region.presentedAs === 'tool' || (best !== undefined && voices.get(best.part)?.voice === 'tool')) rows.push(stay);
        const before = stay.appeared.seq < start.seq ? (textAt(stay, start.seq) ?? '') : '';
        const carriedOver = before.trim() !== '' && stay.text.includes(before.trim()) ? before.trim() : '';
        const chance = best?.weak === true && isAfterwards(stay, voices.get(best.part));
        // What the person said is theirs, even where the answer or the thought takes up some of their words.
        const users = isAllUsers(stay, said.user);
        if ((best === undefined || best.share < OWNED) && (stay.region.presentedAs === 'user' || users)) {
          if (!users && frame.over !== null && stay.appeared.seq > frame.over.seq) askedOn ??= stay.appeared.at;
          continue;
        }
        if (best !== undefined && best.share >= ATTRIBUTED && !chance) {
          mine.push({ stay, placed, lines, carriedOver });
          for (const line of lines.own) own.push({ stay, line });
          if (carriedOver === '') apart = true;
          if (placed.owner !== null) taken.add(placed.owner);
          // The region's own text, or whole in it beside the answer.
          const holds = (keys: ReadonlySet<string>): boolean =>
            placed.matches.some(({ part, covered }) => keys.has(part) && (part === best.part || covered >= WHOLE));
          if (holds(said.errors)) spoken.push({ stay, kind: 'error' });
          else if (holds(said.questions)) spoken.push({ stay, kind: 'question' });
          const first = firstOf(stay, start);
          if (firstText === null || first.seq < firstText.seq) firstText = first;
          if (lastText === null || stay.changed.seq > lastText.seq) lastText = stay.changed;
          continue;
        }
        // A region with several texts in it, none of which makes up half of it, still shows them; titles of sources say them again.
        if (placed.matches.reduce((sum, match) => sum + match.share, 0) >= ATTRIBUTED && !chance && !isFurniture(stay.text)) {
          mine.push({ stay, placed, lines, carriedOver });
          for (const line of lines.own) own.push({ stay, line });
          continue;
        }
        if (others.length > 0) {
          const [elsewhere] = aligner.place(others, shownText(stay)).matches;
          if (elsewhere !== undefined && elsewhere.share >= ATTRIBUTED && !elsewhere.weak) continue;
        }
        nobodys.push(stay);
      }

      const window: Window = { ...frame, picture: pictureOf(history, frame, firstText), firstText, lastText };
      // A heading of the answer itself is no name that the page gave to the place.
      const named = mine.flatMap(({ stay }) =>
        stay.labels.some(({ label }) => label !== null && said.texts.some(({ text }) => text.includes(label))) ? [] : [stay],
      );
      const shown = mine.map(({ stay }) => stay);
      const { presented, noCue, hasRest } = present(history, window, nobodys, shown, named);
      if (noCue) {
        const known = cueless.get(document) ?? new Map<string, Seq>();
        known.set(run.key, run.openedSeq);
        cueless.set(document, known);
      } else cueless.get(document)?.delete(run.key);
      let before = false;
      for (const [key, seq] of cueless.get(document) ?? []) {
        before = key !== run.key && seq < run.openedSeq;
        if (before) break;
      }

      const answers = new Set(
        mine.flatMap(({ stay, placed }) => (voices.get(placed.owner ?? '')?.voice === 'assistant' ? [stay.region.key] : [])),
      );
      const result: RunScreen = {
        document,
        presented,
        regions: mine.map((one) =>
          shownRegion(one.stay, one.placed, one.lines, one.carriedOver, said.texts, voices, (part) =>
            isSaidAgain(one.stay, one.lines.text, voices.get(part)),
          ),
        ),
        honestSigns: signsOf(
          history,
          window,
          nobodys,
          spoken,
          own,
          answers,
          named,
          (text) => isSpoken(text, said),
          wellEnded(subject, start),
        ),
        toolRows: toolRows(run, history, rows, nobodys),
        askedOn,
        separatesRuns: apart,
        noCue,
        firstWithoutCue: noCue && !before,
        hasRest,
        // The composer that took part is in this document, and so is what it is for. What the page writes into a field is never read.
        readable:
          (readable || presented.some(({ as, cues }) => as === 'working' && cues.some(({ kind }) => kind === 'composer'))) &&
          !history.cues.changes(start.seq, end?.seq ?? EVER).some(fills),
        gaps: history.gaps.slice(
          firstWhere(history.gaps, ({ seq }) => seq >= start.seq),
          end === null ? undefined : firstWhere(history.gaps, ({ seq }) => seq >= end.seq),
        ),
        lastSeq: end?.seq ?? history.last.seq,
        lastAt: end?.at ?? history.last.at,
        watching: end === null && history.lastWatch?.state !== 'stopped',
      };
      state.version = history.version;
      state.revision = run.revision;
      state.endSeq = end?.seq ?? null;
      state.result = result;
      return result;
    },
  };
};

const NO_USERS: RunState['users'] = { count: 0, lines: new Set() };

/** The first moment in the window at which the stay showed something. */
const firstOf = (stay: Stay, start: Mark): Mark => (stay.appeared.seq > start.seq ? stay.appeared : stay.changed);

/** A short text that came after all that was said cannot be part of it, even if it occurs in it. */
const isAfterwards = (stay: Stay, said: SaidText | undefined): boolean =>
  said !== undefined && stay.text.trim().length < NOTICE_CHARS && stay.appeared.seq > said.lastSeq;

/** The person's words, and little else: a name before them, a time behind. */
const isAllUsers = (stay: Stay, user: readonly string[]): boolean => {
  const text = fold(stay.text);
  return (
    isUsers(stay, user) &&
    user.some((words) => {
      const folded = fold(words);
      return folded.includes(text) || (text.includes(folded) && folded.length >= text.length * MAINLY);
    })
  );
};

const isUsers = (stay: Stay, user: readonly string[]): boolean => {
  const text = fold(stay.text);
  if (text === '') return false;
  return user.some((words) => {
    const folded = fold(words);
    return (
      folded === text || (text.length >= NOTICE_CHARS && folded.includes(text)) || (folded.length >= NOTICE_CHARS && text.includes(folded))
    );
  });
};

type Frame = Omit<Window, 'firstText' | 'lastText' | 'picture'>;

/** From when to when the document's history belongs to the run. */
const frameOf = (subject: ScreenSubject, history: History): Frame => {
  const { run, flows, roots } = subject;
  const [first] = flows;
  // On another page, before this one was loaded: here it begins when this page comes back to it, on this page's clock.
  const elsewhere = first !== undefined && !flows.some((flow) => flow.id === run.attempts[0]?.flows[0]);
  const opened: Mark = elsewhere ? { seq: first.openedSeq, at: first.openedAt } : { seq: run.openedSeq, at: run.openedAt };
  const over = overOf(run, flows);
  // A run that opens while this one is open stands beside it; the page is theirs together.
  const next = over === null ? undefined : roots.first({ openedAfter: Math.max(run.openedSeq, over.seq) });
  const earlier = { openedBefore: run.openedSeq };
  const alone = roots.first({ ...earlier, settledAfter: opened.seq }) === undefined;
  const previous = roots.last({ ...earlier, settledBefore: opened.seq + 1 }, 'settled')?.run.settlement ?? null;
  const open = roots.last({ openedBefore: Math.min(run.openedSeq, opened.seq + 1), settledAfter: EVER }, 'opened')?.run;
  let start: Mark = first === undefined || first.openedSeq > opened.seq ? opened : { seq: first.openedSeq, at: first.openedAt };
  // A socket was open long before: the run begins when the one before it was over.
  if (previous !== null && previous.seq > start.seq) start = markOf(previous);
  if (open !== undefined && open.openedSeq > start.seq) start = { seq: open.openedSeq, at: open.openedAt };
  let end: Mark | null = null;
  if (next !== undefined && over !== null) {
    // Its flow, unless that had been open before; and the picture that goes with it is taken before its first event.
    const begun = next.opened.seq > over.seq ? next.opened : { seq: next.run.openedSeq, at: next.run.openedAt };
    const picture = history.rests[firstWhere(history.rests, ({ seq }) => seq > over.seq)];
    end = picture !== undefined && picture.seq < begun.seq ? picture : begun;
  }
  const outcome = run.settlement?.outcome;
  const concluded = outcome === 'completed' || outcome === 'truncated';
  return { start, opened, end, over, concluded, alone, previous: previous === null ? null : markOf(previous) };
};

/** The last picture of the page at rest that was given before the run showed anything. */
const pictureOf = ({ rests }: History, { end }: Frame, firstText: Mark | null): Mark | null =>
  rests[firstWhere(rests, ({ seq }) => (end !== null && seq >= end.seq) || (firstText !== null && seq > firstText.seq)) - 1] ?? null;

/** A text entry got longer, and no person wrote in it. */
const fills = ({ label, value, rest }: CueChange): boolean => label === 'filled' && value !== null && !rest;

const markOf = ({ seq, at }: Mark): Mark => ({ seq, at });

/** When the run was over for whoever reads its stream: settled, or all its flows ended. */
const overOf = (run: Run, flows: readonly Flow[]): Mark | null => {
  if (run.settlement !== null) return markOf(run.settlement);
  const ends = flows.map((flow) => flow.end);
  const last = ends.reduce<Mark | null>((a, end) => (end !== null && (a === null || end.seq > a.seq) ? end : a), null);
  return ends.length > 0 && ends.every((end) => end !== null) ? last : null;
};
