/** Alpine.js and daisyUI, over the `ollama` client in the browser. */

import { serveStack, stopInTheMiddle } from '../everyday/stacks';
import { buildWithVite, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'alpine-ollama';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'late-settlement', 'severed-mid-text', 'aborted-by-person'],
  dots: ['completed'],
  silent: ['reset-mid-text', 'truncated'],
  toast: ['severed-mid-text'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['alpinejs', 'daisyui', 'ollama'],
  build: () => buildWithVite(NAME),
  serve: () => serveStack(NAME),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.locator('input').fill('Balkonda domates nasıl yetiştirilir?');
    await tab.getByRole('button', { name: 'Gönder' }).click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopInTheMiddle(tab, NAME, 'button.stop');
  },
};
