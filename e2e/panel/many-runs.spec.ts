/** A list of very many runs: only what is in view is in the document, and nobody is to notice but by how fast it is. */
import { expect } from '@playwright/test';
import { scene } from '../../src/core/scenes/scene.ts';
import { open, test, violations, withViewer } from './scene.ts';

const RUNS = 400;
withViewer();

const capture = (): Buffer => {
  const long = scene();
  for (let run = 1; run <= RUNS; run++) {
    const flow = `f${run}`;
    long.wait(10).open(flow);
    for (const data of [
      { type: 'start', messageId: `m${run}` },
      { type: 'text-start', id: 'p' },
      { type: 'text-delta', id: 'p', delta: `answer ${run}` },
      { type: 'text-end', id: 'p' },
      { type: 'finish' },
    ])
      long.wait(10).sayOn(flow, data);
    long.wait(10).end('eof', flow);
  }
  return Buffer.from(long.text());
};

for (const [name, width, height] of [
  ['beside the rest', 1380, 800],
  ['above the rest', 550, 800],
] as const)
  test(`a list of ${RUNS} runs, ${name}, is read and walked as one of three is`, async ({ page }) => {
    await open(page, 'theme=light', width, height);
    const choosing = page.waitForEvent('filechooser');
    await page.keyboard.press('Control+o');
    await (await choosing).setFiles({ name: 'many.unsettled.jsonl', mimeType: 'application/jsonl', buffer: capture() });
    const selected = page.locator('.run.selected');
    // The newest, as ever, and in view; the list is as high as if all were there.
    await expect(selected).toContainText(`#${RUNS}`);
    await expect(selected).toBeInViewport();
    expect(await page.locator('.run').count()).toBeLessThan(60);
    await expect(selected).toHaveAttribute('aria-setsize', String(RUNS + 1));
    await expect(selected).toHaveAttribute('aria-posinset', String(RUNS + 1));

    await page.keyboard.press('r');
    await expect(page.locator('.run-list')).toBeFocused();
    await page.keyboard.press('Home');
    await expect(page.locator('.run.all')).toBeFocused();
    await expect(selected).toContainText('All runs');
    for (let run = 1; run <= 40; run++) await page.keyboard.press('ArrowDown');
    await expect(selected).toContainText('#40');
    await expect(selected).toBeFocused();
    await expect(selected).toBeInViewport();
    await expect(page.locator('.rows')).toContainText('answer 40');

    // Away from it by the wheel, it keeps the focus: the next key goes on from there.
    await page.locator('.runs').hover();
    await page.mouse.wheel(0, 5_000);
    await expect(selected).not.toBeInViewport();
    await expect(page.locator('.run', { hasText: '#40' }).first()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(selected).toContainText('#41');
    await expect(selected).toBeInViewport();

    await page.keyboard.press('End');
    await expect(selected).toContainText(`#${RUNS}`);
    await expect(selected).toBeInViewport();
    // What is above it adds up to where it stands: nothing is missing, and nothing is there twice.
    const { above, below } = await selected.evaluate((row) => {
      const list = row.closest('.runs')!;
      const box = row.getBoundingClientRect();
      const all = list.getBoundingClientRect();
      return { above: list.scrollTop + box.top - all.top, below: list.scrollHeight - (list.scrollTop + box.bottom - all.top) };
    });
    expect(above).toBeGreaterThan((RUNS - 1) * 30);
    expect(below).toBeLessThan(2);
    const drawn = await page.locator('.run .run-number').allTextContents();
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(await violations(page)).toEqual([]);
  });
