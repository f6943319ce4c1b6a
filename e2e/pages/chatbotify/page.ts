/** `react-chatbotify`: the loop of its streaming example, with dots until the first word and a closed input until the end. */
import { serveOpenAi } from '../openai';
import { buildWithVite, builtOf, PROMPT, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'chatbotify';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'late-settlement', 'severed-mid-text', 'reset-mid-text', 'waiting'],
  careful: ['completed', 'late-settlement', 'severed-mid-text', 'reset-mid-text', 'waiting', 'failed-after-text', 'truncated'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['react-chatbotify'],
  build: () => buildWithVite(NAME),
  serve: () => serveOpenAi(builtOf(NAME)),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.getByText('Hello, what would you like to know?').waitFor();
    const input = tab.locator('textarea.rcb-chat-input-textarea:not([disabled])');
    await input.fill(PROMPT);
    await input.press('Enter');
  },
};
