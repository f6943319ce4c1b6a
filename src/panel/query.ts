/**
 * The filter's little language, parsed once per keystroke into tests that are cheap per row.
 *
 *   word "a phrase" /regex/i      the text, type or ids contain it (all terms must hold)
 *   -word -/regex/                … must not
 *   type: voice: standing: id: run: text:   in that field only;  size:>1000  gap:>500   by number
 *
 * A broken expression, one that may never end and a voice that there is not are errors with their reason, never a silent match of everything or nothing.
 * What may have been meant otherwise than as text (`foo:bar`, `/cut off`) is looked for as text, and in doubt.
 */
import { mayNeverEnd } from '../core/mapping/pattern';
import { LANES, STANDINGS } from './voices';

/** What a row offers to a query. Text comes lower-cased and joined, so that words split over deltas are found. */
export interface Searchable {
  readonly lower: string;
  /** As it is, for expressions with case. */
  readonly text: string;
  readonly type: string;
  readonly voice: string;
  readonly standing: string;
  readonly ids: string;
  readonly run: string;
  readonly size: number;
  readonly gap: number;
}

export interface QueryError {
  readonly term: string;
  readonly reason: 'expression' | 'endless' | 'number' | 'field' | 'value';
  /** What it could be instead, where that is a list. */
  readonly possible: readonly string[];
}

export interface Query {
  readonly source: string;
  /** True if it lets everything pass. */
  readonly empty: boolean;
  readonly error: QueryError | null;
  /** A term that is looked for as text, and why nothing is found if nothing is. */
  readonly doubt: QueryError | null;
  /** What to mark in shown text; null where nothing is to be marked. */
  readonly mark: RegExp | null;
  test(row: Searchable): boolean;
}

type Test = (row: Searchable) => boolean;

export const FIELDS = ['type', 'voice', 'standing', 'id', 'run', 'text', 'size', 'gap'] as const;
type Field = (typeof FIELDS)[number];

/** Fields whose values are known. */
const VALUES: Partial<Record<Field, readonly string[]>> = { voice: LANES, standing: STANDINGS };

/** Terms as typed (expressions without `v`, whose sets `mayNeverEnd` does not read): quotes and slashes hold spaces together, a backslash escapes inside slashes. */
const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|\/((?:\\.|[^/\\])+)\/([dgimsuy]*)(?=\s|$)|(\S+))/giu;

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&');

const fieldText = (row: Searchable, field: Field, lower: boolean): string =>
  String(row[field === 'id' ? 'ids' : lower && field === 'text' ? 'lower' : field]);

const containing = (needle: string, field: Field | null): Test => {
  const low = needle.toLowerCase();
  if (field !== null) return (row) => fieldText(row, field, true).toLowerCase().includes(low);
  return (row) => row.lower.includes(low) || row.type.toLowerCase().includes(low) || row.ids.toLowerCase().includes(low);
};

const matching = (expression: RegExp, field: Field | null): Test => {
  if (field !== null) return (row) => expression.test(fieldText(row, field, false));
  return (row) => expression.test(row.text) || expression.test(row.type) || expression.test(row.ids);
};

/** `>1000`, `<=20`, `5`: null if it is no comparison. */
const comparing = (value: string, read: (row: Searchable) => number): Test | null => {
  const match = /^(<=|>=|<|>|=)?(\d+(?:\.\d+)?)$/u.exec(value);
  if (match === null) return null;
  const bound = Number(match[2]);
  const signs = match[1] ?? '=';
  return (row) => signs.includes('<=>'[Math.sign(read(row) - bound) + 1]!);
};

export const parseQuery = (source: string): Query => {
  const tests: Test[] = [];
  const marks: string[] = [];
  let error: QueryError | null = null;
  let doubt: QueryError | null = null;
  const because = (term: string, reason: QueryError['reason'], possible: readonly string[] = []): QueryError => ({
    term,
    reason,
    possible,
  });

  for (const match of source.matchAll(TERM)) {
    const [whole, minus, word, quoted, pattern, flags, plain] = match;
    const negated = minus === '-';
    let field: Field | null = null;
    let value = quoted ?? plain ?? '';
    if (word !== undefined) {
      const known = FIELDS.find((name) => name === word.toLowerCase());
      if (known !== undefined) field = known;
      // `http://…` and `note: this` are words, not fields.
      else if (pattern === undefined && quoted === undefined) {
        if (!value.startsWith('//')) doubt ??= because(whole, 'field', FIELDS);
        value = `${word}:${value}`;
      } else {
        error ??= because(whole, 'field', FIELDS);
        continue;
      }
    }
    // A path begins so, too.
    if (plain !== undefined && /^\/[^/]/u.test(plain)) doubt ??= because(whole, 'expression');
    let test: Test;
    if (pattern !== undefined) {
      try {
        // Without `g` and `y` the expression keeps no state between rows.
        const expression = new RegExp(pattern, (flags ?? '').replace(/[gy]/gu, ''));
        if (mayNeverEnd(pattern)) {
          error ??= because(whole, 'endless');
          continue;
        }
        test = matching(expression, field);
        if (!negated) marks.push(pattern);
      } catch {
        error ??= because(whole, 'expression');
        continue;
      }
    } else if (field === 'size' || field === 'gap') {
      const compared = comparing(value, field === 'size' ? (row) => row.size : (row) => row.gap);
      if (compared === null) {
        error ??= because(whole, 'number');
        continue;
      }
      test = compared;
    } else if (value === '' || (field === null && FIELDS.some((name) => plain?.toLowerCase() === `${name}:`))) {
      // Still being typed.
      continue;
    } else {
      const values = field === null ? undefined : VALUES[field];
      if (values !== undefined && !values.some((each) => each.includes(value.toLowerCase()))) {
        error ??= because(whole, 'value', values);
        continue;
      }
      test = containing(value, field);
      if (!negated && (field === null || field === 'text')) marks.push(literally(value));
    }
    tests.push(negated ? (row) => !test(row) : test);
  }

  let mark: RegExp | null = null;
  if (marks.length > 0) {
    try {
      mark = new RegExp(marks.join('|'), 'giu');
    } catch {
      mark = null;
    }
  }
  return {
    source,
    empty: tests.length === 0,
    error,
    doubt,
    mark,
    test: (row) => tests.every((test) => test(row)),
  };
};

/** The text cut into stretches, those that the query found marked. At most `limit` marks; empty matches are skipped. */
export const markText = (text: string, mark: RegExp | null, limit = 50): readonly { readonly text: string; readonly hit: boolean }[] => {
  if (mark === null || text === '') return [{ text, hit: false }];
  const pieces: { text: string; hit: boolean }[] = [];
  let from = 0;
  let hits = 0;
  for (const match of text.matchAll(mark)) {
    if (match[0] === '') continue;
    if (++hits > limit) break;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), hit: false });
    pieces.push({ text: match[0], hit: true });
    from = match.index + match[0].length;
  }
  if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from), hit: false });
  return pieces;
};
