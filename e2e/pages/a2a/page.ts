/** A browser client on `@a2a-js/sdk`, talking JSON-RPC to agents made with the same package. */
import { buildWithVite, builtOf, PROMPT, playsOf, type RealPage, type Scenario, stopEarly } from '../page';

const SCENARIOS: readonly Scenario[] = [
  'completed',
  'late-settlement',
  'severed-mid-text',
  'reset-mid-text',
  'waiting',
  'failed-after-text',
  'aborted-by-person',
  'left-open',
];

export const page: RealPage = {
  name: 'a2a',
  packages: ['@a2a-js/sdk'],
  build: () => buildWithVite('a2a'),
  serve: async () => (await import('./server')).startServer(builtOf('a2a')),
  plays: playsOf(SCENARIOS, ['']),
  url: ({ scenario }) => `/?scenario=${scenario}`,
  async send(tab) {
    await tab.getByRole('textbox').fill(PROMPT);
    await tab.getByRole('button', { name: 'Send' }).click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, '#cancel');
  },
};
