/** The texts for the stores say of each permission why, and the summary is the manifest's and fits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../manifest.json' with { type: 'json' };

const listing = readFileSync(join(import.meta.dirname, '../docs/store/listing.md'), 'utf8');

test('every permission has its reason, and no other is spoken of', () => {
  const table = listing.slice(listing.indexOf('## Why each permission'), listing.indexOf('Remote code:'));
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const spoken = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/gu)].map(([, name]) => name));
  expect(spoken.sort()).toEqual([...manifest.permissions, ...manifest.host_permissions, ...manifest.optional_host_permissions].sort());
});

test('the summary is the description of the manifest, short enough for both stores', () => {
  expect(listing).toContain(`> ${manifest.description}\n`);
  expect(manifest.description.length).toBeLessThanOrEqual(132);
});
