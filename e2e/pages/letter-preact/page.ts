/** Preact and htm: an assistant that drafts a mail into a textarea, over chat completions. */

import type { Script } from '../everyday/words';
import { serveAgents, untilHeld } from '../odd-jobs/agents';
import { buildWithVite, builtOf, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'letter-preact';

const SCRIPT: Script = {
  reasoning: 'Mejlet ska vara vänligt men tydligt, och det behöver nämna datum, plats och vem som ansvarar för nycklarna.',
  lead: '',
  question: '',
  progress: '',
  answer:
    'Hej allihop!\n\nMålningen av trapphuset börjar måndagen den fjortonde och beräknas ta nio arbetsdagar. Under den tiden ber vi er ställa in cyklar och barnvagnar i källarförrådet, eftersom golvet täcks med papp varje morgon. Hissen går som vanligt utom på torsdag förmiddag. Karin på tredje våningen har reservnycklar om någon låser sig ute.\n\nVänliga hälsningar\nStyrelsen',
};

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'failed-after-text', 'truncated', 'aborted-by-person'],
  finally: ['severed-mid-text', 'failed-after-text', 'truncated'],
  pause: ['late-settlement'],
  stuck: ['reset-mid-text'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['preact', 'htm'],
  build: () => buildWithVite(NAME),
  serve: () => serveAgents(builtOf(NAME), () => ({ script: SCRIPT })),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.locator('.wish').pressSequentially('Målning av trapphuset', { delay: 25 });
    await tab.locator('.assist button').click();
  },
  async act(tab, { scenario }) {
    if (scenario !== 'aborted-by-person') return;
    await untilHeld(tab, SCRIPT);
    await tab.locator('.stop').click();
  },
};
