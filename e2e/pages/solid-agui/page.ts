/** Solid, over `@ag-ui/client`. */

import { serveStack, stopInTheMiddle } from '../everyday/stacks';
import { buildWithVite, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'solid-agui';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'waiting', 'severed-after-reasoning'],
  counts: ['severed-mid-text', 'waiting', 'aborted-by-person'],
  button: ['reset-mid-text', 'failed-after-text'],
  told: ['late-settlement'],
  bare: ['completed'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['solid-js', '@ag-ui/client'],
  build: () => buildWithVite(NAME),
  serve: () => serveStack(NAME),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.locator('input').fill('Πότε φεύγει το πλοίο για τη Νάξο;');
    await tab.locator('.send').click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopInTheMiddle(tab, NAME, '.stop');
  },
};
