/** Sightings stand behind the records they can have come from, and wait no longer than they must. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Unstamped } from '../link/messages';
import type { TapEntry } from './intake';
import { createMerge } from './merge';

const chunk = (at: number): TapEntry => ({
  at,
  type: 'flow.chunk',
  flow: 'f',
  direction: 'received',
  text: '',
  encoding: 'text',
  event: null,
  id: null,
});
const sight = (at: number): Unstamped => ({ at, type: 'sight.watch', document: 'd', state: 'rest', visible: true });

const setUp = () => {
  const out: Unstamped[] = [];
  const timers = new Set<() => void>();
  let flushes = 0;
  const merge = createMerge({
    record: (entry) => out.push(entry),
    sighting: (entry) => out.push(entry),
    flush: () => {
      flushes++;
    },
    later: (what) => {
      timers.add(what);
      return () => timers.delete(what);
    },
  });
  return { merge, out, timers, flushes: () => flushes };
};

describe('merging', () => {
  it('puts a sighting behind the chunk of the same time, though the chunk comes later', () => {
    const { merge, out, timers, flushes } = setUp();
    merge.sighting(sight(5));
    expect(out).toEqual([]);
    expect(flushes()).toBe(1);
    merge.batch([chunk(4), chunk(5), chunk(6)], 7);
    expect(out.map((e) => [e.type, e.at])).toEqual([
      ['flow.chunk', 4],
      ['flow.chunk', 5],
      ['sight.watch', 5],
      ['flow.chunk', 6],
    ]);
    expect(timers.size).toBe(0);
  });

  it('waits for a batch that covers its time, and asks for it', () => {
    const { merge, out, flushes } = setUp();
    merge.sighting(sight(5));
    merge.batch([chunk(1)], 3);
    expect(out.map((e) => e.type)).toEqual(['flow.chunk']);
    expect(flushes()).toBe(2);
    merge.batch([], 6);
    expect(out.map((e) => e.type)).toEqual(['flow.chunk', 'sight.watch']);
  });

  it('does not wait for a tap that never answers', () => {
    const { merge, out, timers } = setUp();
    merge.sighting(sight(5));
    for (const timer of [...timers]) timer();
    expect(out).toHaveLength(1);
  });

  it('keeps the order of times, whatever the batches', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ at: fc.nat(50), sees: fc.boolean() })), fc.array(fc.nat(50)), (things, cuts) => {
        const { merge, out } = setUp();
        const sorted = [...things].sort((a, b) => a.at - b.at);
        const chunks = sorted.filter((t) => !t.sees).map((t) => chunk(t.at));
        let sent = 0;
        // Every sighting is made by its time; batches go out at the cuts, each complete up to its cut.
        const times = [...new Set([...cuts, 60])].sort((a, b) => a - b);
        for (const cut of times) {
          for (const t of sorted) if (t.sees && t.at < cut && t.at >= (times[times.indexOf(cut) - 1] ?? 0)) merge.sighting(sight(t.at));
          const upTo = chunks.filter((c) => c.at < cut).length;
          merge.batch(chunks.slice(sent, upTo), cut);
          sent = upTo;
        }
        expect(out.map((e) => e.at)).toEqual(sorted.map((t) => t.at));
        for (let i = 1; i < out.length; i++)
          if (out[i]!.at === out[i - 1]!.at) expect([out[i - 1]!.type, out[i]!.type]).not.toEqual(['sight.watch', 'flow.chunk']);
      }),
      { numRuns: 300 },
    );
  });
});
