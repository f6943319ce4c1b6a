/**
 * Background: a service worker in Chrome, an event page in Firefox. A pipe between the witnesses of a tab and its panel.
 * Nothing is kept here that matters, and nothing keeps it awake.
 */
import browser, { type Runtime } from 'webextension-polyfill';
import { callSchema, privateCallSchema } from '../link/calls';
import { read } from '../link/messages';
import { createBadge } from './badge';
import { createInject } from './inject';
import { createJoin, type JoinedPort, WHO } from './join';
import { createPicture } from './picture';
import { createPrivate } from './private';
import { watchSites } from './sites';

const home = browser.runtime.getURL('/');
const join = createJoin({
  home,
  wake: (tab) => {
    // Rejects where no content script listens: the site is not enabled, or the page is older than the extension.
    browser.tabs.sendMessage(tab, WHO).catch(() => undefined);
  },
  picture: createPicture(browser.tabs),
});

const inject = createInject((injection) => browser.scripting.executeScript(injection));

const badge = createBadge({
  show: (tabId, text) => browser.action.setBadgeText({ tabId, text }),
  tell: (tab, call) => browser.tabs.sendMessage(tab, call, { frameId: 0 }),
});
browser.action.setBadgeBackgroundColor({ color: '#b3261e' }).catch(() => undefined);

const isPrivate = createPrivate((tab) => browser.tabs.get(tab));

browser.runtime.onMessage.addListener((message: unknown, sender: Runtime.MessageSender) => {
  // Pages of this extension alone may ask about a tab.
  const asked = sender.id === browser.runtime.id && sender.url?.startsWith(home) === true ? read(privateCallSchema, message) : null;
  if (asked !== null) return isPrivate(asked.tab);
  const call = sender.id === browser.runtime.id ? read(callSchema, message) : null;
  if (call === null) return undefined;
  if (call.type === 'decoders') return inject(sender);
  const tab = sender.tab?.id;
  // Only a tab's own document speaks for the tab.
  if (tab !== undefined && (call.type === 'count' || sender.frameId === 0)) badge(tab, call);
  return undefined;
});

browser.runtime.onConnect.addListener((port) => join(port as unknown as JoinedPort));

watchSites(browser);

// A click on the toolbar button lets the panel picture that tab (`activeTab`: nothing is asked at installation, and without
// the click it allows nothing). The click itself has nothing more to do.
browser.action.onClicked.addListener(() => undefined);
