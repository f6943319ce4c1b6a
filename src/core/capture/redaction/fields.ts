/**
 * Every member of every entry, and how it is redacted: the one list of them. The compiler refuses an entry type with a member
 * that is not listed, and a member that holds free text as one that stays. What a file has beyond the list is left out.
 */
import type { Capture, Sighting, SourceDocument, TapRecord } from '../../model';

export type Entry = TapRecord | Sighting;

export type FieldKind = 'url' | 'header' | 'body' | 'words' | 'status' | 'id';

export interface EntryField {
  readonly kind: FieldKind;
  /** Header name, or what it is. */
  readonly name: string;
  readonly text: string;
  /** Which text of the entry it is; the text of a chunk is 0. */
  readonly slot: number;
}

/** The slot of a chunk's own text. */
export const CHUNK_TEXT = 0;

/**
 * `0`: it stays. `name`: a key that other entries repeat. What was equal stays equal and what was different different, so that everything still
 * refers to what it did. `place`: a name that may be made of the words of the page. `stream`, `shown`: read as part of a whole,
 * elsewhere. `state`: the words of a cue, which for a cue of text say how things stand.
 */
type TextKind = Exclude<FieldKind, 'header' | 'status'> | 'name' | 'place' | 'stream' | 'shown' | 'state';

/** What a member of such a type can be treated as: free text never as one that stays. */
type Treatment<V> =
  NonNullable<V> extends number | boolean
    ? 0
    : NonNullable<V> extends string
      ? string extends NonNullable<V>
        ? TextKind
        : 0
      : string extends keyof NonNullable<V>
        ? 'headers'
        : Members<NonNullable<V>>;
type Members<T> = { readonly [K in keyof T]-?: Treatment<T[K]> };

interface Table {
  readonly [member: string]: string | 0 | Table;
}

const STAMP = { seq: 0, at: 0, type: 0 } as const;

const ENTRIES: { readonly [T in Entry['type']]: Members<Extract<Entry, { readonly type: T }>> } = {
  'flow.opened': {
    ...STAMP,
    flow: 'name',
    document: 'name',
    transport: 0,
    method: 'words',
    url: 'url',
    requestHeaders: 'headers',
    requestBody: 'body',
  },
  'flow.head': { ...STAMP, flow: 'name', status: 0, headers: 'headers' },
  'flow.chunk': { ...STAMP, flow: 'name', direction: 0, text: 'stream', encoding: 0, event: 'id', id: 'id', untimed: 0 },
  'flow.ended': { ...STAMP, flow: 'name', how: 0, code: 0, detail: 'words' },
  gap: { ...STAMP, flow: 'name', reason: 0, lost: 0 },
  tick: STAMP,
  'sight.watch': { ...STAMP, document: 'name', state: 0, visible: 0 },
  'sight.text': {
    ...STAMP,
    document: 'name',
    region: { key: 'place', path: 'words', role: 'words', label: 'words', presentedAs: 0 },
    change: 0,
    edit: { at: 0, removed: 0, inserted: 'shown' },
    length: 0,
    visible: 0,
    rest: 0,
  },
  'sight.cue': { ...STAMP, document: 'name', key: 'place', kind: 0, label: 'words', region: 'place', value: 'state', rest: 0 },
};

const DOCUMENT: Members<SourceDocument> = { key: 'name', url: 'url', topLevel: 0, timeOrigin: 0 };
const PRODUCER: Members<Capture['producer']> = { name: 'words', version: 'words', browser: 'words' };

type Loose = Readonly<Record<string, unknown>>;
const tableOf = (entry: Entry): Table => ENTRIES[entry.type] as unknown as Table;

/** What is done with one member; `slot` counts the texts of the list. */
type Take = (how: string, member: string, value: unknown, slot: number, holder: Record<string, unknown>) => unknown;

/** Goes through the listed members that are there and do not stay, in the order of the list. */
const each = (value: Loose, table: Table, take: Take, slot = CHUNK_TEXT): number => {
  let next = slot;
  for (const member in table) {
    const how = table[member]!;
    const one = value[member];
    if (typeof how === 'object') next = one ? each(one as Loose, how, take, next) : next;
    else if (how !== 0) {
      if (how !== 'stream') next++;
      if (one !== null) take(how, member, one, how === 'stream' ? CHUNK_TEXT : next, value as Record<string, unknown>);
    }
  }
  return next;
};

/** The slots of headers, beyond all others. */
const FIRST_HEADER = 100;
const headersOf = (value: unknown): readonly [string, string][] => Object.entries(value as Readonly<Record<string, string>>);

/** The texts of an entry that are not part of a stream or of the page's text. */
export const fieldsOf = (entry: Entry): readonly EntryField[] => {
  const fields: EntryField[] = [];
  each(entry as unknown as Loose, tableOf(entry), (how, name, value, slot) => {
    if (how === 'headers')
      fields.push(...headersOf(value).map(([name, text], i): EntryField => ({ kind: 'header', name, text, slot: FIRST_HEADER + i })));
    else if (!/name|place|stream|shown/u.test(how))
      fields.push({
        kind: (how !== 'state' ? how : 'kind' in entry && entry.kind === 'text' ? 'status' : 'words') as FieldKind,
        name,
        text: value as string,
        slot,
      });
  });
  return fields;
};

/** The names in an entry: its own, those of what it refers to, and those of its headers. */
export const namesOf = (entry: Entry): readonly string[] => {
  const names: string[] = [];
  each(entry as unknown as Loose, tableOf(entry), (how, _, value) => {
    if (how === 'name' || how === 'place') names.push(value as string);
    else if (how === 'headers') for (const [name] of headersOf(value)) names.push(name);
  });
  return names;
};

const unlisted = (value: Loose, table: Table): number => {
  let count = 0;
  for (const member in value) {
    const how = Object.hasOwn(table, member) ? table[member] : null;
    if (how === null) count++;
    else if (typeof how === 'object' && value[member]) count += unlisted(value[member] as Loose, how);
  }
  return count;
};

/** How many members the entry has that are on no list. */
export const unlistedIn = (entry: Entry): number => unlisted(entry as unknown as Loose, tableOf(entry));

export interface Rewriting {
  /** What stands in a slot now. */
  text(slot: number, text: string): string;
  name(name: string, kind: 'name' | 'place'): string;
}

const listed = (value: Loose, table: Table): Record<string, unknown> => {
  const out: Record<string, unknown> = {};
  for (const member in value)
    if (Object.hasOwn(table, member)) {
      const how = table[member];
      out[member] = typeof how === 'object' && value[member] ? listed(value[member] as Loose, how) : value[member];
    }
  return out;
};

/** The entry with its texts and names as `now` says that they are, and without what is on no list. */
export const withFields = (entry: Entry, now: Rewriting): Entry => {
  const out = listed(entry as unknown as Loose, tableOf(entry));
  each(out, tableOf(entry), (how, member, value, slot, holder) => {
    if (how === 'headers')
      holder[member] = Object.fromEntries(
        headersOf(value).map(([name, text], i) => [now.name(name, 'name'), now.text(FIRST_HEADER + i, text)]),
      );
    else if (how === 'name' || how === 'place') holder[member] = now.name(value as string, how);
    else if (how !== 'shown') holder[member] = now.text(slot, value as string);
  });
  return out as unknown as Entry;
};

export type CaptureHead = Pick<Capture, 'createdAt' | 'producer' | 'documents'>;

/** What stands before the entries, treated the same way. */
export const withHead = (
  { createdAt, producer, documents }: CaptureHead,
  text: (text: string) => string,
  name: (name: string) => string,
): CaptureHead => {
  const treated = <T extends object>(value: T, table: Members<T>): T => {
    const out = listed(value as Loose, table as unknown as Table);
    each(out, table as unknown as Table, (how, member, one) => {
      out[member] = how === 'name' ? name(one as string) : text(one as string);
    });
    return out as T;
  };
  return {
    createdAt: text(createdAt),
    producer: treated(producer, PRODUCER),
    documents: documents.map((document) => treated(document, DOCUMENT)),
  };
};
