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
 * `name`: a key that other entries repeat. What was equal stays equal and what was different different, so that everything still
 * refers to what it did. `place`: a name that may be made of the words of the page. `stream`, `shown`: read as part of a whole,
 * elsewhere. `state`: the words of a cue, which for a cue of text say how things stand.
 */
type TextKind = Exclude<FieldKind, 'header' | 'status'> | 'name' | 'place' | 'stream' | 'shown' | 'state';

/** What a member of such a type can be treated as: free text never as one that stays. */
type Treatment<V> =
  NonNullable<V> extends number | boolean
    ? 'stays'
    : NonNullable<V> extends string
      ? string extends NonNullable<V>
        ? TextKind
        : 'stays'
      : string extends keyof NonNullable<V>
        ? 'headers'
        : Members<NonNullable<V>>;
type Members<T> = { readonly [K in keyof T]-?: Treatment<T[K]> };

interface Table {
  readonly [member: string]: string | Table;
}

const STAMP = { seq: 'stays', at: 'stays', type: 'stays' } as const;

const ENTRIES: { readonly [T in Entry['type']]: Members<Extract<Entry, { readonly type: T }>> } = {
  'flow.opened': {
    ...STAMP,
    flow: 'name',
    document: 'name',
    transport: 'stays',
    method: 'words',
    url: 'url',
    requestHeaders: 'headers',
    requestBody: 'body',
  },
  'flow.head': { ...STAMP, flow: 'name', status: 'stays', headers: 'headers' },
  'flow.chunk': { ...STAMP, flow: 'name', direction: 'stays', text: 'stream', encoding: 'stays', event: 'id', id: 'id' },
  'flow.ended': { ...STAMP, flow: 'name', how: 'stays', code: 'stays', detail: 'words' },
  gap: { ...STAMP, flow: 'name', reason: 'stays', lost: 'stays' },
  tick: STAMP,
  'sight.watch': { ...STAMP, document: 'name', state: 'stays', visible: 'stays' },
  'sight.text': {
    ...STAMP,
    document: 'name',
    region: { key: 'place', path: 'words', role: 'words', label: 'words', presentedAs: 'stays' },
    change: 'stays',
    edit: { at: 'stays', removed: 'stays', inserted: 'shown' },
    length: 'stays',
    visible: 'stays',
    rest: 'stays',
  },
  'sight.cue': { ...STAMP, document: 'name', key: 'place', kind: 'stays', label: 'words', region: 'place', value: 'state', rest: 'stays' },
};

const DOCUMENT: Members<SourceDocument> = { key: 'name', url: 'url', topLevel: 'stays', timeOrigin: 'stays' };
const PRODUCER: Members<Capture['producer']> = { name: 'words', version: 'words', browser: 'words' };

/** The texts of an entry type, each with its slot, and its names. */
interface Plan {
  readonly table: Table;
  readonly texts: readonly { readonly outer: string | null; readonly member: string; readonly kind: string; readonly slot: number }[];
  readonly headers: string | null;
  readonly names: readonly { readonly outer: string | null; readonly member: string; readonly kind: 'name' | 'place' }[];
  readonly nested: readonly string[];
  readonly slots: ReadonlyMap<string, number>;
  readonly firstHeader: number;
}

const planOf = (table: Table): Plan => {
  const texts: { outer: string | null; member: string; kind: string; slot: number }[] = [];
  const names: { outer: string | null; member: string; kind: 'name' | 'place' }[] = [];
  const nested: string[] = [];
  const slots = new Map<string, number>();
  let headers: string | null = null;
  let next = CHUNK_TEXT + 1;
  const read = (members: Table, outer: string | null): void => {
    for (const [member, how] of Object.entries(members)) {
      if (typeof how !== 'string') {
        nested.push(member);
        read(how, member);
      } else if (how === 'headers') headers = member;
      else if (how === 'name' || how === 'place') names.push({ outer, member, kind: how });
      else if (how === 'stream') slots.set(member, CHUNK_TEXT);
      else if (how !== 'stays' && how !== 'shown') {
        slots.set(outer === null ? member : `${outer}.${member}`, next);
        texts.push({ outer, member, kind: how, slot: next++ });
      }
    }
  };
  read(table, null);
  return { table, texts, headers, names, nested, slots, firstHeader: next };
};

const PLANS: ReadonlyMap<string, Plan> = new Map(Object.entries(ENTRIES).map(([type, table]) => [type, planOf(table as Table)]));

type Loose = Readonly<Record<string, unknown>>;
const inside = (entry: Entry, outer: string | null): Loose | null =>
  (outer === null ? entry : ((entry as unknown as Loose)[outer] as Loose | null)) as Loose | null;

/** The texts of an entry that are not part of a stream or of the page's text. */
export const fieldsOf = (entry: Entry): readonly EntryField[] => {
  const plan = PLANS.get(entry.type);
  if (plan === undefined) return [];
  const fields: EntryField[] = [];
  for (const { outer, member, kind, slot } of plan.texts) {
    const text = inside(entry, outer)?.[member];
    if (typeof text !== 'string') continue;
    const now = kind !== 'state' ? kind : (entry as { kind?: string }).kind === 'text' ? 'status' : 'words';
    fields.push({ kind: now as FieldKind, name: member, text, slot });
  }
  if (plan.headers !== null) {
    let slot = plan.firstHeader;
    for (const [name, text] of Object.entries(inside(entry, plan.headers) as Readonly<Record<string, string>>))
      fields.push({ kind: 'header', name, text, slot: slot++ });
  }
  return fields;
};

/** The names in an entry: its own, those of what it refers to, and those of its headers. */
export function* namesOf(entry: Entry): Generator<{ readonly name: string; readonly kind: 'name' | 'place' }, void> {
  const plan = PLANS.get(entry.type);
  if (plan === undefined) return;
  for (const { outer, member, kind } of plan.names) {
    const name = inside(entry, outer)?.[member];
    if (typeof name === 'string') yield { name, kind };
  }
  if (plan.headers !== null) for (const name of Object.keys(inside(entry, plan.headers) ?? {})) yield { name, kind: 'name' };
}

const unlisted = (value: Loose, table: Table): number => {
  let count = 0;
  for (const member in value) if (!Object.hasOwn(table, member)) count++;
  return count;
};

/** How many members the entry has that are on no list. */
export const unlistedIn = (entry: Entry): number => {
  const plan = PLANS.get(entry.type);
  if (plan === undefined) return 0;
  let count = unlisted(entry as unknown as Loose, plan.table);
  for (const outer of plan.nested) {
    const value = inside(entry, outer);
    if (value !== null) count += unlisted(value, plan.table[outer] as Table);
  }
  return count;
};

export interface Rewriting {
  /** What stands in a slot now. */
  text(slot: number, text: string): string;
  name(name: string, kind: 'name' | 'place'): string;
}

/** The entry with its texts and names as `now` says that they are, and without what is on no list. */
export const withFields = (entry: Entry, now: Rewriting): Entry => {
  const plan = PLANS.get(entry.type);
  if (plan === undefined) return entry;
  const rewritten = (value: Loose, table: Table, outer: string | null): Loose => {
    const out: Record<string, unknown> = {};
    for (const [member, text] of Object.entries(value)) {
      if (!Object.hasOwn(table, member)) continue;
      const how = table[member]!;
      if (text === null || how === 'stays' || how === 'shown') out[member] = text;
      else if (typeof how !== 'string') out[member] = rewritten(text as Loose, how, member);
      else if (how === 'headers') {
        let slot = plan.firstHeader;
        out[member] = Object.fromEntries(
          Object.entries(text as Readonly<Record<string, string>>).map(([name, one]) => [now.name(name, 'name'), now.text(slot++, one)]),
        );
      } else if (how === 'name' || how === 'place') out[member] = now.name(text as string, how);
      else out[member] = now.text(plan.slots.get(outer === null ? member : `${outer}.${member}`)!, text as string);
    }
    return out;
  };
  return rewritten(entry as unknown as Loose, plan.table, null) as unknown as Entry;
};

export type CaptureHead = Pick<Capture, 'createdAt' | 'producer' | 'documents'>;

/** What stands before the entries, treated the same way. */
export const withHead = (
  { createdAt, producer, documents }: CaptureHead,
  text: (text: string) => string,
  name: (name: string) => string,
): CaptureHead => {
  const listed = <T extends object>(value: T, table: Members<T>): T =>
    Object.fromEntries(
      Object.entries(value).flatMap(([member, one]) => {
        if (!Object.hasOwn(table, member)) return [];
        const how = table[member as keyof T] as string;
        return [[member, typeof one !== 'string' ? one : how === 'name' ? name(one) : text(one)]];
      }),
    ) as T;
  return {
    createdAt: text(createdAt),
    producer: listed(producer, PRODUCER),
    documents: documents.map((document) => listed(document, DOCUMENT)),
  };
};
