/** Finds the secrets of a text and of all that is encoded in it: JSON in JSON, percent escapes, base64. */
import { decodeBase64 } from '../../bytes/base64';
import { isTechnicalMember, numberKindOf } from './numbers';
import { type Hit, isSecretInside, isSecretMember, isSecretPair, kindOf, type SecretKind } from './secrets';
import { jsonLeaves, type Leaf } from './texts';
import { base64View, percentView, type View } from './views';

/** The secrets of a plain text. Given from outside, so that a second reading can be told what the first one found. */
export type Find = (text: string) => readonly Hit[];
/** Whether what is found in a view is new, where other views show the same characters. */
export interface Novelty {
  /** It has to be written over: nobody did yet. */
  writes(hit: Hit): boolean;
  /** It is a place of its own. */
  counts(hit: Hit): boolean;
}
/** `name`: the text is a name that the protocol may read, so that only what is a secret for certain is one. */
export type Visit = (view: View, hits: readonly Hit[], novelty?: Novelty, name?: boolean) => void;

/** How deep encodings inside encodings are followed. */
export const DEPTH = 4;

const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/gu;

const printable = (bytes: Uint8Array): boolean => {
  for (const byte of bytes) if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127) return false;
  return true;
};

/**
 * Calls back with the view and the secrets found in it, for the view itself and for all that is encoded in it. `within` says
 * whether base64 that lies here in the view is looked into now.
 */
export const explore = (
  view: View,
  depth: number,
  find: Find,
  visit: Visit,
  within: ((start: number, end: number) => boolean) | null = null,
): void => {
  const { text } = view;
  if (text.length < 4) return;
  if (depth > 0 && depth <= DEPTH && /^\s*[[{]/u.test(text)) {
    const leaves = jsonLeaves(view, 0, text.length, '');
    // Brackets with nothing but numbers between them may be a text.
    if (leaves && (leaves.length > 0 || text.includes('{'))) {
      for (const leaf of leaves) exploreLeaf(leaf, depth + 1, find, visit);
      return;
    }
  }
  visit(view, find(text));
  if (depth >= DEPTH || text.length < 16) return;
  if (text.includes('%')) {
    const inner = percentView(view);
    if (inner) explore(inner, depth + 1, find, visit);
  }
  for (const match of text.matchAll(BASE64)) {
    if (within !== null && !within(match.index, match.index + match[0].length)) continue;
    const word = match[0].replace(/=+$/u, '');
    // Words and identifiers decode to noise; only what decodes to text is looked into.
    const bytes = decodeBase64(word.length % 4 === 1 ? word.slice(0, -1) : word);
    if (bytes && bytes.length >= 8 && printable(bytes)) explore(base64View(view, match.index, bytes), depth + 1, find, visit);
  }
};

/** Names in which nothing was found, by who looked: a stream repeats the same few of them in every event. */
const clean = new WeakMap<Find, Set<string>>();
const REMEMBERED = 4096;
const NOTHING: readonly Hit[] = [];

const exploreName = (name: View, depth: number, find: Find, visit: Visit): void => {
  let known = clean.get(find);
  if (known === undefined) {
    known = new Set();
    clean.set(find, known);
  }
  // What is known from elsewhere may still stand in it.
  if (known.has(name.text)) {
    visit(name, NOTHING, undefined, true);
    return;
  }
  let any = false;
  explore(name, depth, find, (view, hits) => {
    any ||= hits.length > 0 || view !== name;
    visit(view, hits, undefined, true);
  });
  // So deep, nothing was looked for inside it.
  if (any || (depth >= DEPTH && name.text.length >= 16)) return;
  if (known.size >= REMEMBERED) known.clear();
  known.add(name.text);
};

/** `Bearer` stays: it says what follows. */
const afterScheme = (text: string, kind: SecretKind): Hit => ({
  start: /^(?:bearer|basic|token)\s+/iu.exec(text)?.[0].length ?? 0,
  end: text.length,
  kind,
});

/** A JSON number stays one, whatever is written over it: it begins with 100, which is how it is known again. */
const digitsOnly = (view: View): View => ({
  text: view.text,
  put: (at, unit) => view.put(at, at === 0 ? 49 : at < 3 ? 48 : unit >= 48 && unit <= 57 ? unit : 48),
});

export const exploreLeaf = (leaf: Leaf, depth: number, find: Find, visit: Visit): void => {
  const { text } = leaf.view;
  if (leaf.name) {
    exploreName(leaf.view, depth, find, visit);
    return;
  }
  const number = leaf.bare ? null : numberKindOf(leaf.key, text);
  if (number !== null) visit(leaf.view, [{ start: 0, end: text.length, kind: number }]);
  else if (leaf.number) visit(digitsOnly(leaf.view), [{ start: 0, end: text.length, kind: kindOf(leaf.key) }]);
  else if (!leaf.bare && isSecretMember(leaf.key, text)) visit(leaf.view, [{ start: 0, end: text.length, kind: kindOf(leaf.key) }]);
  else if (leaf.called !== undefined && isSecretPair(leaf.called, text, leaf.listed === true))
    visit(leaf.view, [afterScheme(text, kindOf(leaf.called))]);
  else if (!leaf.bare && leaf.under && isSecretInside(leaf.under, leaf.key, text))
    visit(leaf.view, [{ start: 0, end: text.length, kind: kindOf(leaf.key === '' ? leaf.under : leaf.key) }]);
  // Ids and times are made of digits, and some have the look of a card.
  else if (isTechnicalMember(leaf.key))
    explore(leaf.view, depth, find, (view, hits) =>
      visit(
        view,
        hits.filter((hit) => hit.kind !== 'card number' && hit.kind !== 'phone number'),
      ),
    );
  else explore(leaf.view, depth, find, visit);
};
