/** `@llamaindex/chat-ui` with `useChat`: its quick-start, its parts put together with care, and three slips. */
import { buildWithVite, builtOf, PROMPT, playsIn, type RealPage, stopEarly } from '../page';
import { serveUiMessages } from '../ui-messages';

const NAME = 'llamaindex-chat-ui';

export const page: RealPage = {
  name: NAME,
  packages: ['@llamaindex/chat-ui', '@ai-sdk/react', 'ai', 'react'],
  build: () => buildWithVite(NAME),
  serve: () => serveUiMessages(builtOf(NAME)),
  plays: playsIn({
    '': ['completed', 'late-settlement', 'severed-mid-text', 'reset-mid-text', 'aborted-by-person', 'left-open'],
    composed: [
      'completed',
      'severed-mid-text',
      'severed-after-reasoning',
      'waiting',
      'failed-after-text',
      'truncated',
      'aborted-by-person',
    ],
    eager: ['completed', 'late-settlement'],
    thoughts: ['completed'],
    events: ['waiting'],
  }),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}&words=markdown`,
  async send(tab) {
    const input = tab.locator('textarea[name="input"]');
    await input.fill(PROMPT);
    await input.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, 'form button');
  },
};
