/**
 * `npm run package`: builds, asks Mozilla's own linter about the Firefox build, and packs both extensions as zip files into
 * dist/packages/. Exits non-zero if the linter finds an error.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const packages = join(root, 'dist/packages');

const run = (script: string, ...args: readonly string[]): void => {
  const result = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) process.exit(result.status ?? 1);
};

run('node_modules/tsx/dist/cli.mjs', 'scripts/build.ts');
const webExt = 'node_modules/web-ext/bin/web-ext.js';
run(webExt, 'lint', '--source-dir', join(root, 'dist/firefox'), '--no-config-discovery');
rmSync(packages, { recursive: true, force: true });
for (const browser of ['chrome', 'firefox'])
  run(
    webExt,
    'build',
    '--source-dir',
    join(root, 'dist', browser),
    '--artifacts-dir',
    packages,
    '--filename',
    `{name}-${browser}-{version}.zip`,
    '--no-config-discovery',
  );
