/** The reader's mapping files as dialects. A file that is wrong is left out here and explained in its sheet. */
import type { Dialect } from '../core/dialects/dialect';
import { type MappingProblem, readMapping } from '../core/mapping/mapping';

export const dialectsOf = (texts: readonly string[]): readonly Dialect[] =>
  texts.flatMap((text) => {
    const result = readMapping(text);
    return result.ok ? [result.dialect] : [];
  });

export interface MappingView {
  readonly text: string;
  /** '' where the text does not say. */
  readonly id: string;
  readonly title: string;
  readonly problems: readonly MappingProblem[];
}

export const viewMapping = (text: string): MappingView => {
  const result = readMapping(text);
  if (result.ok) return { text, id: result.mapping.id, title: result.mapping.title ?? result.mapping.id, problems: [] };
  let id = '';
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string') id = value.id;
  } catch {
    // Said by the problems already.
  }
  return { text, id, title: id, problems: result.problems };
};
