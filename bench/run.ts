/**
 * `npm run bench [name…]`: runs the benches of this list, one after the other, and prints what each measured. Every number
 * that the documentation names comes from here. A bench exports `bench(): Promise<Measured>`.
 */
import { cpus } from 'node:os';

/** What one bench found: a title, and lines for a person. */
export interface Measured {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The benches, in the order in which they run. Each is loaded only when it is wanted. */
const BENCHES: Readonly<Record<string, () => Promise<{ bench(): Promise<Measured> }>>> = {
  decode: () => import('./decode'),
  tap: () => import('./tap'),
  witness: () => import('./witness'),
  'witness-small': () => import('./witness-small'),
  panel: () => import('./panel'),
  'panel-million': () => import('./panel-million'),
  'panel-stream': () => import('./panel-stream'),
  'panel-runs': () => import('./panel-runs'),
  check: () => import('./check'),
  redact: () => import('./redact'),
  fixture: () => import('./fixture'),
};

const wanted = process.argv.slice(2);
/** `panel` stands for `panel-stream` and the like, too. */
const means = (word: string, name: string): boolean => word === name || name.startsWith(`${word}-`);
const unknown = wanted.filter((word) => !Object.keys(BENCHES).some((name) => means(word, name)));
if (unknown.length > 0) {
  console.error(`no bench named ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}

console.log(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`,
);
for (const [name, load] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.some((word) => means(word, name))) continue;
  const { bench } = await load();
  const started = performance.now();
  const { name: title, lines } = await bench();
  console.log(`\n${title} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  for (const line of lines) console.log(`  ${line}`);
}
