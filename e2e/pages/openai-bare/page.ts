/** The `openai` client in the browser with no cue at all. */
import { serveOpenAi } from '../openai';
import { buildWithVite, builtOf, PROMPT, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'openai-bare';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': [
    'completed',
    'late-settlement',
    'severed-mid-text',
    'reset-mid-text',
    'severed-after-reasoning',
    'failed-after-text',
    'truncated',
    'left-open',
  ],
  thoughts: ['completed', 'severed-after-reasoning'],
  transcript: ['completed', 'severed-mid-text', 'truncated'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['openai'],
  build: () => buildWithVite(NAME),
  serve: () => serveOpenAi(builtOf(NAME)),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.getByLabel('Question').fill(PROMPT);
    await tab.click('#ask');
  },
};
