/** Stimulus: a column of a spreadsheet that is filled by three runs at once, over OpenAI's responses; the second is what fails. */

import type { Script } from '../everyday/words';
import { serveAgents } from '../odd-jobs/agents';
import { buildWithVite, builtOf, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'cells-stimulus';

const about = (reasoning: string, answer: string): Script => ({ reasoning, lead: '', question: '', progress: '', answer });

const SCRIPTS: Readonly<Record<string, Script>> = {
  'Kaisla Oy': about(
    'Yritys rakentaa puuveneitä, joten tärkeintä on valmistusmäärä.',
    'Porvoolainen veistämö, joka rakentaa vuosittain parikymmentä soutuvenettä lehtikuusesta. Suurin osa myydään suoraan mökkiläisille, ja talvella tilat vuokrataan kurssikäyttöön.',
  ),
  'Tuohi ja Pihka': about(
    'Yrityksellä on kaksi tehdasta, joten molemmat pitää mainita.',
    'Perheyritys Kajaanista, joka valmistaa koivuisia koulukalusteita kahdessa tehtaassa. Kunnat ostavat niistä kaksi kolmasosaa puitesopimuksilla, jotka päättyvät ensi syksynä. Vienti Viroon alkoi keväällä ja kasvaa tasaisesti.',
  ),
  'Routa Energia': about(
    'Kasvu on nopeaa, joten henkilöstön määrä kertoo eniten.',
    'Oululainen asennusliike, jonka henkilöstö on kasvanut kolmessa vuodessa neljästä kolmeenkymmeneen. Pääosa urakoista on rivitalojen maalämpöä, ja huoltosopimuksista tulee viidennes liikevaihdosta.',
  ),
};

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'failed-after-text', 'truncated'],
  blind: ['severed-mid-text', 'failed-after-text', 'truncated'],
  early: ['completed'],
  hang: ['reset-mid-text'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['@hotwired/stimulus'],
  build: () => buildWithVite(NAME),
  serve: () =>
    serveAgents(builtOf(NAME), ({ body }) => {
      const { company } = JSON.parse(body).metadata as { company: string };
      return { script: SCRIPTS[company]!, spoiled: company === 'Tuohi ja Pihka' };
    }),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.locator('.bar input').pressSequentially('Kuvaa yritys lyhyesti', { delay: 25 });
    await tab.locator('.bar button').click();
  },
};
