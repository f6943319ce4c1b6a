/** Chunks that come in one piece are as hostile as everything from the page. */
import { describe, expect, it } from 'vitest';
import { unpack } from './intake';

const good = { type: 'flow.chunks', flow: 'f', direction: 'received', encoding: 'text', text: 'abcde', at: [1, 2, 3], ends: [2, 2, 5] };

describe('chunks in one piece', () => {
  it('come apart where they were joined', () => {
    expect(unpack(good)?.map((entry) => (entry.type === 'flow.chunk' ? [entry.at, entry.text] : null))).toEqual([
      [1, 'ab'],
      [2, ''],
      [3, 'cde'],
    ]);
  });

  it.each([
    ['text that belongs to none', { ends: [2, 2, 4] }],
    ['an end beyond the text', { ends: [2, 2, 9] }],
    ['ends that go back', { ends: [3, 2, 5] }],
    ['times that are none', { at: [1, Number.NaN, 3] }],
    ['fewer times than ends', { at: [1] }],
    ['an end that is no number', { ends: [2, '3', 5] }],
    ['no text', { text: null }],
    ['no flow', { flow: '' }],
    ['a name without end', { flow: 'f'.repeat(300) }],
    ['a direction of its own', { direction: 'sideways' }],
    ['lists that are none', { at: { length: 3 }, ends: { length: 3 } }],
  ])('are refused with %s', (_what, change) => {
    expect(unpack({ ...good, ...change })).toBeNull();
  });
});
