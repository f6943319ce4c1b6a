/**
 * The witness of one document: what the tap recorded and what the page showed, in one order, into one sink. Needs no
 * extension: the Playwright fixture runs its parts in the page with a sink of its own.
 */
import { joinWitness, type Witness, type WitnessOptions } from './join';
import { createObserver } from './observe';
import { openLine, takePort } from './port';

export type { Witness, WitnessOptions };
export { takePort };

export const createWitness = (options: WitnessOptions): Witness =>
  joinWitness({
    ...options,
    observer: (emit) => createObserver({ document: options.documentKey, emit }),
    line: (rung) => openLine(options.port, rung),
  });
