/** The page contract in Chromium, and the list of its promises. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { BEHAVIOURS } from './behaviours';
import { launchChromium } from './chromium';
import { contractSuite } from './suite';

contractSuite('chromium', launchChromium);

test('docs/page-contract.md names every behaviour, and no other', () => {
  const doc = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'page-contract.md'), 'utf8');
  const named = [...doc.matchAll(/^- .*?`([^`]+)`$/gmu)].map((match) => match[1]);
  expect([...named].sort()).toEqual(BEHAVIOURS.map(({ name }) => name).sort());
  expect(new Set(BEHAVIOURS.map(({ name }) => name)).size).toBe(BEHAVIOURS.length);
});
