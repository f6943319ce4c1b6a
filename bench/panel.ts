/**
 * The panel with 100,000 events in one run: how soon something is there, how smoothly it scrolls and pans, how soon a
 * filter's first rows are painted, what it holds in memory.
 */
import { JUMP, ms, PAN, SCROLL, withPanel } from './panel-page.ts';
import type { Measured } from './run.ts';

export const bench = (): Promise<Measured> =>
  withPanel('panel: 100,000 events in one run', async ({ page, frames, filterTime, longTasks, heap }, tell) => {
    // The capture is made first, so that only taking it in and drawing it are measured.
    const { painted, done } = (await page.evaluate(`window.unsettledOpenSample('large-100k')`)) as { painted: number; done: number };
    tell(
      `first rows painted after ${ms(painted)}, all taken in after ${ms(done)}; making the sample and taking it in: ${await longTasks()}`,
    );
    tell(`idle: ${await frames(`await new Promise((resolve) => setTimeout(resolve, 1000));`)}`);
    tell(`scrolling folded rows: ${await frames(SCROLL)}`);
    tell(`panning the timeline: ${await frames(PAN)}`);
    await page.keyboard.press('u');
    await page.waitForFunction(`Number(document.querySelector('.grid').getAttribute('aria-rowcount')) > 90000`);
    await longTasks();
    tell(`scrolling single rows: ${await frames(SCROLL)}`);
    tell(`jumping through all of it: ${await frames(JUMP)}`);
    tell(`all of this: ${await longTasks()}`);
    const first = await filterTime('word42');
    const second = await filterTime('/step 17\\d/');
    const third = await filterTime('type:run.log -event_5');
    await page.keyboard.press('u');
    const fourth = await filterTime('words of nothing');
    tell(
      `filter, first painted: text ${ms(first)}, expression ${ms(second)}, field and negation ${ms(third)}, joined text ${ms(fourth)}; ${await longTasks()}`,
    );
    tell(await heap());
  });
