/** useChat in a virtualised list with a long history, a typewriter, and words that fade in. */
import { buildWithVite, builtOf, PROMPT, playsOf, type RealPage, SCENARIOS, stopEarly } from '../page';
import { serveUiMessages } from '../ui-messages';

const NAME = 'chat-virtuoso';

export const page: RealPage = {
  name: NAME,
  packages: ['react-virtuoso', '@ai-sdk/react', 'ai'],
  build: () => buildWithVite(NAME),
  serve: () => serveUiMessages(builtOf(NAME)),
  plays: [...playsOf(SCENARIOS, ['']), ...playsOf(['reset-mid-text', 'failed-after-text'], ['quiet'])],
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.getByLabel('Message').fill(PROMPT);
    await tab.getByLabel('Send').click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, '[aria-label="Stop"]');
  },
};
