/**
 * Takes secrets out of a capture before it leaves the machine: from URLs, headers, request bodies, streams and the texts of
 * the page; also where a secret is split over deltas or chunks, spelled in base64, percent escapes or JSON inside JSON.
 *
 * A secret becomes an alias of the same length, always the same one, so that nothing moves and what was equal stays equal.
 * What was found once is replaced wherever it occurs. `scramble` goes on from there and makes all texts unreadable.
 */

import { decodeBase64 } from '../bytes/base64';
import type { Capture, Sighting, TapRecord } from '../model';
import { type AliasBook, aliasBook } from './redaction/aliases';
import { isTechnicalMember, numberKindOf } from './redaction/numbers';
import { type ScrambleStyle, scrambleEntries } from './redaction/scramble';
import { findSecrets, type Hit, isPlaceholder, isSecretHeader, isSecretMember, mergeHits, type SecretKind } from './redaction/secrets';
import { type CaptureTexts, jsonLeaves, type Leaf, textsOf } from './redaction/texts';
import { base64View, joinedView, percentView, sliceView, sourceOf, type View } from './redaction/views';

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
}

type Entry = TapRecord | Sighting;

/** Members whose values steer a stream. A secret is not put together across them. */
const PROTOCOL =
  /^(?:type|kind|event|object|role|status|state|phase|method|jsonrpc|version|op|id|index|model|seq|ts|timestamp)$|(?:Id|ID|_id|_at|At|_type|Type)$/u;

/** How deep encodings inside encodings are followed. */
const DEPTH = 4;

const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/gu;

const printable = (bytes: Uint8Array): boolean => {
  for (const byte of bytes) if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127) return false;
  return true;
};

/** Calls back with the view and the secrets found in it, for the view itself and for all that is encoded in it. */
const explore = (view: View, depth: number, visit: (view: View, hits: readonly Hit[]) => void): void => {
  const { text } = view;
  if (text.length < 4) return;
  if (depth > 0 && depth <= DEPTH && /^\s*[[{]/u.test(text)) {
    const leaves = jsonLeaves(view, 0, text.length, '');
    if (leaves) {
      for (const leaf of leaves) exploreLeaf(leaf, depth + 1, visit);
      return;
    }
  }
  visit(view, findSecrets(text));
  if (depth >= DEPTH || text.length < 16) return;
  if (text.includes('%')) {
    const inner = percentView(view);
    if (inner) explore(inner, depth + 1, visit);
  }
  for (const match of text.matchAll(BASE64)) {
    const word = match[0].replace(/=+$/u, '');
    // Words and identifiers decode to noise; only what decodes to text is looked into.
    const bytes = decodeBase64(word.length % 4 === 1 ? word.slice(0, -1) : word);
    if (bytes && bytes.length >= 8 && printable(bytes)) explore(base64View(view, match.index, bytes), depth + 1, visit);
  }
};

const exploreLeaf = (leaf: Leaf, depth: number, visit: (view: View, hits: readonly Hit[]) => void): void => {
  const { text } = leaf.view;
  const number = leaf.bare ? null : numberKindOf(leaf.key, text);
  if (number !== null) visit(leaf.view, [{ start: 0, end: text.length, kind: number }]);
  else if (!leaf.bare && isSecretMember(leaf.key, text)) visit(leaf.view, [{ start: 0, end: text.length, kind: kindOf(leaf.key) }]);
  // Ids and times are made of digits, and some have the look of a card.
  else if (isTechnicalMember(leaf.key))
    explore(leaf.view, depth, (view, hits) =>
      visit(
        view,
        hits.filter((hit) => hit.kind !== 'card number' && hit.kind !== 'phone number'),
      ),
    );
  else explore(leaf.view, depth, visit);
};

const kindOf = (name: string): SecretKind =>
  /cookie/iu.test(name) ? 'cookie' : /pass|pwd|pin|otp/iu.test(name) ? 'password' : /token|auth|jwt/iu.test(name) ? 'token' : 'key';

/** All texts of the capture but those of the page, each with its secrets. The order is the same every time. */
const walk = (texts: CaptureTexts, visit: (view: View, hits: readonly Hit[]) => void): void => {
  for (const { kind, name, source } of texts.fields) {
    if (kind === 'header' && isSecretHeader(name)) {
      const scheme = /^(?:bearer|basic|token)\s+/iu.exec(source.text)?.[0].length ?? 0;
      visit(source, isPlaceholder(source.text.slice(scheme)) ? [] : [{ start: scheme, end: source.text.length, kind: kindOf(name) }]);
    } else if (kind === 'body' && /^[A-Za-z0-9_.%-]+=/u.test(source.text)) {
      // A form: its first pair stands where a query string has its `?`.
      visit(
        source,
        findSecrets(`&${source.text}`).map((hit) => ({ ...hit, start: Math.max(0, hit.start - 1), end: hit.end - 1 })),
      );
      const inner = percentView(source);
      if (inner) explore(inner, 1, visit);
    } else explore(source, 1, visit);
  }
  for (const stream of texts.streams) {
    const columns = new Map<string, Leaf[]>();
    stream.leaves((leaf) => {
      exploreLeaf(leaf, 1, visit);
      if (PROTOCOL.test(leaf.key) || leaf.view.text === '') return;
      for (const name of leaf.columns) {
        const column = columns.get(name);
        if (column) column.push(leaf);
        else columns.set(name, [leaf]);
      }
    });
    for (const column of columns.values()) if (column.length > 1 && !isRepeating(column)) across(column, visit);
  }
};

/** Whether the strings repeat what came before them, as snapshots do: nothing goes on from one to the next. */
const isRepeating = (column: readonly Leaf[]): boolean => {
  let repeats = 0;
  for (let i = 1; i < column.length; i++) {
    const [before, now] = [column[i - 1]!.view.text, column[i]!.view.text];
    if (Math.min(before.length, now.length) > 3 && (now.startsWith(before) || before.startsWith(now))) repeats++;
  }
  return repeats * 2 >= column.length - 1;
};

/** A string longer than this is no delta: what it ends in does not go on in the next, if it is whole by itself. */
const DELTA = 60;

/** Secrets that begin in one string and end in a later one. */
const across = (column: readonly Leaf[], visit: (view: View, hits: readonly Hit[]) => void): void => {
  const joined = joinedView(column.map((leaf) => leaf.view));
  explore(joined, DEPTH - 1, (view, hits) => {
    if (view !== joined) {
      visit(view, hits);
      return;
    }
    visit(
      joined,
      hits.filter((hit) => {
        const first = joined.pieceAt(hit.start);
        if (first === joined.pieceAt(hit.end - 1)) return false;
        // An address that is whole in its own string does not go on in the next, nor does anything at the end of a long one.
        const from = joined.startOf(first);
        const to = joined.startOf(first + 1);
        if (hit.kind !== 'e-mail' && to - from <= DELTA) return true;
        return !findSecrets(joined.text.slice(from, to)).some((inner) => inner.end === to - from);
      }),
    );
  });
};

/** Writes aliases over hits, over known secrets, and over the beginning of one where the text stops in it. */
const cover = (view: View, hits: readonly Hit[], book: AliasBook, open: boolean): void => {
  const { text } = view;
  const all = mergeHits([...hits, ...book.occurrences(text), ...(open ? book.beginnings(text) : [])]);
  for (const { start, end, kind } of all) {
    const alias = book.aliasFor(text.slice(start, end), kind);
    // White space stays, so that lines stay lines.
    for (let i = start; i < end; i++) if (!/\s/u.test(text[i]!)) view.put(i, alias.charCodeAt(i - start));
    book.count(text.slice(start, end), kind);
  }
};

/** The standard policy on the entries of a capture. */
const redactEntries = (entries: readonly Entry[]): { readonly entries: readonly Entry[]; readonly book: AliasBook } => {
  const texts = textsOf(entries);
  const book = aliasBook();
  const found: (readonly Hit[])[] = [];
  walk(texts, (view, hits) => {
    for (const { start, end, kind } of hits) book.learn(view.text.slice(start, end), kind);
    found.push(hits);
  });
  for (const text of texts.shownTexts) for (const { start, end, kind } of findSecrets(text)) book.learn(text.slice(start, end), kind);
  book.close();
  let visited = 0;
  walk(texts, (view) => cover(view, found[visited++]!, book, true));
  const done = new Map<string, string>();
  const rebuilt = texts.rebuild((text) => {
    const known = done.get(text);
    if (known !== undefined) return known;
    const source = sourceOf(text);
    cover(source, findSecrets(text), book, true);
    const result = source.result();
    done.set(text, result);
    return result;
  });
  return { entries: rebuilt, book };
};

export interface RedactOptions {
  readonly policy: 'standard' | 'scramble';
  /**
   * Scramble only: makes the replacement of words unguessable. Give random text, and forget it.
   */
  readonly key?: string;
  /** Scramble only: what must not change, as a string, e.g. the JSON of all verdicts. Tried on each way to scramble, best first. */
  readonly verdict?: (capture: Capture) => string;
  /** Scramble only: JSON members whose texts stay as they are, where a verdict hangs on their words. */
  readonly keep?: readonly string[];
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

export const redactCapture = (capture: Capture, options: RedactOptions): Redacted => {
  const { entries, book } = redactEntries(capture.entries);
  const documents = capture.documents.map((document) => {
    const url = sourceOf(document.url);
    explore(url, 1, (view, hits) => cover(view, hits, book, false));
    return { ...document, url: url.result() };
  });
  const report = book.report();
  const finish = (more: readonly Entry[], policy: string): Capture => ({
    ...capture,
    documents,
    entries: more,
    redaction: { policy, replaced: report.replaced + (capture.redaction?.replaced ?? 0) },
  });
  const standard = finish(entries, 'standard');
  if (options.policy === 'standard') return { capture: standard, report, style: null };
  const wanted = options.verdict?.(capture);
  const { verdict } = options;
  const attempt = (style: ScrambleStyle, keep: readonly string[]): Capture | null => {
    const scrambled = finish(scrambleEntries(entries, options.key ?? '', style, new Set(keep)), 'scramble');
    return verdict === undefined || verdict(scrambled) === wanted ? scrambled : null;
  };
  const keep = options.keep ?? [];
  for (const style of ['words', 'letters'] as const) {
    const scrambled = attempt(style, keep);
    if (scrambled) return { capture: scrambled, report, style };
  }
  throw new ScrambleError(membersOf(entries).filter((member) => attempt('letters', [...keep, member]) !== null));
};

/** All member names of the streams that hold text, the most frequent first, at most sixty. */
const membersOf = (entries: readonly Entry[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const stream of textsOf(entries).streams)
    stream.leaves((leaf) => {
      if (leaf.key !== '') counts.set(leaf.key, (counts.get(leaf.key) ?? 0) + 1);
    });
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 60)
    .map(([member]) => member);
};

/** The standard policy on one text, e.g. for a preview. */
export const redactText = (text: string): string => {
  const source = sourceOf(text);
  const book = aliasBook();
  const found: [View, readonly Hit[]][] = [];
  explore(sliceView(source, 0, text.length), 1, (view, hits) => {
    found.push([view, hits]);
    for (const { start, end, kind } of hits) book.learn(view.text.slice(start, end), kind);
  });
  book.close();
  for (const [view, hits] of found) cover(view, hits, book, false);
  return source.result();
};
