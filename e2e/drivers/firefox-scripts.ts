/**
 * What the Firefox driver runs, privileged, in the browser's own window: bodies of async functions with one parameter,
 * `args`. Everything that uses Firefox's internals (the toolbox, extension views, frame scripts, permissions) stays in this
 * file: a new release may move it. `args.context` is a tab as WebDriver BiDi names it, `args.id` the extension.
 */

const MODULES = `
  const tabOf = (context) => {
    const { NavigableManager } = ChromeUtils.importESModule('chrome://remote/content/shared/NavigableManager.sys.mjs');
    const browser = NavigableManager.getBrowsingContextById(context).top.embedderElement;
    return browser.ownerDocument.defaultView.gBrowser.getTabForBrowser(browser);
  };
  const { require } = ChromeUtils.importESModule('resource://devtools/shared/loader/Loader.sys.mjs');
  const { gDevTools } = require('devtools/client/framework/devtools');`;

/** Opens the toolbox on a tab; the labels of the panels that extensions have put there by now. */
export const PANELS = `${MODULES}
  const toolbox = await gDevTools.showToolboxForTab(tabOf(args.context), { toolId: 'webconsole', hostType: args.host });
  return toolbox.getAdditionalTools().map(({ label }) => label);`;

/** Opens the toolbox and selects our panel; false until it is known there, which is a little later. */
export const SELECT_PANEL = `${MODULES}
  const toolbox = await gDevTools.showToolboxForTab(tabOf(args.context), { toolId: 'webconsole', hostType: args.host });
  const tool = toolbox.getAdditionalTools().find(({ label }) => label === 'Unsettled');
  if (tool) await toolbox.selectTool(tool.id);
  return tool !== undefined;`;

export const CLOSE_TOOLBOX = `${MODULES} await gDevTools.getToolboxForTab(tabOf(args.context))?.destroy();`;

/**
 * Runs the body of an async function as a frame script in the extension's panel of that tab. `args.mode` 'page': in a sandbox
 * over the page without X-ray vision, which sees the page's own globals and, unlike `eval`, passes its policy.
 */
export const IN_PANEL = `${MODULES}
  const toolbox = gDevTools.getToolboxForTab(tabOf(args.context));
  const views = [...(WebExtensionPolicy.getByID(args.id)?.extension.views ?? [])];
  const view = views.findLast(({ viewType, xulBrowser, devToolsToolbox }) => viewType === 'devtools_panel' && xulBrowser && devToolsToolbox === toolbox);
  if (!view) throw new Error('the extension has no panel there');
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

/** In the panel's frame: a trusted click in the middle of the element; false while there is none to click. */
export const CLICK = `
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

/** In the panel's frame: trusted keys. */
export const KEYS = `
  content.focus();
  const processor = Cc['@mozilla.org/text-input-processor;1'].createInstance(Ci.nsITextInputProcessor);
  if (!processor.beginInputTransactionForTests(content)) throw new Error('no input transaction');
  for (const key of args.keys) {
    const event = new content.KeyboardEvent('', { key });
    processor.keydown(event);
    processor.keyup(event);
  }`;

/** The whole window of a tab, toolbox included, as a data URL. */
export const SNAPSHOT = `${MODULES}
  const { browsingContext, innerWidth, innerHeight } = tabOf(args.context).ownerDocument.defaultView;
  const bitmap = await browsingContext.currentWindowGlobal.drawSnapshot(new DOMRect(0, 0, innerWidth, innerHeight), 1, 'white');
  const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas');
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  return canvas.toDataURL('image/png');`;

// Not among them: what Firefox says of any extension whose page is closed while it waits for an answer.
export const ERRORS = `
  const origin = 'moz-extension://' + WebExtensionPolicy.getByID(args.id).mozExtensionHostname + '/';
  return Services.console.getMessageArray()
    .filter((message) => message instanceof Ci.nsIScriptError && !(message.flags & Ci.nsIScriptError.warningFlag) && message.sourceName?.startsWith(origin))
    .filter((message) => !/^Promise (?:resolved|rejected) (?:after context unloaded|while context is inactive)/.test(message.errorMessage))
    .map((message) => message.errorMessage + ' (' + message.sourceName.slice(origin.length) + ':' + message.lineNumber + ')');`;

export const KILL_BACKGROUND = 'await WebExtensionPolicy.getByID(args.id).extension.terminateBackground();';

/** Runs code with the extension's toolbar button (`action`) and the tab that is meant. */
const withButton = (code: string): string => `${MODULES}
  const tab = tabOf(args.context);
  const { browserActionFor } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs').ExtensionParent.apiManager.global;
  const action = browserActionFor(WebExtensionPolicy.getByID(args.id).extension);
  ${code}`;

/** As a click on the button in the window of that tab. */
export const PRESS_BUTTON = withButton('await action.triggerAction(tab.ownerDocument.defaultView); return true;');

export const BADGE = withButton('return action.action.getContextData(tab).badgeText ?? "";');

export const SET_THEME = `Services.prefs.setCharPref('devtools.theme', args.theme);`;

/** What the permissions page of the add-on manager does. */
export const SET_SITE = `
  const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
  const { extension } = WebExtensionPolicy.getByID(args.id);
  const which = { permissions: [], origins: [args.pattern], data_collection: [] };
  await ExtensionPermissions[args.allowed ? 'add' : 'remove'](args.id, which, extension);`;

/** Answers the browser's question about a permission in whichever window it is asked; false while none is. */
export const ANSWER = `
  for (const browser of Services.wm.getEnumerator('navigator:browser')) {
    const note = browser.document.getElementById('addon-webext-permissions-notification');
    const asked = browser.PopupNotifications.getNotification('addon-webext-permissions');
    if (!asked || !note || note.closest('panel').state !== 'open') continue;
    (args.yes ? note.button : note.secondaryButton).click();
    return true;
  }
  return false;`;

/** What "Run in private windows" in the add-on manager does: the extension starts anew. */
export const ALLOW_PRIVATE = `
  const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  const which = { permissions: ['internal:privateBrowsingAllowed'], origins: [], data_collection: [] };
  await ExtensionPermissions[args.allowed ? 'add' : 'remove'](args.id, which);
  const addon = await AddonManager.getAddonByID(args.id);
  await addon.reload();`;

/** Opens a private window and waits until its first page is there. */
export const PRIVATE_WINDOW = `
  const opened = OpenBrowserWindow({ private: true });
  if (!opened.gBrowserInit?.delayedStartupFinished)
    await new Promise((resolve) => {
      const topic = 'browser-delayed-startup-finished';
      Services.obs.addObserver(function ready(subject) {
        if (subject !== opened) return;
        Services.obs.removeObserver(ready, topic);
        resolve();
      }, topic);
    });
  return true;`;
