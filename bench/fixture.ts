/**
 * What the Playwright fixture costs a test: the same small test with and without it, in pairs, one after the other. Once a chat
 * of a second and a half, once a mere visit, which is the dearest case: all that is paid for is the start.
 */
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { serve } from '../examples/playwright/server.mjs';
import { requireBrowser } from '../scripts/browsers.mjs';
import { DIALECTS } from '../src/core/dialects';
import { watchContext } from '../src/fixture/watch';
import type { Measured } from './run';

const PAIRS = 15;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

type Part = (context: BrowserContext, url: string) => Promise<void>;

const visit: Part = async (context, url) => {
  const page = await context.newPage();
  for (const path of ['/careful', '/careless', '/careful?again']) {
    await page.goto(url + path);
    await page.getByRole('button', { name: 'Send' }).waitFor();
  }
};

const chat: Part = async (context, url) => {
  const page = await context.newPage();
  await page.goto(`${url}/careful`);
  await page.getByRole('textbox').fill('Is it safe to drop the column?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Send' }).waitFor();
};

const time = async (browser: Browser, url: string, watched: boolean, part: Part): Promise<number> => {
  const started = performance.now();
  const context = await browser.newContext();
  if (watched) await watchContext(context, { mappings: [], dialects: DIALECTS });
  await part(context, url);
  await context.close();
  return performance.now() - started;
};

const measure = async (browser: Browser, url: string, name: string, part: Part): Promise<string> => {
  const plain: number[] = [];
  const watched: number[] = [];
  const more: number[] = [];
  for (let i = -1; i < PAIRS; i++) {
    // In turns, so that what the machine does besides meets both.
    const order = i % 2 === 0 ? [false, true] : [true, false];
    const times = new Map<boolean, number>();
    for (const one of order) times.set(one, await time(browser, url, one, part));
    if (i < 0) continue;
    plain.push(times.get(false)!);
    watched.push(times.get(true)!);
    more.push(times.get(true)! - times.get(false)!);
  }
  const share = (median(more) / median(plain)) * 100;
  return `${name}: ${median(plain).toFixed(0)} ms without, ${median(watched).toFixed(0)} ms with; ${median(more).toFixed(1)} ms more in the middle pair (${share.toFixed(1)} %)`;
};

export const bench = async (): Promise<Measured> => {
  const site = await serve();
  const browser = await chromium.launch({
    executablePath: requireBrowser('chromium'),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    return {
      name: 'Playwright fixture: time of a test',
      lines: [
        await measure(browser, site.url, 'one question and its answer', chat),
        await measure(browser, site.url, 'three pages visited', visit),
      ],
    };
  } finally {
    await browser.close();
    site.close();
  }
};
