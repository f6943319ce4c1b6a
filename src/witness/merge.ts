/**
 * Puts sightings behind the bytes that made the page show them. The tap sends in batches, so what the page did with a chunk
 * can be seen here before the chunk itself arrives; a sighting in front of the word it rests on would be judged as premature.
 * Each batch says up to when it is complete, and a sighting waits until a batch covers its time. Where two times are equal
 * the record goes first: the tap notes bytes before the page can read them.
 */
import type { Unstamped } from '../link/messages';
import type { TapEntry } from './intake';

export interface MergeOptions {
  readonly record: (entry: TapEntry) => void;
  readonly sighting: (entry: Unstamped) => void;
  /** Asks the tap for a batch now, even an empty one. */
  readonly flush: () => void;
  readonly later: (what: () => void, ms: number) => () => void;
}

export interface Merge {
  batch(records: readonly TapEntry[], upTo: number): void;
  sighting(entry: Unstamped): void;
  /** Lets everything go that waits. */
  release(): void;
}

/** A tap that does not answer has switched itself off: then there is nothing to wait for. */
const ANSWER_MS = 500;

export const createMerge = ({ record, sighting, flush, later }: MergeOptions): Merge => {
  let waiting: Unstamped[] = [];
  let callOff: (() => void) | null = null;

  const release = (before: number): void => {
    let i = 0;
    while (i < waiting.length && waiting[i]!.at < before) sighting(waiting[i++]!);
    if (i > 0) waiting = waiting.slice(i);
  };
  const expect = (): void => {
    callOff?.();
    callOff = null;
    if (waiting.length === 0) return;
    callOff = later(() => {
      callOff = null;
      release(Number.POSITIVE_INFINITY);
    }, ANSWER_MS);
    flush();
  };

  return {
    batch(records, upTo) {
      for (const entry of records) {
        // An opening is told when the flow proves to be one, with the time at which it was asked for: it holds nothing up.
        if (entry.type !== 'flow.opened') release(entry.at);
        record(entry);
      }
      release(upTo);
      if (waiting.length > 0 || callOff !== null) expect();
    },
    sighting(entry) {
      // Read in frames, with the times of the changes: nearly in order, and put in order here.
      let i = waiting.length;
      while (i > 0 && waiting[i - 1]!.at > entry.at) i--;
      waiting.splice(i, 0, entry);
      if (waiting.length === 1) expect();
    },
    release: () => release(Number.POSITIVE_INFINITY),
  };
};
