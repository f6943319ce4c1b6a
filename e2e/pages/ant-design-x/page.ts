/** `@ant-design/x`: bubbles and sender, over `useXChat`, over a stream read by hand, and with a foot for each kind of end. */
import { serveOpenAi } from '../openai';
import { buildWithVite, builtOf, PROMPT, playsIn, type RealPage, SCENARIOS, type Scenario, stopEarly } from '../page';

const NAME = 'ant-design-x';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': SCENARIOS.filter((scenario) => scenario !== 'severed-after-reasoning'),
  careful: SCENARIOS,
  requesting: ['completed'],
  early: ['completed', 'late-settlement'],
  finally: ['completed', 'late-settlement', 'reset-mid-text', 'failed-after-text'],
  thoughts: ['completed'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['@ant-design/x', '@ant-design/x-sdk', '@ant-design/x-markdown', 'antd'],
  build: () => buildWithVite(NAME),
  serve: () => serveOpenAi(builtOf(NAME)),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}&words=${variant === '' ? 'markdown' : 'plain'}`,
  async send(tab) {
    const input = tab.getByRole('textbox');
    await input.fill(PROMPT);
    await input.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, '.ant-sender-actions-btn-loading-button');
  },
};
