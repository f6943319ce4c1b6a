/**
 * Text fragments to lines, numbered, any chunking. Fragments are joined once per line, so that one line of 50 MB in small
 * reads costs O(n).
 */

export interface LineReader {
  push(text: string): void;
  /** Hands over the last line if it lacks its line end. */
  end(): void;
}

/** `number` is 1-based; `ended` is false for a last line without its line end. */
export type OnLine = (line: string, number: number, ended: boolean) => void;

export const createLineReader = (onLine: OnLine): LineReader => {
  let pending: string[] = [];
  let number = 0;
  const emit = (line: string, ended: boolean): void => {
    number++;
    onLine(line.charCodeAt(line.length - 1) === 13 ? line.slice(0, -1) : line, number, ended);
  };
  return {
    push(text) {
      let start = 0;
      for (let cut = text.indexOf('\n'); cut >= 0; cut = text.indexOf('\n', start)) {
        const piece = text.slice(start, cut);
        if (pending.length === 0) emit(piece, true);
        else {
          pending.push(piece);
          const line = pending.join('');
          pending = [];
          emit(line, true);
        }
        start = cut + 1;
      }
      if (start < text.length) pending.push(start === 0 ? text : text.slice(start));
    },
    end() {
      const rest = pending.join('');
      pending = [];
      if (rest !== '') emit(rest, false);
    },
  };
};
