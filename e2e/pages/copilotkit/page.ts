/** CopilotKit's chat over its runtime, which speaks AG-UI to the page. */
import { buildWithVite, PROMPT, playsOf, type RealPage, type Scenario, stopEarly } from '../page';

const SCENARIOS: readonly Scenario[] = [
  'completed',
  'late-settlement',
  'severed-mid-text',
  'reset-mid-text',
  'severed-after-reasoning',
  'waiting',
  'failed-after-text',
  'aborted-by-person',
  'left-open',
];

export const page: RealPage = {
  name: 'copilotkit',
  packages: ['@copilotkit/react-core', '@copilotkit/react-ui', '@copilotkit/runtime'],
  build: () => buildWithVite('copilotkit'),
  serve: async () => (await import('./server')).startServer(),
  plays: playsOf(SCENARIOS, ['', 'v2']),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&variant=${variant}`,
  async send(tab) {
    await tab.getByRole('textbox').fill(PROMPT);
    await tab.getByRole('textbox').press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'aborted-by-person') await stopEarly(tab, 'button[aria-label*="top"], [data-testid="copilot-send-button"]');
  },
};
