/**
 * Drives stock Firefox with the extension (installed as a temporary add-on) and its real toolbox, with or without a
 * display. What runs inside the browser is in firefox-scripts.ts.
 */
import { writeFileSync } from 'node:fs';
import { requireBrowser } from '../../scripts/browsers.mjs';
import { type Bidi, startFirefox } from './bidi';
import { type Driver, type LaunchOptions, type Panel, type Tab, type TabKind, until } from './driver';
import * as scripts from './firefox-scripts';

interface Context {
  readonly context: string;
  readonly url: string;
}

const panelOf = (firefox: Bidi, id: string, context: string): Panel => {
  const run = <T>(mode: 'page' | 'frame', body: string, args: object = {}): Promise<T> =>
    firefox.chrome<T>(scripts.IN_PANEL, { id, context, mode, body, args });
  return {
    evaluate: (expression) => run('page', `return (${expression});`),
    async click(selector) {
      await until(`"${selector}" is in the panel`, () => run<boolean>('frame', scripts.CLICK, { selector }), 10);
    },
    press: (key) => run('frame', scripts.KEYS, { keys: [key] }),
    type: (text) => run('frame', scripts.KEYS, { keys: [...text] }),
  };
};

/** Starts Firefox with the extension. */
export const launchFirefox = async ({
  extension,
  docked = false,
  headless = true,
  width = 1600,
  height = 1000,
  theme = 'light',
}: LaunchOptions): Promise<Driver> => {
  const firefox = await startFirefox({
    executable: requireBrowser('firefox'),
    headless,
    preferences: { 'devtools.theme': theme, 'devtools.toolbox.footer.height': 500, 'devtools.toolbox.sidebar.width': 620 },
    args: ['--width', String(width), '--height', String(height)],
  });
  const { extension: id } = await firefox
    .send<{ extension: string }>('webExtension.install', { extensionData: { type: 'path', path: extension } })
    .catch(async (error: unknown) => {
      await firefox.close();
      throw error;
    });

  const contextOf = new WeakMap<Tab, string>();
  const host = docked ? 'right' : 'bottom';
  const contexts = async (): Promise<readonly string[]> =>
    (await firefox.send<{ contexts: readonly Context[] }>('browsingContext.getTree', { maxDepth: 0 })).contexts.map(
      ({ context }) => context,
    );
  const [ordinarily] = await contexts();
  /** The first tab of the private window, which stays open once it was wanted. */
  let privately: string | null = null;
  const inPrivate = async (): Promise<string> => {
    if (privately !== null) return privately;
    const before = new Set(await contexts());
    await firefox.chrome(scripts.PRIVATE_WINDOW);
    privately = await until('the private window has a tab', async () => (await contexts()).find((each) => !before.has(each)));
    return privately;
  };
  const placeOf = async (kind: TabKind): Promise<object> => {
    if (kind === 'private') return { referenceContext: await inPrivate() };
    const apart = kind === 'container' ? await firefox.send<{ userContext: string }>('browser.createUserContext') : {};
    // Otherwise it would open in the newest window, which may be the private one.
    return { referenceContext: ordinarily, ...apart };
  };

  const clickIn = async (context: string, selector: string): Promise<void> => {
    const shown = `(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      const box = element?.getBoundingClientRect();
      return box && box.width > 0 && box.height > 0 && !element.disabled ? element : null;
    })()`;
    const element = await until(`"${selector}" can be clicked`, () => firefox.element(shown, context), 10);
    await firefox.send('input.performActions', {
      context,
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          parameters: { pointerType: 'mouse' },
          actions: [
            { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId: element } } },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ],
    });
  };
  /** Our own page that asks for a site, because the panel cannot. */
  const askPage = async (): Promise<string | undefined> =>
    (await firefox.send<{ contexts: readonly Context[] }>('browsingContext.getTree', { maxDepth: 0 })).contexts.find(({ url }) =>
      /^moz-extension:.*\/allow\.html/u.test(url),
    )?.context;

  const openTab = async (kind: TabKind = 'ordinary'): Promise<Tab> => {
    const { context } = await firefox.send<{ context: string }>('browsingContext.create', { type: 'tab', ...(await placeOf(kind)) });
    let panel: Panel | null = null;
    const tab: Tab = {
      async goto(url) {
        await firefox.send('browsingContext.navigate', { context, url, wait: 'complete' });
      },
      async reload() {
        await firefox.send('browsingContext.reload', { context, wait: 'complete' });
      },
      async back() {
        await firefox.send('browsingContext.traverseHistory', { context, delta: -1 });
      },
      evaluate: (expression) => firefox.evaluate(expression, context),
      click: (selector) => clickIn(context, selector),
      async activate() {
        await firefox.send('browsingContext.activate', { context });
      },
      panels: () => firefox.chrome(scripts.PANELS, { context, host }),
      async openPanel() {
        if (panel) return panel;
        await firefox.send('browsingContext.activate', { context });
        await until('the toolbox knows our panel', () => firefox.chrome<boolean>(scripts.SELECT_PANEL, { context, host }));
        const opened = panelOf(firefox, id, context);
        await until('the panel is loaded', () => opened.evaluate<boolean>(`document.readyState === 'complete'`));
        panel = opened;
        return opened;
      },
      async close() {
        await firefox.chrome(scripts.CLOSE_TOOLBOX, { context });
        panel = null;
        await firefox.send('browsingContext.close', { context });
      },
    };
    contextOf.set(tab, context);
    return tab;
  };

  return {
    browser: 'firefox',
    version: firefox.version,
    closed: firefox.exited,
    hasContainers: true,
    openTab,
    killBackground: () => firefox.chrome(scripts.KILL_BACKGROUND, { id }),
    async pressButton(tab) {
      await firefox.chrome(scripts.PRESS_BUTTON, { id, context: contextOf.get(tab) });
    },
    badge: (tab) => firefox.chrome(scripts.BADGE, { id, context: contextOf.get(tab) }),
    setTheme: (wanted) => firefox.chrome(scripts.SET_THEME, { theme: wanted }),
    setSite: (pattern, allowed) => firefox.chrome(scripts.SET_SITE, { id, pattern, allowed }),
    async answerQuestion(_pattern, yes) {
      const page = await until('our page asks', askPage, 10);
      await clickIn(page, 'button.primary');
      await until('the browser asks for the permission', () => firefox.chrome<boolean>(scripts.ANSWER, { yes }), 10);
    },
    allowPrivate: (allowed) => firefox.chrome(scripts.ALLOW_PRIVATE, { id, allowed }),
    async screenshot(tab, path) {
      const url = await firefox.chrome<string>(scripts.SNAPSHOT, { context: contextOf.get(tab) });
      writeFileSync(path, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
    },
    errors: () => firefox.chrome<readonly string[]>(scripts.ERRORS, { id }),
    close: firefox.close,
  };
};
