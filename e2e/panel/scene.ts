/** How every case of the panel begins: one viewer for the file of cases, the panel opened, and no error left in the page. */
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { startViewer, type Viewer } from './viewer.ts';

export const SAMPLE = 'sample=kestrel-cut';

let viewer: Viewer;
/** The panel's address, to which a query may be added. */
export const viewerUrl = (): string => viewer.url;

/** Cases of the panel: built once, for all files. */
export const test = base.extend<object, { readonly built: Viewer }>({
  built: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed from here.
    async ({}, use) => {
      viewer = await startViewer();
      await use(viewer);
      await viewer.close();
    },
    { scope: 'worker', auto: true, timeout: 120_000 },
  ],
});

/** Registers what comes before and after the cases of a file. */
export const withViewer = (): void => {
  const errors: Error[] = [];
  test.beforeEach(({ page }) => {
    errors.length = 0;
    page.on('pageerror', (error) => errors.push(error));
  });
  test.afterEach(() => {
    expect(errors, 'errors in the page').toEqual([]);
  });
};

export const failing = (page: Page) => page.locator('.findings-pill');

export const open = async (page: Page, query = SAMPLE, width = 1380, height = 800): Promise<void> => {
  await page.setViewportSize({ width, height });
  // From the beginning: the browser hands choosing a file over a moment after it was asked to, and until then it opens,
  // and at once cancels, a dialog of its own.
  page.on('filechooser', () => {});
  await page.goto(`${viewer.url}?${query}`);
  // It draws when its language is there, which is after the page has loaded.
  await page.waitForFunction(() => 'unsettledOpenSample' in globalThis);
  // Findings come a moment after the events they are about.
  if (query.includes('sample=')) await expect(failing(page)).toHaveText('3');
};

/** What is wrong for those who read by other means. */
export const violations = async (page: Page): Promise<readonly string[]> => {
  // The panel is one document, so axe may put its result together there: a page made anew for that costs more than the looking.
  expect(page.frames(), 'frames of the panel').toHaveLength(1);
  // What passed is only counted: to find a selector for each of those elements takes longer than to judge them all.
  const judged = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  expect(judged.passes.length, 'rules that judged something').toBeGreaterThan(5);
  return judged.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(' ')).join(', ')}`);
};
