/** Filters under a name: what the chips and the search field say together, kept in the settings. */
import { batch, type Signal } from '@preact/signals';
import { LANES, STANDINGS } from './voices';

export interface FilterSet {
  readonly name: string;
  readonly query: string;
  readonly hiddenLanes: readonly string[];
  readonly hiddenStandings: readonly string[];
  readonly findingsOnly: boolean;
}

/** The settings that a set names. */
export interface FilterSettings {
  readonly query: Signal<string>;
  readonly hiddenLanes: Signal<readonly string[]>;
  readonly hiddenStandings: Signal<readonly string[]>;
  readonly findingsOnly: Signal<boolean>;
}

export const MOST_SETS = 40;
export const NAME_LENGTH = 60;
const QUERY_LENGTH = 2_000;

const isListOf = (value: unknown, known: readonly string[]): boolean =>
  Array.isArray(value) && value.length <= known.length && value.every((item) => known.includes(item as string));

export const isFilterSet = (value: unknown): value is FilterSet => {
  if (typeof value !== 'object' || value === null) return false;
  const { name, query, hiddenLanes, hiddenStandings, findingsOnly } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    name.trim() !== '' &&
    name.length <= NAME_LENGTH &&
    typeof query === 'string' &&
    query.length <= QUERY_LENGTH &&
    isListOf(hiddenLanes, LANES) &&
    isListOf(hiddenStandings, STANDINGS) &&
    typeof findingsOnly === 'boolean'
  );
};

/** What was stored, less what is no set, and each name once: the list is read by names. */
export const readFilterSets = (stored: unknown): readonly FilterSet[] => {
  if (!Array.isArray(stored)) return [];
  const seen = new Set<string>();
  return stored
    .filter(isFilterSet)
    .filter(({ name }) => !seen.has(name) && seen.add(name))
    .slice(0, MOST_SETS);
};

export const currentFilter = (settings: FilterSettings, name: string): FilterSet => ({
  name,
  query: settings.query.value.trim(),
  hiddenLanes: settings.hiddenLanes.value,
  hiddenStandings: settings.hiddenStandings.value,
  findingsOnly: settings.findingsOnly.value,
});

const sorted = (list: readonly string[]): string => [...list].sort().join(' ');

/** Whether a set is what is filtered by now. */
export const isApplied = (set: FilterSet, settings: FilterSettings): boolean => {
  const now = currentFilter(settings, set.name);
  return (
    set.query === now.query &&
    set.findingsOnly === now.findingsOnly &&
    sorted(set.hiddenLanes) === sorted(now.hiddenLanes) &&
    sorted(set.hiddenStandings) === sorted(now.hiddenStandings)
  );
};

export const applyFilter = (set: FilterSet, settings: FilterSettings): void =>
  batch(() => {
    settings.query.value = set.query;
    settings.hiddenLanes.value = set.hiddenLanes;
    settings.hiddenStandings.value = set.hiddenStandings;
    settings.findingsOnly.value = set.findingsOnly;
  });

/** The list with this set in it: in the place of one of its name, else at the end. Null: there is no room for another. */
export const withFilter = (sets: readonly FilterSet[], set: FilterSet): readonly FilterSet[] | null => {
  const at = sets.findIndex(({ name }) => name === set.name);
  if (at >= 0) return sets.with(at, set);
  return sets.length >= MOST_SETS ? null : [...sets, set];
};
