/**
 * What other contexts read of the settings that the panel keeps in the extension's storage. Whatever does not have its
 * shape is left out: storage may be older or newer than this code.
 */

/** The key under which the panel keeps its settings. */
export const STORED_KEY = 'panel';

const stringsIn = (stored: unknown, name: string): readonly string[] => {
  const list = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>)[name] : undefined;
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
};

/** Mapping files, as text. */
export const mappingsIn = (stored: unknown): readonly string[] => stringsIn(stored, 'mappings');
/** `origin rule`: findings of the rule on pages of the origin are not counted. */
export const mutedIn = (stored: unknown): readonly string[] => stringsIn(stored, 'muted');
