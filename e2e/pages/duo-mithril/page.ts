/** Mithril, right to left: two agents side by side over AG-UI, where the writer is the one that fails. */

import type { Script } from '../everyday/words';
import { serveAgents } from '../odd-jobs/agents';
import { buildWithVite, builtOf, playsIn, type RealPage, type Scenario } from '../page';

const NAME = 'duo-mithril';

const PLANNER: Script = {
  reasoning: 'צריך לחלק את היום לשלושה חלקים.',
  lead: '',
  question: '',
  progress: '',
  answer: 'הבוקר מוקדש לשוק ולסדנת הבישול, הצהריים למנוחה בצל, ואחר הצהריים לסיור רגלי קצר לאורך החוף.',
};
const WRITER: Script = {
  reasoning: 'ההזמנה צריכה להיות חמה וקצרה, ולציין היכן נפגשים ומה כדאי להביא מהבית.',
  lead: 'טיוטת ההזמנה מוכנה למשלוח.',
  question: 'לשלוח את ההזמנה לארבעים המשתתפים?',
  progress: '',
  answer:
    'אנחנו שמחים להזמין אתכם ליום הכיף השנתי של הצוות, שיתקיים השנה ביפו העתיקה. ניפגש בתשע בבוקר ליד מגדל השעון, ומשם נצא יחד אל שוק הפשפשים ואל סדנת הבישול. מומלץ להגיע בנעליים נוחות, להביא כובע ובקבוק מים, ולהצטייד בבגד ים למי שרוצה לסיים את היום בטבילה. הארוחות כלולות, וההסעות חוזרות בשש בערב.',
};

const SHOWN_IN: Readonly<Record<string, readonly Scenario[]>> = {
  '': ['completed', 'severed-mid-text', 'failed-after-text', 'waiting', 'severed-after-reasoning'],
  shared: ['completed'],
  blind: ['severed-mid-text', 'failed-after-text', 'waiting'],
  echo: ['completed'],
};

export const page: RealPage = {
  name: NAME,
  packages: ['mithril'],
  build: () => buildWithVite(NAME),
  serve: () =>
    serveAgents(builtOf(NAME), ({ body }) => {
      const spoiled = JSON.parse(body).threadId === 'writer';
      return { script: spoiled ? WRITER : PLANNER, spoiled };
    }),
  plays: playsIn(SHOWN_IN),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&form=${variant}`,
  async send(tab) {
    await tab.locator('.task input').pressSequentially('יום כיף ביפו', { delay: 25 });
    await tab.locator('.task button').click();
  },
};
