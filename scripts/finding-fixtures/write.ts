/**
 * Writes the fixtures of the rules from their stories: `npx tsx scripts/finding-fixtures/write.ts [rule…]`. The files it
 * writes are the truth that tests read; this only spares writing captures by hand. Review what changes.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SHOWN } from './shown';
import { SPINE } from './spine';
import type { Stories } from './stories';
import { WIRE } from './wire';

const FINDINGS = join(dirname(fileURLToPath(import.meta.url)), '../../src/core/findings');
const STORIES: Stories = { ...SPINE, ...SHOWN, ...WIRE };

const wanted = process.argv.slice(2);
for (const [rule, verdicts] of Object.entries(STORIES)) {
  if (wanted.length > 0 && !wanted.includes(rule)) continue;
  for (const [verdict, scenes] of Object.entries(verdicts)) {
    const folder = join(FINDINGS, `${rule}.fixtures`, verdict);
    if (existsSync(folder)) rmSync(folder, { recursive: true });
    mkdirSync(folder, { recursive: true });
    for (const [name, scene] of Object.entries(scenes)) writeFileSync(join(folder, `${name}.unsettled.jsonl`), scene.text());
  }
}
