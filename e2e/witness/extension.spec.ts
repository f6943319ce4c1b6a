/**
 * The built extension in Chromium, page world and isolated world together, read through the background as a panel reads it:
 * what only the extension can see (closed shadow trees, marks of the page's world), and that nothing is lost when the
 * background dies.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test';
import type { Browser } from 'webextension-polyfill';
import type { PageMessage, Unstamped } from '../../src/link/messages';
import { fold, valuesOf } from './harness';

const root = join(import.meta.dirname, '../..');
let dir = '';
let server: Server;
let origin = '';
let streams: ServerResponse[] = [];
let body = '';
let context: BrowserContext;
let page: Page;
let panel: Page;

test.describe.configure({ mode: 'serial' });

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
    } else {
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

/** Opens a page, and beside it a page of the extension that reads it as a panel would, with the real link. */
const openBoth = async (html: string): Promise<void> => {
  body = html;
  streams = [];
  page = await context.newPage();
  await page.goto(origin);
  const sw = await worker();
  const tab = await sw.evaluate(
    async (url) => (await (globalThis as unknown as { chrome: Browser }).chrome.tabs.query({})).find((t) => t.active || t.url === url)?.id,
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
};

interface Heard {
  readonly entries: Unstamped[];
  readonly faults: string[];
  /** Ports that the background let go of. */
  readonly deaths: number;
}
const heard = (): Promise<Heard> => panel.evaluate(() => (window as unknown as { heard: Heard }).heard);

const untilHeard = async (what: (entries: readonly Unstamped[]) => boolean): Promise<Unstamped[]> => {
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
};

const READ = `
  const response = await fetch('/chat', { method: 'POST' });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const [, word] of value.matchAll(/^data: (.*)$/gmu)) show(word + ' ');
  }
  finish();`;

const say = async (words: readonly string[]): Promise<void> => {
  await expect.poll(() => streams.length).toBeGreaterThan(0);
  for (const word of words) {
    streams[0]!.write(`data: ${word}\n\n`);
    await new Promise((done) => setTimeout(done, 60));
  }
  streams[0]!.end();
};

test('closed shadow trees, the mark of the page, and what was said before what was shown', async () => {
  await openBoth('<chat-closed></chat-closed><button id="go">Go</button>');
  await page.evaluate((read) => {
    customElements.define(
      'chat-closed',
      class extends HTMLElement {
        constructor() {
          super();
          const shadow = this.attachShadow({ mode: 'closed' });
          shadow.innerHTML = '<div class="log"></div><button>Send</button>';
          const log = shadow.querySelector('.log')!;
          const button = shadow.querySelector('button')!;
          const bubble = document.createElement('div');
          bubble.className = 'bubble';
          document.querySelector('#go')!.addEventListener('click', () => {
            button.textContent = 'Stop';
            log.append(bubble);
            const show = (word: string) => bubble.append(word);
            const finish = () => {
              button.textContent = 'Send';
              performance.mark('unsettled:final');
            };
            new Function('show', 'finish', `return (async () => {${read}})()`)(show, finish);
          });
        }
      },
    );
  }, READ);
  await page.click('#go');
  await say(['behind', 'closed', 'doors']);
  const entries = await untilHeard((all) => fold(all).some((region) => region.text === 'behind closed doors' && region.rested));
  expect(valuesOf(entries, 'control', 'Stop')).toEqual(['enabled', null]);
  expect(entries.some((entry) => entry.type === 'sight.cue' && entry.kind === 'outright' && entry.value === 'final')).toBe(true);
  // No word is shown in front of the chunk that brought it.
  let said = '';
  let shown = '';
  for (const entry of entries) {
    if (entry.type === 'flow.chunk') said += [...entry.text.matchAll(/^data: (.*)$/gmu)].map((m) => `${m[1]} `).join('');
    if (entry.type === 'sight.text' && entry.edit !== null && !entry.rest) {
      shown = shown.slice(0, entry.edit.at) + entry.edit.inserted + shown.slice(entry.edit.at + entry.edit.removed);
      expect(said.startsWith(shown)).toBe(true);
    }
  }
  expect((await heard()).faults).toEqual([]);
  await page.close();
  await panel.close();
});

test('the background dies in the middle of a stream: nothing is lost, nothing comes twice', async () => {
  await openBoth('<div id="log"></div><button id="go">Go</button>');
  await page.evaluate((read) => {
    const bubble = document.createElement('div');
    bubble.className = 'bubble';
    document.querySelector('#go')!.addEventListener('click', () => {
      document.querySelector('#log')!.append(bubble);
      new Function('show', 'finish', `return (async () => {${read}})()`)(
        (word: string) => bubble.append(word),
        () => undefined,
      );
    });
  }, READ);
  await page.click('#go');
  await expect.poll(() => streams.length).toBeGreaterThan(0);
  const words = Array.from({ length: 30 }, (_, i) => `word${i}`);
  const talking = say(words);
  const cdp = await context.newCDPSession(panel);
  await cdp.send('ServiceWorker.enable');
  for (let i = 0; i < 3; i++) {
    await untilHeard((all) => all.filter((entry) => entry.type === 'flow.chunk').length > i * 6 + 2);
    // One that is only just starting has no port of ours yet.
    await expect
      .poll(async () => {
        await cdp.send('ServiceWorker.stopAllWorkers');
        return (await heard()).deaths;
      })
      .toBeGreaterThan(i);
  }
  await cdp.detach();
  await talking;
  const entries = await untilHeard(
    (all) => all.some((entry) => entry.type === 'flow.ended') && fold(all).some((r) => r.text === words.join(' ') && r.rested),
  );
  const chunks = entries.filter((entry) => entry.type === 'flow.chunk').map((entry) => (entry.type === 'flow.chunk' ? entry.text : ''));
  expect(chunks.join('')).toBe(`: hello\n\n${words.map((word) => `data: ${word}\n\n`).join('')}`);
  expect((await heard()).faults).toEqual([]);
});
