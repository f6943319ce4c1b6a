/** Plays one scenario of the demo on one of its pages, as a person would, with the panel open. */
import { type Panel, type Tab, until } from '../drivers/driver';
import { type Reading, readUntil } from './reading';

/** What a scenario takes beyond pressing Send. */
export interface PlayOptions {
  /** Milliseconds between two pieces of streamed text; the scenario's own pace by default. */
  readonly pace?: number;
  /** Called when the panel is open and nothing was sent yet. */
  readonly ready?: (panel: Panel) => Promise<void>;
}

/** The page shows its send button again: whatever it had to show is shown. */
export const AT_REST = `(() => { const send = document.getElementById('send'); return !send.hidden && !send.disabled; })()`;

/** Long enough for the witness to have read everything (it reads a region at most four times a second). */
export const QUIET_MS = 1_500;

/** The careful page says that the answer is being checked, the careless one shows it. */
const DRAFTED = `/Checking the answer|has been rebuilt/.test(document.body.innerText)`;

/**
 * Opens the page, presses Send, and Stop where the scenario is about stopping; waits until the page rests and the panel
 * has nothing under way; gives back what the panel holds.
 */
export const playScenario = async (
  tab: Tab,
  origin: string,
  variant: 'careful' | 'careless',
  scenario: string,
  { pace, ready }: PlayOptions = {},
): Promise<Reading> => {
  await tab.goto(`${origin}/?variant=${variant}&scenario=${scenario}${pace === undefined ? '' : `&pace=${pace}`}`);
  const panel = await tab.openPanel();
  await readUntil(panel, 'the panel is connected to the page', ({ documents }) => documents.some(({ url }) => url.includes(scenario)));
  await ready?.(panel);
  await tab.click('#send');
  await until('the page has taken the message', () => tab.evaluate<boolean>(`document.querySelector('.turn') !== null`), 10);
  if (scenario === 'cancelled') {
    await until('the draft has arrived', () => tab.evaluate<boolean>(DRAFTED), 20);
    await tab.click('#stop');
  }
  await until('the page is at rest again', () => tab.evaluate<boolean>(AT_REST), 30);
  return readUntil(
    panel,
    'every run has ended and nothing moves on the page',
    ({ runs, quietMs }) => runs.length > 0 && runs.every(({ outcome }) => outcome !== null) && quietMs > QUIET_MS,
  );
};
