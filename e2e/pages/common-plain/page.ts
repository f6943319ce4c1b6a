/** Three everyday pages without a package: a status line, a widget in a frame in a shadow root, and a list that draws what is in view. */

import { serveAgents, untilHeld } from '../odd-jobs/agents';
import { folderOf, type Play, type RealPage } from '../page';
import { type Idiom, playsOfIdioms } from '../plays';
import { replyTo } from './answers';
import { SCRIPTS } from './words';

const NAME = 'common-plain';

const APPS: Readonly<Record<string, Idiom & { readonly prompt: string }>> = {
  status: {
    prompt: 'Find the missing invoices',
    plays: { honest: 'done wait fail cut thought', last: 'done thought', green: 'wait fail cut' },
  },
  widget: { prompt: 'Wo ist mein Paket?', plays: { honest: 'done wait fail cut late', hush: 'fail reset', form: 'wait' } },
  virtual: { prompt: 'Una mesa para ocho', plays: { honest: 'done wait fail limit stop', eof: 'reset fail limit wait', node: 'late' } },
};

const partsOf = ({ variant }: Play): readonly [string, string] => {
  const [app = '', slip = 'honest'] = variant.split('-');
  return [app, slip === 'honest' ? '' : slip];
};

export const page: RealPage = {
  name: NAME,
  packages: [],
  build: async () => {},
  serve: () => serveAgents(folderOf(NAME), replyTo),
  ...playsOfIdioms(APPS),
  url(play) {
    const [app, slip] = partsOf(play);
    return `/?app=${app}&slip=${slip}&scenario=${play.scenario}`;
  },
  async send(tab, play) {
    const [app] = partsOf(play);
    const where = app === 'widget' ? tab.frameLocator('#support-root iframe') : tab;
    const field = where.locator('input').first();
    await field.pressSequentially(APPS[app]!.prompt, { delay: 25 });
    if (app === 'status') await tab.getByRole('button', { name: 'Run' }).click();
    else await field.press('Enter');
  },
  async act(tab, play) {
    if (play.scenario !== 'aborted-by-person') return;
    await untilHeld(tab, SCRIPTS[partsOf(play)[0]]!);
    await tab.locator('.go').click();
  },
};
