/**
 * Drives stock Firefox with the extension (installed as a temporary add-on) and its real toolbox, with or without a
 * display. Everything that uses Firefox's internals (the toolbox, extension views, frame scripts) stays in this file: a
 * new release may move it.
 */
import { writeFileSync } from 'node:fs';
import { requireBrowser } from '../../scripts/browsers.mjs';
import { type Bidi, startFirefox } from './bidi';
import { type Driver, type LaunchOptions, type Panel, type Tab, until } from './driver';

const TOOLBOX = `
  const { require } = ChromeUtils.importESModule('resource://devtools/shared/loader/Loader.sys.mjs');
  const { gDevTools } = require('devtools/client/framework/devtools');`;

/** Opens the toolbox on the selected tab; false until our panel is known there, which is a little later. */
const SELECT_PANEL = `${TOOLBOX}
  const toolbox = await gDevTools.showToolboxForTab(gBrowser.selectedTab, { toolId: 'webconsole', hostType: args.host });
  const tool = toolbox.getAdditionalTools().find(({ label }) => label === 'Unsettled');
  if (tool) await toolbox.selectTool(tool.id);
  return tool !== undefined;`;

const CLOSE_TOOLBOX = `${TOOLBOX} await gDevTools.getToolboxForTab(gBrowser.selectedTab)?.destroy();`;

/**
 * Runs the body of an async function as a frame script in the extension's newest panel. `args.mode` 'page': in a sandbox
 * over the page without X-ray vision, which sees the page's own globals and, unlike `eval`, passes its policy.
 */
const IN_PANEL = `
  const extension = WebExtensionPolicy.getByID(args.id)?.extension;
  const view = [...(extension?.views ?? [])].filter(({ viewType, xulBrowser }) => viewType === 'devtools_panel' && xulBrowser).at(-1);
  if (!view) throw new Error('the extension has no panel');
  const manager = view.xulBrowser.messageManager;
  const name = 'unsettled:' + Services.uuid.generateUUID();
  const source = '(async () => JSON.stringify(await (async (args) => {' + args.body + '})(' + JSON.stringify(args.args) + ')))()';
  const call = args.mode === 'page'
    ? 'Cu.evalInSandbox(' + JSON.stringify(source) + ', Cu.Sandbox(content, { sandboxPrototype: content, wantXrays: false }))'
    : source;
  const script = '(async () => { try { sendAsyncMessage(' + JSON.stringify(name) + ', { value: await ' + call + ' }); }'
    + ' catch (error) { sendAsyncMessage(' + JSON.stringify(name) + ', { error: String(error) }); } })();';
  const { value, error } = await new Promise((resolve) => {
    manager.addMessageListener(name, function got({ data }) { manager.removeMessageListener(name, got); resolve(data); });
    manager.loadFrameScript('data:,' + encodeURIComponent(script), false);
  });
  if (error !== undefined) throw new Error(error);
  return value === undefined ? undefined : JSON.parse(value);`;

const CLICK = `
  const element = content.document.querySelector(args.selector);
  if (!element) return false;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) return false;
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  content.synthesizeMouseEvent('mousemove', x, y, {}, {});
  content.synthesizeMouseEvent('mousedown', x, y, { button: 0, clickCount: 1 }, {});
  content.synthesizeMouseEvent('mouseup', x, y, { button: 0, clickCount: 1 }, {});
  return true;`;

const KEYS = `
  content.focus();
  const processor = Cc['@mozilla.org/text-input-processor;1'].createInstance(Ci.nsITextInputProcessor);
  if (!processor.beginInputTransactionForTests(content)) throw new Error('no input transaction');
  for (const key of args.keys) {
    const event = new content.KeyboardEvent('', { key });
    processor.keydown(event);
    processor.keyup(event);
  }`;

const SNAPSHOT = `
  const bitmap = await window.browsingContext.currentWindowGlobal.drawSnapshot(new DOMRect(0, 0, innerWidth, innerHeight), 1, 'white');
  const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas');
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  return canvas.toDataURL('image/png');`;

// Not among them: what Firefox says of any extension whose page is closed while it waits for an answer.
const ERRORS = `
  const origin = 'moz-extension://' + WebExtensionPolicy.getByID(args.id).mozExtensionHostname + '/';
  return Services.console.getMessageArray()
    .filter((message) => message instanceof Ci.nsIScriptError && !(message.flags & Ci.nsIScriptError.warningFlag) && message.sourceName?.startsWith(origin))
    .filter((message) => !/^Promise (?:resolved|rejected) after context unloaded/.test(message.errorMessage))
    .map((message) => message.errorMessage + ' (' + message.sourceName.slice(origin.length) + ':' + message.lineNumber + ')');`;

const panelOf = (firefox: Bidi, id: string): Panel => {
  const run = <T>(mode: 'page' | 'frame', body: string, args: object = {}): Promise<T> =>
    firefox.chrome<T>(IN_PANEL, { id, mode, body, args });
  return {
    evaluate: (expression) => run('page', `return (${expression});`),
    async click(selector) {
      await until(`"${selector}" is in the panel`, () => run<boolean>('frame', CLICK, { selector }), 10);
    },
    press: (key) => run('frame', KEYS, { keys: [key] }),
    type: (text) => run('frame', KEYS, { keys: [...text] }),
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

  const openTab = async (): Promise<Tab> => {
    const { context } = await firefox.send<{ context: string }>('browsingContext.create', { type: 'tab' });
    let panel: Panel | null = null;
    return {
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
      async click(selector) {
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
      },
      async openPanel() {
        if (panel) return panel;
        await firefox.send('browsingContext.activate', { context });
        await until('the toolbox knows our panel', () => firefox.chrome<boolean>(SELECT_PANEL, { host: docked ? 'right' : 'bottom' }));
        const opened = panelOf(firefox, id);
        await until('the panel is loaded', () => opened.evaluate<boolean>(`document.readyState === 'complete'`));
        panel = opened;
        return opened;
      },
      async close() {
        if (panel) await firefox.chrome(CLOSE_TOOLBOX);
        panel = null;
        await firefox.send('browsingContext.close', { context });
      },
    };
  };

  return {
    browser: 'firefox',
    version: firefox.version,
    closed: firefox.exited,
    openTab,
    killBackground: () => firefox.chrome('await WebExtensionPolicy.getByID(args.id).extension.terminateBackground();', { id }),
    async screenshot(_tab, path) {
      const url = await firefox.chrome<string>(SNAPSHOT);
      writeFileSync(path, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
    },
    errors: () => firefox.chrome<readonly string[]>(ERRORS, { id }),
    close: firefox.close,
  };
};
