import { defineConfig } from '@playwright/test';

const executablePath = process.env.UNSETTLED_CHROMIUM || process.env.CHROMIUM;

export default defineConfig({
  testDir: 'tests',
  reporter: 'list',
  use: {
    baseURL: 'http://localhost:4173',
    // Leave this out where Playwright's own browser is installed (`npx playwright install chromium`).
    launchOptions: executablePath ? { executablePath, args: ['--no-sandbox'] } : {},
  },
  webServer: { command: 'node server.mjs', url: 'http://localhost:4173/careful', reuseExistingServer: false },
});
