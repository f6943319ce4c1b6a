/**
 * Whether the extension may run on the inspected site, and the way to get there. Where the browser gives a panel the
 * `permissions` interface (Chrome), the question is asked right in the click. Where it does not (Firefox gives a panel
 * little more than `devtools`, `runtime` and `storage`), a page of ours opens and asks: one click more.
 */
import type Browser from 'webextension-polyfill';
import { LINK_VERSION, read } from '../link/messages';
import { type SiteAccess, type SiteCall, siteAnswerSchema, siteListSchema, sitePattern, sitesChangedSchema } from '../link/sites';

export interface SiteSwitch {
  /** Null: not a page of the web. */
  accessTo(url: string): Promise<SiteAccess | null>;
  /** To be called in a click, with nothing awaited before. What came of it shows in `changed`. */
  ask(url: string): void;
  /** The sites that were switched on; null if nobody answers. */
  list(): Promise<readonly string[] | null>;
  /** Switches one of them off again. A page that is watched already is so until it is loaded again. */
  off(site: string): Promise<void>;
}

export const createSiteSwitch = (browser: typeof Browser, tab: number, changed: () => void): SiteSwitch => {
  const permissions = browser.permissions as typeof browser.permissions | undefined;
  const call = (message: SiteCall): Promise<unknown> => browser.runtime.sendMessage(message);
  browser.runtime.onMessage.addListener((message: unknown) => {
    if (read(sitesChangedSchema, message) !== null) changed();
    return undefined;
  });
  return {
    async accessTo(url) {
      const pattern = sitePattern(url);
      if (pattern === null) return null;
      const answer = await call({ link: LINK_VERSION, type: 'site', pattern }).catch(() => null);
      return read(siteAnswerSchema, answer)?.access ?? null;
    },
    ask(url) {
      const pattern = sitePattern(url);
      if (pattern === null) return;
      const asked =
        permissions === undefined
          ? call({ link: LINK_VERSION, type: 'site.ask', pattern, tab })
          : permissions.request({ origins: [pattern] }); // granted already: nothing changes, and nobody is told
      void asked.then(changed, () => undefined);
    },
    async list() {
      return read(siteListSchema, await call({ link: LINK_VERSION, type: 'site.list' }).catch(() => null))?.sites ?? null;
    },
    async off(site) {
      await call({ link: LINK_VERSION, type: 'site.off', pattern: site }).catch(() => null);
    },
  };
};
