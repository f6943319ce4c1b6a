/**
 * An opened capture of 20,000 runs: taking them in, a list that scrolls, and what choosing among them costs. Beside it the same at
 * a tenth of the size, since what matters is that ten times the runs take ten times as long and no more.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scene } from '../src/core/scenes/scene.ts';
import { ms, type PanelPage, withPanel } from './panel-page.ts';
import type { Measured } from './run.ts';

const RUNS = Number(process.env.UNSETTLED_BENCH_RUNS ?? 20_000);

/** One question after the other, as an AI SDK server answers them: every third calls a tool, every seventh breaks off. */
const write = (path: string, runs: number): void => {
  const page = scene();
  for (let run = 0; run < runs; run++) {
    const flow = `f${run}`;
    const say = (data: object): unknown => page.wait(20).sayOn(flow, data);
    page.wait(20).open(flow);
    say({ type: 'start', messageId: `m${run}` });
    if (run % 3 === 0) {
      say({ type: 'tool-input-available', toolCallId: `t${run}`, toolName: 'search', input: { run } });
      say({ type: 'tool-output-available', toolCallId: `t${run}`, output: { found: run } });
    }
    say({ type: 'text-start', id: 'p' });
    for (let word = 0; word < 6; word++) say({ type: 'text-delta', id: 'p', delta: `word${word} of ${run} ` });
    if (run % 7 !== 0) {
      say({ type: 'text-end', id: 'p' });
      say({ type: 'finish' });
    }
    page.wait(20).end('eof', flow);
  }
  writeFileSync(path, page.text());
};

/** Rows of the list, a few at a time, one step a frame. */
const SCROLL_RUNS = `
  const list = document.querySelector('.runs');
  list.scrollTop = 0;
  for (let i = 0; i < 150; i++) { list.scrollTop += 137; await new Promise((resolve) => requestAnimationFrame(resolve)); }`;
const JUMP_RUNS = `
  const list = document.querySelector('.runs');
  for (let i = 0; i < 60; i++) { list.scrollTop = (list.scrollHeight / 60) * i; await new Promise((resolve) => requestAnimationFrame(resolve)); }`;

const open = async ({ page, longTasks }: PanelPage, path: string, runs: number): Promise<string> => {
  await longTasks();
  const choosing = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+o');
  await (await choosing).setFiles(path);
  const start = performance.now();
  await page.waitForFunction(
    `unsettled.session().runs.length >= ${runs} && unsettled.feed.peek().waiting.peek() === 0 && unsettled.feed.peek().kind === 'file'`,
    null,
    { timeout: 600_000 },
  );
  const taken = performance.now() - start;
  const broken = Math.ceil(runs / 7);
  await page.waitForFunction(`unsettled.findings.peek().length >= ${broken}`, null, { timeout: 600_000 });
  const judged = performance.now() - start;
  return `${runs.toLocaleString('en')} runs, ${(statSync(path).size / 1024 / 1024).toFixed(0)} MB: all taken in after ${(taken / 1000).toFixed(2)} s, all judged after ${(judged / 1000).toFixed(2)} s; ${await longTasks()}`;
};

export const bench = async (): Promise<Measured> => {
  const dir = mkdtempSync(join(tmpdir(), 'unsettled-bench-'));
  const path = (runs: number): string => join(dir, `${runs}.unsettled.jsonl`);
  const sizes = [Math.round(RUNS / 10), RUNS];
  for (const runs of sizes) write(path(runs), runs);
  try {
    return await withPanel(`panel: ${RUNS.toLocaleString('en')} runs in an opened capture`, async (panel, tell) => {
      const { page, frames, longTasks, heap, filterTime } = panel;
      for (const runs of sizes) {
        tell(await open(panel, path(runs), runs));
        tell(await heap());
      }
      tell(`rows of the list in the document: ${await page.locator('.run').count()}`);
      tell(`scrolling the list: ${await frames(SCROLL_RUNS)}`);
      tell(`jumping through all of it: ${await frames(JUMP_RUNS)}`);
      await page.locator('.run-list').focus();
      const keys: number[] = [];
      for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End', 'ArrowUp', 'ArrowUp']) {
        const start = performance.now();
        await page.keyboard.press(key);
        await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`);
        keys.push(performance.now() - start);
      }
      tell(`choosing by keyboard, to the frame after: ${keys.map(ms).join(', ')}; ${await longTasks()}`);
      tell(`filter over the run shown, first painted: ${ms(await filterTime('word4'))}`);
      await page.waitForFunction(`(unsettled.matches.peek()?.size ?? 0) >= ${RUNS}`, null, { timeout: 60_000 });
      tell(`hits of all runs counted; ${await longTasks()}`);
      tell(await heap());
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};
