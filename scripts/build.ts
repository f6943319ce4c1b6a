/**
 * `npm run build`: the extension for both browsers, the command line tool, and the demo page, all into dist/; with
 * `--for=chrome` or `--for=firefox` only what the demo needs in that browser, with `--for=cli` (`npm run build:cli`) only the command
 * line tool. Then the
 * checks of build-checks.ts on what came out. Exits non-zero with the reasons if a build or a check fails.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { contentScriptFaults, LIMITS, type Sizes, sizeFaults, sizesOf } from './build-checks';
import { buildLibrary } from './build-library';
import { neededDialects } from './needed-dialects';

const root = join(import.meta.dirname, '..');

/** Runs Vite with one config; its output is shown only when it fails, or when asked for. */
const vite = (what: string, config: string, env: Record<string, string> = {}): void => {
  const started = performance.now();
  const result = spawnSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', config], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    console.error(result.stdout, result.stderr);
    console.error(`build: ${what} failed`);
    process.exit(1);
  }
  if (process.argv.includes('--verbose')) console.log(result.stdout);
  console.log(`build: ${what} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
};

/** What to build: everything, or `--for=chrome` (or firefox), which leaves out what only a release needs. */
const only = process.argv.find((argument) => argument.startsWith('--for='))?.slice('--for='.length);
const commandLine = (): void => vite('command line tool', 'vite.cli.config.ts');
if (only === 'cli') {
  commandLine();
  process.exit(0);
}
if (only !== undefined && only !== 'chrome' && only !== 'firefox') {
  console.error(`build: nothing to build for "${only}": chrome, firefox or cli`);
  process.exit(2);
}
const browsers = only === undefined ? (['chrome', 'firefox'] as const) : ([only] as const);

for (const browser of browsers)
  vite(`extension for ${browser === 'chrome' ? 'Chrome' : 'Firefox'}`, 'vite.config.ts', { BROWSER: browser });
vite('demo page', 'src/demo/vite.config.ts');
if (only === undefined) {
  commandLine();
  buildLibrary();
  console.log('build: library and Playwright fixture');
}

const faults: string[] = [];
const needed = neededDialects();
for (const browser of browsers) {
  const dir = join(root, 'dist', browser);
  faults.push(...contentScriptFaults(dir), ...sizeFaults(sizesOf(dir, needed)));
}
const sizes = browsers.map((browser) => ({ browser, ...sizesOf(join(root, 'dist', browser), needed) }));
for (const name of Object.keys(LIMITS) as (keyof Sizes)[]) {
  const [largest] = [...sizes].sort((a, b) => b[name] - a[name]);
  if (largest === undefined) continue;
  const of = name === 'panel' ? ` (${largest.browser}, ${largest.protocol})` : '';
  console.log(`build: ${name}${of} ${(largest[name] / 1000).toFixed(1)} of ${LIMITS[name] / 1000} kB (gzip)`);
}
for (const fault of faults) console.error(`build: ${fault}`);
if (faults.length > 0) process.exit(1);
