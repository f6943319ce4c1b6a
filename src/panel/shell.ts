/**
 * Everything that needs a browser extension around it: the inspected tab, its link, the developer tools' theme, storage,
 * permission for a site. In an ordinary page (the stand-alone viewer, tests) each has a plain stand-in, and the panel above
 * cannot tell the difference but by `hasTab`.
 */
import { type Signal, signal } from '@preact/signals';
import type Browser from 'webextension-polyfill';
import { connectPanel, type PanelLink, panelPortName } from '../link/panel-link';
import { openRuntimePort, type RuntimePortLike } from '../link/runtime-port';
import { originOf } from './format';
import type { SettingsStore } from './settings';
import type { LinkView, Store } from './store';

export interface Shell {
  /** True in the developer tools of a tab. */
  readonly hasTab: boolean;
  readonly settingsStore: SettingsStore;
  /** The developer tools' own theme; null where there are none. */
  readonly devtoolsTheme: Signal<'light' | 'dark' | null>;
  /** Connects the store to the inspected tab. */
  connect(store: Store): void;
  record(on: boolean): void;
  /** Outlines a region on the page; null: nothing. */
  point(document: string, region: string | null): void;
  /** Selects a region in the Elements or Inspector panel. */
  reveal(region: string): void;
  /** Asks for the site of the inspected page and reloads it. */
  enableSite(): Promise<boolean>;
  reload(): void;
}

type Api = typeof Browser;

const SETTINGS_KEY = 'panel';

/** An ordinary page: no tab, settings in local storage. */
const plainShell = (): Shell => ({
  hasTab: false,
  settingsStore: {
    async read() {
      try {
        return JSON.parse(localStorage.getItem(`unsettled.${SETTINGS_KEY}`) ?? 'null') as unknown;
      } catch {
        return null;
      }
    },
    write(value) {
      try {
        localStorage.setItem(`unsettled.${SETTINGS_KEY}`, JSON.stringify(value));
      } catch {
        // Storage may be full or forbidden; the panel works without a memory.
      }
    },
  },
  devtoolsTheme: signal(null),
  connect: () => {},
  record: () => {},
  point: () => {},
  reveal: () => {},
  enableSite: async () => false,
  reload: () => {},
});

const extensionShell = (browser: Api): Shell => {
  const { inspectedWindow, panels } = browser.devtools;
  const theme = signal<'light' | 'dark' | null>(null);
  const setTheme = (name: string | undefined): void => {
    theme.value = name === undefined ? null : name === 'dark' ? 'dark' : 'light';
  };
  setTheme(panels.themeName);
  // Chrome has `setThemeChangeHandler` since 99, Firefox `onThemeChanged`; where neither is, the system's theme is followed.
  const more = panels as typeof panels & { setThemeChangeHandler?: (callback: (name: string) => void) => void };
  if (more.setThemeChangeHandler !== undefined) more.setThemeChangeHandler(setTheme);
  else panels.onThemeChanged?.addListener(setTheme);

  let link: PanelLink | null = null;
  let store: Store | null = null;
  const evaluate = async (code: string, inWitness = false): Promise<unknown> => {
    // Chrome only: Firefox does not run code in the content script's world.
    const options = inWitness ? ({ useContentScriptContext: true } as unknown as undefined) : undefined;
    const [value] = await inspectedWindow.eval(code, options);
    return value;
  };

  /** Says why nothing comes, once it is clear that nothing does. */
  const explain = async (): Promise<void> => {
    if (store === null) return;
    const known = store.link.peek();
    let url = '';
    try {
      url = String(await evaluate('location.href'));
    } catch {
      store.link.value = { ...known, state: 'restricted' };
      return;
    }
    if (store.live().session.documents.size > 0) {
      store.link.value = { ...store.link.peek(), url };
      return;
    }
    if (!/^https?:/u.test(url)) {
      store.link.value = { ...known, url, state: /^(?:about:blank|data:|file:)/u.test(url) ? 'blocked' : 'restricted' };
      return;
    }
    const allowed = await browser.permissions?.contains({ origins: [`${originOf(url)}/*`] }).catch(() => null);
    const local = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/u.test(url);
    store.link.value = { ...store.link.peek(), url, state: local || allowed === true ? 'late' : 'blocked' };
  };

  return {
    hasTab: true,
    settingsStore: {
      async read() {
        return (await browser.storage.local.get(SETTINGS_KEY))[SETTINGS_KEY];
      },
      write: (value) => void browser.storage.local.set({ [SETTINGS_KEY]: value }),
    },
    devtoolsTheme: theme,
    connect(to) {
      store = to;
      let lost = 0;
      let was: LinkView['state'] = 'connecting';
      to.link.value = { ...to.link.peek(), state: 'connecting' };
      link = connectPanel({
        connect: openRuntimePort(
          () => browser.runtime.connect({ name: panelPortName(inspectedWindow.tabId) }) as unknown as RuntimePortLike,
        ),
        later(what, ms) {
          const timer = setTimeout(what, ms);
          return () => clearTimeout(timer);
        },
        onDocument(document, state) {
          to.liveDocument(document);
          to.capturing.value = state === 'recording';
          to.link.value = { ...to.link.peek(), state: 'connected', ...(document.topLevel ? { url: document.url } : {}) };
        },
        onEntries: (_document, entries) => to.liveEntries(entries),
        onBye: (document) => to.liveBye(document),
        onStatus(status) {
          if (status.state === 'waiting' && was !== 'waiting' && was !== 'connecting') lost++;
          was = status.state;
          const now = to.link.peek();
          to.link.value = {
            ...now,
            state:
              status.state === 'connected' ? (now.state === 'waiting' || now.state === 'gone' ? 'connected' : now.state) : status.state,
            held: status.held,
            bound: status.bound,
            lost: status.lost,
            rejected: status.rejected,
            reconnects: lost,
          };
        },
      });
      setTimeout(() => void explain(), 700);
      browser.devtools.network.onNavigated.addListener(() => setTimeout(() => void explain(), 700));
    },
    record(on) {
      link?.record(on);
      if (store !== null) store.capturing.value = on;
    },
    point: (document, region) => link?.point(document, region),
    reveal(region) {
      // The witness keeps its regions by key, in a function of its own world.
      void evaluate(`inspect(globalThis.unsettledRegion?.(${JSON.stringify(region)}))`, true).catch(() => undefined);
    },
    async enableSite() {
      const origin = originOf(store?.link.peek().url ?? '');
      if (origin === '') return false;
      const granted = await browser.permissions.request({ origins: [`${origin}/*`] });
      if (granted) await inspectedWindow.reload();
      return granted;
    },
    reload: () => void inspectedWindow.reload(),
  };
};

export const createShell = async (): Promise<Shell> => {
  const globals = globalThis as { chrome?: { devtools?: unknown }; browser?: { devtools?: unknown } };
  if (globals.browser?.devtools === undefined && globals.chrome?.devtools === undefined) return plainShell();
  // The polyfill refuses to load outside an extension, so it is loaded only inside.
  const { default: browser } = await import('webextension-polyfill');
  return extensionShell(browser);
};
