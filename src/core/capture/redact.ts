/**
 * Takes secrets out of a capture before it leaves the machine: from URLs, headers, request bodies, streams and the texts of
 * the page; also where a secret is split over deltas or chunks, spelled in base64, percent escapes or JSON inside JSON.
 *
 * A secret becomes an alias of the same length, always the same one, so that nothing moves and what was equal stays equal.
 * What was found once is replaced wherever it occurs. `scramble` goes on from there and makes all texts unreadable.
 */

import type { Capture } from '../model';
import { aliasBook } from './redaction/aliases';
import { explore } from './redaction/explore';
import type { Entry } from './redaction/fields';
import { cover, type RedactionPasses, redactionPasses } from './redaction/passes';
import { type ScrambleStyle, scrambleSteps } from './redaction/scramble';
import { findSecrets, type Hit, type SecretKind } from './redaction/secrets';
import { textsInSteps } from './redaction/texts';
import { sliceView, sourceOf, type View } from './redaction/views';
import { finderOf } from './redaction/words';
import { outcomeOf } from './steps';

export { type RedactionLimits, type RedactionPasses, redactionPasses } from './redaction/passes';
export type { SecretKind } from './redaction/secrets';

export interface Replacement {
  readonly kind: SecretKind;
  /** What stands in its place. */
  readonly alias: string;
  readonly length: number;
  /** How often it was replaced. */
  readonly count: number;
}

export interface RedactionReport {
  readonly replacements: readonly Replacement[];
  /** Places, all replacements together. */
  readonly replaced: number;
  /** Members of entries that this format does not know, and that were left out because nobody can tell what is in them. */
  readonly dropped: number;
}

export interface RedactOptions {
  readonly policy: 'standard' | 'scramble';
  /**
   * Scramble only: makes the replacement of words unguessable. Give random text, and forget it.
   */
  readonly key?: string;
  /**
   * Scramble only: what must not change, as a string, e.g. the JSON of all verdicts. Tried on each way to scramble, best first.
   * May be a generator, which yields where it may be interrupted.
   */
  readonly verdict?: (capture: Capture) => string | Generator<unknown, string>;
  /** Scramble only: JSON members whose texts stay as they are, where a verdict hangs on their words. */
  readonly keep?: readonly string[];
  /** Words that are taken out wherever they occur, in capitals or not, besides what is found to be secret. */
  readonly words?: readonly string[];
}

export interface Redacted {
  readonly capture: Capture;
  readonly report: RedactionReport;
  /** How texts were scrambled; null under the standard policy. */
  readonly style: ScrambleStyle | null;
}

/** The verdicts of a scrambled capture would differ from those of the original, whichever way it is scrambled. */
export class ScrambleError extends Error {
  /** `members`: each of these would save the verdicts if it were kept. */
  constructor(readonly members: readonly string[]) {
    super('scrambling would change a verdict');
    this.name = 'ScrambleError';
  }
}

/** What the third reading makes of the capture around its entries. */
const headerOf = (capture: Capture, policy: string, replaced: number, passes: RedactionPasses): Omit<Capture, 'entries'> => ({
  format: capture.format,
  version: capture.version,
  ...passes.head(capture),
  redaction: { policy, replaced: replaced + (capture.redaction?.replaced ?? 0) },
});

/** Of the work, the parts that the three readings take. */
const SHARES = [0.6, 0.3, 0.1] as const;

/**
 * `redactCapture` in steps, for a page that has to stay alive: each step is short, and yields how much is done, from 0 to 1.
 * Whoever calls it decides how many steps to take at a time. Of scrambling it is not known how often it
 * has to be tried: it comes near to 1 and never quite there.
 */
export function* redactSteps(capture: Capture, options: RedactOptions): Generator<number, Redacted> {
  const { entries: all } = capture;
  const passes = redactionPasses({}, finderOf(options.words ?? []));
  let base = 0;
  /** How much of the way the three readings are. */
  const way = options.policy === 'standard' ? 1 : 0.5;
  const reading = function* (share: number, step: (entry: Entry) => Generator<void>, end: Generator<void>): Generator<number> {
    for (const [index, entry] of all.entries()) {
      const done = base + (way * share * index) / all.length;
      for (const _ of step(entry)) yield done;
      yield done;
    }
    base += way * share;
    for (const _ of end) yield base;
  };
  yield* reading(SHARES[0], passes.learn, passes.learnt());
  yield* reading(SHARES[1], passes.mark, passes.marked());
  const entries: Entry[] = [];
  for (const entry of all) {
    entries.push(passes.write(entry));
    yield base + (way * SHARES[2] * entries.length) / all.length;
  }
  const report = passes.report();
  const finish = (more: readonly Entry[], policy: string): Capture => ({
    ...headerOf(capture, policy, report.replaced, passes),
    entries: more,
  });
  if (options.policy === 'standard') return { capture: finish(entries, 'standard'), report, style: null };
  const { verdict, keep = [] } = options;
  const judge = function* (of: Capture): Generator<unknown, string | null> {
    const judged = verdict?.(of) ?? null;
    return judged === null || typeof judged === 'string' ? judged : yield* judged;
  };
  let tries = 0;
  const attempt = function* (style: ScrambleStyle, kept: readonly string[]): Generator<unknown, Capture | null> {
    tries++;
    const scrambled = finish(yield* scrambleSteps(entries, options.key ?? '', style, new Set(kept)), 'scramble');
    return verdict === undefined || (yield* judge(scrambled)) === wanted ? scrambled : null;
  };
  const told = function* <T>(work: Generator<unknown, T>): Generator<number, T> {
    for (let steps = 1; ; steps++) {
      const step = work.next();
      if (step.done) return step.value;
      yield 1 - way / (1 + tries + Math.min(1, steps / (all.length * 4)));
    }
  };
  const said = yield* told(judge(capture));
  const wanted = said === null ? null : passes.named(said);
  for (const style of ['words', 'letters'] as const) {
    const scrambled = yield* told(attempt(style, keep));
    if (scrambled) return { capture: scrambled, report, style };
  }
  const members: string[] = [];
  for (const member of textMembersOf(entries).slice(0, 60))
    if ((yield* told(attempt('letters', [...keep, member]))) !== null) members.push(member);
  throw new ScrambleError(members);
}

export const redactCapture = (capture: Capture, options: RedactOptions): Redacted => outcomeOf(redactSteps(capture, options));

/** All member names of the streams that hold text, the most frequent first: what `keep` can name. */
export const textMembersOf = (entries: readonly Entry[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const stream of outcomeOf(textsInSteps(entries)).streams)
    for (const leaf of stream.leaves()) if (leaf.key !== '' && !leaf.name) counts.set(leaf.key, (counts.get(leaf.key) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([member]) => member);
};

/** The standard policy on one text, e.g. for a preview. */
export const redactText = (text: string): string => {
  const source = sourceOf(text);
  const book = aliasBook();
  const found: [View, readonly Hit[]][] = [];
  explore(sliceView(source, 0, text.length), 1, findSecrets, (view, hits) => {
    found.push([view, hits]);
    for (const { start, end, kind } of hits) book.learn(view.text.slice(start, end), kind);
  });
  book.close();
  for (const [view, hits] of found) cover(view, hits, book, false);
  return source.result();
};
