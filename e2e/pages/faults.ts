/**
 * What goes wrong between a server and a page, done to a response that knows nothing of it: the connection ends or breaks in
 * the middle, the last events come late, or the connection stays after its end. So the servers of the pages stay as their
 * packages make them. When it strikes is told by what has passed, never by a clock.
 */
import type { ServerResponse } from 'node:http';

export interface Fault {
  /** Takes effect once this has passed so many times (once, if not said). A global expression, over the body as text. */
  readonly after: RegExp;
  readonly times?: number;
  /** end: closed politely. reset: broken. late: what follows is held back for a while. open: said to its end, and not closed. */
  readonly how: 'end' | 'reset' | 'late' | 'open';
}

const LATE_MS = 2_500;
/** What was written has to reach the page before the connection breaks. */
const FLUSH_MS = 60;

/** Lets a response through up to the fault. Call it before anything is written. */
export const spoil = (response: ServerResponse, fault: Fault): void => {
  const write = response.write.bind(response) as (chunk: Uint8Array) => boolean;
  const end = response.end.bind(response) as () => ServerResponse;
  const decoder = new TextDecoder();
  let text = '';
  let struck = false;
  let held: (() => void)[] | null = null;

  const strike = (): void => {
    struck = true;
    if (fault.how === 'end') end();
    else if (fault.how === 'reset') setTimeout(() => response.socket?.resetAndDestroy(), FLUSH_MS);
    else if (fault.how === 'late') {
      held = [];
      setTimeout(() => {
        const now = held ?? [];
        held = null;
        for (const one of now) one();
      }, LATE_MS);
    }
  };
  /** The place behind the n-th match, or -1. */
  const place = (): number => {
    let count = 0;
    for (const match of text.matchAll(fault.after)) if (++count === (fault.times ?? 1)) return match.index + match[0].length;
    return -1;
  };

  response.write = ((chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
    const done = rest.find((one): one is () => void => typeof one === 'function');
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    const pass = (): void => {
      if (struck) {
        if (held !== null) held.push(() => write(bytes));
        else if (fault.how === 'late' || fault.how === 'open') write(bytes);
        return;
      }
      const before = text.length;
      text += decoder.decode(bytes, { stream: true });
      const at = place();
      if (at < 0) {
        write(bytes);
        return;
      }
      // Whole frames only: the fault is the missing end, not a frame cut in two.
      const frame = text.slice(at).search(/\n\n|\r\n\r\n/u);
      const to = frame < 0 ? text.length : at + frame + 2;
      write(new TextEncoder().encode(text.slice(before, to)));
      const left = text.slice(to);
      strike();
      if (left === '') return;
      const rest = new TextEncoder().encode(left);
      if (fault.how === 'late') held?.push(() => write(rest));
      else if (fault.how === 'open') write(rest);
    };
    pass();
    done?.();
    return true;
  }) as ServerResponse['write'];

  response.end = ((chunk?: unknown, ...rest: unknown[]): ServerResponse => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) response.write(chunk as Uint8Array);
    const done = [chunk, ...rest].find((one): one is () => void => typeof one === 'function');
    if (held !== null) held.push(() => end());
    else if (!struck || fault.how === 'late') end();
    done?.();
    return response;
  }) as ServerResponse['end'];
};
