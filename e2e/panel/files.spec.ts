/**
 * Files in and out of the panel: read with a bar and given up, damaged, dropped together, compared with; and saving, which takes its
 * time.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { scene } from '../../src/core/scenes/scene.ts';
import { failing, open, test, violations, withViewer } from './scene.ts';

withViewer();

test('a large file is read with a bar, and what was read stays when it is cancelled', async ({ page }, info) => {
  test.setTimeout(120_000);
  const path = info.outputPath('large.unsettled.jsonl');
  const long = scene().open().say({ type: 'start', messageId: 'm' }, { type: 'text-start', id: 't' });
  const filler = 'words of an answer '.repeat(30);
  for (let piece = 0; piece < 60_000; piece++) long.wait(1).say({ type: 'text-delta', id: 't', delta: `${piece} ${filler}` });
  writeFileSync(path, long.text());
  await open(page, 'theme=light');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file' }).click();
  await (await choosing).setFiles(path);
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('.notice.warn')).toContainText(/large\.unsettled\.jsonl was read up to \d+ %/u);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(page.locator('.run .ending')).toHaveText('live');
});

test('a saved capture opens again with the same runs and findings', async ({ page }, info) => {
  await open(page);
  await expect(failing(page)).toHaveText('3');
  await page.getByRole('button', { name: 'More' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save' }).click();
  await expect(page.locator('.preview')).toContainText('No secrets were found.');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const path = info.outputPath('saved.unsettled.jsonl');
  await (await downloading).saveAs(path);
  expect(readFileSync(path, 'utf8').split('\n', 1)[0]).toContain('"format":"unsettled-capture"');
  await page.getByRole('button', { name: 'Close the sample' }).click();
  await expect(page.getByRole('heading', { name: 'Open a capture' })).toBeVisible();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file' }).click();
  await (await choosing).setFiles(path);
  await expect(page.locator('.notice')).toContainText('saved.unsettled.jsonl');
  await expect(page.locator('.run .ending')).toHaveText(['completed', 'waiting · input', 'severed']);
  await expect(failing(page)).toHaveText('3');
});

test('what is saved may be a run up to a moment, or the rows that pass', async ({ page }, info) => {
  await open(page);
  const save = async (what: string, name: string): Promise<string> => {
    await page.keyboard.press('Control+s');
    await page.getByRole('radio', { name: what }).check();
    await expect(page.locator('.preview')).toContainText('No secrets were found.');
    const downloading = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const path = info.outputPath(name);
    await (await downloading).saveAs(path);
    return readFileSync(path, 'utf8');
  };
  const whole = await save('This run', 'run.jsonl');
  await page.keyboard.press('t');
  await page.keyboard.press('Home');
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  const cut = await save('This run up to T', 'cut.jsonl');
  expect(whole).toContain(cut.split('\n').at(-2)!);
  expect(cut.length).toBeLessThan(whole.length);
  await page.keyboard.press('Escape');
  await page.fill('#search', 'type:run.tool');
  await page.keyboard.press('Enter');
  const events = (await save('The rows that pass the filter', 'events.jsonl')).trim().split('\n');
  expect(events.map((line) => (JSON.parse(line) as { raw: string }).raw)).toEqual(['run.tool.started', 'run.tool.completed']);
});

test('a file that is no capture says why, and takes nothing away', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'More' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Open a file' }).click();
  await (await choosing).setFiles({ name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]) });
  await expect(page.getByRole('alert')).toContainText('cat.png could not be opened.');
  await expect(page.locator('.run .ending')).toHaveCount(3);
});

test('a run is compared with one of another file, which is shown nowhere else', async ({ page }, info) => {
  await open(page);
  await page.keyboard.press('Control+s');
  await expect(page.locator('.preview')).toContainText('No secrets were found.');
  const saved = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  const path = info.outputPath('other.unsettled.jsonl');
  await (await saved).saveAs(path);
  await page.keyboard.press('r');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('c');
  const compare = page.getByRole('region', { name: 'Compare' });
  await expect(compare).toBeFocused();
  const choosing = page.waitForEvent('filechooser');
  const button = compare.getByRole('button', { name: 'From another file…' });
  await button.focus();
  await page.keyboard.press('Enter');
  await (await choosing).setFiles(path);
  // The likeliest run of that file: the one that the first run is, here.
  await expect(compare.getByLabel('First run').locator('option:checked')).toHaveText(/completed/u);
  await expect(compare.getByLabel('Second run').locator('option:checked')).toHaveText(/completed/u);
  await expect(compare.getByLabel('Second run').locator('optgroup')).toHaveCount(2);
  const other = compare.getByLabel('Second run').locator('optgroup[label="other.unsettled.jsonl"] option');
  await expect(other).toHaveText([/completed/u, /waiting/u, /severed/u]);
  expect(await violations(page)).toEqual([]);
  await compare.getByLabel('Second run').selectOption((await other.nth(2).getAttribute('value'))!);
  await expect(compare.getByRole('row', { name: /^≠ ending/u })).toContainText(/severed/u);
  await expect(compare.getByRole('row', { name: /^≠ findings/u })).toContainText('Reasoning shown as the answer');
  // A piece leads to its run, in its file.
  await compare.locator('.pair').last().locator('.pair-side').last().getByRole('button').click();
  await expect(page.locator('.notice')).toContainText('other.unsettled.jsonl');
  await expect(page.locator('.run.selected')).toContainText('severed');
});

test('a long capture is looked through between frames, with a bar, and can be stopped', async ({ page }) => {
  test.setTimeout(180_000);
  await open(page, 'theme=light');
  await page.evaluate(`unsettledOpenSample('large-10k')`);
  await expect.poll(() => page.evaluate(`unsettled.session().entries.length`)).toBeGreaterThan(9_000);
  const sheet = page.getByRole('dialog', { name: 'Save' });
  await page.keyboard.press('Control+s');
  await expect(sheet.getByRole('progressbar')).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await sheet.getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Enter');
  await expect(sheet).toContainText('Stopped. Nothing was written.');
  await expect(sheet.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  expect(await violations(page)).toEqual([]);
  await page.evaluate(() => {
    const seen: number[] = [];
    new PerformanceObserver((list) => seen.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
    Object.assign(globalThis, { longTasks: seen });
  });
  await sheet.getByRole('button', { name: 'Look again' }).focus();
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('progressbar')).toBeVisible();
  const half = page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) > 0.5, undefined, { timeout: 120_000 });
  await half;
  await expect(sheet.locator('.preview')).toContainText('No secrets were found.', { timeout: 120_000 });
  const saved = page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await saved;
  // One pass was a task of seconds. A busy machine makes any task longer by its clock.
  expect(Math.max(0, ...(await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks)))).toBeLessThan(500);
});

test('words of the reader’s own are taken out of what is saved', async ({ page }, info) => {
  await open(page);
  await page.evaluate(`unsettled.settings.redactWords.value = ['Migration']`);
  await page.keyboard.press('Control+s');
  await expect(page.locator('.preview')).toContainText('word →');
  const saved = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  const path = info.outputPath('words.unsettled.jsonl');
  await (await saved).saveAs(path);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('ops.example');
  expect(text.toLowerCase()).not.toContain('migration');
});

/** The sample as a capture, saved by the panel itself. */
const savedSample = async (page: Page): Promise<string> => {
  await open(page);
  await page.keyboard.press('Control+s');
  await expect(page.locator('.preview')).toContainText('No secrets were found.');
  const saved = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  return readFileSync(await (await saved).path(), 'utf8');
};

/** Drops files on the panel. */
const drop = async (page: Page, files: Readonly<Record<string, string>>): Promise<void> => {
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer();
    for (const [name, text] of Object.entries(all)) data.items.add(new File([text], name));
    return data;
  }, files);
  await page.locator('.toolbar').dispatchEvent('drop', { dataTransfer: transfer });
};

test('what the format does not know is left out of what is saved, and its count is said', async ({ page }, info) => {
  const [head, first, ...others] = (await savedSample(page)).split('\n');
  const path = info.outputPath('more.unsettled.jsonl');
  writeFileSync(path, [head, JSON.stringify({ ...JSON.parse(first!), note: 'of tomorrow', more: 1 }), ...others].join('\n'));
  await page.getByRole('button', { name: 'Close the sample' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file' }).click();
  await (await choosing).setFiles(path);
  await expect(page.locator('.notice')).toContainText('more.unsettled.jsonl');
  await page.keyboard.press('Control+s');
  await expect(page.locator('.preview')).toContainText('2 members are left out, unknown to this format.');
  const saved = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  expect(readFileSync(await (await saved).path(), 'utf8')).not.toContain('of tomorrow');
});

test('of two files dropped together the first is shown and compared with the second; of more, the others are named', async ({ page }) => {
  const capture = await savedSample(page);
  await drop(page, { 'one.jsonl': capture, 'two.jsonl': capture, 'three.jsonl': capture, 'four.jsonl': capture });
  const compare = page.getByRole('region', { name: 'Compare' });
  await expect(compare.getByLabel('First run').locator('option:checked')).toHaveText(/severed/u);
  await expect(compare.getByLabel('Second run').locator('option:checked')).toHaveText(/severed/u);
  await expect(compare.getByLabel('Second run').locator('optgroup')).toHaveCount(2);
  await expect(compare.getByLabel('Second run').locator('optgroup').last()).toHaveAttribute('label', 'two.jsonl');
  await expect(page.locator('.notice.warn')).toContainText('Not opened: three.jsonl, four.jsonl.');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.locator('.notice', { hasText: 'one.jsonl' })).toBeVisible();
});

test('what a file needs and does not come is said, whether it is opened, dropped or saved', async ({ page }) => {
  const gone = page.getByRole('alert').filter({ hasText: 'The extension was reloaded or removed. Close and open the developer tools.' });
  const without = async (code: RegExp): Promise<void> => {
    await page.unrouteAll();
    await page.route(code, (route) => route.abort());
    await open(page);
    await expect(gone).toHaveCount(0);
  };
  await without(/capture-file-drop/u);
  await drop(page, { 'one.jsonl': '' });
  await expect(gone).toBeVisible();
  await without(/capture-file-(?!drop)/u);
  const choosing = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+o');
  await (await choosing).setFiles({ name: 'one.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from('') });
  await expect(gone).toBeVisible();
  await without(/capture-file-(?!drop)/u);
  await page.keyboard.press('Control+s');
  await expect(gone).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('.run .ending')).toHaveText(['completed', 'waiting · input', 'severed']);
});

test('a request that cannot be written out leaves the clipboard as it is, and that is said', async ({ page }) => {
  await page.route(/copy-request/u, (route) => route.abort());
  await open(page);
  await page.evaluate(() => {
    Object.assign(globalThis, { copied: 0 });
    document.addEventListener('copy', () => Object.assign(globalThis, { copied: 1 }));
    navigator.clipboard.writeText = async () => void Object.assign(globalThis, { copied: 1 });
  });
  await page.keyboard.press('g');
  await page.keyboard.press('Home');
  await page.getByRole('tab', { name: 'Event' }).click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(page.getByRole('button', { name: 'Could not copy' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'The extension was reloaded or removed.' })).toBeVisible();
  expect(await page.evaluate('copied')).toBe(0);
});

test('where the first of two dropped files cannot be read, that is said, and the second is opened', async ({ page }) => {
  const capture = await savedSample(page);
  await page.getByRole('button', { name: 'Close the sample' }).click();
  await drop(page, { 'cat.txt': 'a cat', 'two.jsonl': capture });
  await expect(page.locator('.run .ending')).toHaveText(['completed', 'waiting · input', 'severed']);
  await expect(page.locator('.notice', { hasText: 'two.jsonl' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('cat.txt could not be opened.');
});

test('a packed file that goes on after its end is read whole, one that is cut up to there, and both are said', async ({ page }) => {
  const packed = gzipSync(await savedSample(page));
  const openBytes = async (name: string, buffer: Buffer): Promise<void> => {
    await page.getByRole('button', { name: 'More' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Open a file' }).click();
    await (await choosing).setFiles({ name, mimeType: 'application/gzip', buffer });
  };
  await openBytes('tail.jsonl.gz', Buffer.concat([packed, Buffer.from('left behind')]));
  await expect(page.locator('.notice.warn')).toHaveText(
    /^tail\.jsonl\.gz: 11 bytes after the end of the packed data were ignored\. All that was packed was read\./u,
  );
  await expect(page.locator('.run .ending')).toHaveText(['completed', 'waiting · input', 'severed']);
  await openBytes('two.jsonl.gz', Buffer.concat([packed, gzipSync('')]));
  await expect(page.locator('.notice', { hasText: 'two.jsonl.gz' })).toBeVisible();
  await expect(page.locator('.notice.warn')).toHaveCount(0);
  await openBytes('cut.jsonl.gz', packed.subarray(0, packed.length - 4));
  await expect(page.locator('.notice.warn')).toHaveText(
    /^cut\.jsonl\.gz was read in part\. The gzip data is damaged \(unexpected end of file\)\. Copy or export the file again\./u,
  );
});
