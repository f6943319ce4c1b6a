/**
 * The panel in a real browser, for the benches: what a frame costs, how soon a filter is painted, how long the longest task
 * was, what the heap holds. Frames are counted by the browser's own animation frames; a busy machine shows in these
 * numbers, so the load is printed with them.
 */
import { loadavg } from 'node:os';
import { type CDPSession, chromium, type Page } from 'playwright';
import { startViewer } from '../e2e/panel/viewer.ts';
import { findBrowser } from '../scripts/browsers.mjs';
import type { Measured } from './run.ts';

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
export const ms = (value: number): string => `${value.toFixed(1)} ms`;

export interface PanelPage {
  readonly page: Page;
  /** Length of the frames while `act` (the body of an asynchronous function) runs in the page, in words. */
  frames(act: string): Promise<string>;
  /** From typing a filter to the frame that shows its first rows, in milliseconds. */
  filterTime(text: string): Promise<number>;
  /** Tasks of the main thread since this was last asked, in words: by the clock, and by the processor time they took. */
  longTasks(): Promise<string>;
  /** After collection, in words. */
  heap(): Promise<string>;
}

/** Milliseconds of the renderer's main thread so far: its own processor time, so that other programs do not count. */
const busy = async (cdp: CDPSession): Promise<number> => {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
};

/** Processor time of the main thread's tasks, from the browser's own trace: other programs do not count. */
const createTaskTrace = (cdp: CDPSession) => {
  const renderers = new Set<number>();
  const tasks: { readonly thread: number; readonly ms: number }[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, tid, tdur, args } of value as unknown as readonly TraceEvent[]) {
      if (name === 'thread_name' && args?.name === 'CrRendererMain') renderers.add(tid);
      else if (name.endsWith('RunTask') && tdur !== undefined) tasks.push({ thread: tid, ms: tdur / 1000 });
    }
  });
  const begin = (): Promise<unknown> =>
    cdp.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['toplevel'], traceBufferSizeInKb: 500_000 },
    });
  return {
    begin,
    /** Milliseconds of each task since the last time. */
    async take(): Promise<readonly number[]> {
      const complete = new Promise<void>((done) => cdp.once('Tracing.tracingComplete', () => done()));
      await cdp.send('Tracing.end');
      await complete;
      const found = tasks.filter(({ thread }) => renderers.has(thread)).map((task) => task.ms);
      tasks.length = 0;
      await begin();
      return found;
    },
  };
};

interface TraceEvent {
  readonly name: string;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** A test's `act` for scrolling: rows up, a few at a time, one step a frame. */
export const SCROLL = `
  const grid = document.querySelector('.grid');
  for (let i = 0; i < 150; i++) { grid.scrollTop -= 137; await new Promise((resolve) => requestAnimationFrame(resolve)); }`;
export const JUMP = `
  const grid = document.querySelector('.grid');
  for (let i = 0; i < 60; i++) { grid.scrollTop = (grid.scrollHeight / 60) * i; await new Promise((resolve) => requestAnimationFrame(resolve)); }`;
/** Into a tenth of the run, then along it. */
export const PAN = `
  const canvas = document.querySelector('.timeline canvas');
  const box = canvas.getBoundingClientRect();
  const wheel = (more) => canvas.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: box.left + box.width / 2, clientY: box.top + 60, ...more }));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let i = 0; i < 7; i++) { wheel({ deltaY: -60 }); await frame(); }
  for (let i = 0; i < 120; i++) { wheel({ deltaX: i < 60 ? 9 : -9 }); await frame(); }`;

export const withPanel = async (
  name: string,
  measure: (panel: PanelPage, tell: (line: string) => void) => Promise<void>,
): Promise<Measured> => {
  const executablePath = findBrowser('chromium');
  if (executablePath === null) throw new Error('No Chromium was found: see `npm start`.');
  const viewer = await startViewer();
  const browser = await chromium.launch({
    executablePath,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  });
  const lines = [`load average ${loadavg()[0]?.toFixed(1)}`];
  try {
    const page = await browser.newPage({ viewport: { width: 1380, height: 800 } });
    await page.addInitScript(`
      globalThis.longTasks = [];
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) longTasks.push(entry.duration); }).observe({ type: 'longtask' });`);
    await page.goto(viewer.url);
    await page.waitForSelector('.empty');
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const trace = createTaskTrace(cdp);
    await trace.begin();
    const lengthsOf = (act: string): Promise<number[]> =>
      page.evaluate(
        `(async () => {
          const lengths = [];
          let last = performance.now();
          let on = true;
          const tick = (now) => { lengths.push(now - last); last = now; if (on) requestAnimationFrame(tick); };
          requestAnimationFrame(tick);
          await (async () => { ${act} })();
          on = false;
          return lengths.slice(2);
        })()`,
      );
    await measure(
      {
        page,
        async frames(act) {
          const before = await busy(cdp);
          const lengths = await lengthsOf(act);
          const cost = ((await busy(cdp)) - before) / Math.max(1, lengths.length);
          const late = lengths.filter((length) => length > 20).length / Math.max(1, lengths.length);
          return `p50 ${ms(percentile(lengths, 0.5))}, p95 ${ms(percentile(lengths, 0.95))} a frame, ${(late * 100).toFixed(1)} % late; ${ms(cost)} of it at work`;
        },
        filterTime: (text) =>
          page.evaluate(
            `(async () => {
              const input = document.querySelector('#search');
              const state = document.querySelector('#search-state');
              const before = state.textContent;
              const start = performance.now();
              input.value = ${JSON.stringify(text)};
              input.dispatchEvent(new Event('input', { bubbles: true }));
              while (state.textContent === before) await new Promise((resolve) => requestAnimationFrame(resolve));
              await new Promise((resolve) => requestAnimationFrame(resolve));
              return performance.now() - start;
            })()`,
          ),
        async longTasks() {
          const used = await trace.take();
          const tasks = (await page.evaluate(`longTasks.splice(0)`)) as number[];
          const long = used.filter((each) => each > 50).length;
          return `${long === 0 ? 'no task' : `${long} tasks`} over 50 ms of processor time, the longest ${ms(used.reduce((most, each) => Math.max(most, each), 0))} (by the clock ${tasks.length}, ${ms(tasks.reduce((most, each) => Math.max(most, each), 0))})`;
        },
        async heap() {
          const bytes = (await page.evaluate(`(gc(), performance.memory.usedJSHeapSize)`)) as number;
          return `heap ${(bytes / 1024 / 1024).toFixed(0)} MB`;
        },
      },
      (line) => lines.push(line),
    );
  } finally {
    await browser.close();
    await viewer.close();
  }
  return { name, lines };
};
