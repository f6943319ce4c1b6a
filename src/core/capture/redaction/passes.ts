/**
 * The standard policy, as three readings of the same entries: the first learns the secrets, the second works out what is
 * written over which text, the third writes. Between them only secrets and what replaces them are kept, so a capture of any
 * size can be read from a file each time. Every reading of an entry is a generator that yields where it may be interrupted.
 */
import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { runningCrc32 } from '../../bytes/crc32';
import type { RedactionReport } from '../redact';
import { type AliasBook, aliasBook } from './aliases';
import { preludeAt } from './checked-messages';
import { type ColumnLimits, createColumns } from './columns';
import { explore, exploreLeaf, type Find, type Novelty, type Visit } from './explore';
import { type CaptureHead, CHUNK_TEXT, type Entry, type EntryField, fieldsOf, namesOf, unlistedIn, withFields, withHead } from './fields';
import { createNames } from './names';
import { createPatches } from './patches';
import { findSecrets, type Hit, isPlaceholder, isSecretHeader, kindOf, mergeHits, type SecretKind } from './secrets';
import { createSegments, type SegmentLimits } from './segments';
import { createShown, type Edit } from './shown';
import { bytesOf, type Leaf, latin1 } from './texts';
import { percentView, type Source, sourceOf, type View } from './views';

/**
 * `learn` for every entry, then `learnt`; `mark` for every entry, then `marked`; `write` for every entry. The entries must be the
 * same ones in the same order each time. What the first four return has to be run to its end, at once or a step at a time.
 */
export interface RedactionPasses {
  /** First reading. */
  learn(entry: Entry): Generator<void>;
  learnt(): Generator<void>;
  /** Second reading. */
  mark(entry: Entry): Generator<void>;
  marked(): Generator<void>;
  /** Third reading. */
  write(entry: Entry): Entry;
  /** A text that belongs to no entry, such as the address of a document. After the second reading. */
  text(text: string): string;
  /** What stands before the entries. After the second reading. */
  head(head: CaptureHead): CaptureHead;
  /** A text in which names of flows and documents may stand as JSON strings, with what they became. After the second reading. */
  named(json: string): string;
  /** After the second reading. */
  report(): RedactionReport;
}

export type RedactionLimits = ColumnLimits & SegmentLimits;

const LIMITS: RedactionLimits = { window: 65_536, total: 67_108_864, value: 4_194_304, bare: 262_144 };
/** Texts of the page that are remembered with what they became. */
const REMEMBERED = 512;

/** Members whose values steer a stream. A secret is not put together across them. */
const PROTOCOL =
  /^(?:type|kind|event|object|role|status|state|phase|method|jsonrpc|version|op|id|index|model|seq|ts|timestamp)$|(?:Id|ID|_id|_at|At|_type|Type)$/u;

/** Plain words, joined as in names of members: a password may be made of such, and no name is changed for it. */
const PLAIN_NAME = /^[A-Za-z]+(?:[_-][A-Za-z]+){0,3}$/u;

/**
 * Writes aliases over hits, over known secrets, and over the beginning of one where the text stops in it. A name of the protocol
 * is whole, and is not changed for a secret that reads like one.
 */
export const cover = (
  view: View,
  hits: readonly Hit[],
  book: AliasBook,
  open: boolean,
  novelty: Novelty | null = null,
  name = false,
): void => {
  const { text } = view;
  const there = book.occurrences(text);
  const known = name
    ? there.filter(({ start, end }) => !PLAIN_NAME.test(text.slice(start, end)))
    : [...there, ...(open ? book.beginnings(text) : [])];
  if (hits.length === 0 && known.length === 0) return;
  const all = mergeHits([...hits, ...known]);
  for (const hit of all) {
    if (novelty !== null && !novelty.writes(hit)) continue;
    const { start, end, kind } = hit;
    const alias = book.aliasFor(text.slice(start, end), kind);
    // White space stays, so that lines stay lines.
    for (let i = start; i < end; i++) if (!/\s/u.test(text[i]!)) view.put(i, alias.charCodeAt(i - start));
    if (novelty === null || novelty.counts(hit)) book.count(text.slice(start, end), kind);
  }
};

/** What the first reading found in each text, in order, for the second one to be told. */
const memory = (secrets: Find) => {
  const numbers: number[] = [];
  const names: SecretKind[] = [];
  let asked = 0;
  let read = 0;
  let answered = 0;
  const find: Find = (text) => {
    const hits = secrets(text);
    for (const { start, end, kind } of hits) {
      let name = names.indexOf(kind);
      if (name < 0) name = names.push(kind) - 1;
      numbers.push(asked, start, end, name);
    }
    asked++;
    return hits;
  };
  const recall: Find = () => {
    if (numbers[read] !== answered) {
      answered++;
      return NO_HITS;
    }
    const hits: Hit[] = [];
    for (; numbers[read] === answered; read += 4)
      hits.push({ start: numbers[read + 1]!, end: numbers[read + 2]!, kind: names[numbers[read + 3]!]! });
    answered++;
    return hits;
  };
  return { find, recall, same: () => asked === answered };
};
const NO_HITS: readonly Hit[] = [];

/** One reading of all texts. The order is the same every time. */
const walker = (
  find: Find,
  visit: Visit,
  put: (entry: number, slot: number, at: number, unit: number) => void,
  shown: ReturnType<typeof createShown>,
  limits: RedactionLimits,
) => {
  const columns = createColumns(find, visit, limits);
  const done: string[] = [];
  const segments = createSegments(
    limits,
    (entry, at, unit) => put(entry, CHUNK_TEXT, at, unit),
    (stream: string, leaf: Leaf) => {
      exploreLeaf(leaf, 1, find, visit);
      if (leaf.columns.length > 0 && !PROTOCOL.test(leaf.key) && leaf.view.text !== '') columns.add(stream, leaf);
    },
    (stream) => done.push(stream),
  );
  const field = (index: number, { kind, name, text, slot }: EntryField): void => {
    const source: Source = { text, result: () => text, put: (at, unit) => put(index, slot, at, unit) };
    if (kind === 'header' && isSecretHeader(name)) {
      const scheme = /^(?:bearer|basic|token)\s+/iu.exec(text)?.[0].length ?? 0;
      visit(source, isPlaceholder(text.slice(scheme)) ? [] : [{ start: scheme, end: text.length, kind: kindOf(name) }]);
    } else if (kind === 'body' && /^[A-Za-z0-9_.%-]+=/u.test(text)) {
      // A form: its first pair stands where a query string has its `?`.
      visit(
        source,
        find(`&${text}`).map((hit) => ({ ...hit, start: Math.max(0, hit.start - 1), end: hit.end - 1 })),
      );
      const inner = percentView(source);
      if (inner) explore(inner, 1, find, visit);
    } else explore(source, 1, find, visit);
  };
  return {
    *entry(index: number, entry: Entry): Generator<void> {
      for (const one of fieldsOf(entry)) field(index, one);
      if (entry.type === 'flow.opened') segments.opened(entry.flow, entry.transport);
      else if (entry.type === 'flow.chunk') segments.chunk(index, entry);
      else if (entry.type === 'sight.text') shown.take(index, entry);
      else if (entry.type === 'flow.ended') {
        segments.close(entry.flow);
        for (const stream of done.splice(0)) yield* columns.close(stream);
      }
    },
    *end(): Generator<void> {
      segments.close(null);
      yield* columns.close(null);
      shown.end();
    },
  };
};

/** Puts the checksums of binary messages right again: follows the bytes of one stream as they are written. */
const checksums = () => {
  let at = 0;
  let total = 0;
  let sum = runningCrc32();
  let changed = false;
  let lost = false;
  /** The first bytes of a message, until its prelude is whole. */
  let head = '';
  return (bytes: Uint8Array, old: Uint8Array): void => {
    for (let i = 0; i < bytes.length && !lost; i++) {
      if (at < 12) {
        head += String.fromCharCode(old[i]!);
        if (at === 11) {
          const found = preludeAt(head, 0);
          if (typeof found !== 'number') lost = true;
          else total = found;
        }
      } else if (at >= total - 4) {
        if (changed) bytes[i] = (sum.value() >>> (8 * (total - 1 - at))) & 0xff;
        if (++at === total) {
          at = 0;
          head = '';
          sum = runningCrc32();
          changed = false;
        }
        continue;
      }
      if (bytes[i] !== old[i]) changed = true;
      sum.add(bytes[i]!);
      at++;
    }
  };
};

/**
 * The standard policy for entries that are read from somewhere each time, so that none of them has to be held.
 *
 * @example
 * const passes = redactionPasses();
 * for await (const entry of read()) for (const _ of passes.learn(entry));
 * for (const _ of passes.learnt());
 * for await (const entry of read()) for (const _ of passes.mark(entry));
 * for (const _ of passes.marked());
 * for await (const entry of read()) write(passes.write(entry));
 *
 * `secrets`: what is looked for in each text.
 */
export const redactionPasses = (limits: Partial<RedactionLimits> = {}, secrets: Find = findSecrets): RedactionPasses => {
  const all = { ...LIMITS, ...limits };
  const book = aliasBook();
  const patches = createPatches();
  const edits = new Map<number, Edit>();
  const { find, recall, same } = memory(secrets);
  const learn = (view: View, hits: readonly Hit[]): void => {
    for (const { start, end, kind } of hits) book.learn(view.text.slice(start, end), kind);
  };

  const textNow = (text: string, open: boolean): string => {
    const source = sourceOf(text);
    explore(source, 1, secrets, (view, hits, _, name) => cover(view, hits, book, open, null, name));
    return source.result();
  };
  const rewrites = new Map<string, string>();
  const rewrite = (text: string): string => {
    const known = rewrites.get(text);
    if (known !== undefined) return known;
    const result = textNow(text, true);
    if (rewrites.size >= REMEMBERED) rewrites.clear();
    rewrites.set(text, result);
    return result;
  };

  const first = walker(
    find,
    learn,
    () => {},
    createShown({
      learn: (text) => explore(sourceOf(text), 1, secrets, learn),
    }),
    all,
  );
  const second = walker(
    recall,
    (view, hits, novelty, name) => cover(view, hits, book, true, novelty, name),
    patches.put,
    createShown({ rewrite, put: (entry, edit) => edits.set(entry, edit) }),
    all,
  );
  // A name is whole: its end is never the beginning of something.
  const names = createNames(
    (name) => explore(sourceOf(name), 1, secrets, learn),
    (name) => textNow(name, false),
  );
  const named = (name: string): string => names.now(name);
  const isRenamed = (entry: Entry): boolean => namesOf(entry).filter((name) => names.now(name) !== name).length > 0;
  let dropped = 0;
  let learning = 0;
  let marking = 0;
  let writing = 0;
  const sums = new Map<string, ReturnType<typeof checksums>>();

  const writeBytes = (index: number, entry: Entry & { type: 'flow.chunk' }): string => {
    const key = `${entry.flow}\n${entry.direction}`;
    let mend = sums.get(key);
    if (!mend) {
      mend = checksums();
      sums.set(key, mend);
    }
    const old = decodeBase64(entry.text);
    if (old === null) return entry.text;
    const now = patches.has(index) ? bytesOf(patches.apply(index, CHUNK_TEXT, latin1(old))) : old.slice();
    mend(now, old);
    return now.every((byte, i) => byte === old[i]) ? entry.text : encodeBase64(now);
  };

  return {
    learn(entry) {
      for (const name of namesOf(entry)) names.learn(name);
      return first.entry(learning++, entry);
    },
    *learnt() {
      yield* first.end();
      book.close();
    },
    mark(entry) {
      isRenamed(entry);
      dropped += unlistedIn(entry);
      return second.entry(marking++, entry);
    },
    *marked() {
      yield* second.end();
      // Where the second reading was not of the same entries, what was found lies somewhere else.
      if (learning !== marking || !same()) throw new Error('the entries changed between two readings');
      patches.close();
    },
    write(entry) {
      const index = writing++;
      const edit = edits.get(index);
      let now = edit === undefined ? entry : ({ ...entry, edit } as Entry);
      const binary = entry.type === 'flow.chunk' && entry.encoding === 'base64';
      const bytes = binary ? writeBytes(index, entry) : null;
      if (patches.has(index) || unlistedIn(entry) > 0 || isRenamed(entry) || (bytes !== null && bytes !== (entry as { text: string }).text))
        now = withFields(now, {
          text: (slot, text) => (bytes !== null && slot === CHUNK_TEXT ? bytes : patches.apply(index, slot, text)),
          name: named,
        });
      return now;
    },
    text: (text) => textNow(text, false),
    head: (head) => withHead(head, (text) => textNow(text, false), named),
    named: (json) => names.within(json),
    report: () => ({ ...book.report(), dropped }),
  };
};
