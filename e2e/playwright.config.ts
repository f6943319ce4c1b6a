/**
 * Playwright's configuration for everything in e2e/. One worker: the machine that runs this may be small, and each project
 * drives one whole browser. No retries: a test that passes on the second try has failed.
 */
import { defineConfig } from '@playwright/test';
import { findBrowser } from '../scripts/browsers.mjs';

const report = process.env.UNSETTLED_REPORT;
// One place says which Chromium it is; those that start one without the driver read it from here.
process.env.CHROMIUM ??= findBrowser('chromium') ?? '';

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/e2e',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  reporter: report === undefined ? 'list' : [['list'], ['json', { outputFile: report }]],
  // Below the time of a test, so that what hangs is named.
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    launchOptions: { executablePath: process.env.CHROMIUM, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] },
  },
  projects: [
    { name: 'panel', testMatch: ['panel/*.spec.ts'] },
    { name: 'witness', testMatch: ['witness/*.spec.ts'], testIgnore: ['witness/verdicts.spec.ts'] },
    { name: 'verdicts', testMatch: ['witness/verdicts.spec.ts'] },
    { name: 'fixture', testMatch: ['fixture/*.spec.ts'] },
    { name: 'page-contract', testMatch: ['page-contract/chromium.spec.ts'] },
    { name: 'page-contract-firefox', testMatch: ['page-contract/firefox.spec.ts'] },
    { name: 'chromium', testMatch: ['extension/chromium.spec.ts'] },
    { name: 'firefox', testMatch: ['extension/firefox.spec.ts'] },
  ],
});
