/**
 * An opened capture of 1,000,000 events in ten runs (some 200 MB): reading it with a bar, then everything that is asked of
 * a large run. The file is written first and removed afterwards.
 */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scene } from '../src/core/scenes/scene.ts';
import { JUMP, ms, PAN, SCROLL, withPanel } from './panel-page.ts';
import type { Measured } from './run.ts';

const EVENTS = Number(process.env.UNSETTLED_BENCH_EVENTS ?? 1_000_000);
const RUNS = 10;
/** Entries that are held while the file is written. */
const HELD = 10_000;

/** A capture of `EVENTS` events: reasoning, answers and tools by turns, as an AI SDK server sends them. */
const write = (path: string): void => {
  const file = openSync(path, 'w');
  const page = scene();
  writeSync(file, page.header());
  for (let run = 0; run < RUNS; run++) {
    const flow = `f${run}`;
    const say = (data: object): void => {
      page.wait(2).sayOn(flow, data);
      if (page.entries.length >= HELD) writeSync(file, page.more());
    };
    page.open(flow);
    say({ type: 'start', messageId: `m${run}` });
    const each = EVENTS / RUNS - 2;
    for (let index = 0; index < each; index++) {
      const step = index % 400;
      const part = `p${Math.floor(index / 400)}`;
      const voice = Math.floor(index / 400) % 2 === 0 ? 'reasoning' : 'text';
      if (step === 0) say({ type: `${voice}-start`, id: part });
      else if (step < 390) say({ type: `${voice}-delta`, id: part, delta: `word${index % 977} of ${run} ` });
      else if (step === 390) say({ type: `${voice}-end`, id: part });
      else say({ type: 'data-status', data: { step: index } });
    }
    say({ type: 'finish' });
    page.end('eof', flow);
  }
  writeSync(file, page.more());
  closeSync(file);
};

export const bench = async (): Promise<Measured> => {
  const dir = mkdtempSync(join(tmpdir(), 'unsettled-bench-'));
  const path = join(dir, 'million.unsettled.jsonl');
  write(path);
  try {
    return await withPanel(
      `panel: ${EVENTS.toLocaleString('en')} events in an opened capture`,
      async ({ page, frames, filterTime, longTasks, heap }, tell) => {
        await longTasks();
        const choosing = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Open a file' }).click();
        await (await choosing).setFiles(path);
        const start = performance.now();
        await page.waitForSelector('.rows .row');
        const painted = performance.now() - start;
        const counted = `unsettled.session().counts.events`;
        await page.waitForFunction(`${counted} >= ${EVENTS}`, null, { timeout: 600_000 });
        await page.waitForFunction(`unsettled.feed.peek().waiting.peek() === 0 && unsettled.rows().total > 0`, null, { timeout: 60_000 });
        tell(
          `${(statSync(path).size / 1024 / 1024).toFixed(0)} MB: first rows after ${ms(painted)}, all after ${((performance.now() - start) / 1000).toFixed(1)} s; ${await longTasks()}`,
        );
        tell(await heap());
        await page.locator('.run.all').click();
        await page.waitForFunction(`unsettled.rows().total >= ${EVENTS}`, null, { timeout: 60_000 });
        tell(`all runs in one table: ${await longTasks()}`);
        tell(`scrolling: ${await frames(SCROLL)}`);
        tell(`jumping through all of it: ${await frames(JUMP)}`);
        tell(`panning the timeline: ${await frames(PAN)}`);
        tell(`all of this: ${await longTasks()}`);
        const first = await filterTime('word42');
        const second = await filterTime('/of 7 word1\\d\\d/');
        const third = await filterTime('type:data-status');
        tell(`filter over all of it, first painted: text ${ms(first)}, expression ${ms(second)}, field ${ms(third)}; ${await longTasks()}`);
        tell(await heap());
      },
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};
