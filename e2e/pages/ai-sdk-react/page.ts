/** `@ai-sdk/react`'s useChat over the `ai` package's own server: as its quick-start has it, and as people change it. */
import { buildWithVite, builtOf, type Play, PROMPT, playsOf, type RealPage, SCENARIOS, type Scenario, stopEarly } from '../page';
import { serveUiMessages } from '../ui-messages';
import { WORDS } from '../words';

const NAME = 'ai-sdk-react';

/** What each form of the page is there to show; see main.tsx. */
const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': SCENARIOS,
  'no-notice': ['reset-mid-text', 'failed-after-text'],
  thoughts: ['completed', 'severed-after-reasoning', 'severed-mid-text'],
  tools: ['completed', 'waiting'],
  careful: SCENARIOS.filter((scenario) => scenario !== 'waiting'),
  chinese: ['completed', 'severed-mid-text', 'reset-mid-text', 'truncated'],
  arabic: ['completed', 'severed-mid-text', 'reset-mid-text', 'failed-after-text'],
};

const wordsIn = ({ variant }: Play): string => (variant in WORDS ? variant : 'plain');

export const page: RealPage = {
  name: NAME,
  packages: ['@ai-sdk/react', 'ai', 'react'],
  build: () => buildWithVite(NAME),
  serve: () => serveUiMessages(builtOf(NAME)),
  plays: playsOf(SCENARIOS, Object.keys(SHOWN_IN), ({ scenario, variant }) => !SHOWN_IN[variant]!.includes(scenario)),
  url: (play) => `/?scenario=${play.scenario}&form=${play.variant}&words=${wordsIn(play)}`,
  async send(tab) {
    await tab.getByLabel('Message').fill(PROMPT);
    await tab.click('#send');
  },
  async act(tab, play) {
    if (play.scenario === 'aborted-by-person') await stopEarly(tab, '#stop');
  },
};
