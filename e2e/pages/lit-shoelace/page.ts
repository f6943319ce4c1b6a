/** Lit and Shoelace with marked, over `@anthropic-ai/sdk` in the browser. */

import { serveStack, stopInTheMiddle } from '../everyday/stacks';
import { buildWithVite, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'lit-shoelace';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'waiting', 'truncated', 'aborted-by-person'],
  plain: ['waiting', 'failed-after-text'],
  thoughts: ['completed'],
  early: ['late-settlement'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['lit', '@shoelace-style/shoelace', 'marked', '@anthropic-ai/sdk'],
  build: () => buildWithVite(NAME),
  serve: () => serveStack(NAME),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.locator('textarea').first().fill('Jak zrobić zakwas żytni?');
    await tab.locator('sl-button.send').click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopInTheMiddle(tab, NAME, 'sl-button.stop');
  },
};
