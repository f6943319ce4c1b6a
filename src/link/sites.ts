/**
 * Which sites the extension may run on, as the panel and the background speak of them. The panel cannot settle it alone:
 * Firefox gives a panel neither `permissions` nor `scripting`, and a permission may be taken back while nobody looks.
 */
import * as v from 'valibot';
import { LINK_VERSION } from './messages';

/**
 * `on`: scripts run there. `off`: never switched on. `revoked`: it was on, or is on by the manifest, and the person or the
 * browser took the permission back.
 */
export type SiteAccess = 'on' | 'off' | 'revoked';

/**
 * Panel → background. `ask`: open a page of ours that asks the person, where the panel itself cannot. `list`: which sites were
 * switched on beside those of the manifest. `off`: give one of them back.
 */
export type SiteCall =
  | { readonly link: typeof LINK_VERSION; readonly type: 'site.list' }
  | { readonly link: typeof LINK_VERSION; readonly type: 'site.off'; readonly pattern: string }
  | { readonly link: typeof LINK_VERSION; readonly type: 'site'; readonly pattern: string }
  | { readonly link: typeof LINK_VERSION; readonly type: 'site.ask'; readonly pattern: string; readonly tab: number };

export interface SiteAnswer {
  readonly access: SiteAccess;
}

export interface SiteList {
  readonly sites: readonly string[];
}

/** Background → all pages of the extension: permissions have changed, and scripts are registered accordingly. */
export interface SitesChanged {
  readonly link: typeof LINK_VERSION;
  readonly type: 'sites.changed';
}

/** A whole site as a match pattern. */
export const PATTERN = /^https?:\/\/(?:[^/?#:*[\]]+|\[[0-9a-f:]+\])\/\*$/u;

const link = v.literal(LINK_VERSION);
const pattern = v.pipe(v.string(), v.regex(PATTERN));

export const siteCallSchema = v.variant('type', [
  v.object({ link, type: v.literal('site.list') }),
  // As it stands in the list: the browser knows wider patterns than a panel may ask for.
  v.object({ link, type: v.literal('site.off'), pattern: v.pipe(v.string(), v.minLength(1), v.maxLength(300)) }),
  v.object({ link, type: v.literal('site'), pattern }),
  v.object({ link, type: v.literal('site.ask'), pattern, tab: v.number() }),
]);
export const siteAnswerSchema = v.object({ access: v.picklist(['on', 'off', 'revoked']) });
export const siteListSchema = v.object({ sites: v.pipe(v.array(v.string()), v.maxLength(10_000)) });
export const sitesChangedSchema = v.object({ link, type: v.literal('sites.changed') });

/** The site of a page as a match pattern; ports are left out because Firefox has none in patterns. Null: not of the web. */
export const sitePattern = (url: string): string | null => {
  const site = /^(https?:)\/\/([^/?#:[\]]+|\[[^\]]+\])/u.exec(url);
  const found = site === null ? null : `${site[1]}//${site[2]}/*`;
  return found !== null && PATTERN.test(found) ? found : null;
};
