/**
 * `record` of a page: opens it in an installed browser, with the same tap and witness as the extension's, and tells runs and
 * findings in the terminal as they come. Whoever calls it uses the page; it ends when they close it or press Ctrl-C.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserType, Page } from '@playwright/test';
import { version } from '../../package.json' with { type: 'json' };
import { adviceFor, findBrowser } from '../../scripts/browsers.mjs';
import type { Dialect } from '../core/dialects/dialect';
import type { Capture } from '../core/model';
import type { Session } from '../core/session';
import { findingLines, runLine } from '../fixture/summary';
import { watchContext } from '../fixture/watch';
import { type Terminal, UsageError } from './command';
import { style } from './style';

export interface PageRequest {
  readonly url: string;
  /** Milliseconds after which the recording stops; null: when the page is closed, or by hand. */
  readonly limit: number | null;
  /** Null: a window where there is a display. */
  readonly headless: boolean | null;
  /** A page that answers with an error is recorded, too. */
  readonly whatever: boolean;
  readonly dialects: readonly Dialect[];
  /** The mapping files' texts. */
  readonly mappings: readonly string[];
}

/** Looks first where the person stands, then beside this program. */
const NAMES = ['playwright', '@playwright/test', 'playwright-core'] as const;

const loadPlaywright = async (): Promise<{ readonly chromium: BrowserType }> => {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url])
    for (const name of NAMES) {
      let path: string;
      try {
        path = createRequire(from).resolve(name);
      } catch {
        continue;
      }
      const found = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
        chromium?: BrowserType;
        default?: { chromium: BrowserType };
      };
      const chromium = found.chromium ?? found.default?.chromium;
      if (chromium !== undefined) return { chromium };
    }
  throw new UsageError(
    'Recording a page needs Playwright, which drives the browser, and it is not installed here. `npm install -D playwright`, then again. (For a stream without a page, name the URL that the page asks.)',
  );
};

const launch = async (headless: boolean): Promise<Browser> => {
  const { chromium } = await loadPlaywright();
  let executablePath: string | null;
  try {
    executablePath = findBrowser('chromium');
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (executablePath === null) throw new UsageError(`No browser was found to record the page with. ${adviceFor('chromium')}`);
  // Ctrl-C is ours: it keeps the capture. As root, Chromium's sandbox refuses to start.
  return chromium.launch({ executablePath, headless, handleSIGINT: false, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
};

const hasDisplay = (): boolean => process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);

/** Says what is new of a session: runs that began or were settled, findings that came. */
const teller = (terminal: Terminal): ((session: Session) => void) => {
  const paint = style(terminal.color);
  const told = new Map<string, string>();
  const found = new Set<string>();
  return (session) => {
    for (const run of session.runs) {
      if (run.parent !== null) continue;
      const line = runLine(run);
      if (told.get(run.key) === line) continue;
      told.set(run.key, line);
      terminal.err(
        `${run.settlement === null ? '\u2026' : run.settlement.outcome === 'completed' ? paint.green('\u2713') : paint.yellow('!')} ${line}\n`,
      );
    }
    for (const finding of session.findings) {
      const key = `${finding.key} ${finding.verdict}`;
      if (finding.verdict !== 'fail' || found.has(key)) continue;
      found.add(key);
      const [first, ...rest] = findingLines(finding);
      terminal.err(`${paint.red('\u2717')} ${paint.bold(first!)}\n${rest.map((line) => `  ${line}\n`).join('')}`);
    }
  };
};

/** Long enough for a development server that builds the page first. */
const OPEN_MS = 60_000;

/** Opens the page; says why it did not, and what it answered where that is an error. False: the recording was stopped before. */
const open = async (page: Page, { url, whatever }: PageRequest, over: Promise<void>, terminal: Terminal): Promise<boolean> => {
  const opening = page.goto(url, { waitUntil: 'commit', timeout: OPEN_MS }).then(
    (response) => ({ status: response?.status() ?? 0, text: response?.statusText() ?? '' }),
    (error: Error) => error,
  );
  const opened = await Promise.race([opening, over]);
  if (opened === undefined) {
    terminal.err(`The page ${url} had not answered when the recording was stopped.\n`);
    return false;
  }
  if (opened instanceof Error)
    throw new UsageError(
      opened.name === 'TimeoutError'
        ? `The page ${url} did not open: there was no answer within ${OPEN_MS / 1000} seconds. Is the server busy, or the address one that is never answered?`
        : `The page ${url} did not open: ${opened.message.split('\n')[0]}`,
    );
  if (opened.status < 400) return true;
  const answer = `The page ${url} answers ${`${opened.status} ${opened.text}`.trim()}.`;
  if (!whatever) throw new UsageError(`${answer} Check the address, or give --page to record it all the same.`);
  terminal.err(`${answer} It is recorded all the same, because --page was given.\n`);
  return true;
};

/** At most this often: judging takes time. */
const TELL_MS = 400;

/** The captures of all pages on which a stream was seen, the first page's first. */
export const recordPage = async (request: PageRequest, stop: AbortSignal, terminal: Terminal): Promise<readonly Capture[]> => {
  const headless = request.headless ?? !hasDisplay();
  const browser = await launch(headless);
  try {
    const context = await browser.newContext({ viewport: null });
    const tell = new Map<Page, (session: Session) => void>();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const say = (): void => {
      timer = null;
      for (const [page, recording] of watch.recordings) {
        const mine = tell.get(page) ?? teller(terminal);
        tell.set(page, mine);
        mine(recording.session);
      }
    };
    const watch = await watchContext(context, {
      dialects: request.dialects,
      mappings: request.mappings,
      onChange: () => {
        timer ??= setTimeout(say, TELL_MS);
      },
    });
    const page = await context.newPage();
    const over = new Promise<void>((done) => {
      stop.addEventListener('abort', () => done(), { once: true });
      browser.on('disconnected', () => done());
      page.on('close', () => done());
      if (request.limit !== null) setTimeout(done, request.limit).unref();
      if (stop.aborted) done();
    });
    if (await open(page, request, over, terminal))
      terminal.err(
        headless
          ? 'Recording without a window, because there is no display (or --headless was given).\n'
          : 'Use the page. Close it, or press Ctrl-C here, to keep what was recorded.\n',
      );
    await over;
    for (const one of context.pages()) await watch.flush(one);
    if (timer !== null) clearTimeout(timer);
    say();
    const createdAt = new Date().toISOString();
    const producer = { name: 'unsettled record', version, browser: `chromium ${browser.version()}` };
    return [...watch.recordings.values()]
      .filter((recording) => recording.any)
      .map((recording) => recording.capture({ createdAt, producer }));
  } finally {
    await browser.close().catch(() => {});
  }
};
