import { describe, expect, test } from 'vitest';
import { applyFilter, currentFilter, type FilterSet, isApplied, isFilterSet, MOST_SETS, readFilterSets, withFilter } from './filter-sets';
import { createSettings } from './settings';

const one: FilterSet = {
  name: 'Tools',
  query: 'type:tool',
  hiddenLanes: ['log', 'user'],
  hiddenStandings: ['provisional'],
  findingsOnly: true,
};

test('what is set is saved under a name, and comes back as it was', () => {
  const settings = createSettings();
  applyFilter(one, settings);
  expect(currentFilter(settings, 'Tools')).toEqual(one);
  expect(isApplied(one, settings)).toBe(true);
  // In whatever order the chips were pressed.
  settings.hiddenLanes.value = ['user', 'log'];
  expect(isApplied(one, settings)).toBe(true);
  settings.query.value = 'type:tool x';
  expect(isApplied(one, settings)).toBe(false);
});

test('a name is there once: the same name again replaces it where it stands', () => {
  const sets = withFilter([one, { ...one, name: 'b' }], { ...one, query: 'new' })!;
  expect(sets.map(({ name, query }) => [name, query])).toEqual([
    ['Tools', 'new'],
    ['b', 'type:tool'],
  ]);
  const full = Array.from({ length: MOST_SETS }, (_, at) => ({ ...one, name: String(at) }));
  expect(withFilter(full, one)).toBeNull();
  expect(withFilter(full, { ...one, name: '3' })).toHaveLength(MOST_SETS);
});

describe('what was stored is used as far as it is right', () => {
  test.each<[string, unknown]>([
    ['no object', 'Tools'],
    ['nothing', null],
    ['no name', { ...one, name: ' ' }],
    ['a name without end', { ...one, name: 'x'.repeat(1_000) }],
    ['a query that is no text', { ...one, query: 5 }],
    ['a voice that is none', { ...one, hiddenLanes: ['nobody'] }],
    ['a standing that is none', { ...one, hiddenStandings: ['final'] }],
    ['no answer about findings', { ...one, findingsOnly: 'yes' }],
    ['lists that are none', { ...one, hiddenLanes: { length: 1, 0: 'log' } }],
  ])('%s', (_, value) => {
    expect(isFilterSet(value)).toBe(false);
    expect(readFilterSets([value, one])).toEqual([one]);
  });
  test('a list that is none, names twice, too many', () => {
    expect(readFilterSets({ 0: one })).toEqual([]);
    expect(readFilterSets([one, { ...one, query: 'other' }])).toEqual([one]);
    expect(readFilterSets(Array.from({ length: 100 }, (_, at) => ({ ...one, name: String(at) })))).toHaveLength(MOST_SETS);
  });
});
