/** How a run's settlement is shown: one word, one icon, one tone. Unsettled runs are live or idle, never "done". */
import type { Outcome, Run, Settlement } from '../core/model';
import type { IconName } from './parts/icons';

export type Ending = Outcome | 'live';
export type Tone = 'live' | 'good' | 'wait' | 'warn' | 'bad' | 'mute';

export const TONE: Readonly<Record<Ending, Tone>> = {
  live: 'live',
  completed: 'good',
  waiting: 'wait',
  truncated: 'warn',
  refused: 'warn',
  failed: 'bad',
  cancelled: 'mute',
  severed: 'bad',
  unattested: 'warn',
  superseded: 'mute',
};

export const endingOf = (settlement: Settlement | null): Ending => settlement?.outcome ?? 'live';

export const iconOf = (ending: Ending): IconName => ending;

/** The transport being gone settles nothing; everything else that is recorded as a settlement does. */
export const isSettled = (settlement: Settlement | null): boolean => settlement !== null && settlement.outcome !== 'severed';

/** The producer's own word for the ending, as the run's interval has it. */
export const reasonOf = (run: Run): string | null => run.ending.raw ?? run.settlement?.finish?.raw ?? null;
