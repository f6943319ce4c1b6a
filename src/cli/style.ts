/** Colour and width for the terminal. Colour never is the only carrier. */

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  blue(text: string): string;
  magenta(text: string): string;
  cyan(text: string): string;
}

export const style = (color: boolean): Style => {
  const wrap =
    (open: number, close: number) =>
    (text: string): string =>
      color && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    red: wrap(31, 39),
    yellow: wrap(33, 39),
    green: wrap(32, 39),
    blue: wrap(34, 39),
    magenta: wrap(35, 39),
    cyan: wrap(36, 39),
  };
};

/** What steers a terminal or turns the order of what is read, and is no text: control characters and marks of direction. */
const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Text from a stream or a file name, fit to be shown: nothing that steers, line ends kept if asked for. */
export const plain = (text: string, keepLines = false): string =>
  text.replace(STEERING, (c) => (keepLines && c === '\n' ? c : c === '\n' || c === '\t' || c === '\r' ? ' ' : '\ufffd'));

/** JSON that says the same, fit to be shown: what steers is in it as an escape. */
export const plainJson = (json: string): string =>
  json.replace(STEERING, (c) => (c === '\n' ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`));

/** At most `width` characters, cut with an ellipsis. */
export const clip = (text: string, width: number): string => {
  const points = [...text];
  return points.length <= width ? text : `${points.slice(0, Math.max(0, width - 1)).join('')}\u2026`;
};

export const ms = (value: number): string =>
  value < 1000
    ? `${Math.round(value)} ms`
    : value < 60_000
      ? `${(value / 1000).toFixed(2)} s`
      : `${Math.floor(value / 60_000)} min ${Math.round((value % 60_000) / 1000)} s`;

export const plural = (count: number, word: string, many = `${word}s`): string => `${count} ${count === 1 ? word : many}`;
