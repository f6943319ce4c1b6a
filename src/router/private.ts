/** Whether a tab is of a private window: by this the panel knows that nothing of it may be kept. */
import type { PrivateAnswer } from '../link/calls';

export const createPrivate =
  (get: (tab: number) => Promise<{ readonly incognito: boolean }>) =>
  async (tab: number): Promise<PrivateAnswer> => {
    try {
      return { private: (await get(tab)).incognito };
    } catch {
      // The tab is gone, or of a window that the extension may not know of: then nothing is said.
      return { private: null };
    }
  };
