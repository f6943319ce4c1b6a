/**
 * Drives Chromium with the extension and its real developer tools, with or without a display. Playwright runs the pages; a
 * protocol connection of our own runs the developer tools, which Playwright hides. The frontend's internals that are used
 * (`ViewManager`, the view id) stay in this file.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { requireBrowser } from '../../scripts/browsers.mjs';
import { type Cdp, connectCdp, type TargetInfo } from './cdp';
import { startChromium } from './chromium-process';
import { type Driver, type LaunchOptions, type Panel, type Tab, type TabKind, until } from './driver';

const isFrontend = (target: TargetInfo): boolean =>
  target.url.startsWith('devtools://') && (target.type === 'other' || target.type === 'page');

/** Selects the extension's panel, which registers a little after the developer tools start. Falsy until then. */
const SELECT_PANEL = `(async () => {
  const { ViewManager } = await import('./ui/legacy/legacy.js');
  const views = ViewManager.ViewManager.instance();
  const key = [...views.views.keys()].find((name) => name.startsWith('chrome-extension://') && name.endsWith('Unsettled'));
  if (key) await views.showView(key);
  return key !== undefined;
})()`;

/** The titles of the panels that extensions have put into the developer tools. */
const PANELS = `(async () => {
  const { ViewManager } = await import('./ui/legacy/legacy.js');
  return [...ViewManager.ViewManager.instance().views].filter(([name]) => name.startsWith('chrome-extension://')).map(([, view]) => view.title());
})()`;

const setThemeTo = (theme: string): string => `(async () => {
  const { Settings } = await import('./core/common/common.js');
  Settings.Settings.instance().moduleSetting('ui-theme').set(${JSON.stringify(theme)});
})()`;

/** In the page about extensions: what its switches do to ours. */
const manage = (code: string): string => `(async () => {
  const ours = async () => (await chrome.developerPrivate.getExtensionsInfo()).find(({ name }) => name === 'Unsettled');
  const { id } = await ours();
  ${code}
})()`;

/** Where the middle of an element is in its own document, after scrolling it into view; null where there is none. */
const middleOf = (selector: string): string => `(() => {
  const element = document.querySelector(${JSON.stringify(selector)});
  if (!element) return null;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
})()`;

/** Where the panel's frame is in the developer tools' window. The frame that is shown is the one with a size. */
const PANEL_FRAME = `(() => {
  const frames = (root) => [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.tagName === 'IFRAME' && element.src.startsWith('chrome-extension://') ? [element] : []),
    ...(element.shadowRoot ? frames(element.shadowRoot) : []),
  ]);
  const box = frames(document).map((frame) => frame.getBoundingClientRect()).find(({ width, height }) => width > 0 && height > 0);
  return box ? { x: box.x, y: box.y } : null;
})()`;

/**
 * Puts the picture of the page where the developer tools leave room for it (the tools are docked at the right, so at the
 * left): the browser pictures the two separately. Takes and gives base64 of PNG.
 */
const compose = (tools: string, page: string): string => `(async () => {
  const read = (base64) => createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]));
  const [tools, page] = [await read(${JSON.stringify(tools)}), await read(${JSON.stringify(page)})];
  const canvas = new OffscreenCanvas(tools.width, tools.height);
  const context = canvas.getContext('2d');
  context.drawImage(tools, 0, 0);
  context.drawImage(page, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
})()`;

interface Point {
  readonly x: number;
  readonly y: number;
}

const panelIn = (cdp: Cdp, frontend: string, session: string): Panel => ({
  evaluate: (expression) => cdp.evaluate(expression, session),
  async click(selector) {
    const inside = await until(`"${selector}" is in the panel`, () => cdp.evaluate<Point | null>(middleOf(selector), session), 10);
    const frame = await until('the panel is shown', () => cdp.evaluate<Point | null>(PANEL_FRAME, frontend), 10);
    const at = { x: frame.x + inside.x, y: frame.y + inside.y, button: 'left', clickCount: 1 };
    await cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: at.x, y: at.y }, frontend);
    await cdp.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at }, frontend);
    await cdp.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at }, frontend);
  },
  async press(key) {
    const text = key.length === 1 ? key : key === 'Enter' ? '\r' : undefined;
    const codes: Record<string, number> = {
      Backspace: 8,
      Tab: 9,
      Enter: 13,
      Escape: 27,
      Home: 36,
      End: 35,
      ArrowLeft: 37,
      ArrowUp: 38,
      ArrowRight: 39,
      ArrowDown: 40,
    };
    const code = codes[key] ?? key.toUpperCase().charCodeAt(0);
    const event = { key, code: key.length === 1 ? `Key${key.toUpperCase()}` : key, windowsVirtualKeyCode: code };
    await cdp.send('Input.dispatchKeyEvent', { type: text === undefined ? 'rawKeyDown' : 'keyDown', ...event, text }, frontend);
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event }, frontend);
  },
  async type(text) {
    await cdp.send('Input.insertText', { text }, frontend);
  },
});

/**
 * A copy of the extension that has these sites as permissions of its own. Chromium asks for an optional one in a window that
 * nothing headless can press; what an extension requires, a person may take and give in the page about extensions, and that
 * page can be scripted. The panel's question and all that follows from the answer are the same.
 */
const requiring = (extension: string, sites: readonly string[]): string => {
  const copy = mkdtempSync(join(tmpdir(), 'unsettled-extension-'));
  cpSync(extension, copy, { recursive: true });
  const file = join(copy, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { host_permissions: string[] };
  manifest.host_permissions.push(...sites);
  writeFileSync(file, JSON.stringify(manifest));
  return copy;
};

/** Starts Chromium with the extension. */
export const launchChromium = async ({
  extension: built,
  grantable = [],
  docked = false,
  headless = true,
  width = 1600,
  height = 1000,
  theme = 'light',
}: LaunchOptions): Promise<Driver> => {
  const extension = grantable.length === 0 ? built : requiring(built, grantable);
  const running = await startChromium({
    executable: requireBrowser('chromium'),
    headless,
    args: [
      `--window-size=${width},${height}`,
      ...(theme === 'dark' ? ['--force-dark-mode', '--blink-settings=preferredColorScheme=0'] : []),
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      ...(docked ? ['--auto-open-devtools-for-tabs'] : []),
    ],
  });
  const cdp = await until('the browser answers on its debugging port', () => connectCdp(running.port), 20);
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${running.port}`, { noDefaults: true });
  const context = browser.contexts()[0]!;

  const errors: string[] = [];
  /** Sessions below a developer tools window, by that window's session. */
  const children = new Map<string, Set<string>>();
  cdp.on((method, params, session) => {
    if (method === 'Target.attachedToTarget' && session !== null) children.get(session)?.add(params.sessionId as string);
    if (method === 'Runtime.exceptionThrown') {
      const { exceptionDetails } = params as { exceptionDetails: { text: string; exception?: { description?: string } } };
      errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    if (method === 'Runtime.consoleAPICalled' && (params as { type: string }).type === 'error') {
      const { args } = params as { args: readonly { value?: unknown; description?: string }[] };
      errors.push(args.map((arg) => arg.description ?? String(arg.value)).join(' '));
    }
  });

  const attachTo = async (targetId: string): Promise<string> => {
    const session = await cdp.attach(targetId);
    children.set(session, new Set());
    await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter: [{}] }, session);
    return session;
  };
  const panelOf = async (session: string): Promise<Panel> => {
    await until('the developer tools know our panel', () => cdp.evaluate<boolean>(SELECT_PANEL, session));
    // The panel is an out-of-process frame whose url is empty when it is attached: ask each one where it is.
    const panel = await until('the panel is loaded', async () => {
      for (const child of children.get(session) ?? []) {
        const href = await cdp.evaluate<string>('location.href', child).catch(() => '');
        if (href.startsWith('chrome-extension://') && href.includes('/panel')) return child;
      }
      return null;
    });
    await cdp.send('Runtime.enable', {}, panel);
    return panelIn(cdp, session, panel);
  };

  const frontendIds = async (): Promise<readonly string[]> => (await cdp.targets()).filter(isFrontend).map(({ targetId }) => targetId);
  /** Sessions of the developer tools' windows. */
  const frontends = new Map<Tab, string>();
  const pages = new Map<Tab, Page>();
  const targetIdOf = async (page: Page): Promise<string> => {
    const session = await context.newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    await session.detach();
    return targetInfo.targetId;
  };

  const workers = async (): Promise<readonly TargetInfo[]> =>
    (await cdp.targets()).filter(({ type, url }) => type === 'service_worker' && url.startsWith('chrome-extension://'));
  /** In the extension's service worker; fails while it sleeps. */
  const inBackground = async <T>(expression: string): Promise<T> => {
    const [worker] = await workers();
    if (worker === undefined) throw new Error('the background sleeps');
    const session = await cdp.attach(worker.targetId);
    try {
      return await cdp.evaluate<T>(expression, session);
    } finally {
      await cdp.send('Target.detachFromTarget', { sessionId: session });
    }
  };
  const ask = async <T>(code: string): Promise<T> => {
    const page = await context.newPage();
    try {
      await page.goto('chrome://extensions');
      return (await page.evaluate(manage(code))) as T;
    } finally {
      await page.close();
    }
  };
  const setSite = (pattern: string, allowed: boolean): Promise<void> =>
    ask(`
      const granted = async () => new Set((await ours()).permissions.runtimeHostPermissions.hosts.filter(({ granted }) => granted).map(({ host }) => host));
      const before = await granted();
      // Takes all sites away; the others are given back.
      await chrome.developerPrivate.updateExtensionConfiguration({ extensionId: id, hostAccess: 'ON_SPECIFIC_SITES' });
      const now = await granted();
      const wanted = new Set(before);
      wanted.${allowed ? 'add' : 'delete'}(${JSON.stringify(pattern)});
      for (const host of wanted) if (!now.has(host)) await chrome.developerPrivate.addHostPermission(id, host);
      for (const host of now) if (!wanted.has(host)) await chrome.developerPrivate.removeHostPermission(id, host);`);
  /** As a person opens one; the extension's own page is merely where it is said from. */
  const privatePage = async (): Promise<Page> => {
    const page = await context.newPage();
    // Letting the extension in starts it anew; until it is there, its pages are refused.
    await until('the extension answers', async () =>
      page.goto(`${home}/src/devtools/devtools.html`).then(
        () => true,
        () => null,
      ),
    );
    const opened = context.waitForEvent('page');
    await page.evaluate('void chrome.windows.create({ incognito: true, url: "about:blank" })');
    const made = await opened;
    await page.close();
    return made;
  };

  const home = await until('the extension is there', async () => (await workers())[0]?.url.replace(/\/[^/]*$/u, ''));
  let spare = context.pages()[0];
  const nextPage = async (): Promise<Page> => {
    const first = spare;
    spare = undefined;
    return first ?? context.newPage();
  };
  const knownFrontends = new Set<string>();

  const openTab = async (kind: TabKind = 'ordinary'): Promise<Tab> => {
    if (kind === 'container') throw new Error('Chromium has no containers');
    // The window starts with one empty tab; its developer tools are not counted as known before it is used.
    const page = kind === 'private' ? await privatePage() : await nextPage();
    const auto = docked
      ? await until('the developer tools are docked', async () => (await frontendIds()).find((id) => !knownFrontends.has(id)))
      : null;
    if (auto !== null) knownFrontends.add(auto);
    let panel: Panel | null = null;
    const frontend = async (): Promise<string> => {
      const open = frontends.get(tab);
      if (open !== undefined) return open;
      const id = auto ?? (await cdp.send<{ targetId: string }>('Target.openDevTools', { targetId: await targetIdOf(page) })).targetId;
      const session = await attachTo(id);
      frontends.set(tab, session);
      return session;
    };
    const tab: Tab = {
      async goto(url) {
        await page.goto(url);
      },
      async reload() {
        await page.reload();
      },
      async back() {
        // Not until it is loaded: a page out of the back/forward cache is not loaded again.
        await page.goBack({ waitUntil: 'commit' });
      },
      evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
      click: (selector) => page.click(selector),
      activate: () => page.bringToFront(),
      async panels() {
        const session = await frontend();
        return until('the developer tools know their panels', () => cdp.evaluate<readonly string[]>(PANELS, session));
      },
      async openPanel() {
        panel ??= await panelOf(await frontend());
        return panel;
      },
      async close() {
        frontends.delete(tab);
        pages.delete(tab);
        await page.close();
      },
    };
    pages.set(tab, page);
    return tab;
  };

  return {
    browser: 'chromium',
    version: browser.version(),
    closed: running.exited,
    hasContainers: false,
    openTab,
    async killBackground() {
      for (const { targetId } of await workers()) await cdp.send('Target.closeTarget', { targetId });
    },
    async pressButton(tab) {
      const url = pages.get(tab)!.url();
      const found = (await cdp.targets()).filter((target) => target.type === 'tab' && target.url === url);
      if (found.length !== 1) throw new Error(`${found.length} tabs show ${url}; give the one that is meant an address of its own`);
      await running.command('Extensions.triggerAction', { id: new URL(home).host, targetId: found[0]!.targetId });
    },
    badge: (tab) =>
      inBackground(
        `chrome.tabs.query({ url: ${JSON.stringify(pages.get(tab)!.url())} }).then((tabs) => chrome.action.getBadgeText({ tabId: tabs[0].id }))`,
      ),
    async setTheme(wanted) {
      for (const session of frontends.values()) await cdp.evaluate(setThemeTo(wanted === 'dark' ? 'dark' : 'default'), session);
    },
    setSite,
    // Answered where the answer is kept, see `requiring`.
    async answerQuestion(pattern, yes) {
      if (yes) await setSite(pattern, true);
    },
    // It starts anew for that, and one that was not installed from a store only does so in the developer's mode.
    allowPrivate: (allowed) =>
      ask(`
        await chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
        await chrome.developerPrivate.updateExtensionConfiguration({ extensionId: id, incognitoAccess: ${allowed} });`),
    async screenshot(tab, path) {
      const session = frontends.get(tab);
      if (session === undefined) throw new Error('openPanel first: without the developer tools there is nothing to picture');
      const { data } = await cdp.send<{ data: string }>('Page.captureScreenshot', { format: 'png' }, session);
      const page = docked ? await pages.get(tab)?.screenshot() : undefined;
      const picture = page === undefined ? data : await cdp.evaluate<string>(compose(data, page.toString('base64')), session);
      writeFileSync(path, Buffer.from(picture, 'base64'));
    },
    errors: async () => [...errors],
    async close() {
      await cdp.send('Browser.close').catch(() => undefined);
      cdp.close();
      await browser.close().catch(() => undefined);
      await running.close();
      if (extension !== built) rmSync(extension, { recursive: true, force: true });
    },
  };
};
