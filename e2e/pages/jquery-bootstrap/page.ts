/** jQuery and Bootstrap, reading Dify's stream from the progress of an XMLHttpRequest. */

import { serveStack, stopInTheMiddle } from '../everyday/stacks';
import { buildWithVite, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'jquery-bootstrap';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'waiting', 'failed-after-text', 'aborted-by-person'],
  plain: ['severed-mid-text', 'waiting'],
  glow: ['completed'],
  stuck: ['reset-mid-text'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['jquery', 'bootstrap'],
  build: () => buildWithVite(NAME),
  serve: () => serveStack(NAME),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.locator('#ask input').fill('Когда передавать показания счётчика воды?');
    await tab.locator('#send').click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopInTheMiddle(tab, NAME, '#stop');
  },
};
