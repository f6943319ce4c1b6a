/** Semi's `Chat` component on OpenAI's chat completions: as its page on streams has it, with care, and with the slips its statuses invite. */
import { serveOpenAi } from '../openai';
import { buildWithVite, builtOf, PROMPT, playsIn, type RealPage, stopEarly } from '../page';

const NAME = 'semi-chat';

export const page: RealPage = {
  name: NAME,
  packages: ['@douyinfe/semi-ui', 'openai', 'react'],
  build: () => buildWithVite(NAME),
  serve: () => serveOpenAi(builtOf(NAME)),
  plays: playsIn({
    '': [
      'completed',
      'late-settlement',
      'severed-mid-text',
      'reset-mid-text',
      'failed-after-text',
      'truncated',
      'aborted-by-person',
      'left-open',
    ],
    careful: ['completed', 'severed-after-reasoning', 'truncated', 'aborted-by-person'],
    red: ['failed-after-text'],
    eager: ['late-settlement'],
    swallow: ['reset-mid-text', 'failed-after-text'],
    thoughts: ['completed'],
  }),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}&words=markdown`,
  async send(tab) {
    const input = tab.locator('.semi-input-textarea');
    await input.fill(PROMPT);
    await input.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, '.semi-chat-action-stop');
  },
};
