/**
 * Everything that needs a browser extension around it: the inspected tab, its link, the developer tools' theme, storage,
 * permission for a site. In an ordinary page (the stand-alone viewer, tests) each has a plain stand-in, and the panel above
 * cannot tell the difference but by `hasTab`.
 */
import { type Signal, signal } from '@preact/signals';
import type Browser from 'webextension-polyfill';
import { type PrivateCall, privateAnswerSchema } from '../link/calls';
import { LINK_VERSION, type OutlineMark, type Placed, type RouterMessage, read } from '../link/messages';
import { connectPanel, type PanelLink, panelPortName } from '../link/panel-link';
import { openRuntimePort, type RuntimePortLike } from '../link/runtime-port';
import { originOf } from './format';
import type { SettingsStore } from './settings';
import { createSiteSwitch, type SiteSwitch } from './site-access';
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
  /** Outlines these regions on the page, again whenever its document comes back; null: nothing. */
  draw(document: string, marks: readonly OutlineMark[] | null): void;
  /** Where a region stands in the tab's window; null if nobody answers. */
  place(document: string, region: string | null): Promise<Placed | null>;
  /** A picture of what the tab shows, or why there is none; null if nobody answers. */
  picture(): Promise<Pick<RouterMessage, 'image' | 'why'> | null>;
  /** Whether a region can be selected in the Elements panel: not in Firefox, which runs no code in the witness's world. */
  readonly canReveal: boolean;
  reveal(region: string): void;
  /** Asks for the site of the inspected page, and reloads it once it is granted. */
  enableSite(): void;
  reload(): void;
  /** Sites that were switched on beside the local ones, and the way back; null: there is nothing to switch. */
  readonly sites: Pick<SiteSwitch, 'list' | 'off'> | null;
  /** Whether the inspected tab is of a private window; null if nobody can say. */
  isPrivate(): Promise<boolean | null>;
}

type Api = typeof Browser;

const SETTINGS_KEY = 'panel';
/** By then a page that can be watched has been heard of. */
const EXPLAIN_MS = 700;

/** An ordinary page: no tab, settings in local storage. */
const plainShell = (): Shell => ({
  hasTab: false,
  canReveal: false,
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
  draw: () => {},
  place: async () => null,
  picture: async () => null,
  reveal: () => {},
  enableSite: () => {},
  reload: () => {},
  sites: null,
  isPrivate: async () => false,
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
  const drawn = new Map<string, readonly OutlineMark[]>();
  let store: Store | null = null;
  const evaluate = async (code: string, inWitness = false): Promise<unknown> => {
    // Chrome only: Firefox does not run code in the content script's world.
    const options = inWitness ? ({ useContentScriptContext: true } as unknown as undefined) : undefined;
    // Chrome's polyfilled answer is the value itself where there was no error, Firefox's is always a pair.
    const answer: unknown = await inspectedWindow.eval(code, options);
    return Array.isArray(answer) ? answer[0] : answer;
  };

  /** Pages of the tab that have a witness, with their origins: one, or none where the extension may not look. */
  const present = new Map<string, string>();
  /** The person wants to see the page as soon as the extension may. */
  let wanted = false;
  const sites = createSiteSwitch(browser, inspectedWindow.tabId, () => void explain());

  /** Says why nothing comes, once it is clear that nothing does. */
  const explain = async (askAgain = true): Promise<void> => {
    if (store === null) return;
    const known = store.link.peek();
    let url = '';
    let timeOrigin = 0;
    try {
      const [href = '', since] = String(await evaluate("location.href + ' ' + performance.timeOrigin")).split(' ');
      url = href;
      timeOrigin = Number(since) || 0;
    } catch {
      // Between two pages there is nobody to ask, which says nothing of the page that has come meanwhile.
      if (askAgain && present.size > 0) setTimeout(() => void explain(false), EXPLAIN_MS);
      else store.link.value = { ...known, state: 'restricted' };
      return;
    }
    const access = await sites.accessTo(url);
    if (access === 'on' && wanted) {
      wanted = false;
      await inspectedWindow.reload();
      return;
    }
    const barred = access === 'off' ? 'blocked' : access === 'revoked' ? 'revoked' : null;
    // A page that goes into the back/forward cache cannot always say goodbye.
    for (const [key, origin] of present) if (origin !== originOf(url)) present.delete(key);
    if (present.size > 0) {
      // It may have been switched off under a page that is still watched: the next one will not be.
      const now = store.link.peek();
      store.link.value = { ...now, url, state: barred ?? (now.state === 'revoked' || now.state === 'blocked' ? 'connected' : now.state) };
      return;
    }
    store.liveNowhere(timeOrigin);
    store.link.value = { ...store.link.peek(), url, state: barred ?? (access === null ? 'restricted' : 'late') };
  };

  return {
    hasTab: true,
    canReveal: !('getBrowserInfo' in browser.runtime),
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
          const fromStart = to.liveDocument(document);
          if (document.topLevel) {
            present.clear();
            present.set(document.key, originOf(document.url));
          }
          to.capturing.value = state === 'recording';
          const marks = drawn.get(document.key);
          if (marks !== undefined) link?.draw(document.key, marks);
          to.link.value = { ...to.link.peek(), state: 'connected', ...(document.topLevel ? { url: document.url } : {}) };
          return fromStart;
        },
        onEntries: (_document, entries) => to.liveEntries(entries),
        onBye(document) {
          present.delete(document);
          to.liveBye(document);
        },
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
      setTimeout(() => void explain(), EXPLAIN_MS);
      browser.devtools.network.onNavigated.addListener(() => setTimeout(() => void explain(), EXPLAIN_MS));
    },
    record(on) {
      link?.record(on);
      if (store !== null) store.capturing.value = on;
    },
    point: (document, region) => link?.point(document, region),
    draw(document, marks) {
      if (marks === null) drawn.delete(document);
      else drawn.set(document, marks);
      link?.draw(document, marks);
    },
    place: async (document, region) => (await link?.place(document, region)) ?? null,
    picture: async () => (await link?.picture()) ?? null,
    reveal(region) {
      // The witness keeps its regions by key, in a function of its own world.
      void evaluate(`inspect(globalThis.unsettledRegion?.(${JSON.stringify(region)}))`, true).catch(() => undefined);
    },
    enableSite() {
      wanted = true;
      // Nothing may come before this: the browser grants nothing unless it is asked within the click itself.
      sites.ask(store?.link.peek().url ?? '');
    },
    reload: () => void inspectedWindow.reload(),
    sites,
    async isPrivate() {
      const call: PrivateCall = { link: LINK_VERSION, type: 'private', tab: inspectedWindow.tabId };
      try {
        const answer = read(privateAnswerSchema, await browser.runtime.sendMessage(call));
        return answer?.private ?? null;
      } catch {
        // The extension was reloaded, or its background does not start.
        return null;
      }
    },
  };
};

export const createShell = async (): Promise<Shell> => {
  const globals = globalThis as { chrome?: { devtools?: unknown }; browser?: { devtools?: unknown } };
  if (globals.browser?.devtools === undefined && globals.chrome?.devtools === undefined) return plainShell();
  // The polyfill refuses to load outside an extension, so it is loaded only inside.
  const { default: browser } = await import('webextension-polyfill');
  return extensionShell(browser);
};
