/**
 * The sites that a person has switched on beside those of the manifest. The browser's own record of permissions is the one
 * truth: whenever it changes (from the panel, from the browser's page about extensions, after an update, which drops
 * registered scripts) the registered scripts are made to follow it, and the panels are told. Nothing is kept here.
 */
import type Browser from 'webextension-polyfill';
import { LINK_VERSION, read } from '../link/messages';
import { type SiteAccess, type SiteAnswer, type SiteList, type SitesChanged, siteCallSchema } from '../link/sites';

/** What is used of the extension interface, so that tests can stand in. */
export interface SitesApi {
  readonly permissions: Pick<typeof Browser.permissions, 'contains' | 'getAll' | 'onAdded' | 'onRemoved' | 'remove'>;
  readonly scripting: Pick<typeof Browser.scripting, 'getRegisteredContentScripts' | 'registerContentScripts' | 'unregisterContentScripts'>;
  readonly runtime: Pick<
    typeof Browser.runtime,
    'getManifest' | 'getURL' | 'id' | 'onInstalled' | 'onMessage' | 'onStartup' | 'sendMessage'
  >;
  readonly tabs: Pick<typeof Browser.tabs, 'create'>;
}

type Registered = Parameters<SitesApi['scripting']['registerContentScripts']>[0][number];

const CHANGED: SitesChanged = { link: LINK_VERSION, type: 'sites.changed' };
/** Registered scripts of ours; whatever else the extension may register is left alone. */
const PREFIX = 'site:';
/** The page that asks, where the panel cannot. */
const ASK_PAGE = '/src/panel/allow.html';

export const watchSites = (browser: SitesApi): void => {
  const declared = (): readonly string[] => {
    const scripts = browser.runtime.getManifest().content_scripts ?? [];
    return [...new Set(scripts.flatMap(({ matches }) => matches))];
  };

  /** Origins that were granted beyond the manifest's. */
  const granted = async (): Promise<string[]> => {
    const own = new Set(declared());
    return ((await browser.permissions.getAll()).origins ?? []).filter((origin) => !own.has(origin)).sort();
  };

  /**
   * One entry for each script of the manifest, for all sites together: two patterns that overlap must not run it twice, nor
   * may one that takes in what the manifest has.
   */
  const wanted = (matches: string[]): Registered[] =>
    (browser.runtime.getManifest().content_scripts ?? []).map((each, index) => ({
      id: `${PREFIX}${index}`,
      // Firefox gives them back as addresses, and takes paths only.
      js: (each.js ?? []).map((path) => path.replace(browser.runtime.getURL('/'), '')),
      matches,
      excludeMatches: [...declared()],
      allFrames: true,
      runAt: 'document_start' as const,
      // Firefox names the world of each, Chrome only that of those that differ.
      ...((each as { world?: string }).world === 'MAIN' ? { world: 'MAIN' as const } : {}),
    }));

  const register = async (scripts: Registered[]): Promise<void> => {
    try {
      // Frames without an address of their own (srcdoc, blob:) belong to their page. Not in the types yet.
      await browser.scripting.registerContentScripts(scripts.map((each) => ({ ...each, matchOriginAsFallback: true })));
    } catch {
      // A browser that does not know it takes none of it.
      await browser.scripting.registerContentScripts(scripts);
    }
  };

  const follow = async (): Promise<void> => {
    const matches = await granted();
    const now = (await browser.scripting.getRegisteredContentScripts()).filter(({ id }) => id.startsWith(PREFIX));
    if (now.length > 0) await browser.scripting.unregisterContentScripts({ ids: now.map(({ id }) => id) });
    if (matches.length > 0) await register(wanted(matches));
  };

  // One after the other: two at a time would register the same script twice, which is an error.
  let last: Promise<void> = Promise.resolve();
  const followNext = (): Promise<void> => {
    // What fails here fails again with the next change; whoever waits must not wait for ever.
    last = last.then(follow).catch((error: unknown) => console.error('Unsettled could not register its scripts', error));
    return last;
  };
  const changed = async (): Promise<void> => {
    await followNext();
    // Rejects where no page of ours listens.
    await browser.runtime.sendMessage(CHANGED).catch(() => undefined);
  };

  browser.permissions.onAdded.addListener(() => void changed());
  browser.permissions.onRemoved.addListener(() => void changed());
  browser.runtime.onInstalled.addListener(() => void followNext());

  const accessTo = async (pattern: string): Promise<SiteAccess> => {
    if (await browser.permissions.contains({ origins: [pattern] })) {
      await last;
      return 'on';
    }
    return declared().includes(pattern) ? 'revoked' : 'off';
  };

  /** Gives a site back that was switched on; a page that is watched already is so until it is loaded again. */
  const switchOff = async (pattern: string): Promise<boolean> =>
    (await granted()).includes(pattern) && (await browser.permissions.remove({ origins: [pattern] }));

  browser.runtime.onMessage.addListener((message: unknown, sender: Browser.Runtime.MessageSender) => {
    if (sender.id !== browser.runtime.id || !sender.url?.startsWith(browser.runtime.getURL('/'))) return undefined;
    const call = read(siteCallSchema, message);
    if (call === null) return undefined;
    if (call.type === 'site.list') return granted().then((sites): SiteList => ({ sites }));
    if (call.type === 'site.off') return switchOff(call.pattern);
    if (call.type === 'site') return accessTo(call.pattern).then((access): SiteAnswer => ({ access }));
    const url = `${ASK_PAGE}?${new URLSearchParams({ site: call.pattern })}`;
    return browser.tabs.create({ url, openerTabId: call.tab }).then(() => true);
  });
};
