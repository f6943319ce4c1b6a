/** Which region shows which part: plain-texting, containment, growth. The only fuzzy code there is. Pure. */
import type { Match, Part } from '../model';

export interface ShownText {
  readonly region: string;
  readonly text: string;
}

/** How much of each region each part explains; matches below the floor are left out. */
export const alignTexts = (_parts: readonly Part[], _shown: readonly ShownText[]): readonly Match[] => [];
