/** The registered scripts follow the browser's record of permissions, whoever changes it. */
import { expect, test } from 'vitest';
import { sitePattern } from '../link/sites';
import { type SitesApi, watchSites } from './sites';

const HOME = 'moz-extension://us/';
const LOCAL = 'http://localhost/*';

/** A browser with a person in front of it who may grant and revoke. */
const createBrowser = (old = false) => {
  const origins = new Set<string>([LOCAL]);
  let registered: { id: string; matches?: string[]; excludeMatches?: string[]; js?: string[]; world?: string }[] = [];
  const told: unknown[] = [];
  const opened: unknown[] = [];
  const listeners: Record<string, ((...args: never[]) => unknown)[]> = {};
  const event = (name: string) => ({
    addListener: (listener: (...args: never[]) => unknown) => {
      listeners[name] = [...(listeners[name] ?? []), listener];
    },
  });
  const api = {
    permissions: {
      contains: async ({ origins: asked }: { origins: string[] }) => asked.every((origin) => origins.has(origin)),
      getAll: async () => ({ origins: [...origins] }),
      async remove({ origins: given }: { origins: string[] }) {
        for (const origin of given) origins.delete(origin);
        fire('removed');
        return true;
      },
      onAdded: event('added'),
      onRemoved: event('removed'),
    },
    scripting: {
      getRegisteredContentScripts: async () => registered,
      async registerContentScripts(scripts: typeof registered) {
        if (old && scripts.some((each) => 'matchOriginAsFallback' in each)) throw new Error('unexpected property');
        for (const { id } of scripts) if (registered.some((each) => each.id === id)) throw new Error(`twice: ${id}`);
        registered = [...registered, ...scripts];
      },
      async unregisterContentScripts({ ids }: { ids: string[] }) {
        registered = registered.filter(({ id }) => !ids.includes(id));
      },
    },
    runtime: {
      id: 'us',
      getURL: (path: string) => HOME + path.slice(1),
      getManifest: () => ({
        content_scripts: [
          { matches: [LOCAL], js: ['tap.js'], world: 'MAIN' },
          { matches: [LOCAL], js: [`${HOME}witness.js`], world: 'ISOLATED' },
        ],
      }),
      onInstalled: event('installed'),
      onMessage: event('message'),
      onStartup: event('startup'),
      sendMessage: async (message: unknown) => void told.push(message),
    },
    tabs: { create: async (what: unknown) => void opened.push(what) },
  };
  const fire = (name: string, ...args: unknown[]): unknown[] => (listeners[name] ?? []).map((each) => each(...(args as never[])));
  watchSites(api as unknown as SitesApi);
  return {
    told,
    opened,
    fire,
    registered: () => registered,
    forget: () => {
      registered = [];
    },
    grant(...sites: string[]) {
      for (const site of sites) origins.add(site);
      fire('added');
    },
    revoke(...sites: string[]) {
      for (const site of sites) origins.delete(site);
      fire('removed');
    },
    ask: (message: unknown, url = `${HOME}src/panel/panel.html`, id = 'us') =>
      Promise.resolve(fire('message', message, { id, url }).find((answer) => answer !== undefined)),
  };
};

const site = (pattern: string) => ({ link: 1, type: 'site', pattern });

test('both scripts run on every granted site, once, and not where the manifest has them', async () => {
  const browser = createBrowser();
  browser.grant('https://a.test/*', 'https://*/*');
  browser.grant('https://b.test/*');
  expect(await browser.ask(site('https://b.test/*'))).toEqual({ access: 'on' });
  expect(browser.registered().map(({ id, js, world }) => [id, js, world])).toEqual([
    ['site:0', ['tap.js'], 'MAIN'],
    ['site:1', ['witness.js'], undefined],
  ]);
  for (const { matches, excludeMatches } of browser.registered()) {
    expect(matches).toEqual(['https://*/*', 'https://a.test/*', 'https://b.test/*']);
    expect(excludeMatches).toEqual([LOCAL]);
  }
});

test('a site that is taken back is no longer registered, and the panels are told each time', async () => {
  const browser = createBrowser();
  browser.grant('https://a.test/*');
  expect(await browser.ask(site('https://a.test/*'))).toEqual({ access: 'on' });
  browser.revoke('https://a.test/*');
  await expect.poll(() => browser.told.length).toBe(2);
  expect(browser.registered()).toEqual([]);
  expect(await browser.ask(site('https://a.test/*'))).toEqual({ access: 'off' });
});

test('a site of the manifest that is taken back is called revoked', async () => {
  const browser = createBrowser();
  expect(await browser.ask(site(LOCAL))).toEqual({ access: 'on' });
  browser.revoke(LOCAL);
  expect(await browser.ask(site(LOCAL))).toEqual({ access: 'revoked' });
});

test('a browser that knows less of frames gets the scripts all the same', async () => {
  const browser = createBrowser(true);
  browser.grant('https://a.test/*');
  await browser.ask(site('https://a.test/*'));
  expect(browser.registered()).toHaveLength(2);
});

test('an update, which drops registered scripts, loses no site', async () => {
  const browser = createBrowser();
  browser.grant('https://a.test/*');
  await browser.ask(site('https://a.test/*'));
  browser.forget();
  browser.fire('installed');
  await expect.poll(() => browser.registered().length).toBe(2);
});

test('what was switched on is listed and switched off again; what the manifest has is neither', async () => {
  const browser = createBrowser();
  browser.grant('https://a.test/*', 'https://*/*');
  expect(await browser.ask({ link: 1, type: 'site.list' })).toEqual({ sites: ['https://*/*', 'https://a.test/*'] });
  expect(await browser.ask({ link: 1, type: 'site.off', pattern: LOCAL })).toBe(false);
  expect(await browser.ask(site(LOCAL))).toEqual({ access: 'on' });
  expect(await browser.ask({ link: 1, type: 'site.off', pattern: 'https://*/*' })).toBe(true);
  await expect.poll(() => browser.registered().map(({ matches }) => matches)).toEqual([['https://a.test/*'], ['https://a.test/*']]);
  expect(await browser.ask({ link: 1, type: 'site.list' })).toEqual({ sites: ['https://a.test/*'] });
  // A page of the web neither reads the list nor shortens it.
  expect(await browser.ask({ link: 1, type: 'site.list' }, 'https://page.test/')).toBeUndefined();
  expect(await browser.ask({ link: 1, type: 'site.off', pattern: 'https://a.test/*' }, 'https://page.test/')).toBeUndefined();
});

test('only pages of the extension may ask, and only for whole sites', async () => {
  const browser = createBrowser();
  expect(await browser.ask(site(LOCAL), 'https://page.test/')).toBeUndefined();
  expect(await browser.ask(site(LOCAL), `${HOME}x`, 'others')).toBeUndefined();
  expect(await browser.ask(site('<all_urls>'))).toBeUndefined();
  expect(await browser.ask(site('https://*/*'))).toBeUndefined();
  await browser.ask({ link: 1, type: 'site.ask', pattern: 'https://a.test/*', tab: 7 });
  expect(browser.opened).toEqual([{ url: '/src/panel/allow.html?site=https%3A%2F%2Fa.test%2F*', openerTabId: 7 }]);
});

test.each([
  ['https://a.test:8443/x?y#z', 'https://a.test/*'],
  ['http://[::1]:3000/', 'http://[::1]/*'],
  ['http://127.0.0.1', 'http://127.0.0.1/*'],
  ['https://a.test?x=https://b.test/', 'https://a.test/*'],
  ['about:blank', null],
  ['file:///x', null],
  ['https://*/', null],
])('the site of %s', (url, pattern) => {
  expect(sitePattern(url)).toBe(pattern);
});
