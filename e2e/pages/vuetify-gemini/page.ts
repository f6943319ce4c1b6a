/** Vuetify, over `@google/genai` in the browser. */

import { serveStack, stopInTheMiddle } from '../everyday/stacks';
import { buildWithVite, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'vuetify-gemini';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'truncated', 'aborted-by-person'],
  quiet: ['severed-mid-text', 'truncated'],
  sketch: ['completed'],
  swept: ['failed-after-text'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['vuetify', '@google/genai'],
  build: () => buildWithVite(NAME),
  serve: () => serveStack(NAME),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.locator('input').first().fill('Come si arriva a Matera in treno?');
    await tab.locator('.send').click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopInTheMiddle(tab, NAME, '.stop');
  },
};
