/**
 * JSON bodies. An object (or anything that is not an array) is one frame at its end. A top-level array is read
 * incrementally, one frame per element, because some producers stream an array over time (Gemini without `alt=sse`).
 */
import type { Framer, RawFrame } from './framing';

export const bodyFramer = (): Framer => {
  let text: string[] = [];
  let offset = 0;
  let array: boolean | null = null;
  // Scanner state inside an array.
  let depth = 0;
  let quoted = false;
  let escaped = false;
  let closed = false;
  let element: string[] = [];
  let elementAt = 0;

  const frame = (data: string, start: number, complete: boolean): RawFrame => ({
    framing: 'body',
    kind: 'data',
    event: null,
    id: null,
    data,
    encoding: 'text',
    span: [start, start + data.length],
    complete,
  });

  const scan = (chunk: string): RawFrame[] => {
    const frames: RawFrame[] = [];
    let from = 0;
    const emit = (end: number): void => {
      const data = element.join('') + chunk.slice(from, end);
      element = [];
      if (data.trim() !== '') frames.push(frame(data, elementAt, true));
    };
    for (let i = 0; i < chunk.length; i++) {
      const c = chunk.charCodeAt(i);
      if (quoted) {
        if (escaped) escaped = false;
        else if (c === 92) escaped = true;
        else if (c === 34) quoted = false;
        continue;
      }
      if (c === 34) quoted = true;
      else if (c === 123 || c === 91) {
        depth++;
        if (depth === 1) {
          from = i + 1;
          elementAt = offset + from;
        }
      } else if (c === 125 || c === 93) {
        depth--;
        if (depth === 0) {
          emit(i);
          from = i + 1;
          closed = true;
        }
      } else if (c === 44 && depth === 1) {
        emit(i);
        from = i + 1;
        elementAt = offset + from;
      }
    }
    if (depth >= 1 && from < chunk.length) element.push(chunk.slice(from));
    offset += chunk.length;
    return frames;
  };

  return {
    push(chunk) {
      if (array === null) {
        text.push(chunk);
        const start = text.join('').replace(/^[\s\uFEFF]+/u, '');
        if (start === '') return [];
        array = start.startsWith('[');
        if (!array) return [];
        const all = text.join('');
        text = [];
        return scan(all);
      }
      if (array) return scan(chunk);
      text.push(chunk);
      return [];
    },
    end(how) {
      if (array) {
        const rest = element.join('');
        element = [];
        return closed || rest.trim() === '' ? [] : [frame(rest, elementAt, false)];
      }
      const all = text.join('');
      text = [];
      return all.trim() === '' ? [] : [frame(all, 0, how === 'eof')];
    },
  };
};
