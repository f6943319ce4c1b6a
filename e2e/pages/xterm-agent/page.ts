/** A coding agent in xterm.js, over the Agent Client Protocol on a WebSocket. */

import type { Script } from '../everyday/words';
import { serveAgents, untilHeld } from '../odd-jobs/agents';
import { buildWithVite, builtOf, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'xterm-agent';

const SCRIPT: Script = {
  reasoning: 'The plan output names two security groups, so the drift probably comes from the console change made on Friday.',
  lead: 'The drift is limited to one security group, and applying the plan would restore port 8443.',
  question: 'Run terraform apply in production?',
  progress: '',
  answer:
    'The plan shows drift in two places. Someone opened port 8443 on the bastion group in the console, and the lifetime of the backup vault was raised from 30 to 90 days. The first change is not in the repository and would be reverted by the next apply. The second one matches an open pull request, so merge that before you run anything. I also pinned the provider version, because the lock file had drifted between the two workspaces.',
};

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'waiting', 'severed-mid-text', 'truncated', 'aborted-by-person'],
  blind: ['severed-mid-text', 'truncated', 'waiting'],
  raw: ['completed'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['@xterm/xterm', '@xterm/addon-fit'],
  build: () => buildWithVite(NAME),
  serve: () => serveAgents(builtOf(NAME), () => ({ script: SCRIPT })),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.getByText('Connected.').first().waitFor();
    await tab.locator('.xterm-helper-textarea').pressSequentially('Why does the plan show changes?', { delay: 25 });
    await tab.keyboard.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario !== 'aborted-by-person') return;
    await untilHeld(tab, SCRIPT);
    await tab.keyboard.press('Control+c');
  },
};
