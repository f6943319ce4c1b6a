/**
 * Pages that no rule had seen when they were written, as the next exam after `by-hand`: two dozen idioms, each by another
 * front-end developer, without a package. What an author got wrong is the case's slip (read.js); an honest page has none.
 */
import { folderOf, type Play, type RealPage, type Tab } from '../page';
import { type Idiom, playsOfIdioms } from '../plays';
import { serveUnseen } from './server';
import { scriptOf } from './words';

const NAME = 'unseen';

/** By idiom: its words, and by the author's slip (with `-tool`, `-refusal` or `-tags` for what the agent does besides) the scenarios. */
const IDIOMS: Readonly<Record<string, Idiom & { readonly words: string }>> = {
  stepper: { words: 'english', plays: { honest: 'done late thought wait fail', blind: 'thought wait fail', naive: 'open' } },
  skeleton: {
    words: 'english',
    plays: {
      honest: 'done reset limit stop late',
      blind: 'cut limit stop fail',
      pause: 'late',
      'honest-refusal': 'limit',
      'blind-refusal': 'limit',
    },
  },
  ghost: { words: 'code', plays: { honest: 'done cut fail open', blind: 'cut fail limit' } },
  feed: {
    words: 'japanese',
    plays: { honest: 'done wait fail reset', blind: 'wait fail cut', 'honest-tool': 'done', 'tick-tool': 'done' },
  },
  board: {
    words: 'english',
    plays: { honest: 'wait cut fail late', blind: 'cut wait limit', said: 'late', 'honest-tool': 'done', 'stuck-tool': 'done' },
  },
  columns: { words: 'english', plays: { honest: 'done cut fail', blind: 'cut fail limit' } },
  canvas: { words: 'code', plays: { honest: 'done limit cut late', said: 'late', blind: 'cut limit' } },
  grid: { words: 'rows', plays: { honest: 'done reset limit late', blind: 'cut limit fail', pause: 'late' } },
  captions: {
    words: 'french',
    plays: { honest: 'done stop cut wait', blind: 'reset stop', 'honest-refusal': 'limit', 'blind-refusal': 'limit' },
  },
  dialog: { words: 'english', plays: { honest: 'done fail cut open', said: 'late', blind: 'cut limit', late: 'open' } },
  inbox: { words: 'english', plays: { honest: 'done cut wait fail', blind: 'cut wait fail' } },
  ticks: { words: 'arabic', plays: { honest: 'done wait fail cut', blind: 'wait cut fail', said: 'late' } },
  elements: { words: 'german', plays: { honest: 'done cut wait fail', blind: 'cut fail limit', pause: 'late' } },
  srcdoc: { words: 'english', plays: { honest: 'done wait reset stop', blind: 'wait reset stop fail' } },
  again: { words: 'english', plays: { honest: 'done reset', appends: 'cut', both: 'reset' } },
  approve: { words: 'english', plays: { honest: 'done wait stop fail', blind: 'wait fail limit', 'honest-refusal': 'limit' } },
  veil: { words: 'taiwanese', plays: { honest: 'done cut fail open', blind: 'cut fail limit', said: 'late' } },
  meter: { words: 'english', plays: { honest: 'done cut limit', blind: 'cut fail limit', pause: 'late' } },
  attach: { words: 'english', plays: { honest: 'done cut reset', appends: 'cut' } },
  scroll: { words: 'english', plays: { honest: 'done stop wait fail', blind: 'cut stop fail', said: 'late' } },
  terminal: { words: 'english', plays: { honest: 'done cut stop limit', blind: 'cut fail' } },
  branches: { words: 'english', plays: { honest: 'done cut', blind: 'cut fail limit' } },
  percent: { words: 'english', plays: { honest: 'done cut fail', blind: 'cut fail' } },
  tags: { words: 'english', plays: { 'honest-tags': 'done cut', 'raw-tags': 'done', 'strips-tags': 'done', 'blind-tags': 'cut' } },
};

const partsOf = ({ variant }: Play): readonly [string, string, string] => {
  const [idiom = '', slip = 'honest', extra = ''] = variant.split('-');
  return [idiom, slip, extra];
};

/** How a person stops it. */
const STOPS: Readonly<Record<string, (tab: Tab) => Promise<void>>> = {
  skeleton: (tab) => tab.getByRole('button', { name: 'Interrupt' }).click(),
  captions: (tab) => tab.getByRole('button', { name: 'Interrompre' }).click(),
  srcdoc: (tab) => tab.getByRole('button', { name: 'Halt' }).click(),
  approve: (tab) => tab.keyboard.press('Escape'),
  scroll: (tab) => tab.getByRole('button', { name: 'Stop' }).click(),
  terminal: (tab) => tab.keyboard.press('Control+c'),
};

/** The screen holds some twenty letters of the answer, from just before the place where it is held. */
const untilHeld = async (tab: Tab, idiom: string, words: string): Promise<void> => {
  const { answer } = scriptOf(words);
  const middle = answer.slice(Math.floor(answer.length * 0.5), Math.floor(answer.length * 0.55));
  await (idiom === 'srcdoc' ? tab.frameLocator('iframe') : tab).getByText(middle.trim()).first().waitFor();
};

export const page: RealPage = {
  name: NAME,
  packages: [],
  build: async () => {},
  serve: () => serveUnseen(folderOf(NAME)),
  ...playsOfIdioms(IDIOMS),
  url(play) {
    const [idiom, slip, extra] = partsOf(play);
    return `/?idiom=${idiom}&slip=${slip === 'honest' ? '' : slip}&with=${extra}&scenario=${play.scenario}&words=${IDIOMS[idiom]!.words}`;
  },
  async send(tab, play) {
    // As fast as a person types, no faster: the page at rest is seen before it is asked.
    await tab.getByRole('textbox').first().pressSequentially('What happened there?', { delay: 40 });
    const [idiom] = partsOf(play);
    await (idiom === 'scroll' ? tab.locator('.sc-send') : tab.getByRole('button').first()).click();
  },
  async act(tab, play) {
    const [idiom] = partsOf(play);
    if (idiom === 'branches') await tab.getByRole('button', { name: 'Regenerate' }).click();
    if (play.scenario !== 'aborted-by-person') return;
    await untilHeld(tab, idiom, IDIOMS[idiom]!.words);
    await STOPS[idiom]!(tab);
  },
};
