/**
 * What the Playwright fixture costs a test: the same small test with and without it, in pairs, one after the other. Once a chat
 * of a second and a half, once a mere visit, which is the dearest case: all that is paid for is the start.
 *
 * As in a test: the fixture is the built one (run from its sources by tsx it would be slower), and the pages come from a server in a
 * process of its own, as Playwright's `webServer` starts it. In this process it would be held up by what the fixture and
 * Playwright do here, and its answer would take so much longer.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { requireBrowser } from '../scripts/browsers.mjs';
import type { Measured } from './run';

type Fixture = typeof import('../src/fixture/playwright');

/** Pairs that are wanted, pairs that are enough, and the time after which enough is enough: on a busy machine each takes long. */
const PAIRS = 15;
const LEAST = 5;
const BUDGET_MS = 45_000;
/** Processes that load the fixture. */
const LOADS = 7;
/** What the fixture may cost of a test's time, in percent. */
const LIMIT = 5;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

/** Processor time in milliseconds of this process and all that it started; 0 where the system does not tell. */
const processorTime = (): number => {
  const processes = new Map<number, { readonly parent: number; readonly ticks: number }>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/u.test(name)) continue;
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat
          .slice(stat.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number);
        // Its own, and that of its children that have ended.
        processes.set(Number(name), { parent: fields[1]!, ticks: fields[11]! + fields[12]! + fields[13]! + fields[14]! });
      } catch {
        // It ended meanwhile.
      }
    }
  } catch {
    return 0;
  }
  const ours = (pid: number): boolean => pid === process.pid || (processes.has(pid) && ours(processes.get(pid)!.parent));
  return [...processes].reduce((sum, [pid, { ticks }]) => sum + (ours(pid) ? ticks * 10 : 0), 0);
};

type Part = (context: BrowserContext, url: string) => Promise<void>;

const visit: Part = async (context, url) => {
  const page = await context.newPage();
  for (const path of ['/careful', '/careless', '/careful?again']) {
    await page.goto(url + path);
    await page.getByRole('button', { name: 'Send' }).waitFor();
  }
};

/** In the page: resolves when the answer is complete, which is when the button says Send again. */
const answered = (): Promise<void> =>
  new Promise((done) => {
    const button = document.querySelector('button')!;
    let stop = false;
    new MutationObserver(() => {
      if (button.textContent === 'Stop') stop = true;
      else if (stop) done();
    }).observe(button, { childList: true, characterData: true, subtree: true });
  });

const chat: Part = async (context, url) => {
  const page = await context.newPage();
  await page.goto(`${url}/careful`);
  // A locator's own waiting looks twice a second: that would tell on which side of a look the answer came, not what the fixture costs.
  const over = page.evaluate(answered);
  await page.getByRole('textbox').fill('Is it safe to drop the column?');
  await page.getByRole('button', { name: 'Send' }).click();
  await over;
};

interface Cost {
  readonly wall: number;
  readonly processor: number;
}

/** `fixture`: null where the page is not watched. */
const time = async (browser: Browser, url: string, fixture: Fixture | null, part: Part): Promise<Cost> => {
  const before = processorTime();
  const started = performance.now();
  const context = await browser.newContext();
  await fixture?.watchContext(context);
  await part(context, url);
  await context.close();
  return { wall: performance.now() - started, processor: processorTime() - before };
};

interface Where {
  readonly browser: Browser;
  readonly url: string;
  readonly fixture: Fixture;
}

const measure = async ({ browser, url, fixture }: Where, name: string, part: Part, limit: number | null): Promise<string> => {
  const plain: Cost[] = [];
  const watched: Cost[] = [];
  const started = performance.now();
  for (let i = -1; i < PAIRS && (i < LEAST || performance.now() - started < BUDGET_MS); i++) {
    // In turns, so that what the machine does besides meets both.
    const order = i % 2 === 0 ? [false, true] : [true, false];
    const costs = new Map<boolean, Cost>();
    for (const one of order) costs.set(one, await time(browser, url, one ? fixture : null, part));
    if (i < 0) continue;
    plain.push(costs.get(false)!);
    watched.push(costs.get(true)!);
  }
  const line = (what: keyof Cost): string => {
    const [without, more] = [median(plain.map((cost) => cost[what])), median(watched.map((cost, i) => cost[what] - plain[i]![what]))];
    const share = (more / without) * 100;
    const verdict = limit === null || what !== 'wall' ? '' : share <= limit ? `, within ${limit} %` : `, OVER ${limit} %`;
    return `${without.toFixed(0)} ms without, ${more.toFixed(0)} ms more with it in the middle of ${plain.length} pairs (${share.toFixed(1)} %${verdict})`;
  };
  // On a busy machine the clock tells more of the machine than of the fixture.
  return `${name}: ${line('wall')}; processor time ${line('processor')}; load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors`;
};

/** Run in a process of its own: what `unsettled/playwright` costs where Playwright is there already. */
const LOAD = `
await import(process.argv[1]);
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const before = used();
await import(process.argv[2]);
console.log(used() - before);`;

/** The fixture in its packed form, so a build has to be there. */
const built = (): URL => {
  const fixture = new URL('../dist/lib/fixture/playwright.js', import.meta.url);
  if (!existsSync(fixture)) throw new Error('bench: the built fixture is missing; run `npm run build` first');
  return fixture;
};

/** What each worker pays once. */
const load = (fixture: URL): string => {
  const times = Array.from({ length: LOADS }, () =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '--eval', LOAD, '--', import.meta.resolve('@playwright/test'), fixture.href], {
        encoding: 'utf8',
      }),
    ),
  );
  return `loading it, once per worker: ${median(times).toFixed(0)} ms of processor time in the middle of ${LOADS} processes`;
};

/** Says the address at which the pages are. */
const SERVE = `
const { serve } = await import(process.argv[1]);
console.log((await serve()).url);`;

const serve = async (): Promise<{ readonly url: string; close(): void }> => {
  const server = new URL('../examples/playwright/server.mjs', import.meta.url);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SERVE, '--', server.href], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { url: said.trim(), close: () => child.kill() };
};

export const bench = async (): Promise<Measured> => {
  const packed = built();
  const fixture = (await import(packed.href)) as Fixture;
  const site = await serve();
  const browser = await chromium.launch({
    executablePath: requireBrowser('chromium'),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const where: Where = { browser, url: site.url, fixture };
  try {
    return {
      name: 'Playwright fixture: time of a test',
      lines: [
        await measure(where, 'one question and its answer', chat, LIMIT),
        await measure(where, 'three pages visited', visit, LIMIT),
        load(packed),
      ],
    };
  } finally {
    await browser.close();
    site.close();
  }
};
