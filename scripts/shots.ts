/**
 * `npm run shots`: pictures of the panel's views for the documentation, from the built-in sample, so that they are always
 * of the panel as it is. `npm run shots -- DIR` writes every view in both themes and at every width there, to be looked at
 * and thrown away; without DIR the few that the documentation shows are written to docs/images (WebP, made by the browser).
 * `npm run shots -- --store`: the stores' pictures, see store-shots.ts.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { startViewer } from '../e2e/panel/viewer.ts';
import { findBrowser } from './browsers.mjs';
import { storeShots } from './store-shots.ts';

const WIDTHS = [320, 550, 1200, 1600] as const;
const THEMES = ['light', 'dark'] as const;
const heightAt = (width: number): number => (width <= 320 ? 640 : width <= 550 ? 820 : 760);

interface View {
  readonly name: string;
  /** The address's query. Default: the sample. */
  readonly query?: string;
  readonly reach: (page: Page) => Promise<unknown>;
}

const details = async (page: Page, tab: string): Promise<void> => {
  if ((await page.getByRole('tab', { name: tab }).count()) === 0) await page.keyboard.press('3');
  await page.getByRole('tab', { name: tab }).click();
};
const menu = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

const VIEWS: readonly View[] = [
  { name: 'empty', query: '', reach: async () => {} },
  { name: 'finding', reach: (page) => page.keyboard.press('n') },
  { name: 'run', reach: (page) => details(page, 'Run') },
  {
    name: 'event',
    async reach(page) {
      await page.locator('.grid').focus();
      await page.keyboard.press('Home');
      for (let i = 0; i < 6; i++) await page.keyboard.press('j');
      await details(page, 'Event');
    },
  },
  {
    name: 'raw',
    async reach(page) {
      await page.locator('.grid').focus();
      await page.keyboard.press('Home');
      await details(page, 'Raw');
    },
  },
  { name: 'shown', reach: (page) => details(page, 'Shown') },
  {
    name: 'as-of',
    async reach(page) {
      for (let i = 0; i < 20; i++) await page.keyboard.press('[');
      await details(page, 'Transcript');
    },
  },
  {
    name: 'search',
    async reach(page) {
      await page.keyboard.press('r');
      await page.keyboard.press('Home');
      await page.keyboard.press('/');
      await page.keyboard.type('migration');
    },
  },
  {
    name: 'stretch',
    async reach(page) {
      await page.keyboard.press('t');
      await page.keyboard.press('Home');
      for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('i');
      for (let i = 0; i < 14; i++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('o');
      await page.keyboard.press('Escape');
      await page.locator('.stretch-chip').waitFor();
    },
  },
  {
    name: 'newest-first',
    async reach(page) {
      await page.keyboard.press('r');
      await page.keyboard.press('Home');
      await page.keyboard.press('g');
      await page.keyboard.press('s');
    },
  },
  {
    name: 'filters',
    async reach(page) {
      await page.keyboard.press('Shift+Digit8');
      await page.fill('#search', 'type:run.tool');
      await page.keyboard.press('Enter');
      await page.keyboard.press('v');
      await page.keyboard.press('Enter');
      await page.getByLabel('Name').fill('Tools only');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').locator('li').waitFor();
    },
  },
  {
    name: 'compare',
    async reach(page) {
      await page.keyboard.press('c');
      await page.locator('.pair').first().waitFor();
    },
  },
  { name: 'filtered', reach: (page) => page.fill('#search', 'no such words') },
  { name: 'menu', reach: (page) => page.getByRole('button', { name: 'More' }).click() },
  {
    name: 'save',
    async reach(page) {
      await page.keyboard.press('Control+s');
      await page.getByText('No secrets were found.').waitFor();
    },
  },
  { name: 'settings', reach: (page) => menu(page, 'Settings') },
  {
    name: 'vivid',
    async reach(page) {
      await menu(page, 'Settings');
      await page.getByLabel('Voice colours').selectOption('vivid');
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'row-menu',
    async reach(page) {
      await page.locator('.rows .row').nth(6).click({ button: 'right' });
      await page.getByRole('menu').waitFor();
    },
  },
  { name: 'history', reach: (page) => menu(page, 'Kept sessions') },
  { name: 'shortcuts', reach: (page) => page.keyboard.press('?') },
];

/** What the documentation shows: view, width, theme. */
const KEPT: readonly (readonly [view: string, width: number, theme: (typeof THEMES)[number]])[] = [
  ['finding', 1200, 'dark'],
  ['finding', 550, 'light'],
  ['finding', 320, 'dark'],
  ['event', 1200, 'light'],
  ['raw', 1200, 'dark'],
  ['shown', 1200, 'light'],
  ['as-of', 1200, 'light'],
  ['search', 1200, 'dark'],
  ['stretch', 1200, 'light'],
  ['compare', 1200, 'light'],
  ['compare', 550, 'dark'],
  ['save', 550, 'light'],
  ['empty', 550, 'light'],
];

const take = async (browser: Browser, url: string, view: View, width: number, theme: string, path: string): Promise<void> => {
  const context = await browser.newContext({ viewport: { width, height: heightAt(width) }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${url}?theme=${theme}&lang=en&${view.query ?? 'sample=kestrel-cut'}`);
  if (view.query === undefined) await page.locator('.findings-pill').getByText('3').waitFor();
  await view.reach(page);
  await page.evaluate(() => document.fonts.ready);
  // Two frames: one for the state, one for what is measured after it.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  if (path.endsWith('.webp')) {
    const cdp = await context.newCDPSession(page);
    const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
    writeFileSync(path, Buffer.from(data, 'base64'));
  } else await page.screenshot({ path });
  await context.close();
};

const executablePath = findBrowser('chromium');
if (executablePath === null) {
  console.error('No Chromium was found: see `npm start`.');
  process.exit(2);
}
const [into, ...only] = process.argv.slice(2);
if (into === '--store') {
  await storeShots(executablePath);
  process.exit(0);
}
const viewer = await startViewer();
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
try {
  const dir = into ?? join(import.meta.dirname, '../docs/images');
  mkdirSync(dir, { recursive: true });
  for (const view of VIEWS)
    for (const width of WIDTHS)
      for (const theme of THEMES) {
        const kept = KEPT.some((each) => each[0] === view.name && each[1] === width && each[2] === theme);
        if (into === undefined ? !kept : only.length > 0 && !only.includes(view.name)) continue;
        const file = `${view.name}-${width}-${theme}.${into === undefined ? 'webp' : 'png'}`;
        await take(browser, viewer.url, view, width, theme, join(dir, file));
        console.log(file);
      }
} finally {
  await browser.close();
  await viewer.close();
}
