/** petite-vue: a guide in the bottom sheet of a map on a phone, over Gemini. */

import type { Script } from '../everyday/words';
import { serveAgents, untilHeld } from '../odd-jobs/agents';
import { buildWithVite, builtOf, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'sheet-petite';

const SCRIPT: Script = {
  reasoning: 'Pengunjung ingin tahu cara naik ke kawah, jadi jelaskan jalur, waktu berangkat, dan perlengkapan.',
  lead: '',
  question: '',
  progress: '',
  answer:
    'Untuk sampai ke kawah, berangkatlah dari Cemoro Lawang sekitar pukul tiga pagi dengan jip atau berjalan kaki melewati lautan pasir. Perjalanan kaki memakan waktu satu jam, lalu masih ada dua ratus lima puluh anak tangga menuju bibir kawah. Bawalah jaket tebal, senter kepala, dan masker karena debu belerang cukup tajam. Setelah pukul delapan kabut biasanya naik, jadi turunlah sebelum itu.',
};

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'truncated', 'aborted-by-person', 'left-open'],
  chips: ['severed-mid-text', 'truncated', 'aborted-by-person'],
  drain: ['left-open'],
  idle: ['late-settlement'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['petite-vue'],
  build: () => buildWithVite(NAME),
  serve: () => serveAgents(builtOf(NAME), () => ({ script: SCRIPT })),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.locator('.fab').click();
    const box = tab.locator('.sheet input');
    await box.pressSequentially('Bagaimana cara ke kawah?', { delay: 25 });
    await box.press('Enter');
  },
  async act(tab, { scenario }) {
    if (scenario !== 'aborted-by-person') return;
    await untilHeld(tab, SCRIPT);
    await tab.locator('.halt').click();
  },
};
