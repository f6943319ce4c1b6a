/**
 * The panel with 100,000 events in one run, in a real browser: how soon something is there, how smoothly it scrolls, how
 * soon a filter's first rows are painted, and whether it keeps up with a stream. Frames are counted by the browser's own
 * animation frames; a busy machine shows in these numbers, so the load is printed with them.
 */
import { loadavg } from 'node:os';
import { type CDPSession, chromium, type Page } from 'playwright';
import { startViewer } from '../e2e/panel/viewer.ts';
import type { Measured } from './run.ts';

const EVENTS = 100_000;

const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** Milliseconds of the renderer's main thread so far: its own processor time, so that other programs do not count. */
const busy = async (cdp: CDPSession): Promise<number> => {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
};

/** Lengths of the frames while `act` runs in the page, and what each cost in processor time on average. */
const frames = async (page: Page, cdp: CDPSession, act: string): Promise<string> => {
  const before = await busy(cdp);
  const lengths = await lengthsOf(page, act);
  const cost = ((await busy(cdp)) - before) / Math.max(1, lengths.length);
  return `p50 ${ms(percentile(lengths, 0.5))}, p95 ${ms(percentile(lengths, 0.95))} a frame; ${ms(cost)} of it at work`;
};

const lengthsOf = (page: Page, act: string): Promise<number[]> =>
  page.evaluate(
    `(async () => {
      const lengths = [];
      let last = performance.now();
      let on = true;
      const tick = (now) => { lengths.push(now - last); last = now; if (on) requestAnimationFrame(tick); };
      requestAnimationFrame(tick);
      await (async () => { ${act} })();
      on = false;
      return lengths.slice(2);
    })()`,
  );

/** From typing a filter to the frame that shows its first rows. */
const filterTime = (page: Page, text: string): Promise<number> =>
  page.evaluate(
    `(async () => {
      const input = document.querySelector('#search');
      const state = document.querySelector('#search-state');
      const before = state.textContent;
      const start = performance.now();
      input.value = ${JSON.stringify(text)};
      input.dispatchEvent(new Event('input', { bubbles: true }));
      while (state.textContent === before) await new Promise((resolve) => requestAnimationFrame(resolve));
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - start;
    })()`,
  );

export const bench = async (): Promise<Measured> => {
  const viewer = await startViewer();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  const lines: string[] = [`load average ${loadavg()[0]?.toFixed(1)}`];
  try {
    const page = await browser.newPage({ viewport: { width: 1380, height: 800 } });
    await page.goto(viewer.url);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.waitForSelector('.empty');
    // The capture is made first, so that only taking it in and drawing it are measured.
    const open = await page.evaluate(`window.unsettledOpenSample('large-100k')`);
    const { painted, done } = open as { painted: number; done: number };
    lines.push(`${EVENTS.toLocaleString('en')} events: first rows painted after ${ms(painted)}, all taken in after ${ms(done)}`);

    const still = await frames(page, cdp, `await new Promise((resolve) => setTimeout(resolve, 1000));`);
    lines.push(`idle: ${still}`);

    const scrolled = await frames(
      page,
      cdp,
      `const grid = document.querySelector('.grid');
       for (let i = 0; i < 150; i++) { grid.scrollTop -= 137; await new Promise((resolve) => requestAnimationFrame(resolve)); }`,
    );
    lines.push(`scrolling folded rows: ${scrolled}`);

    await page.keyboard.press('u');
    await page.waitForFunction(`Number(document.querySelector('.grid').getAttribute('aria-rowcount')) > 90000`);
    const unfolded = await frames(
      page,
      cdp,
      `const grid = document.querySelector('.grid');
       for (let i = 0; i < 150; i++) { grid.scrollTop -= 137; await new Promise((resolve) => requestAnimationFrame(resolve)); }`,
    );
    lines.push(`scrolling single rows: ${unfolded}`);
    const jumps = await frames(
      page,
      cdp,
      `const grid = document.querySelector('.grid');
       for (let i = 0; i < 60; i++) { grid.scrollTop = (grid.scrollHeight / 60) * i; await new Promise((resolve) => requestAnimationFrame(resolve)); }`,
    );
    lines.push(`jumping through all of it: ${jumps}`);

    const first = await filterTime(page, 'word42');
    const second = await filterTime(page, '/step 17\\d/');
    const third = await filterTime(page, 'type:run.log -event_5');
    lines.push(`filter, first result painted: text ${ms(first)}, expression ${ms(second)}, field and negation ${ms(third)}`);
    await page.keyboard.press('u');
    const folded = await filterTime(page, 'words of nothing');
    lines.push(`filter over joined text of folds: ${ms(folded)}`);

    const heap = (await page.evaluate(`performance.memory?.usedJSHeapSize ?? 0`)) as number;
    lines.push(`heap ${(heap / 1024 / 1024).toFixed(0)} MB`);

    await page.evaluate(`localStorage.clear()`);
    await page.reload();
    await page.waitForSelector('.empty, .rows .row');
    await page.evaluate(`void (globalThis.slowest = unsettledStream('large-10k', 1000, 6000))`);
    await page.waitForSelector('.rows .row');
    const streaming = await frames(page, cdp, `await new Promise((resolve) => setTimeout(resolve, 4000));`);
    lines.push(`streaming 1,000 events/s: ${streaming}`);
    lines.push(`an event was taken in after ${ms((await page.evaluate('slowest')) as number)} at most`);
  } finally {
    await browser.close();
    await viewer.close();
  }
  return { name: 'panel', lines };
};
