/**
 * `npm run bench [name…]`: runs the benches of this list, one after the other, and prints what each measured. Every number
 * that the documentation names comes from here. A bench exports `bench(): Promise<Measured>`.
 */
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What one bench found: a title, and lines for a person. */
export interface Measured {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The benches, in the order in which they run. */
const BENCHES = ['decode', 'tap', 'witness', 'panel', 'check'] as const;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench === name));
if (unknown.length > 0) {
  console.error(`no bench named ${unknown.join(', ')}; there are ${BENCHES.join(', ')}`);
  process.exit(2);
}

console.log(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`,
);
for (const name of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const file = join(import.meta.dirname, `${name}.ts`);
  if (!existsSync(file)) {
    console.error(`${name}: bench/${name}.ts is missing`);
    process.exitCode = 1;
    continue;
  }
  const { bench } = (await import(pathToFileURL(file).href)) as { bench(): Promise<Measured> };
  const started = performance.now();
  const { name: title, lines } = await bench();
  console.log(`\n${title} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  for (const line of lines) console.log(`  ${line}`);
}
