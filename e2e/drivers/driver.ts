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
  /** Brings the tab to the front of its window: the one that was there is hidden. */
  activate(): Promise<void>;
  /** Opens the developer tools on this tab; the titles of the panels that extensions have put there by now. */
  panels(): Promise<readonly string[]>;
  /** Opens the developer tools on this tab if they are not open, and selects our panel. */
  openPanel(): Promise<Panel>;
  close(): Promise<void>;
}

/** `private`: in a private (incognito) window. `container`: in a container of its own, where the browser has them. */
export type TabKind = 'ordinary' | 'private' | 'container';

/** A running browser with the extension installed. */
export interface Driver {
  readonly browser: 'chromium' | 'firefox';
  /** As the browser names it, for reports. */
  readonly version: string;
  /** Resolves when the browser is gone, by us or by the person in front of it. */
  readonly closed: Promise<void>;
  readonly hasContainers: boolean;
  openTab(kind?: TabKind): Promise<Tab>;
  /** Ends the extension's background (service worker, event page), as the browser does when it wants memory back. */
  killBackground(): Promise<void>;
  /** Clicks the extension's toolbar button while this tab is in front. */
  pressButton(tab: Tab): Promise<void>;
  /** What the toolbar button says for this tab; '' for nothing. */
  badge(tab: Tab): Promise<string>;
  /** Changes the theme of the developer tools, as their settings do. */
  setTheme(theme: 'light' | 'dark'): Promise<void>;
  /** Takes the extension's right to a site back, or gives it, as the browser's own pages about extensions do. */
  setSite(pattern: string, allowed: boolean): Promise<void>;
  /** Says yes or no to the browser's question whether the extension may have a site; waits until it is asked. */
  answerQuestion(pattern: string, yes: boolean): Promise<void>;
  /** Lets the extension into private windows, or keeps it out, as the browser's own pages about extensions do. */
  allowPrivate(allowed: boolean): Promise<void>;
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
  /** Sites beyond the manifest's that cases switch on: where the browser's question cannot be answered, this prepares for it. */
  readonly grantable?: readonly string[];
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
