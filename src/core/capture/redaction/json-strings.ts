/**
 * Finds the string values, the member names (and the few numbers that are somebody's) in JSON text without parsing it to objects: where each lies, under which key and path, and which
 * ids and types stand beside it. Takes text that stops in the middle; refuses text that is no JSON.
 */
import { numberKindOf } from './numbers';
import { isSecretNumber } from './secrets';

export interface StringLeaf {
  /** Inside the quotes. */
  readonly start: number;
  readonly end: number;
  /** The nearest member name; '' at the top. */
  readonly key: string;
  /** Member names and array marks from the top. */
  readonly path: string;
  readonly node: Node;
  /** No string: a telephone or card number that was written as a JSON number. */
  readonly number: boolean;
  /** In a list of pairs: the string before it. */
  readonly before?: string | null;
  /** No value: the name of a member, which somebody may have made of a key or an address. */
  readonly name?: true;
}

/** An object or array on the way to a leaf. */
export interface Node {
  readonly parent: Node | null;
  /** `name=value` of the members that tell one object from its like. */
  readonly marks: string[];
  /** The names of its members. */
  readonly names: string[];
  /** The member it stands under; '' at the top. */
  readonly under: string;
  /** Of a list that stands in a list: what its first string says. */
  first: string | null;
}

/** Members that say which thing an object speaks of, or what kind of thing it is. */
const MARK =
  /^(?:Name|Key|type|kind|event|object|role|index|id|key|name|channel|sessionUpdate|part|content_?index|output_?index|choice)$|(?:Id|ID|_id|Index|_index|Type|_type)$/u;

const LITERAL = /[truefalsn]/u;

/** The leaves in order, or null if the text is no JSON object, array or string. `whole` is false if it stops in the middle. */
export const jsonStrings = (
  text: string,
  from = 0,
  to = text.length,
): { readonly leaves: readonly StringLeaf[]; readonly whole: boolean } | null => {
  const leaves: StringLeaf[] = [];
  const stack: { node: Node; path: string; array: boolean; key: string; wantsKey: boolean }[] = [];
  let done = false;
  let i = from;
  while (i < to && /\s/u.test(text[i]!)) i++;
  if (i >= to || !/["[{]/u.test(text[i]!)) return null;
  for (; i < to; i++) {
    const c = text[i]!;
    if (c === ' ' || c === '\n' || c === '\r' || c === '\t') continue;
    if (done) return null;
    const top = stack.at(-1);
    if (c === '"') {
      const start = i + 1;
      let end = start;
      while (end < to && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      if (end >= to) {
        leaves.push(top?.wantsKey ? nameOf(top, start, to) : leafOf(top, start, to));
        return { leaves, whole: false };
      }
      i = end;
      if (top?.wantsKey) {
        top.key = unescaped(text.slice(start, end));
        if (end - start >= SHORTEST) leaves.push(nameOf(top, start, end));
        top.node.names.push(top.key);
        top.wantsKey = false;
        let colon = i + 1;
        while (colon < to && /\s/u.test(text[colon]!)) colon++;
        if (colon >= to) return { leaves, whole: false };
        if (text[colon] !== ':') return null;
        i = colon;
        continue;
      }
      leaves.push({ ...leafOf(top, start, end), before: top?.array ? top.node.first : null });
      // Headers as a list of pairs, or as one list in which names and values take turns.
      if (top?.array) {
        const pairs = stack.at(-2)?.array === true || /^raw_?headers$/iu.test(top.key);
        top.node.first = pairs && top.node.first === null && end - start <= 80 ? text.slice(start, end) : null;
      }
      if (top && !top.array && end - start <= 80 && MARK.test(top.key)) top.node.marks.push(`${top.key}=${text.slice(start, end)}`);
      if (!top) done = true;
      continue;
    }
    if (c === '{' || c === '[') {
      const node: Node = { parent: top?.node ?? null, marks: [], names: [], under: top?.key ?? '', first: null };
      const path = top ? `${top.path}${top.array ? '[]' : `.${top.key}`}` : '';
      stack.push({ node, path, array: c === '[', key: top?.key ?? '', wantsKey: c === '{' });
      continue;
    }
    if (top === undefined) return null;
    if (c === '}' || c === ']') {
      if (top.array !== (c === ']')) return null;
      stack.pop();
      if (stack.length === 0) done = true;
      continue;
    }
    if (c === ',') {
      if (!top.array) top.wantsKey = true;
      continue;
    }
    if (/[-0-9]/u.test(c) || LITERAL.test(c)) {
      const start = i;
      while (i + 1 < to && /[-+0-9.eEtruefalsn]/u.test(text[i + 1]!)) i++;
      // Digits stay digits, so the alias of one keeps the JSON sound.
      if (
        (!top.array && i - start >= 6 && isPersonal(top.key, text.slice(start, i + 1))) ||
        (i - start >= 3 && isSecretNumber(top.key, text.slice(start, i + 1)))
      )
        leaves.push({ ...leafOf(top, start, i + 1), number: true });
      if (!top.array && /^[0-9]/u.test(c) && MARK.test(top.key)) top.node.marks.push(`${top.key}=${text.slice(start, i + 1)}`);
      continue;
    }
    return null;
  }
  return { leaves, whole: done };
};

const leafOf = (top: { node: Node; path: string; array: boolean; key: string } | undefined, start: number, end: number): StringLeaf => ({
  start,
  end,
  key: top?.key ?? '',
  path: top ? `${top.path}${top.array ? '[]' : `.${top.key}`}` : '',
  node: top?.node ?? ROOT,
  number: false,
});

/** A shorter name hides nothing. */
const SHORTEST = 4;

const nameOf = (top: { node: Node; path: string }, start: number, end: number): StringLeaf => ({
  start,
  end,
  key: '',
  path: top.path,
  node: top.node,
  number: false,
  name: true,
});

/** A name as it is read: it may be written with escapes. */
const unescaped = (raw: string): string => {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
};

const isPersonal = (key: string, value: string): boolean => /^[1-9][0-9]*$/u.test(value) && numberKindOf(key, value) !== null;

const ROOT: Node = { parent: null, marks: [], names: [], under: '', first: null };

/** Names under which a list of things says which one it is, beside its value. */
const CALLED = /^(?:name|key|id)=(.*)$/iu;
const VALUE = /^(?:value|val|content|string_?value)$/iu;

/** What a value is called by what stands beside it or before it; null where nothing does. */
export const calledOf = (leaf: StringLeaf): string | null => {
  if (leaf.before) return leaf.before;
  if (!VALUE.test(leaf.key)) return null;
  const { node } = leaf;
  for (const mark of [...node.marks, ...(node.under.toLowerCase() === 'value' ? (node.parent?.marks ?? []) : [])]) {
    const name = CALLED.exec(mark)?.[1];
    if (name !== undefined) return name;
  }
  return null;
};

/** The marks of the leaf's object and of those around it, nearest first, at most eight. */
export const marksOf = (leaf: StringLeaf): readonly string[] => {
  const marks: string[] = [];
  for (let node: Node | null = leaf.node; node !== null && marks.length < 8; node = node.parent) marks.push(...node.marks);
  return marks.slice(0, 8);
};
