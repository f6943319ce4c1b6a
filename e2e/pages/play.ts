/**
 * Plays one scenario on one page as a person would, until it is over and the page is quiet, and gives back what the panel
 * tells of it, with pictures of the page for whoever labels it.
 */
import { until } from '../drivers/driver';
import type { Look, Pages, Told } from './browser';
import type { Play, RealPage } from './page';

export interface Played {
  readonly page: string;
  readonly play: Play;
  /** Every finding that fails. */
  readonly told: readonly Told[];
  readonly doubts: readonly Told[];
  readonly outcomes: readonly (string | null)[];
  readonly dialects: readonly (string | null)[];
  readonly faults: readonly string[];
  readonly capture: string;
  /** PNG: in the middle of the text, right after the end, and when all was quiet. Empty where none were asked for. */
  readonly shots: readonly Buffer[];
  readonly seconds: number;
}

/** Longer than the longest grace that a rule gives a page after the end (five seconds), by the page's own clock. */
const AFTER_MS = 5_600;
/** And this long without a change on the screen, unless it never stops moving. */
const QUIET_MS = 1_200;
const RESTLESS_MS = 9_000;

const isOver = ({ flows, runs, now, lastBytes, lastSight }: Look): boolean => {
  if (flows.length === 0) return false;
  const open = runs.length === 0 || runs.some(({ outcome }) => outcome === null);
  const last = Math.max(lastBytes, ...runs.map(({ at }) => at ?? 0));
  if (now - last < (open ? RESTLESS_MS : AFTER_MS)) return false;
  return now - lastSight >= QUIET_MS || now - last >= RESTLESS_MS;
};

export const playOne = async (pages: Pages, page: RealPage, play: Play, origin: string, withShots: boolean): Promise<Played> => {
  const started = performance.now();
  const watched = await pages.open();
  const { tab } = watched;
  const shots: Buffer[] = [];
  const shoot = async (): Promise<void> => {
    if (withShots) shots.push(await tab.screenshot());
  };
  try {
    await tab.goto(`${origin}${page.url(play)}`);
    await until('the panel knows the page', async () => (await watched.look()).documents > 0, 30);
    await page.send(tab, play);
    await until('the page has asked its server', async () => (await watched.look()).flows.length > 0, 30);
    await page.act?.(tab, play);
    let mid = false;
    let after = false;
    const look = await until(
      'the run is over and the page is quiet',
      async () => {
        const now = await watched.look();
        if (withShots && !mid && now.lastSight > 0 && now.now - now.lastBytes < 500 && now.runs[0]?.outcome === null) {
          mid = true;
          await tab.waitForTimeout(2_000);
          await shoot();
        }
        if (withShots && !after && now.runs.length > 0 && now.runs.every(({ outcome }) => outcome !== null)) {
          after = true;
          await shoot();
        }
        return isOver(now) ? now : null;
      },
      60,
    );
    await shoot();
    return {
      page: page.name,
      play,
      told: look.findings.filter(({ verdict }) => verdict === 'fail'),
      doubts: look.findings.filter(({ verdict }) => verdict === 'inconclusive'),
      outcomes: look.runs.map(({ outcome }) => outcome),
      dialects: look.flows.map(({ dialect }) => dialect),
      faults: [...look.faults, ...(look.lost > 0 ? [`${look.lost} records were lost on the way`] : [])],
      capture: await watched.capture(),
      shots,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await watched.close();
  }
};
