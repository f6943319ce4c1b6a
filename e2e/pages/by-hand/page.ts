/**
 * Ten ways to write a chat page by hand, without a package, each in three manners (careful, trusting, hasty: app.js). They
 * were written before the rules had seen any of them, as a check on pages that nobody has tuned for.
 */
import { folderOf, type Play, PROMPT, type RealPage, SCENARIOS, type Tab } from '../page';
import { WORDS } from '../words';
import { serveByHand } from './server';

const NAME = 'by-hand';

/** Its words; whether its protocol says that the text is complete, and that it was cut at a limit; and where the person stops it. */
const IDIOMS: Readonly<
  Record<string, { readonly words: string; readonly hasty: boolean; readonly truncated: boolean; readonly stop: string | null }>
> = {
  caret: { words: 'plain', hasty: false, truncated: true, stop: 'form button' },
  shadow: { words: 'plain', hasty: true, truncated: false, stop: '#go' },
  xhr: { words: 'chinese', hasty: false, truncated: true, stop: '#stop' },
  bar: { words: 'markdown', hasty: true, truncated: true, stop: null },
  toolbar: { words: 'plain', hasty: true, truncated: true, stop: null },
  typing: { words: 'plain', hasty: true, truncated: true, stop: null },
  bare: { words: 'plain', hasty: false, truncated: true, stop: null },
  widget: { words: 'plain', hasty: true, truncated: true, stop: 'button' },
  state: { words: 'arabic', hasty: true, truncated: false, stop: null },
  smooth: { words: 'plain', hasty: false, truncated: true, stop: 'form button' },
};

const idiomOf = ({ variant }: Play): string => variant.split('-')[0] ?? '';
const mannerOf = ({ variant }: Play): string => variant.split('-')[1] ?? 'careful';

/** One case in so many is played every day: each idiom has other scenarios in other manners. */
const EVERY = 3;

const plays = Object.entries(IDIOMS).flatMap(([idiom, { hasty, truncated }]) => {
  const scenarios = SCENARIOS.filter((scenario) => truncated || scenario !== 'truncated');
  return [
    ...scenarios.map((scenario): Play => ({ scenario, variant: `${idiom}-careful` })),
    ...scenarios.map((scenario): Play => ({ scenario, variant: `${idiom}-trusting` })),
    ...(hasty ? [{ scenario: 'late-settlement', variant: `${idiom}-hasty` } as const] : []),
  ];
});

/** Inside the frame of the widget; anywhere else, the page itself. */
const scope = (tab: Tab, play: Play) => (idiomOf(play) === 'widget' ? tab.frameLocator('iframe') : tab);

export const page: RealPage = {
  name: NAME,
  packages: [],
  build: async () => {},
  serve: () => serveByHand(folderOf(NAME)),
  plays,
  everyday: (play) => plays.indexOf(play) % EVERY === 0,
  url: (play) =>
    `/?idiom=${idiomOf(play)}&manner=${mannerOf(play)}&scenario=${play.scenario}&words=${IDIOMS[idiomOf(play)]?.words ?? 'plain'}`,
  async send(tab, play) {
    const page = scope(tab, play);
    const box = page.getByRole('textbox');
    await box.fill(PROMPT);
    await page.getByRole('button').first().click();
  },
  async act(tab, play) {
    if (play.scenario !== 'aborted-by-person') return;
    const { words, stop } = IDIOMS[idiomOf(play)]!;
    const page = scope(tab, play);
    await page.getByText(WORDS[words]!.middle).first().waitFor();
    if (stop !== null) await page.locator(stop).first().click();
    else if (idiomOf(play) === 'typing') await page.locator('small').click();
    else await tab.keyboard.press('Escape');
  },
};
