/**
 * What the built extension does in a real browser, seen through its panel in the browser's own developer tools. Written
 * once, against the `Driver` interface; each browser's spec file names its driver.
 */
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Driver, LaunchOptions } from '../drivers/driver';

const root = join(import.meta.dirname, '../..');

/** Declares every case for one browser. `build` is the folder of its extension in dist/. */
export const extensionCases = (build: 'chrome' | 'firefox', launch: (options: LaunchOptions) => Promise<Driver>): void => {
  let driver: Driver;

  test.beforeAll(async () => {
    driver = await launch({ extension: join(root, 'dist', build) });
    console.log(`${driver.browser} ${driver.version}`);
  });

  test.afterAll(async () => {
    await driver?.close();
  });

  test('the panel opens in the developer tools', async () => {
    const tab = await driver.openTab();
    await tab.goto('about:blank');
    const panel = await tab.openPanel();
    expect(await panel.evaluate<string>('document.title')).toBe('Unsettled');
    expect(await driver.errors()).toEqual([]);
    await tab.close();
  });
};
