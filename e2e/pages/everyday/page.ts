/**
 * A dozen everyday chat pages as ordinary teams ship them, without a package: a chat clone, a support bubble, an editor's
 * sidebar, and so on (uis/). What a team got wrong is the case's slip; an honest page has none.
 */
import { folderOf, type Play, type RealPage, type Tab } from '../page';
import { type Idiom, playsOfIdioms } from '../plays';
import { piecesOf } from '../words';
import { middleOf } from './said';
import { serveEveryday } from './server';
import { SCRIPTS } from './words';

const NAME = 'everyday';

/** By page: its language, and by the slip of its team (`-before`, `-after`: with a tool before or after the text) the scenarios. */
const UIS: Readonly<Record<string, Idiom & { readonly lang: string }>> = {
  gpt: {
    lang: 'en',
    plays: {
      honest: 'done late fail limit stop open cut reset',
      swallow: 'cut reset fail limit stop',
      idle: 'late',
      parse: 'done',
      drain: 'open',
    },
  },
  widget: { lang: 'fr', plays: { honest: 'done late wait fail cut', dots: 'done cut', blind: 'wait fail' } },
  copilot: {
    lang: 'en',
    plays: {
      honest: 'done late wait fail limit stop thought',
      'honest-after': 'done',
      'textdone-after': 'done',
      inline: 'done',
      fallback: 'thought',
      swallow: 'cut fail stop wait',
    },
  },
  docs: { lang: 'es', plays: { honest: 'done late fail limit reset', ready: 'cut limit', swallow: 'reset fail' } },
  thread: { lang: 'en', plays: { honest: 'done late wait fail cut', draft: 'late fail', last: 'cut', blind: 'wait' } },
  messenger: { lang: 'zh', plays: { honest: 'done limit stop fail cut', blind: 'cut reset limit fail' } },
  notebook: {
    lang: 'en',
    plays: {
      'honest-before': 'done',
      honest: 'wait fail stop reset',
      'args-before': 'done',
      'stuck-before': 'done',
      blind: 'wait cut fail',
    },
  },
  review: { lang: 'en', plays: { honest: 'done wait fail limit cut', blind: 'wait fail cut limit' } },
  editor: { lang: 'de', plays: { honest: 'done late limit stop fail reset', early: 'done', blind: 'cut fail limit' } },
  voice: { lang: 'ko', plays: { honest: 'done stop limit fail cut', blind: 'cut fail limit stop' } },
  search: { lang: 'pt', plays: { honest: 'done late limit fail cut open', blind: 'cut limit fail', idle: 'late' } },
  report: { lang: 'ja', plays: { honest: 'done late wait fail reset', twice: 'done', blind: 'wait fail' } },
};

const partsOf = ({ variant }: Play): readonly [string, string, string] => {
  const [ui = '', slip = 'honest', tool = ''] = variant.split('-');
  return [ui, slip === 'honest' ? '' : slip, tool];
};

/** How a person opens what is closed at first, and stops what goes on. */
const OPENS: Readonly<Record<string, string>> = { widget: '.launcher', docs: '.ask' };
const STOPS: Readonly<Record<string, string>> = {
  gpt: '.composer-btn',
  copilot: '.act',
  messenger: '.go',
  notebook: '.stop',
  editor: '.bar button',
  voice: '.orb',
};

export const page: RealPage = {
  name: NAME,
  packages: [],
  build: async () => {},
  serve: () => serveEveryday(folderOf(NAME)),
  ...playsOfIdioms(UIS),
  url(play) {
    const [ui, slip, tool] = partsOf(play);
    return `/?ui=${ui}&slip=${slip}&tool=${tool}&lang=${UIS[ui]!.lang}&scenario=${play.scenario}`;
  },
  async send(tab, play) {
    const [ui] = partsOf(play);
    const opener = OPENS[ui];
    if (opener !== undefined) await tab.locator(opener).first().click();
    const box = tab.getByRole(ui === 'search' ? 'searchbox' : 'textbox').first();
    await box.pressSequentially('Can you help?', { delay: 30 });
    // Where Enter is a new line, or nothing, there is a button for it.
    if (ui === 'notebook') await tab.locator('.run').click();
    else if (ui === 'review') await tab.locator('form .primary').click();
    else await box.press('Enter');
  },
  async act(tab: Tab, play) {
    if (play.scenario !== 'aborted-by-person') return;
    const [ui] = partsOf(play);
    const pieces = piecesOf(SCRIPTS[ui]!.answer);
    const shown = pieces.slice(0, middleOf(pieces)).slice(-4).join('').trim();
    await tab.getByText(shown).first().waitFor();
    // At once: the orb never holds still while it speaks.
    await tab.locator(STOPS[ui]!).first().click({ force: true });
  },
};
