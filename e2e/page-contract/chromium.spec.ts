/**
 * The page contract in Chromium: every behaviour of the list on an untapped and a tapped page, with no difference between
 * the two. Uses the tap as it is built for the extension (`npm run build`, or `npx vite build`).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { BEHAVIOURS } from './behaviours';
import { launchChromium } from './chromium';
import { compare } from './contract';
import type { ContractDriver } from './driver';
import { type ContractServer, startServer } from './server';

const ROOT = join(import.meta.dirname, '..', '..');
const TAP = process.env.UNSETTLED_TAP ?? join(ROOT, 'dist', 'chrome', 'src', 'tap', 'tap.iife.js');

let server: ContractServer;
let driver: ContractDriver;
let tap: string;

test.beforeAll(async () => {
  if (!existsSync(TAP)) throw new Error(`${TAP} is missing: build the extension first`);
  tap = readFileSync(TAP, 'utf8');
  server = await startServer();
  driver = await launchChromium();
});
test.afterAll(async () => {
  await driver?.close();
  await server?.close();
});

for (const [i, behaviour] of BEHAVIOURS.entries())
  test(behaviour.name, async () => {
    const { untapped, tapped, faults } = await compare(driver, server, tap, behaviour, `run${i}`);
    expect(tapped).toEqual(untapped);
    expect(faults).toEqual([]);
  });

test('docs/page-contract.md names every behaviour, and no other', () => {
  const doc = readFileSync(join(ROOT, 'docs', 'page-contract.md'), 'utf8');
  const named = [...doc.matchAll(/^- .*?`([^`]+)`$/gmu)].map((match) => match[1]);
  expect([...named].sort()).toEqual(BEHAVIOURS.map(({ name }) => name).sort());
  expect(new Set(BEHAVIOURS.map(({ name }) => name)).size).toBe(BEHAVIOURS.length);
});
