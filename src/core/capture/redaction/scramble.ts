/**
 * Makes all texts of a capture unreadable and leaves its verdicts: every letter becomes a letter of the same kind and every
 * digit a digit, so lengths, white space, punctuation, markdown, JSON and the words of the protocol stay, and what was equal
 * or a beginning of something stays so.
 *
 * `words`: each letter depends on the word up to it, so letters tell nothing about each other. Words that go on in the next
 * delta are followed. `letters`: each letter always becomes the same other letter; easier to guess, and nothing can break it.
 * Neither is encryption: who knows what a text says can recognise it.
 */
import { decodeBase64 } from '../../bytes/base64';
import type { Sighting, TapRecord } from '../../model';
import { namesOf } from './fields';
import { createNames } from './names';
import { jsonLeaves, type Leaf, textsInSteps } from './texts';
import { base64View, sourceOf, type View } from './views';

export type ScrambleStyle = 'words' | 'letters';

/** Mixes a number into a state: two lanes of 32 bits. */
const mix = (state: readonly [number, number], value: number): [number, number] => {
  let a = Math.imul(state[0] ^ value, 0x9e3779b1);
  let b = Math.imul(state[1] + value + 0x85ebca6b, 0xc2b2ae35);
  a = Math.imul(a ^ (a >>> 15) ^ b, 0x85ebca77);
  b = Math.imul(b ^ (b >>> 13) ^ a, 0x27d4eb2f);
  return [a ^ (a >>> 16), b ^ (b >>> 16)];
};

const seeded = (key: string): [number, number] => {
  let state: [number, number] = [0x12345678, 0x9abcdef0];
  for (let i = 0; i < key.length; i++) state = mix(state, key.charCodeAt(i));
  return mix(state, key.length);
};

const kin = new Map<number, readonly number[]>();
/** Letters of the same kind that stand near a letter in Unicode, itself included. */
const kinOf = (unit: number): readonly number[] => {
  const known = kin.get(unit);
  if (known) return known;
  const char = String.fromCharCode(unit);
  const kind = /\p{Lu}/u.test(char) ? /^\p{Lu}$/u : /\p{Ll}/u.test(char) ? /^\p{Ll}$/u : /\p{N}/u.test(char) ? /^\p{N}$/u : /^\p{L}$/u;
  const from = unit >= 0x4e00 && unit <= 0x9fa5 ? 0x4e00 : unit >= 0xac00 && unit <= 0xd7a3 ? 0xac00 : unit & ~63;
  const to = from === 0x4e00 ? 0x9fa5 : from === 0xac00 ? 0xd7a3 : from + 63;
  const near: number[] = [];
  for (let other = from; other <= to; other++) {
    const candidate = String.fromCharCode(other);
    if (kind.test(candidate) && candidate.normalize('NFKC') === candidate) near.push(other);
  }
  const list = near.includes(unit) ? near : [unit];
  kin.set(unit, list);
  return list;
};

const isWord = (unit: number): boolean =>
  unit < 128
    ? (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57)
    : unit < 0xd800 || unit > 0xdfff
      ? /[\p{L}\p{N}]/u.test(String.fromCharCode(unit))
      : false;

const replace = (unit: number, state: readonly [number, number]): number => {
  const pick = state[0] >>> 0;
  if (unit >= 97 && unit <= 122) return 97 + (pick % 26);
  if (unit >= 65 && unit <= 90) return 65 + (pick % 26);
  // Zero stays, and nothing else becomes it: a number in JSON must not begin with it.
  if (unit === 48) return 48;
  if (unit >= 49 && unit <= 57) return 49 + (pick % 9);
  const near = kinOf(unit);
  return near[pick % near.length]!;
};

/** What stays in a text: escapes, entities, tag names, schemes of addresses, and the bare words of JSON where it is JSON. */
const KEPT =
  /\\u[0-9a-fA-F]{4}|\\[a-z"\\/]|&(?:[a-zA-Z]{2,8}|#\d{1,6}|#x[0-9a-fA-F]{1,6});|<\/?[a-zA-Z][a-zA-Z0-9_-]{0,30}|(?:https?|wss?|mailto|tel|data):(?=\/\/|\S)|^\[[A-Z]{2,12}\]$/gu;
const JSON_WORDS = /(?<![A-Za-z0-9"])(?:true|false|null)(?![A-Za-z0-9"])/gu;
const LIKE_JSON = /^\s*[[{]|":\s*["[{\dtfn-]|[\]}]\s*$/u;

/** One run of text: remembers the word it ends in, so that the next piece can go on with it. */
interface Scrambler {
  /** Scrambles a piece that goes on where the last one stopped. */
  more(view: View): void;
}

const scramblerOf = (key: readonly [number, number], style: ScrambleStyle): Scrambler => {
  let state: readonly [number, number] = key;
  let inWord = false;
  /** What the last piece ended in, where that goes on: a tag name or an escape. */
  let open = '';
  return {
    more(view) {
      const { text } = view;
      const keep = keptIn(open, text);
      open = /<\/?[a-zA-Z0-9_-]{0,30}$|\\(?:u[0-9a-fA-F]{0,3})?$/u.exec(open + text.slice(-40))?.[0] ?? '';
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (!isWord(unit)) {
          inWord = false;
          continue;
        }
        if (keep !== null && keep[i] === 1) {
          inWord = false;
          continue;
        }
        if (style === 'letters') {
          // A letter's stand-in depends on it alone; a permutation, so that different letters stay different.
          view.put(i, permuted(unit, key));
          continue;
        }
        if (!inWord) state = key;
        inWord = true;
        state = mix(state, unit);
        view.put(i, replace(unit, state));
      }
    },
  };
};

const keptIn = (open: string, text: string): Uint8Array | null => {
  let keep: Uint8Array | null = null;
  const mark = (from: number, length: number): void => {
    keep ??= new Uint8Array(text.length);
    keep.fill(1, Math.max(0, from), Math.max(0, from + length));
  };
  const whole = open + text;
  if (/[\\&<:[]/u.test(whole)) for (const match of whole.matchAll(KEPT)) mark(match.index - open.length, match[0].length);
  if (LIKE_JSON.test(text)) for (const match of text.matchAll(JSON_WORDS)) mark(match.index, match[0].length);
  return keep;
};

const permutations = new Map<string, number>();
/** Rotates a letter within its kin by an amount that depends on the key. */
const permuted = (unit: number, key: readonly [number, number]): number => {
  const name = `${key[0]},${unit}`;
  const known = permutations.get(name);
  if (known !== undefined) return known;
  const class_ =
    unit >= 97 && unit <= 122
      ? range(97, 26)
      : unit >= 65 && unit <= 90
        ? range(65, 26)
        : unit >= 49 && unit <= 57
          ? range(49, 9)
          : unit === 48
            ? [48]
            : kinOf(unit);
  const order = [...class_]
    .map((other) => ({ other, rank: mix(key, other)[0] >>> 0 }))
    .sort((a, b) => a.rank - b.rank || a.other - b.other);
  const at = class_.indexOf(unit);
  const made = order[at]?.other ?? unit;
  if (permutations.size > 50_000) permutations.clear();
  permutations.set(name, made);
  return made;
};

const range = (from: number, length: number): number[] => Array.from({ length }, (_, i) => from + i);

/** Members whose values belong to the protocol. */
const KEEP =
  /^(?:type|kind|event|events|object|role|status|state|phase|subtype|method|jsonrpc|version|protocolVersion|op|path|from|code|level|channel|channels|mode|format|encoding|index|model|modelVersion|source|ns|namespace|node|cursor|tag|tags|dialect|transport|interface|stream_mode|stream_resumable|assistant_graph|cwd|severity|category|origin|scope|session|sessionUpdate|author|branch|invocation|finishReason|finish_reason|finishMessage|stop_reason|stopReason|stop_sequence|done_reason|native_finish_reason|blockReason|system_fingerprint|service_tier|created|timestamp|ts|time|date|mimeType|mediaType|media_type|contentType|content_type|obfuscation|error_code|errorType|terminal_reason|outcome|decision|action|permission_mode|permissionMode|interruptMode|interrupted|optionId|kind_|visibility|retention|standing|effort|eventType|eventTypes|contract|stage|transition|reason|finish|reply|trigger|field|codexErrorInfo|signature|thoughtSignature|thought_signature|encrypted_content|url|uri|href|\$type|@type|__typename)$|(?:Id|ID|Ids|IDs|_id|_ids|At|_at|Type|_type|Kind|_kind|Status|_status|State|_state|Code|_code|Reason|_reason|Mode|_mode|Role|Version|Hash|Digest|Cursor|Seq)$|^(?:id|ids)$/u;

/** A value that can stand for something in a protocol: one word without white space. */
const TOKEN = /^[A-Za-z0-9_.:/@#+=~|$<>[\](){}*,;!?%&^\\-]{0,256}$/u;

/** Values that no one writes to a person: enumerations in capitals, snake or dotted names. */
const ENUMERATION = /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{4,}|[a-z][a-z0-9]*(?:[_./:][a-z0-9-]+)+)$/u;

/** Names of errors, as programs have them. */
const ERROR_NAME = /^(?:[A-Z][A-Za-z]*)?(?:Error|Exception)$/u;

/** Names of tools and agents, told from names of people by what stands beside them. */
const CALL =
  /^(?:arguments|args|input|inputSchema|input_schema|parameters|tool|toolName|tool_name|toolCallId|tool_call_id|call_id|callId|response|function|type|id|langgraph|schema|title_template)$/u;

/** Members that are content whatever they look like. */
const CONTENT =
  /^(?:text|delta|content|parts|message|messages|arguments|args|argsTextDelta|inputTextDelta|inputText|input|output|result|results|title|description|prompt|value|summary|answer|thinking|thought|reasoning|reasoning_content|reasoningText|query|question|label|body|data|partial_json|partialInput|error|errorText|detail|details|note|finalText|assistantText|transcript|refusal|response|instructions|explanation|markdown|html|caption)$/u;

const keeps = (leaf: Leaf): boolean => {
  const { key, view, beside, bare } = leaf;
  const { text } = view;
  // An alias by now, and digits that JSON reads.
  if (leaf.number) return true;
  if (bare) return /^\[[A-Z_]+\]$/u.test(text.trim());
  if (!TOKEN.test(text)) return false;
  if (CONTENT.test(key)) return MIXED.test(key) && (ENUMERATION.test(text) || (key === 'error' && ERROR_NAME.test(text)));
  if (KEEP.test(key)) return true;
  if (/^(?:name|toolName|tool_name|tool|agent|agentName|agent_name)$/u.test(key))
    return beside.some((member) => CALL.test(member)) || ENUMERATION.test(text) || ERROR_NAME.test(text);
  return ENUMERATION.test(text);
};

/** Of these, the ones that some producers also use for words of the protocol. */
const MIXED = /^(?:data|value|result|results|output|response|body|label|message|detail|details|summary|error)$/u;

const FIELD_LINE = /^(?::|(?:event|id|retry):?)/u;

/** Words by which pages say how things stand; a short text of the page's own that has one is no one's secret. */
const STATUS =
  /\b(?:error|failed|failure|stopp?(?:ed)?|retry|try again|cancel(?:led|ed)?|interrupted|connection|lost|offline|network|thinking|thought|reasoning|generating|working|loading|waiting|done|complete[d]?|sent|copy|copied|regenerate|approve|deny|allow|answer|reply|disconnected|reconnect(?:ing)?|timed? ?out)\b/iu;

type Entry = TapRecord | Sighting;

/** `keep`: names of members that stay as they are. Yields where it may be interrupted. */
export function* scrambleSteps(
  entries: readonly Entry[],
  secret: string,
  style: ScrambleStyle,
  keep: ReadonlySet<string> = new Set(),
): Generator<void, readonly Entry[]> {
  const key = seeded(secret);
  const texts = yield* textsInSteps(entries);
  const fresh = (view: View): void => scramblerOf(key, style).more(view);

  /** JSON inside a string keeps its member names and its protocol words. */
  const scrambleLeaf = (leaf: Leaf, go: (view: View) => void): void => {
    // Names of members are read, and nobody's text; a secret in one is an alias by now.
    if (leaf.name || keep.has(leaf.key) || keeps(leaf)) return;
    const packed = packedJson(leaf.view);
    if (packed) {
      for (const one of packed) scrambleLeaf({ ...one, view: asciiOnly(one.view) }, fresh);
      return;
    }
    if (/^\s*[[{]/u.test(leaf.view.text)) {
      const inner = jsonLeaves(leaf.view, 0, leaf.view.text.length, '');
      if (inner && isWholeJson(leaf.view.text)) {
        for (const one of inner) scrambleLeaf(one, fresh);
        return;
      }
    }
    go(leaf.view);
  };

  for (const stream of texts.streams) {
    const counts = new Map<string, number>();
    for (const leaf of stream.leaves()) {
      for (const name of leaf.columns) counts.set(name, (counts.get(name) ?? 0) + 1);
      yield;
    }
    const running = new Map<string, { readonly scrambler: Scrambler; last: string }>();
    for (const leaf of stream.leaves()) {
      yield;
      if (stream.binary && leaf.bare) {
        scrambleBinary(leaf.view, fresh);
        continue;
      }
      if (stream.binary) {
        scrambleLeaf({ ...leaf, view: asciiOnly(leaf.view) }, fresh);
        continue;
      }
      if (leaf.bare && leaf.columns.length === 0) {
        scrambleLines(leaf.view, scramblerOf(key, style));
        continue;
      }
      // The narrowest column with more than this string in it is the part that it continues.
      const column = [...leaf.columns].filter((name) => counts.get(name)! > 1).sort((a, b) => counts.get(a)! - counts.get(b)!)[0];
      if (column === undefined) {
        scrambleLeaf(leaf, fresh);
        continue;
      }
      const { text } = leaf.view;
      const before = running.get(column);
      // A text that repeats what came before it starts over.
      const goesOn =
        before !== undefined &&
        !(before.last.length > 3 && text.startsWith(before.last)) &&
        !(text.length > 3 && before.last.startsWith(text));
      const current = goesOn ? before : { scrambler: scramblerOf(key, style), last: '' };
      current.last = text;
      running.set(column, current);
      scrambleLeaf(leaf, (view) => current.scrambler.more(view));
    }
  }
  for (const { kind, source } of texts.fields) {
    if (kind === 'body') {
      const leaves = jsonLeaves(source, 0, source.text.length, '');
      if (leaves) for (const leaf of leaves) scrambleLeaf(leaf, fresh);
      else fresh(source);
    } else if (kind === 'status') {
      if (!STATUS.test(source.text)) fresh(source);
    } else if (kind === 'words' && source.text.length > 24 && /\s/u.test(source.text)) fresh(source);
  }
  const wire = texts.streams.map((stream) => stream.source.text);
  const done = new Map<string, string>();
  // A place may be named by the words on it. Where it is, it goes whole: nothing is read out of a name.
  const names = createNames(
    () => {},
    (name) => {
      if (!/\s/u.test(name)) return name;
      const source = sourceOf(name);
      fresh(source);
      return source.result();
    },
  );
  for (const entry of entries) for (const name of namesOf(entry)) names.learn(name);
  return yield* texts.rebuild((text) => {
    const known = done.get(text);
    if (known !== undefined) return known;
    const own = text.length <= 40 && STATUS.test(text) && !wire.some((stream) => stream.includes(text));
    let result = text;
    if (!own) {
      const source = sourceOf(text);
      fresh(source);
      result = source.result();
    }
    done.set(text, result);
    return result;
  }, names);
}

/** JSON that a string holds as base64. */
const packedJson = (view: View): readonly Leaf[] | null => {
  if (view.text.length < 16 || !/^[A-Za-z0-9+/_-]+={0,2}$/u.test(view.text)) return null;
  const bytes = decodeBase64(view.text);
  if (bytes === null || (bytes[0] !== 0x7b && bytes[0] !== 0x5b)) return null;
  const inner = base64View(view, 0, bytes);
  return jsonLeaves(inner, 0, inner.text.length, '');
};

/** Where characters are bytes, only those of ASCII are letters; the others are parts of one. */
const asciiOnly = (view: View): View => ({ text: view.text.replace(/[\u0080-\u00ff]/gu, '\u0000'), put: view.put });

const isWholeJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** A whole value of JSON that is no text: what it says is read, and nobody wrote it. */
const LITERAL = /^(?:data: ?)?(?:null|true|false)\r?$/u;

/** Lines of a stream that are no JSON: field and comment lines stay, and so do JSON's own words. */
const scrambleLines = (view: View, scrambler: Scrambler): void => {
  const { text } = view;
  let start = 0;
  for (const line of text.split('\n')) {
    const from = start;
    if (!FIELD_LINE.test(line) && !LITERAL.test(line)) scrambler.more({ text: `${line}\n`, put: (at, unit) => view.put(from + at, unit) });
    start += line.length + 1;
  }
};

const ROLES = /^(?:assistant|user|system|tool|developer|reasoning|text|name)$/u;

/** Bytes that read as words: those with marks or digits in them are ids, the rest is text. */
const scrambleBinary = (view: View, fresh: (view: View) => void): void => {
  for (const match of view.text.matchAll(/[A-Za-z0-9_./:-]{3,}/gu)) {
    const word = match[0];
    if (/[0-9_/:]/u.test(word) || ROLES.test(word)) continue;
    fresh({ text: word, put: (at, unit) => view.put(match.index + at, unit) });
  }
};
