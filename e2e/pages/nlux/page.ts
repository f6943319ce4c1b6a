/** `@nlux/react`: its chat with a stream adapter, as its first example has it, and as developers go on from there. */
import { serveOpenAi } from '../openai';
import { buildWithVite, builtOf, PROMPT, playsIn, type RealPage, SCENARIOS, type Scenario, stopEarly } from '../page';

const NAME = 'nlux';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': [
    'completed',
    'late-settlement',
    'severed-mid-text',
    'reset-mid-text',
    'waiting',
    'failed-after-text',
    'truncated',
    'aborted-by-person',
  ],
  careful: SCENARIOS.filter((scenario) => scenario !== 'aborted-by-person'),
  said: ['completed', 'late-settlement'],
  swallow: ['reset-mid-text', 'failed-after-text'],
  error: ['completed', 'reset-mid-text', 'failed-after-text'],
  thoughts: ['completed'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['@nlux/react', '@nlux/themes'],
  build: () => buildWithVite(NAME),
  serve: () => serveOpenAi(builtOf(NAME)),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}&words=${variant === 'careful' ? 'plain' : 'markdown'}`,
  async send(tab) {
    const input = tab.getByRole('textbox');
    await input.fill(PROMPT);
    await input.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, '.nlux-comp-composer button');
  },
};
