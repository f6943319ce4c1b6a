/** `useStream` of LangGraph's SDK against LangGraph's own API server. */
import { buildWithVite, PROMPT, playsOf, type RealPage, SCENARIOS, stopEarly } from '../page';

/** Without and with the error shown. The shortest example of the hook leaves it out. */
const SHOWS_ERRORS = 'errors';

export const page: RealPage = {
  name: 'langgraph',
  packages: ['@langchain/langgraph-sdk', '@langchain/langgraph', '@langchain/langgraph-api'],
  build: () => buildWithVite('langgraph'),
  serve: async () => (await import('./server')).startServer(),
  plays: playsOf(
    // Without a settled run there is no end but the connection's, so none can be left open.
    SCENARIOS.filter((scenario) => scenario !== 'left-open'),
    ['', SHOWS_ERRORS],
    ({ scenario, variant }) => variant === SHOWS_ERRORS && scenario !== 'failed-after-text' && scenario !== 'reset-mid-text',
  ),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&variant=${variant}`,
  async send(tab) {
    await tab.getByRole('textbox').fill(PROMPT);
    await tab.getByRole('button', { name: 'Send' }).click();
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, '#stop');
  },
};
