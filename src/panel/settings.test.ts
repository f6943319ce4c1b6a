import { describe, expect, test, vi } from 'vitest';
import { createSettings, type SettingsStore } from './settings';

const storeOf = (stored: unknown) => {
  const written: unknown[] = [];
  const store: SettingsStore = { read: async () => stored, write: (value) => void written.push(value) };
  return { store, written };
};

describe('stored settings', () => {
  test('are used where they have their shape, and left out where they have not', async () => {
    const set = { name: 'a', query: 'x', hiddenLanes: [], hiddenStandings: [], findingsOnly: false };
    const settings = createSettings();
    await settings.load(
      storeOf({
        theme: 'pink',
        colours: 'vivid',
        sort: 'backwards',
        privacy: 'none',
        holdLimit: -1,
        redactWords: ['Ada', 7],
        filterSets: [set, { name: 1 }],
        query: 'kept',
        constructor: 'no setting',
        load: 'no setting',
      }).store,
    );
    expect(settings.theme.value).toBe('auto');
    expect(settings.colours.value).toBe('vivid');
    expect(settings.sort.value).toBe('sequence');
    // That nothing is taken out is chosen for one file, never for all.
    expect(settings.privacy.value).toBe('standard');
    expect(settings.holdLimit.value).toBe(400);
    expect(settings.redactWords.value).toEqual([]);
    expect(settings.filterSets.value).toEqual([set]);
    expect(settings.query.value).toBe('kept');
    expect(typeof settings.load).toBe('function');
  });
  test('are written together, a moment after the last change', async () => {
    vi.useFakeTimers();
    try {
      const { store, written } = storeOf(null);
      const settings = createSettings();
      await settings.load(store);
      settings.sort.value = '-time';
      settings.query.value = 'x';
      expect(written).toEqual([]);
      vi.runAllTimers();
      expect(written).toHaveLength(1);
      expect(written[0]).toMatchObject({ sort: '-time', query: 'x', filterSets: [] });
    } finally {
      vi.useRealTimers();
    }
  });
});
