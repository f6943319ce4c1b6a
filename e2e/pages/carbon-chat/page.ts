/** `@carbon/ai-chat`, over the `openai` client in the browser. */

import { serveStack, stopInTheMiddle } from '../everyday/stacks';
import { buildWithVite, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'carbon-chat';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'truncated', 'aborted-by-person'],
  loose: ['severed-mid-text', 'failed-after-text'],
  throws: ['reset-mid-text'],
  unfinished: ['completed'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['@carbon/ai-chat', 'openai'],
  build: () => buildWithVite(NAME),
  serve: () => serveStack(NAME),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    const input = tab.getByRole('textbox').first();
    await input.click();
    await input.pressSequentially('How do I descale a kettle?', { delay: 5 });
    await input.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person')
      await stopInTheMiddle(tab, NAME, '.cds-aichat--input-container__stop-streaming-button, cds-aichat-stop-streaming-button');
  },
};
