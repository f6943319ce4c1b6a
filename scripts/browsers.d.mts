/** Types of browsers.mjs, which is plain JavaScript because it runs before anything is installed. */
export type BrowserName = 'chromium' | 'firefox';
/** The executable, or null. Throws if the environment variable names a file that is not there. */
export function findBrowser(name: BrowserName): string | null;
/** What a person has to do to get it, in one sentence. */
export function adviceFor(name: BrowserName): string;
/** The name of its package in Debian. */
export function debianPackageOf(name: BrowserName): string;
/** The executable; throws with the advice where there is none. */
export function requireBrowser(name: BrowserName): string;
