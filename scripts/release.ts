/**
 * `npm run release`: everything that goes to the stores, into dist/packages/: both extensions, the sources for Mozilla's
 * reviewers, and checksums. A clean build, Mozilla's own linter, every test, a second build that must give the same bytes.
 * `--skip-tests` for trying this script; what comes out then says so. Refuses a work tree with uncommitted changes, because
 * the sources would not be those of any commit (`--uncommitted` to try it anyway).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../package.json' with { type: 'json' };
import { lintFaults } from './lint-faults';
import { filesBelow, zipOf } from './zip';

const root = join(import.meta.dirname, '..');
const packages = join(root, 'dist/packages');
const skipTests = process.argv.includes('--skip-tests');

const stop = (why: string): never => {
  console.error(`release: ${why}`);
  process.exit(1);
};
const node = (args: readonly string[], options: { readonly env?: Record<string, string>; readonly quiet?: boolean } = {}): string => {
  const result = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: options.quiet === true ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...options.env },
  });
  if (result.status !== 0 && options.quiet !== true) stop(`${args[0]?.replace(root, '.')} failed`);
  return result.stdout ?? '';
};
const git = (...args: readonly string[]): string => {
  const result = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return result.status === 0 ? result.stdout : stop(`git ${args[0]}: ${result.stderr}`);
};

const changed = git('status', '--porcelain', '--untracked-files=no').trim();
if (changed !== '' && !process.argv.includes('--uncommitted'))
  stop(`there are uncommitted changes; commit them first.\n${changed.split('\n').slice(0, 10).join('\n')}`);

for (const folder of ['chrome', 'firefox', 'packages']) rmSync(join(root, 'dist', folder), { recursive: true, force: true });
node([join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'scripts/build.ts')]);

const report = node(
  [
    join(root, 'node_modules/web-ext/bin/web-ext.js'),
    'lint',
    '--output=json',
    '--no-config-discovery',
    '--source-dir',
    join(root, 'dist/firefox'),
  ],
  { quiet: true },
);
const faults = lintFaults(report);
if (faults.length > 0) stop(`the linter finds fault:\n${faults.join('\n')}`);
console.log('release: the linter finds no fault');

if (skipTests) console.warn('release: TESTS SKIPPED (--skip-tests). Do not publish what comes out of this.');
else node([join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'scripts/test.ts')]);

// The tests build anew, so what is packed is what they ran on. And once more elsewhere: it must be the same.
const again = mkdtempSync(join(tmpdir(), 'unsettled-release-'));
mkdirSync(packages, { recursive: true });
const made = new Map<string, Uint8Array>();
try {
  for (const browser of ['chrome', 'firefox']) {
    const first = join(root, 'dist', browser);
    const second = join(again, browser);
    const built = node([join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error', '--outDir', second, '--emptyOutDir'], {
      env: { BROWSER: browser },
      quiet: true,
    });
    const zip = zipOf(first, filesBelow(first));
    const other = filesBelow(second).length === 0 ? stop(`the second build failed: ${built}`) : zipOf(second, filesBelow(second));
    if (!Buffer.from(zip).equals(Buffer.from(other))) stop(`two builds for ${browser} differ; compare ${first} with a build of your own`);
    made.set(`unsettled-${version}-${browser}.zip`, zip);
  }
} finally {
  rmSync(again, { recursive: true, force: true });
}
console.log('release: two builds give the same bytes');
const sources = git('ls-files', '-z').split('\0').filter(Boolean);
made.set(`unsettled-${version}-sources.zip`, zipOf(root, sources));

const sums = [...made].map(([name, bytes]) => {
  writeFileSync(join(packages, name), bytes);
  return `${createHash('sha256').update(bytes).digest('hex')}  ${name}`;
});
writeFileSync(join(packages, 'SHA256SUMS'), `${sums.join('\n')}\n`);
console.log(sums.join('\n'));
console.log(`release: dist/packages/${skipTests ? ' (UNTESTED)' : ''}`);
