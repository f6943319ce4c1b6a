/** Five everyday React pages, over five protocols: what each author got wrong is the case's slip; an honest page has none. */

import { replyTo } from '../common-plain/answers';
import { SCRIPTS } from '../common-plain/words';
import { serveAgents, untilHeld } from '../odd-jobs/agents';
import { buildWithVite, builtOf, type Play, type RealPage } from '../page';
import { type Idiom, playsOfIdioms } from '../plays';

const NAME = 'common-react';

const APPS: Readonly<Record<string, Idiom & { readonly prompt: string; readonly stop: string }>> = {
  gpt: {
    prompt: 'How do I keep basil alive in the kitchen?',
    stop: '[aria-label="Stop streaming"]',
    plays: { honest: 'done late cut fail limit stop open', eof: 'cut fail limit stop open', first: 'done late', mix: 'done thought' },
  },
  bubble: {
    prompt: 'Any clashes next week?',
    stop: 'text=Stop',
    plays: { honest: 'done wait cut fail limit stop', dots: 'done', block: 'done wait', hush: 'reset fail limit' },
  },
  sidebar: {
    prompt: 'Why does the countdown flicker?',
    stop: 'text=Cancel',
    plays: { honest: 'done thought fail limit late stop', flat: 'done', pause: 'late', eof: 'cut fail limit open' },
  },
  smooth: {
    prompt: 'Two of us to Edinburgh on Friday',
    stop: 'text=Stop',
    plays: { honest: 'done wait cut fail', lag: 'done late', brief: 'fail', blind: 'wait cut fail' },
  },
  tools: {
    prompt: 'Order 70213 arrived with a cracked lid',
    stop: '.stop',
    plays: { honest: 'done wait cut fail limit stop', tick: 'done wait', spin: 'done', idle: 'cut fail limit open' },
  },
};

const partsOf = ({ variant }: Play): readonly [string, string] => {
  const [app = '', slip = 'honest'] = variant.split('-');
  return [app, slip === 'honest' ? '' : slip];
};

export const page: RealPage = {
  name: NAME,
  packages: ['react'],
  build: () => buildWithVite(NAME),
  serve: () => serveAgents(builtOf(NAME), replyTo),
  ...playsOfIdioms(APPS),
  url(play) {
    const [app, slip] = partsOf(play);
    return `/?app=${app}&slip=${slip}&scenario=${play.scenario}`;
  },
  async send(tab, play) {
    const [app] = partsOf(play);
    const field = tab.locator('textarea, input').first();
    await field.pressSequentially(APPS[app]!.prompt, { delay: 25 });
    if (app === 'sidebar') await tab.getByRole('button', { name: 'Ask' }).click();
    else await field.press('Enter');
  },
  async act(tab, play) {
    if (play.scenario !== 'aborted-by-person') return;
    const [app] = partsOf(play);
    await untilHeld(tab, SCRIPTS[app]!);
    await tab.locator(APPS[app]!.stop).first().click();
  },
};
