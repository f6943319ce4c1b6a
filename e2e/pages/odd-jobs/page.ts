/**
 * Three odd jobs without a package: a board of an agent's tasks, a form that an object fills, and a card that is swapped whole. What
 * an author got wrong is the case's slip; an honest page has none.
 */
import { folderOf, type Play, type RealPage } from '../page';
import { type Idiom, playsOfIdioms } from '../plays';
import { serveAgents } from './agents';
import { SCRIPTS } from './words';

const NAME = 'odd-jobs';

const JOBS: Readonly<Record<string, Idiom & { readonly lang: string }>> = {
  kanban: { lang: 'uk', plays: { honest: 'done wait fail cut late', blind: 'wait fail cut', artifact: 'late' } },
  recipe: { lang: 'da', plays: { honest: 'done cut limit', blind: 'cut limit fail' } },
  incident: { lang: 'th', plays: { honest: 'done wait fail cut', blind: 'wait fail cut' } },
};

const partsOf = ({ variant }: Play): readonly [string, string] => {
  const [job = '', slip = 'honest'] = variant.split('-');
  return [job, slip === 'honest' ? '' : slip];
};

export const page: RealPage = {
  name: NAME,
  packages: [],
  build: async () => {},
  serve: () => serveAgents(folderOf(NAME), ({ from }) => ({ script: SCRIPTS[from.searchParams.get('job') ?? '']! })),
  ...playsOfIdioms(JOBS),
  url(play) {
    const [job, slip] = partsOf(play);
    return `/?job=${job}&slip=${slip}&lang=${JOBS[job]!.lang}&scenario=${play.scenario}`;
  },
  async send(tab, play) {
    const [job] = partsOf(play);
    await tab.getByRole('textbox').first().pressSequentially(PROMPTS[job]!, { delay: 25 });
    await tab.getByRole('button').first().click();
  },
};

const PROMPTS: Readonly<Record<string, string>> = {
  kanban: 'Звірити рахунки за листопад',
  recipe: 'Porrer, æg og en rest ost',
  incident: 'ดิสก์เต็มเมื่อเช้า',
};
