/** `@assistant-ui/react` over the AI SDK: a thread of its primitives, markdown, action bar, its own error. */
import { buildWithVite, builtOf, PROMPT, playsOf, type RealPage, SCENARIOS, stopEarly } from '../page';
import { serveUiMessages } from '../ui-messages';

const NAME = 'assistant-ui';

export const page: RealPage = {
  name: NAME,
  packages: ['@assistant-ui/react', '@assistant-ui/react-ai-sdk', '@assistant-ui/react-markdown', 'ai'],
  build: () => buildWithVite(NAME),
  serve: () => serveUiMessages(builtOf(NAME)),
  plays: [...playsOf(SCENARIOS, ['']), ...playsOf(['completed', 'waiting'], ['tools'])],
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}&words=markdown`,
  async send(tab) {
    await tab.getByLabel('Message input').fill(PROMPT);
    await tab.getByLabel('Send message').click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, '[aria-label="Stop generating"]');
  },
};
