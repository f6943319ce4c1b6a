/**
 * Where the browsers are: the one lookup used by prepare, start, the tests and the drivers. Plain JavaScript without
 * dependencies, because it also runs before anything is installed. Promises: an explicit choice (environment variable)
 * wins and is never silently replaced, and "not found" is null, never a guess.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Branded Chrome comes last: since version 137 it ignores `--load-extension`, so our extension cannot be put into it.
 */
const PLACES = {
  chromium: {
    // The second is the example's, where nothing is called after us.
    variables: ['UNSETTLED_CHROMIUM', 'CHROMIUM'],
    paths: [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/lib/chromium/chromium',
      '/opt/homebrew/bin/chromium',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/usr/bin/google-chrome-for-testing',
      '/usr/bin/google-chrome',
      '/usr/bin/google-chrome-stable',
    ],
    debian: 'chromium',
    advice:
      'Install Chromium (`npx playwright install chromium`, or your system\'s "chromium" package), or set UNSETTLED_CHROMIUM to its executable.',
  },
  firefox: {
    variables: ['UNSETTLED_FIREFOX', 'FIREFOX'],
    paths: [
      '/usr/bin/firefox-esr',
      '/usr/bin/firefox',
      '/usr/lib/firefox/firefox',
      '/Applications/Firefox.app/Contents/MacOS/firefox',
      '/Applications/Firefox Developer Edition.app/Contents/MacOS/firefox',
    ],
    debian: 'firefox-esr',
    advice: 'Install Firefox 140 or newer (Debian: `apt-get install firefox-esr`), or set UNSETTLED_FIREFOX to its executable.',
  },
};

/** Playwright's own Chromium, if it was installed. Its Firefox is patched and does not speak WebDriver BiDi, so it is not used. */
const playwrightChromium = () => {
  try {
    const path = createRequire(import.meta.url)('playwright-core').chromium.executablePath();
    return existsSync(path) ? path : null;
  } catch {
    return null; // before `npm ci`, or a platform Playwright has no build for
  }
};

/** The executable, or null. Throws if an environment variable names a file that is not there. */
export const findBrowser = (name) => {
  const { variables, paths } = PLACES[name];
  const variable = variables.find((each) => process.env[each]);
  if (variable !== undefined) {
    const chosen = process.env[variable];
    if (!existsSync(chosen)) throw new Error(`${variable} is set to ${chosen}, and there is no such file.`);
    return chosen;
  }
  return (name === 'chromium' ? playwrightChromium() : null) ?? paths.find((path) => existsSync(path)) ?? null;
};

/** What a person has to do to get it, in one sentence. */
export const adviceFor = (name) => PLACES[name].advice;

/** The name of its package in Debian. */
export const debianPackageOf = (name) => PLACES[name].debian;

/** The executable; throws with the advice where there is none. */
export const requireBrowser = (name) => {
  const path = findBrowser(name);
  if (path === null) throw new Error(`No ${name} found. ${adviceFor(name)}`);
  return path;
};
