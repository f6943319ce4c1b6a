/** Files dropped together, where the first is read faster than it is taken in. */
import { expect, test, vi } from 'vitest';
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
const opened: string[] = [];
const beside: (Side | null)[] = [];
vi.mock('./capture-actions', () => ({
  note: () => {},
  /** It is read at once. */
  openBlob: async ({ store }: Panel, _: Blob, name: string) => {
    const feed = store.newFeed('file', name);
    for (const document of sample.documents) feed.document(document);
    feed.replay(sample.entries);
    store.open(feed);
  },
  openBeside: async (_: Panel, __: File, first: () => Side | null) => void beside.push(first()),
  readBlob: async (_: Panel, __: Blob, name: string) => void opened.push(name),
}));

test('the first is compared by its newest run, however much of it still waits to be taken in', async () => {
  const turns: (() => void)[] = [];
  const later = (what: () => void): void => void turns.push(what);
  const scheduler: Scheduler = { now: () => 0, frame: later, yield: later, later };
  const store = createStore(scheduler, createSettings(), createStock(ON_DEMAND, DIALECTS));
  const opening = openFiles({ store } as unknown as Panel, [new File([], 'one.jsonl'), new File([], 'two.jsonl')]);
  // All that needs no turn of the feed has been done by then.
  await new Promise((resolve) => setTimeout(resolve));
  expect(store.feed.peek().pending()).toHaveLength(sample.entries.length);
  while (turns.length > 0) turns.shift()!();
  await opening;
  expect(opened).toEqual([]);
  expect(beside).toEqual([{ run: store.runs.peek().at(-1)!.key, feed: null }]);
});
