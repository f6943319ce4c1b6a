/**
 * What is new on the page and what was there before: elements that came, and elements whose text changed, since the current
 * epoch began. An epoch begins with each run that starts while nothing else is busy.
 */
import { parentOf } from '../surface';

export interface Age {
  readonly epoch: number;
  begin(): void;
  /** It came, with all that is in it. */
  added(element: Element): void;
  /** Text in it changed. */
  changed(element: Element): void;
  /** It, or what it came in, is of this epoch. */
  isFresh(element: Element): boolean;
}

/** How far up an element is looked for that brought it. */
const LEVELS = 10;

export const createAge = (): Age => {
  const addedIn = new WeakMap<Element, number>();
  const changedIn = new WeakMap<Element, number>();
  let epoch = 0;
  return {
    get epoch() {
      return epoch;
    },
    begin() {
      epoch++;
    },
    added(element) {
      addedIn.set(element, epoch);
    },
    changed(element) {
      changedIn.set(element, epoch);
    },
    isFresh(element) {
      if (changedIn.get(element) === epoch) return true;
      for (let at: Element | null = element, n = 0; at !== null && n < LEVELS; at = parentOf(at), n++)
        if (addedIn.get(at) === epoch) return true;
      return false;
    },
  };
};
