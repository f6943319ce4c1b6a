/**
 * A picture of what a tab shows, where the browser allows one: the tab must be the one in front of its window, and the person
 * must have allowed it (both browsers ask for `activeTab`, which a click on the toolbar button gives for that tab; access to
 * the site is not enough). Browsers allow two pictures a second.
 */
import type { Picture } from './join';

/** The part of the tabs interface that is used. */
export interface Tabs {
  get(tab: number): Promise<{ readonly active: boolean; readonly windowId?: number | undefined }>;
  captureVisibleTab(window: number, options: { readonly format: 'jpeg'; readonly quality: number }): Promise<string>;
}

/** Small, and good enough to read the words. */
const QUALITY = 70;

export const createPicture =
  (tabs: Tabs) =>
  async (tab: number): Promise<Picture> => {
    try {
      const { active, windowId } = await tabs.get(tab);
      if (!active || windowId === undefined) return { image: null, why: 'hidden' };
      return { image: await tabs.captureVisibleTab(windowId, { format: 'jpeg', quality: QUALITY }), why: null };
    } catch (error) {
      // The browsers tell their reasons in words only.
      const words = String(error);
      return { image: null, why: /permission/iu.test(words) ? 'permission' : /quota|per.second/iu.test(words) ? 'busy' : 'failed' };
    }
  };
