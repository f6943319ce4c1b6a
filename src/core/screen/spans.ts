/**
 * From the changes of cues to spans: stretches of time in which a cue stood otherwise than at rest. Which of them say
 * "working" is for `presented.ts`; here is only what departed from rest, when, and when it returned.
 */
import type { CueKind } from '../model';
import { EVER } from '../overlap';
import { type CueChange, type CueLog, editAfter, type History, type Mark, type Stay, textAt } from './history';
import { droppedWords } from './lines';
import { firstWhere } from './peaks';
import { AFTERWARDS, FINISHED, looksWorking, RETRY, STOPPING, says, UNFINISHED, WORKING } from './words';

/** The stretch of a document's history that belongs to one run. */
export interface Window {
  readonly start: Mark;
  /** When the run's own events began; a socket may have been open long before. */
  readonly opened: Mark;
  /** When the next run began; null while there is none. */
  readonly end: Mark | null;
  /** The earliest moment at which the run was over: settled, or its transport ended. */
  readonly over: Mark | null;
  /** Its producer brought it to an end of its own: nothing is awaited, and there is nothing to try again. */
  readonly concluded: boolean;
  /** When text of the run first appeared on the screen, and when it last grew. */
  readonly firstText: Mark | null;
  readonly lastText: Mark | null;
  /** The picture of the page at rest that goes with the run; null if none was taken. */
  readonly picture: Mark | null;
  /** No other run was open when this one began: what stood then stood at rest. */
  readonly alone: boolean;
  /** When the last of the runs before this one was over; null if there was none. */
  readonly previous: Mark | null;
}

/** A departure this soon after the run opened belongs to its opening, even if text came sooner. */
const OPENING_MS = 1500;
/** What comes with the first word is read a little after it. */
const WITH_TEXT_MS = 500;
/** Rest is what stood this long; a page may leave it a little before it sends its request. */
const SETTLED_REST_MS = 2000;
/** What a page changes because a run is over, it changes this soon after. */
const TURNING_MS = 600;
/** What is drawn at once is told within this time. */
const RENDER_MS = 50;
/** Words beside the conversation that hold still and are this short may be an indicator ("Thinking 3 s"). */
const INDICATOR_CHARS = 60;

export interface Span {
  readonly kind: CueKind | 'words';
  readonly control: boolean;
  readonly label: string | null;
  readonly value: string | null;
  /** What it was at rest; null: not there. */
  readonly restValue: string | null;
  readonly from: Mark;
  readonly until: Mark | null;
  /** The value it took when it left this one. */
  readonly next: string | null;
  readonly main: boolean;
  readonly strong: boolean;
  /** It gave way to what stood there at rest. */
  readonly returned: boolean;
}

/** A value that claims the end or owns up to a bad one is no work in progress, even if it goes again. */
const looksOver = (kind: Span['kind'], value: string | null): boolean =>
  (kind === 'attribute' || kind === 'class') && !says(value, WORKING) && (says(value, FINISHED) || says(value, UNFINISHED));

export const wordsGone = (span: Span): string => {
  const name = span.label === null || span.label === '' ? null : `“${span.label}”`;
  switch (span.kind) {
    case 'control':
      return `${name ?? 'a control'} ${span.next ?? 'gone'}`;
    case 'composer':
      return `composer ${span.next ?? 'gone'}`;
    case 'busy':
      return 'busy mark gone';
    case 'animation':
      return 'animation gone';
    case 'caret':
      return 'caret gone';
    case 'class':
      return `class “${span.value ?? ''}” gone`;
    case 'attribute':
      return span.next === null ? `${span.label ?? 'state'} gone` : `${span.label ?? 'state'} “${span.next}”`;
    case 'text':
      return span.next === null ? `“${span.value ?? ''}” gone` : `“${span.value ?? ''}” became “${span.next}”`;
    case 'outright':
      return `the page says “${span.next ?? 'nothing'}”`;
    default:
      return `${name ?? 'indicator'} gone`;
  }
};

export const wordsStanding = (span: Span): string => {
  const name = span.label === null || span.label === '' ? null : `“${span.label}”`;
  switch (span.kind) {
    case 'control':
      return span.value === null ? `${name ?? 'a control'} gone` : `${name ?? 'a control'} ${span.value}`;
    case 'composer':
      return `composer ${span.value ?? 'gone'}`;
    case 'busy':
      return 'busy mark';
    case 'animation':
      return 'animation';
    case 'caret':
      return 'caret';
    case 'class':
      return `class “${span.value ?? ''}”`;
    case 'attribute':
      return `${span.label ?? 'state'} “${span.value ?? ''}”`;
    case 'text':
      return `“${span.value ?? ''}”`;
    case 'outright':
      return `the page says “${span.value ?? ''}”`;
    default:
      return name ?? 'indicator';
  }
};

/**
 * The values a cue held while the page was at rest: those of the run's own picture; what stood for a while when the run
 * began, if nothing else was open then (a page may leave rest just before its request goes out); and else, not there.
 */
const restOf = (
  log: CueLog,
  window: Window,
  past: number,
): { readonly values: ReadonlySet<string | null>; readonly value: string | null } => {
  const { picture, start, end, alone, previous } = window;
  const values = new Set<string | null>();
  let value: string | null = null;
  let stood: string | null | undefined;
  let stoodFrom: number | null = null;
  const { changes, rests } = log;
  const stand = (change: CueChange | undefined): void => {
    stood = change?.value;
    stoodFrom = change?.seq ?? null;
  };
  // Of what is long past only what the picture told, and what came last.
  const pictureFrom =
    picture === null
      ? past
      : Math.min(
          past,
          firstWhere(changes, ({ seq }) => seq >= picture.seq),
        );
  stand(changes[pictureFrom - 1]);
  for (let i = firstWhere(rests, (at) => at >= pictureFrom); i < rests.length && rests[i]! < past; i++) {
    value = changes[rests[i]!]!.value;
    values.add(value);
  }
  if (past > pictureFrom) {
    const { moved, rest } = changes[past - 1]!;
    if (moved >= pictureFrom) stand(changes[moved]);
    if (rest) stood = undefined;
  }
  for (let i = past; i < changes.length; i++) {
    const change = changes[i]!;
    if (end !== null && change.seq >= end.seq) break;
    if (change.rest && picture !== null && change.seq >= picture.seq) {
      // A later one of the same picture's time is the page leaving rest, unless it stood for a while.
      if (values.size > 0 && change.seq < start.seq && start.at - change.at <= SETTLED_REST_MS) continue;
      values.add(change.value);
      value = change.value;
      stood = undefined;
    } else if ((picture !== null && isGone(change)) || (change.seq < start.seq && start.at - change.at > SETTLED_REST_MS)) {
      stand(change);
    }
  }
  // Nor is it rest what a run left behind that was over only just now, where the next one follows on its heels.
  const pictured = values.size > 0 || picture !== null;
  const handedOver = previous !== null && pictured && start.at - previous.at <= SETTLED_REST_MS && (stoodFrom ?? 0) < previous.seq;
  if (stood !== undefined && alone && !handedOver) {
    values.add(stood);
    value = stood;
  }
  if (values.size === 0) values.add(null);
  return { values, value };
};

/**
 * A picture of the page at rest told that it is there no more: it went while nobody watched. Of what stands then every picture tells,
 * but of what has gone only the next one.
 */
const isGone = ({ rest, value }: CueChange): boolean => rest && value === null;

/** The cues that can say something of a run. */
export const cuesOf = ({ cues }: History, { start, end, alone, previous }: Window): readonly CueLog[] =>
  cues.seen(start, end?.seq ?? EVER, SETTLED_REST_MS, alone && !(previous !== null && start.at - previous.at <= SETTLED_REST_MS));

export const spansOf = (log: CueLog, window: Window): readonly Span[] => {
  const { start, end, opened, firstText, picture } = window;
  const { changes } = log;
  /** So many changes are long past: they say what stood, and no more. */
  const until = Math.min(start.seq, end?.seq ?? EVER);
  const past = firstWhere(changes, ({ seq, latest }) => seq >= until || start.at - latest <= SETTLED_REST_MS);
  const rest = restOf(log, window, past);
  const spans: Span[] = [];
  const last = changes[past - 1];
  // What a picture that is none of this run's told to stand is passed over.
  const passedOver = (change: CueChange): boolean => change.rest && !isGone(change) && picture !== null && change.seq < picture.seq;
  const known = last !== undefined && passedOver(last) ? changes[last.moved] : last;
  let value: string | null = known === undefined ? rest.value : known.value;
  let label: string | null = known?.label ?? changes[0]?.label ?? null;
  let from: Mark = start;
  const close = (until: Mark | null, next: string | null): void => {
    if (rest.values.has(value) || (until !== null && until.seq < opened.seq && until.seq < start.seq)) return;
    spans.push({
      kind: log.kind,
      control: log.kind === 'control' || log.kind === 'composer',
      label,
      value,
      restValue: rest.value,
      from,
      until,
      next,
      main:
        firstText === null ||
        from.seq <= firstText.seq ||
        from.at <= firstText.at + WITH_TEXT_MS ||
        from.at <= opened.at + OPENING_MS ||
        from.at <= start.at + OPENING_MS,
      strong: looksWorking(log.kind, label, value, log.left),
      returned: until !== null && rest.values.has(next),
    });
  };
  for (let i = past; i < changes.length; i++) {
    const change = changes[i]!;
    if (end !== null && change.seq >= end.seq) break;
    if (passedOver(change)) continue;
    const pictured = change.rest && (change.seq >= start.seq || rest.values.has(change.value));
    const longAgo = change.seq < start.seq && start.at - change.at > SETTLED_REST_MS;
    if (!pictured && !longAgo && change.value !== value) {
      const mark: Mark = { seq: change.seq, at: change.at };
      close(mark, change.value);
      from = mark;
    }
    value = change.value;
    label = change.label ?? label;
  }
  close(null, null);
  return spans.filter(keeps);
};

/** Controls of messages (copy, rate) come and go under the pointer: they say nothing about work. */
const keeps = (span: Span): boolean => {
  // One that is there and off comes from no pointer.
  if (span.kind === 'control' && span.value !== 'disabled' && span.restValue === null && says(span.label, AFTERWARDS)) return false;
  if (span.kind === 'control' && span.restValue === null && says(span.label, RETRY) && !says(span.label, STOPPING)) return false;
  if (looksOver(span.kind, span.value)) return false;
  return true;
};

/**
 * Words that stood in or over a region of the run and became others once it was over: "In progress" before the text, the
 * name of the column in which its card lies. Which words they are is not looked at.
 */
export const turnedSpans = (
  shown: readonly Stay[],
  named: readonly Stay[],
  { start, end, over, firstText, opened }: Window,
): readonly Span[] => {
  if (over === null) return [];
  const spans: Span[] = [];
  const turned = (value: string, next: string | null, from: Mark, until: Mark): void => {
    spans.push({
      kind: 'words',
      control: false,
      label: value,
      value,
      restValue: null,
      from,
      until,
      next,
      main: firstText === null || from.seq <= firstText.seq || from.at <= Math.max(firstText.at, opened.at) + WITH_TEXT_MS,
      strong: says(value, WORKING),
      returned: true,
    });
  };
  const atEnd = (mark: Mark): boolean => mark.seq > over.seq && mark.at - over.at <= TURNING_MS && (end === null || mark.seq < end.seq);
  for (const { labels, appeared } of named)
    for (const [i, { label, seq, at }] of labels.entries()) {
      const before = labels[i - 1];
      if (appeared.seq >= start.seq && before?.label && label !== null && atEnd({ seq, at }))
        turned(before.label, label, before, { seq, at });
    }
  for (const stay of shown) {
    if (stay.appeared.seq < start.seq) continue;
    const text = textAt(stay, over.seq) ?? '';
    const change = stay.edits.slice(editAfter(stay, over.seq)).find((edit) => edit.removed > 0 && atEnd({ seq: edit.seq, at: edit.time }));
    if (change === undefined) continue;
    const words = droppedWords(text, textAt(stay, change.seq) ?? '');
    if (words !== '' && words.length <= INDICATOR_CHARS && stay.edits[0]!.inserted.includes(words.split(' ')[0]!))
      turned(words, null, stay.appeared, { seq: change.seq, at: change.time });
  }
  return spans;
};

/**
 * Short words beside the conversation that belong to no stream, there from the opening on: an indicator made of text.
 * `others`: the spans of cues, among them what moves beside the words.
 */
export const wordSpans = (unattributed: readonly Stay[], window: Window, others: readonly Span[] = []): readonly Span[] => {
  const spans: Span[] = [];
  for (const stay of unattributed) {
    if (stay.rest || stay.appeared.seq < window.start.seq || stay.text.length > INDICATOR_CHARS) continue;
    if (window.end !== null && stay.appeared.seq >= window.end.seq) continue;
    // A heading over working material stays; only words that go are an indicator, or those that what moves came and stays with.
    if (!says(stay.text, WORKING) || (stay.removed === null && !movesBeside(stay, others))) continue;
    const { firstText, opened } = window;
    const main = firstText === null || stay.appeared.seq <= firstText.seq || stay.appeared.at <= opened.at + OPENING_MS;
    const label = stay.text.trim();
    const removed = window.end === null || (stay.removed?.seq ?? 0) < window.end.seq ? stay.removed : null;
    spans.push({
      kind: 'words',
      control: false,
      label,
      value: label,
      restValue: null,
      from: stay.appeared,
      until: removed,
      next: null,
      main,
      strong: true,
      returned: true,
    });
  }
  return spans;
};

/** Something came with these words and goes on moving, and its own name calls it a sign of work. */
const movesBeside = ({ region, appeared, edits }: Stay, spans: readonly Span[]): boolean =>
  region.presentedAs === 'unknown' &&
  edits.length === 1 &&
  spans.some(
    ({ kind, label, main, from, until }) =>
      kind === 'animation' && main && until === null && says(label, WORKING) && Math.abs(from.at - appeared.at) <= RENDER_MS,
  );
