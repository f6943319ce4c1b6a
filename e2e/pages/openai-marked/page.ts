/** A plain page on the `openai` client: markdown by `marked`, rendered anew at each piece; careful, and hasty. */
import { serveOpenAi } from '../openai';
import { buildWithVite, builtOf, PROMPT, playsOf, type RealPage, SCENARIOS, stopEarly } from '../page';

const NAME = 'openai-marked';
const SCENARIOS_HERE = SCENARIOS.filter((scenario) => scenario !== 'waiting');

export const page: RealPage = {
  name: NAME,
  packages: ['openai', 'marked', 'dompurify'],
  build: () => buildWithVite(NAME),
  serve: () => serveOpenAi(builtOf(NAME)),
  plays: playsOf(SCENARIOS_HERE, ['', 'hasty']),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}&words=markdown`,
  async send(tab) {
    await tab.getByPlaceholder('Message').fill(PROMPT);
    await tab.click('#send');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, '#stop');
  },
};
