/** The `deep-chat` web component: an open shadow root, its own markdown, its own stop button, dots until the first word. */
import { serveOpenAi } from '../openai';
import { buildWithVite, builtOf, PROMPT, playsOf, type RealPage, SCENARIOS, stopEarly } from '../page';

const NAME = 'deep-chat';

export const page: RealPage = {
  name: NAME,
  packages: ['deep-chat'],
  build: () => buildWithVite(NAME),
  serve: () => serveOpenAi(builtOf(NAME)),
  plays: playsOf(
    SCENARIOS.filter((scenario) => scenario !== 'waiting'),
    ['', 'completions'],
  ),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}&words=markdown`,
  async send(tab) {
    const input = tab.locator('#text-input');
    await input.click();
    await input.pressSequentially(PROMPT, { delay: 5 });
    await input.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, '.input-button:visible');
  },
};
