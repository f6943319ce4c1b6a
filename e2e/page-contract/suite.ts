/** The tests of the suite, for one browser: each behaviour of the list on an untapped and a tapped page, with no difference. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { BEHAVIOURS } from './behaviours';
import { compare } from './contract';
import type { ContractDriver } from './driver';
import { type ContractServer, startServer } from './server';

/** The tap as it is built for the extension (`npm run build`, or `npx vite build`). */
const TAP = process.env.UNSETTLED_TAP ?? join(import.meta.dirname, '..', '..', 'dist', 'chrome', 'src', 'tap', 'tap.iife.js');

export const contractSuite = (browser: 'chromium' | 'firefox', launch: () => Promise<ContractDriver>): void => {
  let server: ContractServer;
  let driver: ContractDriver;
  let tap: string;

  test.beforeAll(async () => {
    if (!existsSync(TAP)) throw new Error(`${TAP} is missing: build the extension first`);
    tap = readFileSync(TAP, 'utf8');
    server = await startServer();
    driver = await launch();
  });
  test.afterAll(async () => {
    await driver?.close();
    await server?.close();
  });

  for (const [i, behaviour] of BEHAVIOURS.entries()) {
    if (behaviour.only !== undefined && behaviour.only !== browser) continue;
    test(behaviour.name, async () => {
      const { untapped, tapped, faults } = await compare(driver, server, tap, behaviour, `run${i}`);
      expect(tapped).toEqual(untapped);
      expect(faults).toEqual([]);
    });
  }
};
