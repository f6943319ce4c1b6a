/**
 * What a test may do to a real browser that has the extension: one interface, so that each case is written once and runs in
 * every browser that has a driver. Promises: the panel it hands out is the extension's own, inside the browser's own
 * developer tools; input to page and panel is trusted input, as from a person; nothing here waits for a fixed time.
 */

/** The Unsettled panel in the browser's developer tools. */
export interface Panel {
  /** The value of the expression, awaited, as JSON data. */
  evaluate<T>(expression: string): Promise<T>;
  /** Clicks the middle of the first element that matches, scrolled into view. */
  click(selector: string): Promise<void>;
  /** Presses one key: a character, or a name such as `Enter`, `ArrowDown`, `Escape`. */
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
}

/** One tab of the browser. */
export interface Tab {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** The value of the expression in the page's own world, awaited, as JSON data. */
  evaluate<T>(expression: string): Promise<T>;
  click(selector: string): Promise<void>;
  /** Opens the developer tools on this tab if they are not open, and selects our panel. */
  openPanel(): Promise<Panel>;
  close(): Promise<void>;
}

/** A running browser with the extension installed. */
export interface Driver {
  readonly browser: 'chromium' | 'firefox';
  /** As the browser names it, for reports. */
  readonly version: string;
  /** Resolves when the browser is gone, by us or by the person in front of it. */
  readonly closed: Promise<void>;
  openTab(): Promise<Tab>;
  /** Ends the extension's background (service worker, event page), as the browser does when it wants memory back. */
  killBackground(): Promise<void>;
  /** A picture of the tab: the page with the developer tools beside it where they are docked, else the tools alone. */
  screenshot(tab: Tab, path: string): Promise<void>;
  /** Errors and uncaught exceptions of the extension's own contexts (panel, devtools page, background) so far. */
  errors(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** How to start one. */
export interface LaunchOptions {
  /** The built extension. */
  readonly extension: string;
  /** Developer tools docked beside every tab from the start. Otherwise they open, undocked, with `openPanel`. */
  readonly docked?: boolean;
  readonly headless?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
}

/** Asks again until the answer is neither null, undefined nor false; throws with `what` and the last error after `seconds`. */
export const until = async <T>(
  what: string,
  read: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  seconds = 30,
): Promise<T> => {
  const deadline = Date.now() + seconds * 1000;
  let last = '';
  for (;;) {
    try {
      const value = await read();
      if (value !== null && value !== undefined && value !== false) return value;
    } catch (error) {
      last = ` (${String(error)})`;
    }
    if (Date.now() > deadline) throw new Error(`still not so after ${seconds} s: ${what}${last}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
