/** The texts of an entry that are not part of a stream or of the page's text: where they are, and how they are put back. */
import type { Sighting, TapRecord } from '../../model';

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
const FIRST_HEADER = 3;

const headerFields = (headers: Readonly<Record<string, string>>): EntryField[] =>
  Object.entries(headers).map(([name, text], i) => ({ kind: 'header', name, text, slot: FIRST_HEADER + i }));

const one = (kind: FieldKind, name: string, text: string | null, slot: number): EntryField[] =>
  text === null ? [] : [{ kind, name, text, slot }];

export const fieldsOf = (entry: Entry): readonly EntryField[] => {
  switch (entry.type) {
    case 'flow.opened':
      return [
        ...one('url', 'url', entry.url, 1),
        ...one('body', 'requestBody', entry.requestBody, 2),
        ...headerFields(entry.requestHeaders),
      ];
    case 'flow.head':
      return headerFields(entry.headers);
    case 'flow.ended':
      return one('words', 'detail', entry.detail, 1);
    case 'flow.chunk':
      return one('id', 'event id', entry.id, 1);
    case 'sight.text':
      return [...one('words', 'region', entry.region.path, 1), ...one('words', 'region', entry.region.label, 2)];
    case 'sight.cue':
      return [...one('words', 'cue', entry.label, 1), ...one(entry.kind === 'text' ? 'status' : 'words', 'cue', entry.value, 2)];
    default:
      return [];
  }
};

const withHeaders = (headers: Readonly<Record<string, string>>, now: (slot: number, text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, text], i) => [name, now(FIRST_HEADER + i, text)]));

/** The entry with its fields as `now` says that they are. */
export const withFields = (entry: Entry, now: (slot: number, text: string) => string): Entry => {
  const maybe = (slot: number, text: string | null): string | null => (text === null ? null : now(slot, text));
  switch (entry.type) {
    case 'flow.opened':
      return {
        ...entry,
        url: now(1, entry.url),
        requestBody: maybe(2, entry.requestBody),
        requestHeaders: withHeaders(entry.requestHeaders, now),
      };
    case 'flow.head':
      return { ...entry, headers: withHeaders(entry.headers, now) };
    case 'flow.ended':
      return { ...entry, detail: maybe(1, entry.detail) };
    case 'flow.chunk':
      return { ...entry, text: now(CHUNK_TEXT, entry.text), id: maybe(1, entry.id) };
    case 'sight.text':
      return { ...entry, region: { ...entry.region, path: now(1, entry.region.path), label: maybe(2, entry.region.label) } };
    case 'sight.cue':
      return { ...entry, label: maybe(1, entry.label), value: maybe(2, entry.value) };
    default:
      return entry;
  }
};
