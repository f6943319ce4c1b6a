/** `@ai-sdk/vue` with markdown-it: the quick-start, which shows no state at all, and the page of the chapters after it. */
import { buildWithVite, builtOf, type Play, PROMPT, playsIn, type RealPage, SCENARIOS, type Scenario, stopEarly } from '../page';
import { serveUiMessages } from '../ui-messages';

const NAME = 'ai-sdk-vue';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'reset-mid-text', 'failed-after-text', 'truncated', 'late-settlement'],
  status: SCENARIOS,
};

export const page: RealPage = {
  name: NAME,
  packages: ['@ai-sdk/vue', 'vue', 'markdown-it', 'ai'],
  build: () => buildWithVite(NAME),
  serve: () => serveUiMessages(builtOf(NAME)),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }: Play) => `/?scenario=${scenario}&form=${variant}&words=markdown`,
  async send(tab) {
    const input = tab.getByPlaceholder('Say something...');
    await input.fill(PROMPT);
    await input.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, 'button:has-text("Stop")');
  },
};
