import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  reporter: 'list',
  use: {
    baseURL: 'http://localhost:4173',
    // Leave this out where Playwright's own browser is installed (`npx playwright install chromium`).
    launchOptions: process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } : {},
  },
  webServer: { command: 'node server.mjs', url: 'http://localhost:4173/careful', reuseExistingServer: false },
});
