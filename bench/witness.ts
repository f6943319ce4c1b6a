/**
 * What watching costs a page: frames drawn and time spent with and without the witness, on a document of 20,000 elements
 * (`witness-small` has a page of an ordinary size), while 1,000 deltas a second are rendered in three ways. Held to: at least
 * 95 % of the frames, and no piece of our work over 50 ms.
 *
 * One browser holds the page twice, with and without the witness; the two take turns in front, in short rounds, and each
 * round is compared with its neighbour, so that what else the machine does in a minute falls on both. Our own work is what
 * the browser's long animation frames say of our script.
 */
import { chromium, type Page } from 'playwright';
import { witnessBundle } from '../e2e/witness/harness';

const ELEMENTS = 20_000;
const SECONDS = 1.2;
const DELTAS_PER_SECOND = 1_000;
const ROUNDS = 5;
/** The name by which the browser tells our calls from the page's. */
const SCRIPT = 'unsettled-witness.js';

type Render = 'one text node' | 'a span per word' | 'paragraphs and code';

/** Runs in the page. */
const play = async ({ render, seconds, rate, script }: { render: Render; seconds: number; rate: number; script: string }) => {
  const log = document.querySelector('#log')!;
  const message = document.createElement('div');
  message.className = 'msg assistant';
  log.append(message);
  const driver = (window as unknown as { tapDriver?: { open(): string; end(flow: string): void; reset(): void; entries: unknown[] } })
    .tapDriver;
  const flow = driver?.open() ?? null;
  const long: number[] = [];
  /** Pieces of our own work in frames that were long, whoever made them so. */
  const ours: number[] = [];
  interface LongFrame extends PerformanceEntry {
    readonly scripts: readonly { readonly sourceURL: string; readonly duration: number }[];
  }
  const note = (entries: readonly PerformanceEntry[]): void => {
    for (const entry of entries) {
      long.push(entry.duration);
      for (const { sourceURL, duration } of (entry as LongFrame).scripts) if (sourceURL.includes(script)) ours.push(duration);
    }
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'long-animation-frame' });
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
  // What the run's end makes us do is part of it.
  if (flow !== null) driver!.end(flow);
  await new Promise((done) => setTimeout(done, 400));
  note(observer.takeRecords());
  observer.disconnect();
  const sightings = driver?.entries.length ?? 0;
  driver?.reset();
  message.remove();
  return { fps: (frames / elapsed) * 1000, long, ours, sightings, deltas: n };
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

const open = async (page: Page, elements: number, watched: boolean): Promise<void> => {
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
  await page.evaluate(fill, elements);
  await page.evaluate(() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 300))));
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Also for a page of another size. */
export const measure = async (elements: number): Promise<{ readonly name: string; readonly lines: readonly string[] }> => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const lines: string[] = [];
  try {
    const bare = await browser.newPage();
    const watched = await browser.newPage();
    await open(bare, elements, false);
    await open(watched, elements, true);
    for (const render of ['one text node', 'a span per word', 'paragraphs and code'] as const) {
      const shares: number[] = [];
      const fps = { bare: [] as number[], watched: [] as number[] };
      const long = { bare: 0, watched: 0 };
      const ours: number[] = [];
      let sightings = 0;
      for (let round = 0; round <= ROUNDS; round++) {
        const turn = async (page: Page) => {
          await page.bringToFront();
          return page.evaluate(play, { render, seconds: SECONDS, rate: DELTAS_PER_SECOND, script: SCRIPT });
        };
        // Who goes first changes; the first round warms up.
        const first = round % 2 === 0 ? bare : watched;
        const results = [await turn(first), await turn(first === bare ? watched : bare)] as const;
        const [without, using] = first === bare ? results : ([results[1], results[0]] as const);
        if (using.sightings === 0) throw new Error('the witness saw nothing: this would measure nothing');
        if (round === 0) continue;
        shares.push(using.fps / without.fps);
        fps.bare.push(without.fps);
        fps.watched.push(using.fps);
        long.bare = Math.max(long.bare, ...without.long);
        long.watched = Math.max(long.watched, ...using.long);
        ours.push(...using.ours);
        sightings += using.sightings;
      }
      const share = median(shares);
      const longest = Math.max(0, ...ours);
      lines.push(
        `${share >= 0.95 && longest <= 50 ? 'ok  ' : 'MISS'} ${render}: ${median(fps.bare).toFixed(1)} → ${median(fps.watched).toFixed(1)} frames/s, ` +
          `median of ${ROUNDS} pairs ${percent(share)} (${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}); ` +
          `our longest piece in a long frame ${longest.toFixed(0)} ms, longest frame ${long.bare.toFixed(0)} → ${long.watched.toFixed(0)} ms; ` +
          `${Math.round(sightings / ROUNDS)} sightings a round`,
      );
    }
  } finally {
    await browser.close();
  }
  return { name: `Watching a page of ${elements} elements at ${DELTAS_PER_SECOND} deltas/s`, lines };
};

export const bench = (): ReturnType<typeof measure> => measure(ELEMENTS);
