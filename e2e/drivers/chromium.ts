/**
 * Drives Chromium with the extension and its real developer tools, with or without a display. Playwright runs the pages; a
 * protocol connection of our own runs the developer tools, which Playwright hides. The frontend's internals that are used
 * (`ViewManager`, the view id) stay in this file.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { requireBrowser } from '../../scripts/browsers.mjs';
import { type Cdp, connectCdp, type TargetInfo } from './cdp';
import { type Driver, type LaunchOptions, type Panel, type Tab, until } from './driver';

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

interface Frontend {
  readonly session: string;
  readonly panel: Panel;
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))));
    });
  });

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

/** Starts Chromium with the extension. */
export const launchChromium = async ({
  extension,
  docked = false,
  headless = true,
  width = 1600,
  height = 1000,
  theme = 'light',
}: LaunchOptions): Promise<Driver> => {
  const port = await freePort();
  const context: BrowserContext = await chromium.launchPersistentContext('', {
    executablePath: requireBrowser('chromium'),
    headless: false, // `--headless=new` below: Playwright's own headless mode drops extensions
    viewport: null,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      ...(headless ? ['--headless=new', '--disable-gpu'] : []),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      `--window-size=${width},${height}`,
      ...(theme === 'dark' ? ['--force-dark-mode', '--blink-settings=preferredColorScheme=0'] : []),
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      `--remote-debugging-port=${port}`,
      ...(docked ? ['--auto-open-devtools-for-tabs'] : []),
    ],
  });
  const cdp = await until('the browser answers on its debugging port', () => connectCdp(port), 20);

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

  const frontendOf = async (targetId: string): Promise<Frontend> => {
    const session = await cdp.attach(targetId);
    const inside = new Set<string>();
    children.set(session, inside);
    await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter: [{}] }, session);
    await until('the developer tools know our panel', () => cdp.evaluate<boolean>(SELECT_PANEL, session));
    // The panel is an out-of-process frame whose url is empty when it is attached: ask each one where it is.
    const panel = await until('the panel is loaded', async () => {
      for (const child of inside) {
        const href = await cdp.evaluate<string>('location.href', child).catch(() => '');
        if (href.startsWith('chrome-extension://') && href.includes('/panel')) return child;
      }
      return null;
    });
    await cdp.send('Runtime.enable', {}, panel);
    return { session, panel: panelIn(cdp, session, panel) };
  };

  const frontendIds = async (): Promise<readonly string[]> => (await cdp.targets()).filter(isFrontend).map(({ targetId }) => targetId);
  const frontends = new Map<Tab, Frontend>();
  const pages = new Map<Tab, Page>();
  const targetIdOf = async (page: Page): Promise<string> => {
    const session = await context.newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    await session.detach();
    return targetInfo.targetId;
  };

  const workers = async (): Promise<readonly TargetInfo[]> =>
    (await cdp.targets()).filter(({ type, url }) => type === 'service_worker' && url.startsWith('chrome-extension://'));

  let spare = context.pages()[0] ?? null;
  const knownFrontends = new Set<string>();

  return {
    browser: 'chromium',
    version: context.browser()?.version() ?? 'unknown',
    closed: new Promise((resolve) => context.once('close', () => resolve())),
    async openTab() {
      // The window starts with one empty tab; its developer tools are not counted as known before it is used.
      const page = spare ?? (await context.newPage());
      spare = null;
      const auto = docked
        ? await until('the developer tools are docked', async () => (await frontendIds()).find((id) => !knownFrontends.has(id)))
        : null;
      if (auto !== null) knownFrontends.add(auto);
      const tab: Tab = {
        async goto(url) {
          await page.goto(url);
        },
        async reload() {
          await page.reload();
        },
        async back() {
          await page.goBack();
        },
        evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
        click: (selector) => page.click(selector),
        async openPanel() {
          const open = frontends.get(tab);
          if (open) return open.panel;
          const id = auto ?? (await cdp.send<{ targetId: string }>('Target.openDevTools', { targetId: await targetIdOf(page) })).targetId;
          const frontend = await frontendOf(id);
          frontends.set(tab, frontend);
          return frontend.panel;
        },
        async close() {
          frontends.delete(tab);
          pages.delete(tab);
          await page.close();
        },
      };
      pages.set(tab, page);
      return tab;
    },
    async killBackground() {
      for (const { targetId } of await workers()) await cdp.send('Target.closeTarget', { targetId });
    },
    async screenshot(tab, path) {
      const frontend = frontends.get(tab);
      if (!frontend) throw new Error('openPanel first: without the developer tools there is nothing to picture');
      const { data } = await cdp.send<{ data: string }>('Page.captureScreenshot', { format: 'png' }, frontend.session);
      const page = docked ? await pages.get(tab)?.screenshot() : undefined;
      const picture = page === undefined ? data : await cdp.evaluate<string>(compose(data, page.toString('base64')), frontend.session);
      writeFileSync(path, Buffer.from(picture, 'base64'));
    },
    errors: async () => [...errors],
    async close() {
      cdp.close();
      await context.close();
    },
  };
};
