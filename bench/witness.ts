/**
 * What watching costs a page: frames drawn and time spent with and without the witness, on a document of 20,000 elements,
 * while 1,000 deltas a second are rendered in three ways. Budgets (architecture, 5.5): at least 95 % of the frames, and no
 * task over 50 ms that the page does not have by itself.
 */
import { type CDPSession, chromium, type Page } from 'playwright';
import { witnessBundle } from '../e2e/witness/harness';

const ELEMENTS = 20_000;
const SECONDS = 4;
const DELTAS_PER_SECOND = 1_000;
const ROUNDS = 3;

type Render = 'one text node' | 'a span per word' | 'paragraphs and code';

/** Runs in the page. */
const play = async ({ render, seconds, rate, watched }: { render: Render; seconds: number; rate: number; watched: boolean }) => {
  const log = document.querySelector('#log')!;
  const message = document.createElement('div');
  message.className = 'msg assistant';
  log.append(message);
  const driver = (window as unknown as { tapDriver?: { open(): string; end(flow: string): void; entries: unknown[] } }).tapDriver;
  const flow = watched && driver ? driver.open() : null;
  const long: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) long.push(entry.duration);
  });
  observer.observe({ type: 'longtask' });
  let frames = 0;
  let running = true;
  const count = (): void => {
    frames++;
    if (running) requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  let n = 0;
  let holder: Element = message;
  const put = (): void => {
    const word = `word${n % 97} `;
    if (render === 'one text node') {
      if (message.firstChild === null) message.append('');
      (message.firstChild as Text).appendData(word);
    } else if (render === 'a span per word') {
      if (n % 200 === 0) {
        holder = document.createElement('p');
        message.append(holder);
      }
      const span = document.createElement('span');
      span.textContent = word;
      holder.append(span);
    } else {
      if (n % 60 === 0) {
        const block = document.createElement(n % 240 === 180 ? 'pre' : 'p');
        holder = block;
        if (block.localName === 'pre') {
          const card = document.createElement('div');
          card.className = 'code-block';
          card.innerHTML = '<div class="bar"><button>Copy</button></div>';
          card.append(block);
          message.append(card);
        } else message.append(block);
      }
      // As a library that renders the last block anew for each delta.
      holder.textContent += word;
    }
    n++;
  };
  const started = performance.now();
  await new Promise<void>((done) => {
    const channel = new MessageChannel();
    const total = seconds * rate;
    channel.port1.onmessage = () => {
      const due = Math.min(total, ((performance.now() - started) / 1000) * rate);
      while (n < due) put();
      if (performance.now() - started > seconds * 1000) done();
      else setTimeout(() => channel.port2.postMessage(null), 1);
    };
    channel.port2.postMessage(null);
  });
  running = false;
  const elapsed = performance.now() - started;
  if (flow !== null) driver!.end(flow);
  await new Promise((done) => setTimeout(done, 600));
  observer.disconnect();
  message.remove();
  return { fps: (frames / elapsed) * 1000, long, deltas: n };
};

/** The name by which the browser's own trace tells our calls from the page's. */
const SCRIPT = 'unsettled-witness.js';

interface TraceEvent {
  readonly name: string;
  /** Processor time of the thread, in microseconds: what else runs on the machine does not count. */
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly url?: string } };
}

/** Milliseconds of every call into the witness while `work` runs, by the browser's trace. */
const traced = async (cdp: CDPSession, work: () => Promise<void>): Promise<number[]> => {
  const calls: number[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, tdur, args } of value as unknown as TraceEvent[])
      if (name === 'FunctionCall' && tdur !== undefined && args?.data?.url?.includes(SCRIPT) === true) calls.push(tdur / 1000);
  });
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline'] } });
  await work();
  const complete = new Promise<void>((done) => cdp.once('Tracing.tracingComplete', () => done()));
  await cdp.send('Tracing.end');
  await complete;
  return calls;
};

const fill = (elements: number): void => {
  const list = document.createElement('div');
  for (let i = 0; list.childElementCount * 8 < elements; i++) {
    const item = document.createElement('div');
    item.className = `old item-${i % 7}`;
    item.innerHTML = `<p>An <b>old</b> <i>message</i> number ${i}</p><ul><li>one</li><li>two</li></ul>${i % 12 === 0 ? '<button>Copy</button>' : '<span>x</span>'}`;
    list.append(item);
  }
  document.querySelector('main')!.prepend(list);
};

const open = async (page: Page, watched: boolean): Promise<void> => {
  // The loader of this file names functions through a helper that pages do not have.
  await page.addInitScript({ content: 'globalThis.__name = (f) => f;' });
  if (watched) await page.addInitScript({ content: `${await witnessBundle()}\n//# sourceURL=${SCRIPT}` });
  await page.route('http://localhost:9/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><meta charset="utf-8"><body><main><div id="log" style="height:400px;overflow:auto"></div><form><textarea></textarea><button>Send</button></form></main>',
    }),
  );
  await page.goto('http://localhost:9/');
  await page.evaluate(fill, ELEMENTS);
  await page.evaluate(() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 300))));
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const bench = async (): Promise<{ readonly name: string; readonly lines: readonly string[] }> => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  const lines: string[] = [];
  try {
    for (const render of ['one text node', 'a span per word', 'paragraphs and code'] as const) {
      const fps = { bare: [] as number[], watched: [] as number[] };
      const busy = { bare: [] as number[], watched: [] as number[] };
      const ours: number[] = [];
      const long = { bare: [] as number[], watched: [] as number[] };
      for (let round = 0; round < ROUNDS; round++) {
        for (const kind of ['bare', 'watched'] as const) {
          const page = await browser.newPage();
          await open(page, kind === 'watched');
          const cdp = await page.context().newCDPSession(page);
          // Processor time, not time on the clock: other work on the machine must not count.
          await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
          const taskTime = async (): Promise<number> =>
            (await cdp.send('Performance.getMetrics')).metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0;
          const before = await taskTime();
          let result = { fps: 0, long: [] as number[], deltas: 0 };
          const calls = await traced(cdp, async () => {
            result = await page.evaluate(play, { render, seconds: SECONDS, rate: DELTAS_PER_SECOND, watched: kind === 'watched' });
          });
          busy[kind].push(((await taskTime()) - before) / SECONDS);
          fps[kind].push(result.fps);
          ours.push(...calls);
          long[kind].push(Math.max(0, ...result.long));
          await page.close();
        }
      }
      const share = median(fps.watched) / median(fps.bare);
      lines.push(
        `${render}: ${median(fps.bare).toFixed(1)} → ${median(fps.watched).toFixed(1)} frames/s (${(share * 100).toFixed(1)} %), ` +
          `ours ${(ours.reduce((sum, ms) => sum + ms, 0) / ROUNDS / SECONDS).toFixed(1)} ms/s, 99 of 100 pieces under ${(ours.sort((a, b) => a - b)[Math.floor(ours.length * 0.99)] ?? 0).toFixed(1)} ms, longest ${(ours.at(-1) ?? 0).toFixed(1)} ms, ` +
          `main thread ${(median(busy.bare) * 100).toFixed(0)} → ${(median(busy.watched) * 100).toFixed(0)} %, ` +
          `longest task ${median(long.bare).toFixed(0)} → ${median(long.watched).toFixed(0)} ms (0: none over 50)`,
      );
    }
  } finally {
    await browser.close();
  }
  return { name: `Watching a page of ${ELEMENTS} elements at ${DELTAS_PER_SECOND} deltas/s`, lines };
};
