import { beforeEach, expect, test } from 'vitest';
import { DIALECTS } from '../core/dialects';
import { ON_DEMAND } from '../core/dialects/on-demand';
import type { SourceDocument } from '../core/model';
import { createStock } from './dialects';
import type { Scheduler, Unnumbered } from './feed';
import { followHold, letGoOver, MEGABYTE_CHARS } from './hold';
import { createSettings } from './settings';
import { createStore } from './store';

const page: SourceDocument = { key: 'd', url: 'http://localhost/', topLevel: true, timeOrigin: 0 };

/** Everything at once, when asked for. */
const setUp = () => {
  const turns: (() => void)[] = [];
  const push = (what: () => void): void => void turns.push(what);
  let now = 0;
  const scheduler: Scheduler = { now: () => now++, yield: push, later: push };
  const settings = createSettings();
  settings.holdLimit.value = 1;
  const store = createStore(scheduler, settings, createStock(ON_DEMAND, DIALECTS));
  store.liveDocument(page);
  const run = (): void => {
    while (turns.length > 0) turns.shift()!();
  };
  let at = 0;
  const say = (...entries: readonly object[]): void => {
    store.liveEntries(entries.map((entry) => ({ at: at++, ...entry }) as Unnumbered));
    run();
  };
  const stream = (flow: string, chars: number, end: boolean): void => {
    const data = (value: object) => ({
      type: 'flow.chunk',
      flow,
      direction: 'received',
      text: `data: ${JSON.stringify(value)}\n\n`,
      encoding: 'text',
      event: null,
      id: null,
    });
    say(
      { type: 'flow.opened', flow, document: 'd', transport: 'fetch', method: 'POST', url: '/x', requestHeaders: {}, requestBody: null },
      { type: 'flow.head', flow, status: 200, headers: { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' } },
      data({ type: 'start', messageId: flow }),
      data({ type: 'text-start', id: 't' }),
      data({ type: 'text-delta', id: 't', delta: 'x'.repeat(chars) }),
      { type: 'sight.watch', document: 'd', state: 'started', visible: true },
    );
    if (end)
      say(data({ type: 'text-end', id: 't' }), data({ type: 'finish' }), {
        type: 'flow.ended',
        flow,
        how: 'eof',
        code: null,
        detail: null,
      });
  };
  return { store, settings, run, stream };
};

beforeEach(() => {
  letGoOver.value = null;
});

test('over the bound what is over is let go, and what is open stays with all that was seen on its page', () => {
  const { store, run, stream } = setUp();
  followHold(store);
  stream('over', MEGABYTE_CHARS / 2, true);
  stream('open', MEGABYTE_CHARS / 4, false);
  expect(letGoOver.value).toBeNull();
  expect(store.runs.value).toHaveLength(2);
  stream('more', MEGABYTE_CHARS / 2, false);
  run();
  expect(letGoOver.value).toBe(1);
  expect([...store.session().flows.keys()]).toEqual(['open', 'more']);
  expect(store.runs.value).toHaveLength(2);
  expect(store.runs.value.map((each) => each.settlement)).toEqual([null, null]);
  expect(store.session().counts.sightings).toBe(3);
  expect(store.session().counts.gaps).toBe(0);
});

test('nothing is let go where all of it is open, or where there is no bound', () => {
  const { store, settings, stream } = setUp();
  followHold(store);
  stream('a', MEGABYTE_CHARS, false);
  stream('b', MEGABYTE_CHARS, false);
  expect(store.runs.value).toHaveLength(2);
  expect(letGoOver.value).toBeNull();
  settings.holdLimit.value = 0;
  stream('c', MEGABYTE_CHARS, true);
  expect(store.runs.value).toHaveLength(3);
});

test('the reader’s file stays open while the session behind it lets go', () => {
  const { store, stream } = setUp();
  followHold(store);
  const file = store.newFeed('file', 'x');
  store.open(file);
  stream('a', MEGABYTE_CHARS, true);
  stream('b', MEGABYTE_CHARS / 2, false);
  expect(letGoOver.value).toBe(1);
  expect(store.feed.value).toBe(file);
  store.backToLive();
  expect([...store.session().flows.keys()]).toEqual(['b']);
});
