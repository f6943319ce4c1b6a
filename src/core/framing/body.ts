/**
 * JSON bodies. An object (or anything that is not an array) is one frame at its end. A top-level array is read
 * incrementally, one frame per element, because some producers stream an array over time (Gemini without `alt=sse`).
 * A body whose first line is a whole object and is not its last is NDJSON that a server calls JSON (n8n), and read so.
 */
import type { Framer } from './framing';
import { ndjsonFramer } from './ndjson';
import { type RawFrame, rawFrame } from './raw-frame';

/** Whether the text up to its first line end is one whole JSON object. */
const isObjectLine = (line: string): boolean => {
  const text = line.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

export const bodyFramer = (): Framer => {
  let text: string[] = [];
  let offset = 0;
  let array: boolean | null = null;
  /** Set once the body proved to be lines. */
  let lines: Framer | null = null;
  /** maybe: no line end yet. line: the first line is a whole object, and nothing has come after it so far. */
  let first: 'maybe' | 'line' | 'body' = 'maybe';
  // Scanner state inside an array.
  let depth = 0;
  let quoted = false;
  let escaped = false;
  let closed = false;
  let element: string[] = [];
  let elementAt = 0;

  const frame = (data: string, start: number, complete: boolean): RawFrame => rawFrame('body', data, start, start + data.length, complete);

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

  /** Looks for the end of the first line; a body is joined for it once or twice at most, however it comes in. */
  const asLines = (chunk: string): readonly RawFrame[] => {
    if (first === 'body' || (first === 'maybe' && !chunk.includes('\n')) || (first === 'line' && chunk.trim() === '')) return [];
    const all = text.join('');
    const start = all.search(/[^\s\uFEFF]/u);
    const end = all.indexOf('\n', start);
    if (end < 0) return [];
    if (first === 'maybe') first = isObjectLine(all.slice(start, end)) ? 'line' : 'body';
    if (first === 'body' || all.slice(end).trim() === '') return [];
    lines = ndjsonFramer();
    text = [];
    return lines.push(all, { event: null, id: null });
  };

  return {
    push(chunk, meta) {
      if (lines !== null) return lines.push(chunk, meta);
      if (array === null) {
        text.push(chunk);
        const start = text.join('').replace(/^[\s\uFEFF]+/u, '');
        if (start === '') return [];
        array = start.startsWith('[');
        if (!array) return asLines(text.join(''));
        const all = text.join('');
        text = [];
        return scan(all);
      }
      if (array) return scan(chunk);
      text.push(chunk);
      return asLines(chunk);
    },
    end(how) {
      if (lines !== null) return lines.end(how);
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
