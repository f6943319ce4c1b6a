/**
 * Where in a JSON text a key stands, and where its syntax breaks: what JSON.parse does not tell in a portable way.
 */

/** A scanner that walks one JSON value and reports each key's offset; stops at the first fault. */
const scan = (
  text: string,
  onKey: (path: readonly string[], at: number) => void,
): { readonly at: number; readonly expected: string } | null => {
  let at = 0;
  let fault: { at: number; expected: string } | null = null;
  const fail = (expected: string): false => {
    fault ??= { at, expected };
    return false;
  };
  const space = (): void => {
    while (/[\s\uFEFF]/u.test(text[at] ?? 'x')) at++;
  };
  const string = (): string | null => {
    if (text[at] !== '"') return null;
    const start = at++;
    while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
    if (text[at] !== '"') {
      at = start;
      fail('the closing quote of this string');
      return null;
    }
    at++;
    try {
      return JSON.parse(text.slice(start, at)) as string;
    } catch {
      at = start;
      fail('a valid string');
      return null;
    }
  };
  const list = (close: string, entry: (index: number) => boolean): boolean => {
    at++;
    space();
    if (text[at] === close) {
      at++;
      return true;
    }
    for (let index = 0; ; index++) {
      space();
      if (!entry(index)) return false;
      space();
      if (text[at] === close) {
        at++;
        return true;
      }
      if (text[at] !== ',') return fail(`"," or "${close}"`);
      at++;
    }
  };
  const value = (path: readonly string[], depth: number): boolean => {
    if (depth > 200) return fail('less nesting');
    space();
    const c = text[at];
    if (c === '{')
      return list('}', () => {
        const keyAt = at;
        const key = string();
        if (key === null) return fail('a key in double quotes');
        onKey([...path, key], keyAt);
        space();
        if (text[at] !== ':') return fail('":" after the key');
        at++;
        return value([...path, key], depth + 1);
      });
    if (c === '[') return list(']', (index) => value([...path, String(index)], depth + 1));
    if (c === '"') return string() !== null;
    const word = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/u.exec(text.slice(at, at + 40))?.[0];
    if (word === undefined) return fail('a value');
    at += word.length;
    return true;
  };
  if (value([], 0)) {
    space();
    if (at < text.length) fail('nothing more after the end');
  }
  return fault;
};

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** The 1-based line of a key, or of the nearest enclosing key that exists; null if none does. */
export const lineOf = (text: string, path: readonly string[]): number | null => {
  let best: { depth: number; at: number } | null = null;
  scan(text, (found, at) => {
    if (found.length <= path.length && found.every((key, i) => key === path[i]) && (best === null || found.length > best.depth))
      best = { depth: found.length, at };
  });
  return best === null ? null : lineAt(text, (best as { at: number }).at);
};

/** Where the text stops being JSON. */
export const syntaxError = (text: string): { readonly line: number | null; readonly message: string } => {
  if (text.trim() === '') return { line: null, message: 'the file is empty: a mapping is a JSON object' };
  const fault = scan(text, () => {});
  if (fault === null) return { line: null, message: 'this is not valid JSON' };
  const found = text[fault.at];
  return {
    line: lineAt(text, fault.at),
    message: `not valid JSON: expected ${fault.expected}, found ${found === undefined ? 'the end of the file' : JSON.stringify(found)}`,
  };
};
