/**
 * Views: a text that can be read as it was and written over in place, character by character, through any number of
 * encodings (JSON escapes, JSON in JSON, percent escapes, base64) and over any number of pieces. What is written has the
 * length of what was there, so nothing else moves.
 */

export interface View {
  /** As it was; writing does not show here. */
  readonly text: string;
  put(at: number, unit: number): void;
}

/** A text of the capture itself. */
export interface Source extends View {
  /** The text with what was written over it. */
  result(): string;
}

/** One that can be read in stretches, too. */
export interface LongSource extends Source {
  between(start: number, end: number): string;
  /** Something was written. */
  readonly written: boolean;
}

/** Characters that are copied where one of them is written over: a long text is never copied as a whole. */
const BLOCK = 4_096;

export const sourceOf = (text: string): LongSource => {
  const blocks = new Map<number, Uint16Array>();
  const between = (start: number, end: number): string => {
    if (blocks.size === 0) return text.slice(start, end);
    const parts: string[] = [];
    for (let at = start; at < end; ) {
      const number = Math.floor(at / BLOCK);
      const stop = Math.min(end, (number + 1) * BLOCK);
      const units = blocks.get(number);
      const first = number * BLOCK;
      parts.push(
        units === undefined
          ? text.slice(at, stop)
          : String.fromCharCode.apply(null, units.subarray(at - first, stop - first) as unknown as number[]),
      );
      at = stop;
    }
    return parts.length === 1 ? parts[0]! : parts.join('');
  };
  return {
    text,
    put(at, unit) {
      const number = Math.floor(at / BLOCK);
      let units = blocks.get(number);
      if (units === undefined) {
        const first = number * BLOCK;
        const length = Math.min(BLOCK, text.length - first);
        // What does not exist cannot be written over.
        if (length <= 0) return;
        units = new Uint16Array(length);
        for (let i = 0; i < length; i++) units[i] = text.charCodeAt(first + i);
        blocks.set(number, units);
      }
      units[at % BLOCK] = unit;
    },
    result: () => between(0, text.length),
    between,
    get written() {
      return blocks.size > 0;
    },
  };
};

const HEX = '0123456789abcdef';

/** A view where each character comes from a token of the parent; tokens that cannot hold another character are left alone. */
const tokenView = (parent: View, text: string, at: Int32Array, size: Uint8Array): View => ({
  text,
  put(i, unit) {
    const from = at[i]!;
    switch (size[i]) {
      case 1:
        parent.put(from, unit);
        return;
      case 3: // %41
        if (unit > 0xff) return;
        parent.put(from + 1, HEX.charCodeAt(unit >> 4));
        parent.put(from + 2, HEX.charCodeAt(unit & 15));
        return;
      case 6: // \u0041
        for (let digit = 0; digit < 4; digit++) parent.put(from + 2 + digit, HEX.charCodeAt((unit >> (12 - 4 * digit)) & 15));
        return;
      default:
        return;
    }
  },
});

export const sliceView = (parent: View, start: number, end: number): View => ({
  text: parent.text.slice(start, end),
  put: (at, unit) => parent.put(start + at, unit),
});

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The inside of a JSON string, between its quotes. */
export const stringView = (parent: View, start: number, end: number): View => {
  const raw = parent.text.slice(start, end);
  if (!raw.includes('\\')) return sliceView(parent, start, end);
  const at = new Int32Array(raw.length);
  const size = new Uint8Array(raw.length);
  const parts: string[] = [];
  let length = 0;
  for (let i = 0; i < raw.length; ) {
    at[length] = start + i;
    if (raw[i] !== '\\') {
      size[length] = 1;
      parts.push(raw[i]!);
      i++;
    } else if (raw[i + 1] === 'u' && /^[0-9a-fA-F]{4}$/u.test(raw.slice(i + 2, i + 6))) {
      size[length] = 6;
      parts.push(String.fromCharCode(Number.parseInt(raw.slice(i + 2, i + 6), 16)));
      i += 6;
    } else {
      size[length] = 2;
      const next = raw[i + 1] ?? '';
      parts.push(ESCAPES[next] ?? (next === '' ? '\\' : next));
      i += 2;
    }
    length++;
  }
  return tokenView(parent, parts.join(''), at, size);
};

/** Percent escapes of single bytes; null if there are none. */
export const percentView = (parent: View): View | null => {
  const raw = parent.text;
  if (!/%[0-9a-f]{2}/iu.test(raw)) return null;
  const at = new Int32Array(raw.length);
  const size = new Uint8Array(raw.length);
  const parts: string[] = [];
  let length = 0;
  for (let i = 0; i < raw.length; ) {
    const code = raw[i] === '%' && /^[0-7][0-9a-f]$/iu.test(raw.slice(i + 1, i + 3)) ? Number.parseInt(raw.slice(i + 1, i + 3), 16) : -1;
    at[length] = i;
    size[length] = code < 0 ? 1 : 3;
    parts.push(code < 0 ? raw[i]! : String.fromCharCode(code));
    i += code < 0 ? 1 : 3;
    length++;
  }
  return tokenView(parent, parts.join(''), at, size);
};

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The bytes of a stretch of base64, one character a byte. `bytes` must be what it decodes to. */
export const base64View = (parent: View, start: number, bytes: Uint8Array): View => {
  const raw = parent.text.slice(start);
  const alphabet = /[-_]/u.test(raw.slice(0, Math.ceil((bytes.length * 4) / 3))) ? URL_SAFE : STANDARD;
  const now = bytes.slice();
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192)
    parts.push(String.fromCharCode.apply(null, bytes.subarray(at, at + 8192) as unknown as number[]));
  return {
    text: parts.join(''),
    put(at, unit) {
      if (unit > 0xff) return;
      now[at] = unit;
      const group = Math.floor(at / 3);
      const [a, b, c] = [now[group * 3]!, now[group * 3 + 1], now[group * 3 + 2]];
      const from = start + group * 4;
      parent.put(from, alphabet.charCodeAt(a >> 2));
      parent.put(from + 1, alphabet.charCodeAt(((a & 3) << 4) | ((b ?? 0) >> 4)));
      if (b !== undefined) parent.put(from + 2, alphabet.charCodeAt(((b & 15) << 2) | ((c ?? 0) >> 6)));
      if (c !== undefined) parent.put(from + 3, alphabet.charCodeAt(c & 63));
    },
  };
};

export interface JoinedView extends View {
  /** The index of the piece that holds this character. */
  pieceAt(at: number): number;
  /** Where the piece begins. */
  startOf(piece: number): number;
}

/** Several views as one text. */
export const joinedView = (pieces: readonly View[]): JoinedView => {
  const starts = new Int32Array(pieces.length + 1);
  for (let i = 0; i < pieces.length; i++) starts[i + 1] = starts[i]! + pieces[i]!.text.length;
  const pieceAt = (at: number): number => {
    let low = 0;
    let high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    text: pieces.map((piece) => piece.text).join(''),
    pieceAt,
    startOf: (piece) => starts[piece]!,
    put(at, unit) {
      const piece = pieceAt(at);
      pieces[piece]!.put(at - starts[piece]!, unit);
    },
  };
};
