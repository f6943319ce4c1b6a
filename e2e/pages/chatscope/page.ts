/** `@chatscope/chat-ui-kit-react`: message list, typing indicator and input, over a stream of UI messages read by hand. */
import { buildWithVite, builtOf, PROMPT, playsIn, type RealPage, SCENARIOS, type Scenario, stopEarly } from '../page';
import { serveUiMessages } from '../ui-messages';

const NAME = 'chatscope';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'late-settlement', 'severed-mid-text', 'reset-mid-text', 'waiting', 'failed-after-text', 'truncated', 'left-open'],
  careful: SCENARIOS,
  first: ['completed', 'late-settlement'],
  sent: ['completed', 'late-settlement'],
  thoughts: ['completed'],
  quiet: ['reset-mid-text', 'failed-after-text'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['@chatscope/chat-ui-kit-react', '@chatscope/chat-ui-kit-styles'],
  build: () => buildWithVite(NAME),
  serve: () => serveUiMessages(builtOf(NAME)),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    const input = tab.locator('.cs-message-input__content-editor');
    await input.click();
    await input.pressSequentially(PROMPT, { delay: 5 });
    await input.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, 'button.stop');
  },
};
