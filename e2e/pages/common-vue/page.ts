/** An adviser in Vue, over chat completions. */
import { replyTo } from '../common-plain/answers';
import { SCRIPTS } from '../common-plain/words';
import { serveAgents, untilHeld } from '../odd-jobs/agents';
import { buildWithVite, builtOf, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'common-vue';

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'late-settlement', 'severed-mid-text', 'failed-after-text', 'truncated', 'aborted-by-person', 'left-open'],
  eof: ['severed-mid-text', 'failed-after-text', 'truncated'],
  quiet: ['aborted-by-person'],
  hang: ['reset-mid-text'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['vue'],
  build: () => buildWithVite(NAME),
  serve: () => serveAgents(builtOf(NAME), replyTo),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?app=vue&slip=${variant}&scenario=${scenario}`,
  async send(tab) {
    await tab.locator('form input').pressSequentially('Rénover un parquet rayé', { delay: 25 });
    await tab.getByRole('button', { name: 'Envoyer' }).click();
  },
  async act(tab, { scenario }) {
    if (scenario !== 'aborted-by-person') return;
    await untilHeld(tab, SCRIPTS.vue!);
    await tab.locator('.stop').click();
  },
};
