/**
 * A page that streams 1,000 events a second, while the panel is watched: how long from the moment an event reaches the panel
 * to the frame that shows its row, and whether any task is long. Twenty seconds; `UNSETTLED_BENCH_SECONDS=300` for as long as
 * a patient person would watch.
 */
import { ms, percentile, withPanel } from './panel-page.ts';
import type { Measured } from './run.ts';

const SECONDS = Number(process.env.UNSETTLED_BENCH_SECONDS ?? 20);
const PER_SECOND = 1_000;

export const bench = (): Promise<Measured> =>
  withPanel(
    `panel: ${PER_SECOND.toLocaleString('en')} events a second for ${SECONDS} s`,
    async ({ page, longTasks, heap, frames }, tell) => {
      await page.evaluate(`unsettledPrepare(${PER_SECOND * SECONDS})`);
      // One row an event: the row of each can be told.
      await page.keyboard.press('u');
      await longTasks();
      await page.evaluate(`void unsettledStream(${PER_SECOND}).then((latencies) => (globalThis.latencies = latencies))`);
      await page.waitForSelector('.rows .row');
      const slice = Math.max(1, Math.min(10, SECONDS / 4));
      const pause = `await new Promise((resolve) => setTimeout(resolve, ${slice * 1000}));`;
      tell(`frames at the beginning: ${await frames(pause)}`);
      await page.waitForTimeout(Math.max(0, SECONDS * 1000 - slice * 2500));
      tell(`frames towards the end: ${await frames(pause)}`);
      await page.waitForFunction(`globalThis.latencies !== undefined`, null, { timeout: (SECONDS + 60) * 1000 });
      const latencies = (await page.evaluate('latencies')) as number[];
      tell(
        `from the wire to the screen: p50 ${ms(percentile(latencies, 0.5))}, p95 ${ms(percentile(latencies, 0.95))}, longest ${ms(Math.max(...latencies))}`,
      );
      tell(await longTasks());
      tell(await heap());
    },
  );
