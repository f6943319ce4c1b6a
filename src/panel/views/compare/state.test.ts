import { afterEach, expect, test } from 'vitest';
import { DIALECTS } from '../../../core/dialects';
import { ON_DEMAND } from '../../../core/dialects/on-demand';
import type { Capture } from '../../../core/model';
import { createStock } from '../../dialects';
import type { Scheduler } from '../../feed';
import { SAMPLES } from '../../sample';
import { createSettings } from '../../settings';
import { createStore } from '../../store';
import { likeliestIn } from './likeliest';
import { compareRun, comparing, endComparison, otherFeed } from './state';

afterEach(endComparison);

const setUp = () => {
  const turns: (() => void)[] = [];
  const push = (what: () => void): void => void turns.push(what);
  let now = 0;
  const scheduler: Scheduler = { now: () => now++, yield: push, later: push };
  const store = createStore(scheduler, createSettings(), createStock(ON_DEMAND, DIALECTS));
  const read = (capture: Capture, name: string) => {
    const feed = store.newFeed('file', name);
    for (const document of capture.documents) feed.document(document);
    feed.replay(capture.entries);
    return feed;
  };
  const run = (): void => {
    while (turns.length > 0) turns.shift()!();
  };
  return { store, read, run };
};

/** The sample, as another host recorded it; `without` a flow. */
const elsewhere = (without = ''): Capture => {
  const text = JSON.stringify(SAMPLES['kestrel-cut']()).replaceAll('https://ops.example', 'https://staging.example');
  const capture = JSON.parse(text) as Capture;
  return { ...capture, entries: capture.entries.filter((entry) => !('flow' in entry) || entry.flow !== without) };
};

test('of another file the run of the same place to the same address is the likeliest, whatever the host', () => {
  const { store, read, run } = setUp();
  const shown = read(SAMPLES['kestrel-cut'](), 'here');
  const other = read(elsewhere(), 'there');
  const shorter = read(elsewhere('flow-1'), 'shorter');
  const empty = store.newFeed('file', 'empty');
  store.open(shown);
  run();
  const runs = store.runs.value;
  expect(runs.map((each) => likeliestIn(store, other, each))).toEqual(other.session.runs.map((each) => each.key));
  // Of fewer runs: the same place as long as there is one, else the first.
  expect(likeliestIn(store, shorter, runs[2])).toBe(shorter.session.runs[0]!.key);
  expect(likeliestIn(store, other, undefined)).toBe(other.session.runs[0]!.key);
  expect(likeliestIn(store, empty, runs[0])).toBe('');
});

test('a run alone can be compared, too: with one that is still to be chosen', () => {
  const { store, read, run } = setUp();
  const { entries, ...rest } = SAMPLES['kestrel-cut']();
  store.open(read({ ...rest, entries: entries.filter((entry) => !('flow' in entry) || entry.flow === 'flow-1') }, 'one run'));
  run();
  const [only] = store.runs.value;
  expect(store.runs.value).toHaveLength(1);
  expect(compareRun(store, only!.key)).toBe(true);
  expect(comparing.value).toEqual({ a: { run: only!.key, feed: null }, b: { run: '', feed: null } });
  expect(compareRun(store, 'nobody')).toBe(false);
});

test('what was opened to be compared with is let go with the comparison', () => {
  const { store, read } = setUp();
  const feed = read(elsewhere(), 'there');
  otherFeed.value = feed;
  comparing.value = { a: { run: 'x', feed: null }, b: { run: 'y', feed } };
  endComparison();
  expect(comparing.value).toBeNull();
  expect(otherFeed.value).toBeNull();
  expect(store.feed.value.kind).toBe('live');
});
