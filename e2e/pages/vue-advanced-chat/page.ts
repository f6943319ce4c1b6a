/** The `vue-advanced-chat` element, a messenger, on OpenAI's responses: as a messenger shows an assistant at work, and five slips. */
import { serveOpenAi } from '../openai';
import { buildWithVite, builtOf, PROMPT, playsIn, type RealPage, stopEarly } from '../page';

const NAME = 'vue-advanced-chat';

export const page: RealPage = {
  name: NAME,
  packages: ['vue-advanced-chat', 'vue', 'openai'],
  build: () => buildWithVite(NAME),
  serve: () => serveOpenAi(builtOf(NAME)),
  plays: playsIn({
    '': ['completed', 'late-settlement', 'severed-mid-text', 'failed-after-text', 'truncated', 'aborted-by-person', 'left-open'],
    'first-word': ['late-settlement'],
    finally: ['severed-mid-text', 'reset-mid-text', 'failed-after-text', 'truncated'],
    forever: ['severed-mid-text', 'failed-after-text'],
    failure: ['failed-after-text'],
    thoughts: ['completed'],
  }),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    const input = tab.locator('#roomTextarea');
    await input.fill(PROMPT);
    await input.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, '[title="Stop"]');
  },
};
