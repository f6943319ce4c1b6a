/** The cases of pages that play many idioms: by the page's slip, the scenarios in short words. */
import type { Play, Scenario } from './page';

const SHORT: Readonly<Record<string, Scenario>> = {
  done: 'completed',
  late: 'late-settlement',
  cut: 'severed-mid-text',
  reset: 'reset-mid-text',
  thought: 'severed-after-reasoning',
  wait: 'waiting',
  fail: 'failed-after-text',
  limit: 'truncated',
  stop: 'aborted-by-person',
  open: 'left-open',
};

/** One case in so many is played every day. */
const EVERY = 4;

export interface Idiom {
  /** By the slip of its author, the scenarios, in short words with spaces between them. */
  readonly plays: Readonly<Record<string, string>>;
}

/** All cases of these idioms, and which of them are played every day. */
export const playsOfIdioms = (
  idioms: Readonly<Record<string, Idiom>>,
): { readonly plays: readonly Play[]; readonly everyday: (play: Play) => boolean } => {
  const plays = Object.entries(idioms).flatMap(([idiom, { plays: bySlip }]) =>
    Object.entries(bySlip).flatMap(([slip, short]) =>
      short.split(' ').map((one): Play => ({ scenario: SHORT[one]!, variant: `${idiom}-${slip}` })),
    ),
  );
  return { plays, everyday: (play) => plays.indexOf(play) % EVERY === 0 };
};
