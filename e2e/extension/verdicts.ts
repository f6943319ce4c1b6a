/**
 * What the panel must say of each scenario of the demo on each of its pages: every finding that fails, by rule, and no
 * other. `says` is a piece of the words that the page should not have shown so.
 */

/** The right verdict of one scenario. */
export interface Verdict {
  readonly outcome: string;
  readonly careful: readonly string[];
  readonly careless: readonly string[];
  readonly says?: string;
}

/** By scenario id. */
export const VERDICTS: Readonly<Record<string, Verdict>> = {
  completed: { outcome: 'completed', careful: [], careless: [] },
  // The connection did end early, whatever the page makes of it: that is said on both pages.
  'cut-after-reasoning': {
    outcome: 'severed',
    careful: ['severed-stream'],
    careless: ['final-never-settled', 'reasoning-as-answer', 'severed-stream'],
    says: 'I should verify the migration.',
  },
  'broken-connection': {
    outcome: 'severed',
    careful: ['severed-stream'],
    careless: ['final-never-settled', 'reasoning-as-answer', 'severed-stream'],
    // What came just before a connection broke may never reach a page that was busy: its browser throws that away.
    says: 'The plan is a column of the account',
  },
  waiting: {
    outcome: 'waiting',
    careful: [],
    careless: ['committed-lost', 'reasoning-as-answer', 'waiting-as-done'],
    says: 'so this has to be asked.',
  },
  'failed-after-draft': {
    outcome: 'failed',
    careful: [],
    careless: ['error-as-done', 'final-before-settle'],
    says: 'All 14 invoices were reissued',
  },
  'late-settlement': {
    outcome: 'completed',
    careful: [],
    careless: ['final-before-settle'],
    says: 'Errors doubled after the 12:05 deploy',
  },
  cancelled: {
    outcome: 'cancelled',
    careful: [],
    careless: ['cancel-as-done'],
    says: 'The index has been rebuilt',
  },
  'lost-and-found': {
    outcome: 'severed',
    careful: [],
    careless: ['final-never-settled', 'reasoning-as-answer', 'severed-stream'],
    says: 'two timelines',
  },
};
