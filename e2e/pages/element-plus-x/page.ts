/** `vue-element-plus-x` and Element Plus, over chat completions read with the package's own hook. */

import { serveStack, stopInTheMiddle } from '../everyday/stacks';
import { buildWithVite, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'element-plus-x';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'failed-after-text', 'truncated', 'aborted-by-person'],
  start: ['severed-mid-text', 'failed-after-text'],
  typed: ['completed', 'severed-mid-text'],
  dots: ['completed'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['vue-element-plus-x', 'element-plus'],
  build: () => buildWithVite(NAME),
  serve: () => serveStack(NAME),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    const input = tab.locator('textarea').first();
    await input.click();
    await input.pressSequentially('Pha cà phê phin thế nào?', { delay: 5 });
    await input.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person')
      await stopInTheMiddle(tab, NAME, '.el-send-button, .loading-svg, .el-sender-action-list-presets button');
  },
};
