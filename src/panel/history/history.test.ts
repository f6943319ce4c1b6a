import { beforeEach, expect, test, vi } from 'vitest';
import { DIALECTS } from '../../core/dialects';
import { ON_DEMAND } from '../../core/dialects/on-demand';
import { createStock } from '../dialects';
import { createSettings } from '../settings';
import { createStore } from '../store';

/** What was asked of the database and of the keeper, which are no part of this. */
const calls = vi.hoisted(() => ({ opened: 0, kept: 0, ended: 0 }));
vi.mock('./archive', () => ({
  openArchive: async () => {
    calls.opened++;
    return { list: async () => [{ id: 'earlier' }] };
  },
}));
vi.mock('./keep', () => ({
  keepSessions: () => {
    calls.kept++;
    return () => {
      calls.ended++;
    };
  },
}));

const settled = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve));
};

beforeEach(() => {
  vi.resetModules();
  Object.assign(calls, { opened: 0, kept: 0, ended: 0 });
});

test.each([
  ['an ordinary window', false, 1],
  ['a private window', true, 0],
  ['a window of which nobody says what it is', null, 0],
])('sessions of %s', async (_, answer, kept) => {
  const { followHistory, lastKept } = await import('./history');
  const settings = createSettings();
  settings.history.value = true;
  const store = createStore({ now: () => 0, yield: () => {}, later: () => {} }, settings, createStock(ON_DEMAND, DIALECTS));
  followHistory(store, { isPrivate: async () => answer });
  await settled();
  expect(calls.kept).toBe(kept);
  // Nor is told there what was seen elsewhere.
  expect(lastKept.value?.id ?? null).toBe(kept === 1 ? 'earlier' : null);
  settings.history.value = false;
  expect(calls.ended).toBe(kept);
});
