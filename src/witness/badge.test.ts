/** What the toolbar counts: certain findings that are not muted, of the tab's own document and its frames. */
import { describe, expect, it } from 'vitest';
import type { BadgeCall, CountCall } from '../link/calls';
import type { Unstamped } from '../link/messages';
import { createBadge } from './badge';
import { createJudge } from './judge';

const ORIGIN = 'http://localhost:1';
const setUp = (topLevel = true) => {
  const said: (CountCall | BadgeCall)[] = [];
  const idle: ((ms: number) => void)[] = [];
  let here = false;
  const badge = createBadge({
    document: () => ({ key: 'd', url: `${ORIGIN}/`, topLevel, timeOrigin: 0 }),
    origin: ORIGIN,
    now: () => 0,
    idle: (work) => idle.push(work),
    say: (call) => said.push(call),
    found: () => (here ? createJudge : undefined),
    mappings: () => Promise.resolve([]),
  });
  return {
    badge,
    said,
    async arrive() {
      here = true;
      badge.add({ at: 1, type: 'tick' });
      await Promise.resolve();
      await Promise.resolve();
    },
    rest() {
      while (idle.length > 0) idle.shift()!(4);
    },
  };
};

const delta = (text: string): string =>
  `data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`;
/** A stream that breaks off in the middle of its answer. */
const severed = (flow = 'f'): Unstamped[] => [
  {
    at: 1,
    type: 'flow.opened',
    flow,
    document: 'd',
    transport: 'fetch',
    method: 'POST',
    url: `${ORIGIN}/chat`,
    requestHeaders: {},
    requestBody: null,
  },
  { at: 2, type: 'flow.head', flow, status: 200, headers: { 'content-type': 'text/event-stream' } },
  { at: 3, type: 'flow.chunk', flow, direction: 'received', text: delta('Hel') + delta('lo'), encoding: 'text', event: null, id: null },
  { at: 4, type: 'flow.ended', flow, how: 'network-error', code: null, detail: null },
];

describe('the count', () => {
  it('is said when a run has ended badly, with what came before the judge did', async () => {
    const { badge, said, arrive, rest } = setUp();
    for (const entry of severed()) badge.add(entry);
    expect(said).toEqual([]);
    await arrive();
    rest();
    expect(said).toEqual([{ link: 1, type: 'badge', count: 1 }]);
  });

  it('leaves out what is muted for the origin, and says so at once', async () => {
    const { badge, said, arrive, rest } = setUp();
    await arrive();
    for (const entry of severed()) badge.add(entry);
    rest();
    badge.mute(['http://localhost:2 severed-stream']);
    expect(said.map(({ count }) => count)).toEqual([1]);
    badge.mute([`${ORIGIN} severed-stream`]);
    expect(said.map(({ count }) => count)).toEqual([1, 0]);
    badge.mute([]);
    expect(said.map(({ count }) => count)).toEqual([1, 0, 1]);
  });

  it('of a frame goes to the tab’s own document, which adds up', async () => {
    const frame = setUp(false);
    await frame.arrive();
    for (const entry of severed()) frame.badge.add(entry);
    frame.rest();
    expect(frame.said).toEqual([{ link: 1, type: 'count', document: 'd', count: 1 }]);
    const top = setUp();
    top.badge.heard('a', 2);
    top.badge.heard('b', 3);
    top.badge.heard('a', 0);
    expect(top.said.map(({ count }) => count)).toEqual([2, 5, 3]);
    // A frame adds nobody up.
    frame.badge.heard('c', 9);
    expect(frame.said).toHaveLength(1);
  });

  it('is said again when the page comes back', async () => {
    const { badge, said, arrive, rest } = setUp();
    await arrive();
    badge.again();
    expect(said).toEqual([]);
    for (const entry of severed()) badge.add(entry);
    rest();
    badge.again();
    expect(said.map(({ count }) => count)).toEqual([1, 1]);
  });
});
