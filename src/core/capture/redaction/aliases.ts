/** The book of secrets and what stands in their place: same length, same alias for the same secret, nothing of the secret in it. */
import type { RedactionReport } from '../redact';
import type { Hit, SecretKind } from './secrets';

export interface AliasBook {
  learn(secret: string, kind: SecretKind): void;
  /** No more is learnt; from here on known secrets can be looked for. */
  close(): void;
  aliasFor(secret: string, kind: SecretKind): string;
  /** Known secrets in a text. */
  occurrences(text: string): Hit[];
  /** The beginning of a known secret at the very end of a text that goes on elsewhere. */
  beginnings(text: string): Hit[];
  count(secret: string, kind: SecretKind): void;
  report(): Omit<RedactionReport, 'dropped'>;
}

const LETTER: Readonly<Record<SecretKind, string>> = {
  key: 'k',
  token: 't',
  password: 'p',
  cookie: 'c',
  'e-mail': 'm',
  'private key': 's',
  url: 'u',
  'phone number': 'n',
  'card number': 'b',
  word: 'w',
};

/** Shorter secrets are replaced where they were found, and not looked for elsewhere: they could be words. */
const SEEK = 8;
/** Fewer characters of a secret at the end of a text are not taken for its beginning. */
const BEGINNING = 6;

/** As in a URL; lone surrogates, which have no such spelling, leave the text as it is. */
const encodeUri = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Finds any of many words in time that does not grow with their number: by a hash of their first characters that rolls along. */
const finderOf = (words: readonly string[]): ((text: string) => readonly { readonly start: number; readonly word: string }[]) => {
  const byStart = new Map<string, string[]>();
  const there = new Uint8Array(65_536);
  // What the character that leaves has been multiplied by.
  let leaving = 1;
  for (let i = 1; i < SEEK; i++) leaving = Math.imul(leaving, 31);
  const slot = (hash: number): number => (hash ^ (hash >>> 16)) & 0xffff;
  for (const word of words) {
    const start = word.slice(0, SEEK);
    const list = byStart.get(start);
    if (list) list.push(word);
    else {
      byStart.set(start, [word]);
      let hash = 0;
      for (let i = 0; i < SEEK; i++) hash = (Math.imul(hash, 31) + start.charCodeAt(i)) | 0;
      there[slot(hash)] = 1;
    }
  }
  // Where one begins another, the longer one is meant.
  for (const list of byStart.values()) list.sort((a, b) => b.length - a.length);
  return (text) => {
    const found: { start: number; word: string }[] = [];
    let hash = 0;
    let free = 0;
    for (let i = 0; i < text.length; i++) {
      if (i >= SEEK) hash = (hash - Math.imul(text.charCodeAt(i - SEEK), leaving)) | 0;
      hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
      const start = i - SEEK + 1;
      if (start < free || there[slot(hash)] === 0) continue;
      const word = byStart.get(text.slice(start, i + 1))?.find((one) => text.startsWith(one, start));
      if (word === undefined) continue;
      found.push({ start, word });
      free = start + word.length;
    }
    return found;
  };
};

export const aliasBook = (): AliasBook => {
  const known = new Map<string, { readonly number: number; readonly kind: SecretKind; count: number }>();
  let seek: ReturnType<typeof finderOf> | null = null;
  /** Secrets by their first characters. */
  const byBeginning = new Map<string, string[]>();
  const cutOff = new Map<string, string>();
  let longest = 0;
  let numbers = 0;

  const entryOf = (secret: string, kind: SecretKind) => {
    let entry = known.get(secret);
    if (!entry) {
      // The beginning of a secret has the alias of the secret.
      entry = { number: ++numbers, kind, count: 0 };
      known.set(secret, entry);
    }
    return entry;
  };

  /** Numbers stay numbers, written as they were: a form that checks them goes on as it did. Rows of zeros are found no more. */
  const writeNumber = (number: number, secret: string): string => {
    const digits = secret.replace(/\D/gu, '').length;
    const alias = `1${String(number).padStart(Math.max(0, digits - 1), '0')}`.slice(-digits);
    let i = 0;
    return secret.replace(/[\dA-Z]/gu, (c) => (/\d/u.test(c) ? alias[i++]! : 'X'));
  };

  const write = (number: number, kind: SecretKind, secret: string): string => {
    const { length } = secret;
    if ((kind === 'phone number' || kind === 'card number') && length > 6) return writeNumber(number, secret);
    const full = `redacted-${LETTER[kind]}${number}-`;
    if (length >= full.length) return full.padEnd(length, 'x');
    // Too short for words. It begins as placeholders do, so that it is not taken for a secret again.
    return `xxx${number.toString(36)}`.padEnd(length, 'x').slice(0, length);
  };

  const wholeOf = (text: string): string | null => {
    for (const secret of byBeginning.get(text.slice(0, BEGINNING)) ?? []) if (secret.startsWith(text)) return secret;
    return null;
  };

  return {
    learn: (secret, kind) => void entryOf(secret, kind),
    close() {
      const long = [...known.keys()]
        .filter((secret) => secret.length >= SEEK && !/^[A-Za-z]+$/u.test(secret))
        .sort((a, b) => b.length - a.length);
      const spelled = long.flatMap((secret) => {
        const encoded = encodeUri(secret);
        if (encoded !== secret && !known.has(encoded)) known.set(encoded, known.get(secret)!);
        return [secret, encoded];
      });
      seek = long.length === 0 ? null : finderOf([...new Set(spelled)]);
      // A shorter one that begins a longer one is that one, cut off: streams that repeat themselves show both.
      const all = [...known.keys()].sort();
      for (let i = all.length - 2; i >= 0; i--) {
        const [shorter, longer] = [all[i]!, all[i + 1]!];
        if (shorter.length >= BEGINNING && longer.startsWith(shorter)) cutOff.set(shorter, cutOff.get(longer) ?? longer);
      }
      for (const secret of long) {
        const start = secret.slice(0, BEGINNING);
        longest = Math.max(longest, secret.length);
        const list = byBeginning.get(start);
        if (list) list.push(secret);
        else byBeginning.set(start, [secret]);
      }
    },
    aliasFor(secret, kind) {
      const longer = cutOff.get(secret);
      if (longer !== undefined) {
        const { number, kind: longerKind } = known.get(longer)!;
        return write(number, longerKind, longer).slice(0, secret.length);
      }
      const entry = known.get(secret);
      if (entry) return write(entry.number, entry.kind, secret);
      const whole = wholeOf(secret);
      if (whole !== null) {
        const { number, kind: wholeKind } = known.get(whole)!;
        return write(number, wholeKind, whole).slice(0, secret.length);
      }
      const made = entryOf(secret, kind);
      return write(made.number, made.kind, secret);
    },
    occurrences(text) {
      if (seek === null || text.length < SEEK) return [];
      return seek(text).map(({ start, word }) => ({ start, end: start + word.length, kind: known.get(word)?.kind ?? 'key' }));
    },
    beginnings(text) {
      if (byBeginning.size === 0 || text.length < BEGINNING) return [];
      // A caret or an ellipsis may follow what has been typed so far.
      const end = text.length - (/[^A-Za-z0-9]{1,3}$/u.exec(text)?.[0].length ?? 0);
      for (const stop of new Set([text.length, end]))
        for (let start = Math.max(0, stop - longest); start <= stop - BEGINNING; start++) {
          const candidates = byBeginning.get(text.slice(start, start + BEGINNING));
          if (!candidates) continue;
          const rest = text.slice(start, stop);
          const secret = candidates.find((one) => one.length > rest.length && one.startsWith(rest));
          if (secret !== undefined) return [{ start, end: stop, kind: known.get(secret)!.kind }];
        }
      return [];
    },
    count(secret, kind) {
      const whole = cutOff.get(secret) ?? (known.has(secret) ? secret : (wholeOf(secret) ?? secret));
      entryOf(whole, kind).count++;
    },
    report() {
      const seen = new Set<number>();
      const replacements = [...known]
        .filter(([, { number, count }]) => count > 0 && !seen.has(number) && seen.add(number))
        .map(([secret, { number, kind, count }]) => ({ kind, alias: write(number, kind, secret), length: secret.length, count }));
      return { replacements, replaced: replacements.reduce((sum, one) => sum + one.count, 0) };
    },
  };
};
