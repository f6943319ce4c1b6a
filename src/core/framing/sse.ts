/**
 * Server-sent events. eventsource-parser reads the lines (https://html.spec.whatwg.org/multipage/server-sent-events.html);
 * this framer adds what it lacks: where in the text each event lies, comments in order, and the unfinished tail.
 *
 * The text is cut at blank lines and each block is handed to the parser whole. Pending fragments are joined once per
 * block, not once per chunk, so a 50 MB event in 4 kB chunks costs O(n).
 */
import { createParser } from 'eventsource-parser';
import type { Framer } from './framing';
import { type RawFrame, rawFrame } from './raw-frame';

/** A blank line: two line ends in a row. `\r` before `\n` is half of one end. */
const BLANK = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/gu;

export const sseFramer = (): Framer => {
  let out: RawFrame[] = [];
  let from = 0;
  let to = 0;
  const frame = (kind: 'data' | 'comment', event: string | null, id: string | null, data: string, complete: boolean): void => {
    out.push(rawFrame('sse', data, from, to, complete, event, id, kind));
  };
  const parser = createParser({
    onEvent: ({ event, id, data }) => frame('data', event ?? null, id ?? null, data, true),
    onComment: (comment) => frame('comment', null, null, comment, true),
  });

  let pending: string[] = [];
  /** The last two characters before the next fragment, to see a blank line that spans two chunks. */
  let tail = '';
  let offset = 0;

  const block = (whole: string): void => {
    let text = whole;
    from = offset;
    to = offset + text.length;
    offset = to;
    // The standard drops one byte order mark at the start; the parser knows it only as bytes.
    if (from === 0 && text.startsWith('\uFEFF')) text = text.slice(1);
    // A block is whole, so its line ends are known; the parser would wait for the `\n` that may follow a `\r`.
    parser.feed(text.includes('\r') ? text.replace(/\r\n?/gu, '\n') : text);
  };

  /** The value of a field whose colon stands before `at`. */
  const value = (whole: string, at: number, end: number): string => whole.slice(whole.charCodeAt(at) === 32 ? at + 1 : at, end);

  /**
   * Nearly all events are one line of data, and at most a name and an id. What the parser would make of that is known, and
   * asking it costs as much as all the rest. False, and nothing done, for any other block.
   */
  const plainBlock = (whole: string, start: number, end: number): boolean => {
    let event: string | null = null;
    let id: string | null = null;
    let data: string | null = null;
    for (let at = start; at < end - 1; ) {
      const stop = whole.indexOf('\n', at);
      if (data === null && whole.startsWith('data:', at)) data = value(whole, at + 5, stop);
      else if (event === null && whole.startsWith('event:', at)) event = value(whole, at + 6, stop);
      else if (id === null && whole.startsWith('id:', at)) id = value(whole, at + 3, stop);
      else return false;
      at = stop + 1;
    }
    if (data === null || event === '' || id?.includes('\0')) return false;
    from = offset;
    to = offset + end - start;
    offset = to;
    frame('data', event, id, data, true);
    return true;
  };

  /** Line ends are `\n` alone in nearly every stream: then the blank lines are found without a regular expression. */
  let plain = true;

  const takePlain = (text: string): void => {
    const seam = tail.endsWith('\n') && text.startsWith('\n');
    let hit = seam ? -1 : text.indexOf('\n\n');
    if (hit < 0 && !seam) {
      pending.push(text);
      tail = text.length > 1 ? text.slice(-2) : (tail + text).slice(-2);
      return;
    }
    let start = 0;
    // Only what ends the pending block is joined to it: the rest is read where it stands.
    if (pending.length > 0) {
      start = hit + 2;
      const whole = pending.join('') + text.slice(0, start);
      pending = [];
      if (!plainBlock(whole, 0, whole.length)) block(whole);
      hit = text.indexOf('\n\n', start);
    }
    for (; hit >= 0; hit = text.indexOf('\n\n', start)) {
      if (!plainBlock(text, start, hit + 2)) block(text.slice(start, hit + 2));
      start = hit + 2;
    }
    const rest = text.slice(start);
    if (rest !== '') pending.push(rest);
    tail = rest.slice(-2);
  };

  const take = (text: string): void => {
    if (plain && text.includes('\r')) plain = false;
    if (plain) {
      takePlain(text);
      return;
    }
    // Cheap test first: most chunks of a long event hold no blank line at all.
    const seam = tail + text;
    BLANK.lastIndex = 0;
    if (!BLANK.test(seam)) {
      pending.push(text);
      tail = seam.slice(-2);
      return;
    }
    const whole = pending.length === 0 ? text : pending.join('') + text;
    pending = [];
    let start = 0;
    BLANK.lastIndex = Math.max(0, whole.length - text.length - 2);
    for (let hit = BLANK.exec(whole); hit !== null; hit = BLANK.exec(whole)) {
      const end = hit.index + hit[0].length;
      // `\r` at the very end may be half of `\r\n`: leave it for the next chunk.
      if (end === whole.length && whole.endsWith('\r')) break;
      block(whole.slice(start, end));
      start = end;
    }
    const rest = whole.slice(start);
    if (rest !== '') pending.push(rest);
    tail = rest.slice(-2);
  };

  const flush = (): RawFrame[] => {
    const done = out;
    out = [];
    return done;
  };

  return {
    push(text) {
      if (text !== '') take(text);
      return flush();
    },
    end() {
      const rest = pending.join('');
      pending = [];
      tail = '';
      if (rest.trim() === '') return flush();
      if (/(?:\n|\r)(?:\r\n|\n|\r)$/u.test(rest) && rest.endsWith('\r')) {
        // The lone `\r` that was held back did end the event.
        block(rest);
        return flush();
      }
      // An event without its blank line is not an event; its comment lines are complete all the same.
      from = offset;
      to = offset + rest.length;
      offset = to;
      let event: string | null = null;
      let id: string | null = null;
      const data: string[] = [];
      let others = 0;
      for (const line of rest.split(/\r\n|\n|\r/u)) {
        if (line === '') continue;
        if (line.startsWith(':')) {
          frame('comment', null, null, line.slice(line.startsWith(': ') ? 2 : 1), true);
          continue;
        }
        others++;
        const colon = line.indexOf(':');
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
        if (field === 'event') event = value;
        else if (field === 'id') id = value;
        else if (field === 'data') data.push(value);
      }
      if (others > 0) frame('data', event, id, data.join('\n'), false);
      return flush();
    },
  };
};
