/** `@ai-sdk/react`'s useChat over the `ai` package's own server, as its quick-start has it, and without its error notice. */
import { buildWithVite, builtOf, PROMPT, playsOf, type RealPage, SCENARIOS, stopWhen } from '../page';
import { serveUiMessages } from '../ui-messages';
import { WORDS } from '../words';

const NAME = 'ai-sdk-react';

export const page: RealPage = {
  name: NAME,
  packages: ['@ai-sdk/react', 'ai', 'react'],
  build: () => buildWithVite(NAME),
  serve: () => serveUiMessages(builtOf(NAME)),
  plays: playsOf(SCENARIOS, ['']),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.getByLabel('Message').fill(PROMPT);
    await tab.click('#send');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopWhen(tab, WORDS.plain!.middle, '#stop');
  },
};
