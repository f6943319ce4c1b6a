/** Files dropped together, where the first is read faster than it is taken in. */
import { beforeEach, expect, test, vi } from 'vitest';
import { DIALECTS } from '../../core/dialects';
import { ON_DEMAND } from '../../core/dialects/on-demand';
import type { Panel } from '../context';
import { createStock } from '../dialects';
import type { Scheduler } from '../feed';
import { SAMPLES } from '../sample';
import { createSettings } from '../settings';
import { createStore } from '../store';
import { openFiles } from './capture-file-drop';
import type { Side } from './compare/state';

const sample = SAMPLES['kestrel-cut']();
let opened: string[] = [];
let beside: (Side | null)[] = [];
beforeEach(() => {
  opened = [];
  beside = [];
});
vi.mock('./capture-actions', () => ({
  note: () => {},
  /** It is read at once, or not at all where it is empty. */
  openBlob: async ({ store }: Panel, blob: Blob, name: string) => {
    if (blob.size === 0) return null;
    const feed = store.newFeed('file', name);
    for (const document of sample.documents) feed.document(document);
    feed.replay(sample.entries);
    store.open(feed);
    return feed;
  },
  openBeside: async (_: Panel, __: File, first: () => Side | null) => void beside.push(first()),
  readBlob: async (_: Panel, __: Blob, name: string) => void opened.push(name),
}));

const setUp = () => {
  const turns: (() => void)[] = [];
  const later = (what: () => void): void => void turns.push(what);
  const scheduler: Scheduler = { now: () => 0, yield: later, later };
  return { store: createStore(scheduler, createSettings(), createStock(ON_DEMAND, DIALECTS)), turns };
};

test('the first is compared by its newest run, however much of it still waits to be taken in', async () => {
  const { store, turns } = setUp();
  const opening = openFiles({ store } as unknown as Panel, [new File(['…'], 'one.jsonl'), new File(['…'], 'two.jsonl')]);
  // All that needs no turn of the feed has been done by then.
  await new Promise((resolve) => setTimeout(resolve));
  expect(store.feed.peek().pending()).toHaveLength(sample.entries.length);
  while (turns.length > 0) turns.shift()!();
  await opening;
  expect(opened).toEqual([]);
  expect(beside).toEqual([{ run: store.runs.peek().at(-1)!.key, feed: null }]);
});

test('where the first cannot be read, nothing is compared, though a file of its name is shown', async () => {
  const { store, turns } = setUp();
  const shown = store.newFeed('file', 'capture.jsonl');
  for (const document of sample.documents) shown.document(document);
  shown.replay(sample.entries);
  store.open(shown);
  while (turns.length > 0) turns.shift()!();
  await openFiles({ store } as unknown as Panel, [new File([], 'capture.jsonl'), new File(['…'], 'two.jsonl')]);
  expect(beside).toEqual([]);
  expect(opened).toEqual(['two.jsonl']);
});
