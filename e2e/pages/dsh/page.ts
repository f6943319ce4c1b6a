/**
 * The published web UI of DeepSeek Harness over its own host and a scripted model. Hundreds of packages, so it is played by
 * name only: `npm run pages -- dsh`. One host for all cases; each case is a session of its own.
 */
import { type Host, startHost } from '../../dsh/host';
import type { Play, RealPage, Scenario, Tab } from '../page';

/** The provider's script for each scenario. */
const SCRIPTS: Partial<Readonly<Record<Scenario, string>>> = {
  completed: 'plain',
  'reset-mid-text': 'long',
  waiting: 'question',
  'failed-after-text': 'unfinished',
  truncated: 'ceiling',
  'aborted-by-person': 'long',
};
const EARLY = 'Here is a long answer';

let host: Host | null = null;
let sent = 0;

const press = (words: string): string => `(() => {
  const button = [...document.querySelectorAll('button, [role=button]')]
    .find((one) => (one.getAttribute('aria-label') ?? one.innerText ?? '').trim() === ${JSON.stringify(words)} && !one.disabled);
  button?.click();
  return button !== undefined;
})()`;

/** A new session, ready to be written in: the page greets, and shows the newest session first. */
const begin = async (tab: Tab): Promise<void> => {
  await tab.waitForFunction(`(() => {
    ${press('Continue')};
    ${press('New session')};
    const field = document.querySelector('textarea');
    return field !== null && !field.readOnly && !/\\bturns\\b/.test(document.body.innerText);
  })()`);
};

export const page: RealPage = {
  name: 'dsh',
  packages: ['@deepseek-ai/dsh'],
  build: async () => {},
  async serve() {
    host = await startHost();
    return host;
  },
  plays: (Object.keys(SCRIPTS) as Scenario[]).map((scenario): Play => ({ scenario, variant: '' })),
  url: () => '/',
  async send(tab, { scenario }) {
    await begin(tab);
    const field = tab.locator('textarea').first();
    await field.fill(`Prompt ${++sent}, scenario: ${SCRIPTS[scenario]}`);
    await field.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario === 'reset-mid-text') {
      await tab.getByText(EARLY).first().waitFor();
      host?.cut();
    } else if (scenario === 'aborted-by-person') {
      await tab.getByText(EARLY).first().waitFor();
      await tab
        .getByRole('button', { name: /stop|interrupt|abort/i })
        .first()
        .click();
    }
  },
};
