/**
 * Chromium with the built extension, and several pages in it at once, each in a window of its own so that none of them is
 * hidden. Each is read by the extension's own panel, which runs in a frame of one of the extension's pages and is joined to
 * the tab by the real background. Nothing here waits for a fixed time.
 */
import { type BrowserContext, type CDPSession, chromium, type Frame, type Page } from 'playwright';
import { requireBrowser } from '../../scripts/browsers.mjs';
import { until } from '../drivers/driver';

/** What the panel holds about one tab, as plain data. */
export interface Look {
  readonly documents: number;
  readonly flows: readonly { readonly dialect: string | null; readonly ended: boolean }[];
  readonly runs: readonly { readonly outcome: string | null; readonly at: number | null }[];
  readonly findings: readonly Told[];
  readonly faults: readonly string[];
  /** The page's clock, and when bytes last came and the screen last changed, on it. */
  readonly now: number;
  readonly lastBytes: number;
  readonly lastSight: number;
  readonly lost: number;
}

/** A finding as the panel tells it. */
export interface Told {
  readonly rule: string;
  readonly verdict: string;
  readonly message: string;
  readonly text: string;
  readonly cue: string;
  readonly at: number;
}

/** One page and the panel that reads it. */
export interface Watched {
  readonly tab: Page;
  look(): Promise<Look>;
  /** The panel's record as a capture file. */
  capture(): Promise<string>;
  close(): Promise<void>;
}

export interface Pages {
  open(): Promise<Watched>;
  /** A PNG of a page that is only markup. */
  picture(html: string): Promise<Buffer>;
  /** Errors of the extension's own pages and background. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** Joins the panel in this frame to a tab, as its shell does inside the developer tools. */
const JOIN = (tab: number): string => `(() => {
  const expected = new Map();
  const open = () => {
    const port = chrome.runtime.connect({ name: 'panel:${tab}' });
    port.onDisconnect.addListener(() => setTimeout(open, 0));
    port.onMessage.addListener((message) => {
      if (message.type === 'hello') {
        const { key } = message.document;
        if (!expected.has(key)) expected.set(key, 0);
        unsettled.liveDocument(message.document);
        port.postMessage({ link: 1, type: 'resume', document: key, n: expected.get(key) });
      } else if (message.type === 'entries') {
        const next = expected.get(message.document) ?? 0;
        const fresh = message.entries.slice(Math.max(0, next - message.n));
        if (message.n > next) globalThis.lostEntries = (globalThis.lostEntries ?? 0) + message.n - next;
        unsettled.liveEntries(fresh);
        expected.set(message.document, Math.max(next, message.n + message.entries.length));
        port.postMessage({ link: 1, type: 'taken', document: message.document, n: message.n + message.entries.length - 1 });
      }
    });
  };
  open();
})()`;

const LOOK = `(() => {
  const { session } = unsettled.live();
  const last = (wanted) => session.entries.findLast(wanted)?.at ?? 0;
  return {
    documents: session.documents.size,
    flows: [...session.flows.values()].map(({ dialect, end }) => ({ dialect, ended: end !== null })),
    runs: session.runs.filter(({ parent }) => parent === null).map(({ settlement }) => ({ outcome: settlement?.outcome ?? null, at: settlement?.at ?? null })),
    findings: session.findings.map(({ rule, verdict, message, text, data, at }) => ({ rule, verdict, message, text, cue: String(data.cue ?? ''), at })),
    faults: session.faults.map((fault) => JSON.stringify(fault)),
    now: session.now,
    lastBytes: last(({ type }) => type.startsWith('flow.')),
    lastSight: last(({ type }) => type.startsWith('sight.')),
    lost: session.counts.lost + (globalThis.lostEntries ?? 0),
  };
})()`;

const CAPTURE = `(() => {
  const { session } = unsettled.live();
  const header = {
    format: 'unsettled-capture', version: 1, createdAt: new Date().toISOString(),
    producer: { name: 'unsettled', version: '0', browser: 'chromium' }, documents: [...session.documents.values()], redaction: null,
  };
  return [header, ...session.entries].map((value) => JSON.stringify(value)).join('\\n') + '\\n';
})()`;

/** Starts Chromium with the extension that was built into `extension`. */
export const launchPages = async (extension: string): Promise<Pages> => {
  const context: BrowserContext = await chromium.launchPersistentContext('', {
    executablePath: requireBrowser('chromium'),
    headless: false, // `--headless=new` below: Playwright's own headless mode drops extensions
    viewport: null,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      '--headless=new',
      '--disable-gpu',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--window-size=640,800',
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  });
  const errors: string[] = [];
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const home = worker.url().replace(/service-worker-loader\.js$/u, '');
  // A page of the extension that does nothing, to put panels into.
  const hub = context.pages()[0] ?? (await context.newPage());
  hub.on('pageerror', (error) => {
    // The devtools page looks for developer tools, which are not there.
    if (!/reading 'panels'/u.test(String(error))) errors.push(String(error));
  });
  await hub.goto(`${home}src/devtools/devtools.html`);
  const cdp: CDPSession = await context.newCDPSession(hub);

  const tabIds = (): Promise<number[]> =>
    hub.evaluate(`chrome.tabs.query({}).then((tabs) => tabs.map((tab) => tab.id))`) as Promise<number[]>;

  // One after another, so that what is new is known.
  let turn: Promise<unknown> = Promise.resolve();
  const openWindow = (): Promise<{ tab: Page; id: number }> => {
    const mine = turn.then(async () => {
      const before = new Set(await tabIds());
      const coming = context.waitForEvent('page');
      await cdp.send('Target.createTarget', { url: 'about:blank', newWindow: true, width: 640, height: 800 });
      const tab = await coming;
      const id = await until('the new tab has an id', async () => (await tabIds()).find((one) => !before.has(one)));
      return { tab, id };
    });
    turn = mine.catch(() => undefined);
    return mine;
  };

  let frames = 0;
  const openPanel = async (id: number): Promise<Frame> => {
    const name = `panel-${++frames}`;
    await hub.evaluate(
      ([url, called]) => {
        const frame = document.createElement('iframe');
        frame.name = called!;
        frame.src = url!;
        // Painted small: a panel that is drawn takes time from the pages that are watched.
        frame.style.cssText = 'width: 300px; height: 60px; border: 0';
        document.body.append(frame);
      },
      [`${home}src/panel/panel.html?${name}`, name],
    );
    const frame = await until('the panel is there', () => hub.frames().find((one) => one.url().endsWith(`?${name}`)));
    await until('the panel has its store', () => frame.evaluate<boolean>('globalThis.unsettled !== undefined'));
    await frame.evaluate(JOIN(id));
    return frame;
  };

  return {
    errors,
    async picture(html) {
      const { tab } = await openWindow();
      await tab.setContent(html);
      const png = await tab.screenshot({ fullPage: true });
      await tab.close();
      return png;
    },
    async open() {
      const { tab, id } = await openWindow();
      const panel = await openPanel(id);
      return {
        tab,
        look: () => panel.evaluate<Look>(LOOK),
        capture: () => panel.evaluate<string>(CAPTURE),
        async close() {
          await tab.close();
          await hub.evaluate((name) => document.querySelector(`iframe[name="${name}"]`)?.remove(), panel.name());
        },
      };
    },
    close: () => context.close(),
  };
};
