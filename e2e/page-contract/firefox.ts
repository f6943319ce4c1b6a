/** Firefox for the page-contract suite, through WebDriver BiDi: preload scripts run in the page's own world, before it. */
import { requireBrowser } from '../../scripts/browsers.mjs';
import { startFirefox } from '../drivers/bidi';
import type { ContractDriver } from './driver';

export const launchFirefox = async (): Promise<ContractDriver> => {
  const firefox = await startFirefox({ executable: requireBrowser('firefox'), headless: true, preferences: {}, args: [] });
  return {
    browser: 'firefox',
    version: firefox.version,
    // Of two tabs in one window the one behind is held back.
    sideBySide: false,
    async openTab(scripts) {
      const { context } = await firefox.send<{ context: string }>('browsingContext.create', { type: 'tab' });
      await firefox.send('script.addPreloadScript', { functionDeclaration: `() => {\n${scripts.join('\n;\n')}\n}`, contexts: [context] });
      return {
        goto: async (url) => void (await firefox.send('browsingContext.navigate', { context, url, wait: 'complete' })),
        async back() {
          await firefox.send('browsingContext.traverseHistory', { context, delta: -1 });
        },
        evaluate: (expression) => firefox.evaluate(expression, context),
        close: async () => void (await firefox.send('browsingContext.close', { context })),
      };
    },
    close: () => firefox.close(),
  };
};
