/**
 * Reads the elements of arrays in one large JSON document while it comes, each as text of its own: the document is never held,
 * and one that is cut off gives all elements before the cut. Only arrays that are members of one object count, like `entries` of `log`.
 */

export interface ArrayScan {
  push(text: string): void;
  /** After the last push: whether the document was closed, what it stopped in if not, and which of the arrays there were. */
  end(): {
    readonly closed: boolean;
    /** Where the element that it stopped in begins; else the last line. */
    readonly line: number;
    readonly inside: { readonly name: string; readonly index: number } | null;
    readonly arrays: ReadonlySet<string>;
  };
}

/** `index` counts from 0; `line` is where the element begins, from 1. */
export type OnElement = (name: string, text: string, index: number, line: number) => void;

const QUOTE = 34;
const BACKSLASH = 92;
const LINE_END = 10;

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** A member name is not longer than this. */
const NAME = 100;

export const createArrayScan = (parent: string, names: readonly string[], onElement: OnElement): ArrayScan => {
  let depth = 0;
  let started = false;
  let line = 1;
  let quoted = false;
  let escaped = false;
  /** The last string at the depth of names, and the names that are open. */
  let last = '';
  let collecting = false;
  let [outer, inner] = ['', ''];
  /** The array that is being read. */
  let within: string | null = null;
  const arrays = new Set<string>();
  const counts = new Map<string, number>();
  /** Of the element that is being read: its pieces up to this push, and where it began. */
  let parts: string[] | null = null;
  let elementLine = 0;
  let kind: 'nested' | 'string' | 'bare' = 'bare';

  const finish = (text: string): void => {
    const whole = parts!.length === 0 ? text : parts!.join('') + text;
    parts = null;
    const index = counts.get(within!) ?? 0;
    counts.set(within!, index + 1);
    onElement(within!, whole, index, elementLine);
  };

  return {
    push(text) {
      /** Where the element lies in this text. */
      let from = 0;
      const begin = (at: number, what: typeof kind): void => {
        parts = [];
        from = at;
        kind = what;
        elementLine = line;
      };
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        if (quoted) {
          if (escaped) escaped = false;
          else if (code === BACKSLASH) escaped = true;
          else if (code === QUOTE) {
            quoted = false;
            collecting = false;
            if (parts !== null && kind === 'string' && depth === 3) finish(text.slice(from, i + 1));
            continue;
          } else if (code === LINE_END) line++;
          if (collecting && last.length < NAME) last += text[i];
          continue;
        }
        if (code === LINE_END) line++;
        if (parts !== null && kind === 'bare' && (code === 44 || code === 93 || isSpace(code))) finish(text.slice(from, i));
        if (isSpace(code)) continue;
        if (within !== null && depth === 3 && parts === null && code !== 44 && code !== 93)
          begin(i, code === 123 || code === 91 ? 'nested' : code === QUOTE ? 'string' : 'bare');
        switch (code) {
          case QUOTE:
            quoted = true;
            collecting = depth <= 2;
            if (collecting) last = '';
            break;
          case 58: // :
            if (depth === 1) outer = last;
            else if (depth === 2) inner = last;
            break;
          case 123: // {
          case 91: // [
            started = true;
            depth++;
            if (depth === 3 && code === 91 && outer === parent && names.includes(inner)) {
              within = inner;
              arrays.add(inner);
            }
            break;
          case 125: // }
          case 93: // ]
            depth--;
            if (parts !== null && kind === 'nested' && depth === 3) finish(text.slice(from, i + 1));
            if (depth === 2) within = null;
            break;
          default:
            break;
        }
      }
      if (parts !== null) parts.push(text.slice(from));
    },
    end: () => ({
      closed: started && depth <= 0,
      line: parts === null ? line : elementLine,
      inside: within === null ? null : { name: within, index: counts.get(within) ?? 0 },
      arrays,
    }),
  };
};
