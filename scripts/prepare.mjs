/**
 * Runs before `npm start` and `npm test`: makes a fresh clone ready. Installs node_modules when they are missing or are
 * not what package-lock.json says, and with `--browser[=chromium|firefox]` makes sure of the browsers (`npm start` asks for
 * the one that it was told). Uses nothing that
 * has to be installed first. Prints one line per thing it does, and nothing when all is in place.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adviceFor, debianPackageOf, findBrowser } from './browsers.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const fail = (message) => {
  console.error(`prepare: ${message}`);
  process.exit(1);
};

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) fail(`Node 20.19 or newer is needed; this is ${process.versions.node}.`);

/** Whether what is installed is what the lock file says. Compared by version, because a checkout changes file times at will. */
const installed = () => {
  const receipt = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(receipt)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(receipt, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || entry.devOptional || entry.link || present[path]?.version === entry.version,
  );
};

if (!installed()) {
  console.log('prepare: installing node_modules (npm ci)');
  // Errors only: npm warns of packages that want a newer Node and never run in it; scripts/engines.test.ts keeps their list.
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) fail('npm ci failed; its own message is above.');
}

const asked = process.argv.find((argument) => argument.startsWith('--browser'));
if (asked) {
  const only = asked.split('=')[1];
  if (only !== undefined && only !== 'chromium' && only !== 'firefox') fail(`unknown browser "${only}": chromium or firefox.`);
  const names = only === undefined ? ['chromium', 'firefox'] : [only];
  const missing = () => names.filter((name) => findBrowser(name) === null);
  try {
    if (missing().length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
      const packages = missing().map(debianPackageOf);
      console.log(`prepare: installing ${packages.join(' and ')} (apt-get)`);
      const apt = (...args) =>
        spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
      apt('update', '-qq');
      apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
    }
    for (const name of missing()) console.error(`prepare: no ${name} found. ${adviceFor(name)}`);
  } catch (error) {
    fail(error.message);
  }
  // Firefox is wanted by the tests only; they say so themselves, and a developer without it can still start the demo.
  if (missing().includes(only ?? 'chromium')) process.exit(1);
}
