/** useChat with streamdown's animated markdown, over the `ai` package's own server. */
import { buildWithVite, builtOf, PROMPT, playsOf, type RealPage, SCENARIOS, stopEarly } from '../page';
import { serveUiMessages } from '../ui-messages';

const NAME = 'streamdown';
/** The words of each form of the page. */
const FORMS: Readonly<Record<string, string>> = { '': 'words=markdown', chinese: 'words=chinese', errors: 'words=markdown&errors' };

export const page: RealPage = {
  name: NAME,
  packages: ['streamdown', '@ai-sdk/react', 'ai'],
  build: () => buildWithVite(NAME),
  serve: () => serveUiMessages(builtOf(NAME)),
  plays: playsOf(SCENARIOS, Object.keys(FORMS), ({ scenario, variant }) =>
    variant === 'errors'
      ? scenario !== 'reset-mid-text' && scenario !== 'failed-after-text'
      : variant === 'chinese' && !['completed', 'late-settlement', 'severed-mid-text', 'aborted-by-person'].includes(scenario),
  ),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&${FORMS[variant]}`,
  async send(tab) {
    await tab.getByLabel('Message').fill(PROMPT);
    await tab.getByRole('button', { name: 'Submit' }).click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, 'button[aria-label="Stop"]');
  },
};
