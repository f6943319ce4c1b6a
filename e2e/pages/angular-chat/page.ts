/** Angular and Angular Material, over the AI SDK's transport and message reader. */

import { serveStack, stopInTheMiddle } from '../everyday/stacks';
import { buildWithVite, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'angular-chat';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'waiting', 'failed-after-text', 'aborted-by-person', 'left-open'],
  start: ['severed-mid-text', 'waiting', 'truncated'],
  bare: ['completed'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['@angular/core', '@angular/material', 'ai'],
  build: () => buildWithVite(NAME),
  serve: () => serveStack(NAME),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.locator('input').fill('Hoe vervang ik een achterband?');
    await tab.locator('.send').click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopInTheMiddle(tab, NAME, '.stop');
  },
};
