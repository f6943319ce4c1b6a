/** `@ai-sdk/svelte`: the quick-start, which shows no state, and two forms of it that do. */
import { buildWithVite, builtOf, PROMPT, playsOf, type RealPage, SCENARIOS, stopEarly } from '../page';
import { serveUiMessages } from '../ui-messages';

const NAME = 'ai-sdk-svelte';

export const page: RealPage = {
  name: NAME,
  packages: ['@ai-sdk/svelte', 'svelte', 'ai'],
  build: () => buildWithVite(NAME),
  serve: () => serveUiMessages(builtOf(NAME)),
  plays: [
    ...playsOf(['completed', 'severed-mid-text', 'truncated'], ['']),
    ...playsOf(SCENARIOS, ['status']),
    ...playsOf(
      ['completed', 'late-settlement', 'severed-mid-text', 'reset-mid-text', 'failed-after-text', 'truncated', 'aborted-by-person'],
      ['said'],
    ),
  ],
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.getByPlaceholder('Ask').fill(PROMPT);
    await tab.getByRole('button', { name: 'Send' }).click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, 'button:has-text("Stop")');
  },
};
