/** Chromium for the page-contract suite, through Playwright. */
import { type BrowserContext, chromium } from 'playwright';
import { requireBrowser } from '../../scripts/browsers.mjs';
import type { ContractDriver } from './driver';

export const launchChromium = async (): Promise<ContractDriver> => {
  const browser = await chromium.launch({
    executablePath: requireBrowser('chromium'),
    // Playwright switches the back/forward cache off; it is part of the contract.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--js-flags=--expose-gc', '--enable-precise-memory-info'],
  });
  const contexts = new Map<string, Promise<BrowserContext>>();
  const contextWith = (scripts: readonly string[]): Promise<BrowserContext> => {
    const name = scripts.join('\n');
    const known = contexts.get(name);
    if (known !== undefined) return known;
    const made = (async () => {
      const context = await browser.newContext();
      for (const content of scripts) await context.addInitScript({ content });
      return context;
    })();
    contexts.set(name, made);
    return made;
  };
  return {
    browser: 'chromium',
    version: browser.version(),
    sideBySide: true,
    async openTab(scripts) {
      const context = await contextWith(scripts);
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      return {
        goto: async (url) => void (await page.goto(url)),
        back: async () => void (await page.goBack({ waitUntil: 'commit' })),
        async evaluate<T>(expression: string): Promise<T> {
          const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
            expression,
            awaitPromise: true,
            returnByValue: true,
          });
          if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
          return result.value as T;
        },
        close: () => page.close(),
      };
    },
    close: () => browser.close(),
  };
};
