/**
 * The built extension in Chromium beside small pages, read through the background as a panel reads it. A test file starts one
 * browser with `withExtension` and opens its pages with `openBoth`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, expect, type Page, test, type Worker } from '@playwright/test';
import type { Browser } from 'webextension-polyfill';
import type { PageMessage, Unstamped } from '../../src/link/messages';

const root = join(import.meta.dirname, '../..');

export interface Heard {
  readonly entries: Unstamped[];
  readonly faults: string[];
  /** Ports that the background let go of. */
  readonly deaths: number;
}

export interface Beside {
  readonly page: Page;
  /** A page of the extension that reads what comes as a panel does, with the real link. */
  readonly panel: Page;
  readonly context: BrowserContext;
  readonly origin: string;
  /** The built extension. */
  readonly dir: string;
  /** Responses of `/chat` that are open. */
  readonly streams: ServerResponse[];
  worker(): Promise<Worker>;
  /** Opens a page with this body, and the panel beside it. */
  openBoth(html: string): Promise<void>;
  heard(): Promise<Heard>;
  untilHeard(what: (entries: readonly Unstamped[]) => boolean): Promise<Unstamped[]>;
}

/** Starts a browser with the extension for the tests of this file. `answer`: what the server says beyond `/chat` and the page. */
export const withExtension = (answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false): Beside => {
  let dir = '';
  let server: Server;
  let origin = '';
  let streams: ServerResponse[] = [];
  let body = '';
  let context: BrowserContext;
  let page: Page;
  let panel: Page;

  test.beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'unsettled-'));
    execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', dir, '--logLevel', 'error'], {
      cwd: root,
    });
    server = createServer((request, response) => {
      if (request.url === '/chat') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': hello\n\n');
        streams.push(response);
      } else if (!answer(request, response)) {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.end(`<!doctype html><title>t</title><body>${body}`);
      }
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    origin = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`;
    context = await chromium.launchPersistentContext('', {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      headless: false,
      ignoreDefaultArgs: ['--disable-extensions'],
      args: ['--headless=new', '--no-sandbox', '--disable-gpu', `--disable-extensions-except=${dir}`, `--load-extension=${dir}`],
    });
  });

  test.afterAll(async () => {
    await context?.close();
    server?.closeAllConnections();
    server?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const worker = async () => context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const heard = (): Promise<Heard> => panel.evaluate(() => (window as unknown as { heard: Heard }).heard);

  return {
    get page() {
      return page;
    },
    get panel() {
      return panel;
    },
    get context() {
      return context;
    },
    get dir() {
      return dir;
    },
    get origin() {
      return origin;
    },
    get streams() {
      return streams;
    },
    worker,
    heard,
    async openBoth(html) {
      body = html;
      streams = [];
      page = await context.newPage();
      await page.goto(origin);
      const sw = await worker();
      const tab = await sw.evaluate(
        async (url) =>
          (await (globalThis as unknown as { chrome: Browser }).chrome.tabs.query({})).find((t) => t.active || t.url === url)?.id,
        page.url(),
      );
      panel = await context.newPage();
      await panel.goto(sw.url().replace(/service-worker-loader\.js$/u, 'src/devtools/devtools.html'));
      await panel.evaluate((id) => {
        const expected = new Map<string, number>();
        const heard = { entries: [] as unknown[], faults: [] as string[], deaths: 0 };
        const { entries, faults } = heard;
        const open = (): void => {
          const port = (globalThis as unknown as { chrome: Browser }).chrome.runtime.connect({ name: `panel:${id}` });
          port.onDisconnect.addListener(() => {
            heard.deaths++;
            setTimeout(open, 0);
          });
          port.onMessage.addListener((said) => {
            const message = said as PageMessage;
            if (message.type === 'hello') {
              const { key } = message.document;
              if (!expected.has(key)) expected.set(key, 0);
              port.postMessage({ link: 1, type: 'resume', document: key, n: expected.get(key) });
            } else if (message.type === 'entries') {
              const next = expected.get(message.document)!;
              if (message.n > next) faults.push(`hole before ${message.n}, expected ${next}`);
              const fresh = message.entries.slice(Math.max(0, next - message.n));
              entries.push(...fresh);
              expected.set(message.document, next + fresh.length);
              port.postMessage({ link: 1, type: 'taken', document: message.document, n: next + fresh.length - 1 });
            }
          });
        };
        open();
        Object.assign(window, { heard });
      }, tab);
      await page.bringToFront();
    },
    async untilHeard(what) {
      await expect
        .poll(
          async () => {
            try {
              return what((await heard()).entries);
            } catch {
              return false;
            }
          },
          { timeout: 10_000 },
        )
        .toBe(true);
      return (await heard()).entries;
    },
  };
};
