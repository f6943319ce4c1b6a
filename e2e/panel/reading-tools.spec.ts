/**
 * What helps to read: a stretch of time, a filter that says what is wrong with it, filters with a name, another order of rows; and
 * what may be chosen once and for all.
 */
import { expect, type Page } from '@playwright/test';
import { failing, open, SAMPLE, test, violations, withViewer } from './scene.ts';

withViewer();

const rowCount = async (page: Page): Promise<number> => Number(await page.locator('.grid').getAttribute('aria-rowcount')) - 1;
const state = (page: Page) => page.locator('#search-state');
const chip = (page: Page) => page.locator('.stretch-chip');
const times = (page: Page): Promise<number[]> =>
  page.locator('.rows .row:not(.mark) .c-time').evaluateAll((cells) =>
    cells
      .map((cell) => ({ y: cell.parentElement!.getBoundingClientRect().y, time: Number(cell.textContent) }))
      .sort((a, b) => a.y - b.y)
      .map(({ time }) => time),
  );

test.describe('a stretch of time', () => {
  test('dragged over, it is all that is shown and counted, until it is cleared', async ({ page }) => {
    await open(page);
    const all = await rowCount(page);
    const box = (await page.locator('.timeline canvas').boundingBox())!;
    const y = box.y + 60;
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
    // Only once the pointer is let go.
    await expect(chip(page)).toHaveCount(0);
    await page.mouse.move(box.x + box.width * 0.7, y, { steps: 4 });
    await page.mouse.up();
    await expect(chip(page)).toBeVisible();
    const [from, to] = ((await chip(page).textContent()) ?? '').match(/\d+\.\d+/gu)!.map(Number) as [number, number];
    await expect(state(page)).toHaveText(/^\d+ of \d+$/u);
    const [matched, total] = ((await state(page).textContent()) ?? '').split(' of ').map(Number) as [number, number];
    expect(matched).toBeGreaterThan(0);
    expect(matched).toBeLessThan(total);
    expect(await rowCount(page)).toBeLessThan(all);
    for (const time of await times(page)) {
      expect(time).toBeGreaterThanOrEqual(from - 0.001);
      expect(time).toBeLessThanOrEqual(to + 0.001);
    }
    expect(await violations(page)).toEqual([]);
    await chip(page).click();
    await expect(chip(page)).toHaveCount(0);
    expect(await rowCount(page)).toBe(all);
    // With Shift the view is moved instead, as far as there is anywhere to go.
    await page.keyboard.down('Shift');
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await expect(chip(page)).toHaveCount(0);
  });
  test('by keyboard: its ends at “as of”, and Escape clears one thing after the other', async ({ page }) => {
    await open(page);
    const all = await rowCount(page);
    await page.keyboard.press('t');
    await page.keyboard.press('Home');
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('i');
    await expect(chip(page)).toBeVisible();
    for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('o');
    await expect(state(page)).toHaveText(/^[1-9]\d* of \d+$/u);
    expect(await rowCount(page)).toBeLessThan(all);
    await page.keyboard.press('z');
    await expect(page.getByRole('button', { name: 'Show the whole run' })).toBeVisible();
    await page.keyboard.press('0');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('slider')).toHaveAttribute('aria-valuetext', 'As of now');
    await expect(chip(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(chip(page)).toHaveCount(0);
    expect(await rowCount(page)).toBe(all);
    // From anywhere else, too.
    await page.keyboard.press('i');
    await expect(chip(page)).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('Escape');
    await expect(chip(page)).toHaveCount(0);
  });
  test('it belongs to its run', async ({ page }) => {
    await open(page, SAMPLE, 550, 820);
    await page.keyboard.press('t');
    await page.keyboard.press('Home');
    await page.keyboard.press('o');
    await expect(chip(page)).toBeVisible();
    await page.keyboard.press('r');
    await page.keyboard.press('ArrowUp');
    await expect(chip(page)).toHaveCount(0);
    await page.keyboard.press('ArrowDown');
    await expect(chip(page)).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('no such words');
    await page.getByRole('button', { name: 'Show all' }).first().click();
    await expect(chip(page)).toHaveCount(0);
    await expect(page.locator('#search')).toHaveValue('');
  });
});

test.describe('the order of rows', () => {
  test('by a press on a column, said by the column and by its arrow', async ({ page }) => {
    await open(page);
    await page.locator('.run.all').click();
    const time = page.getByRole('columnheader', { name: 'time' });
    const number = page.getByRole('columnheader', { name: 'no.' });
    await expect(number).toHaveAttribute('aria-sort', 'ascending');
    await expect(time).toHaveAttribute('aria-sort', 'none');
    await time.getByRole('button').click();
    await expect(time).toHaveAttribute('aria-sort', 'ascending');
    await expect(number).toHaveAttribute('aria-sort', 'none');
    await time.getByRole('button').click();
    await expect(time).toHaveAttribute('aria-sort', 'descending');
    const seen = await times(page);
    expect(seen.length).toBeGreaterThan(5);
    expect(await violations(page)).toEqual([]);
    await number.getByRole('button').click();
    await number.getByRole('button').click();
    await expect(number).toHaveAttribute('aria-sort', 'descending');
    const numbers = await page.locator('.rows .row .c-seq').evaluateAll((cells) =>
      cells
        .map((cell) => ({ y: cell.parentElement!.getBoundingClientRect().y, seq: Number(cell.textContent) }))
        .sort((a, b) => a.y - b.y)
        .map(({ seq }) => seq),
    );
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    // Remembered.
    await expect.poll(() => page.evaluate(() => localStorage.getItem('unsettled.panel') ?? '')).toContain('"sort":"-sequence"');
    await page.reload();
    await expect(number).toHaveAttribute('aria-sort', 'descending');
  });
  test('by keyboard, where the newest is first the keys go with it', async ({ page }) => {
    await open(page);
    await page.keyboard.press('g');
    await page.keyboard.press('End');
    const last = await page.locator('.rows .row.selected').textContent();
    await page.keyboard.press('s');
    await expect(page.getByRole('columnheader', { name: 'no.' })).toHaveAttribute('aria-sort', 'descending');
    // What was selected stays selected, and is now the first.
    await expect(page.locator('.rows .row.selected')).toHaveText(last!);
    await expect(page.locator('.grid')).toHaveAttribute('aria-activedescendant', 'row-0');
    await page.keyboard.press('j');
    await expect(page.locator('.grid')).toHaveAttribute('aria-activedescendant', 'row-1');
    await page.keyboard.press('s');
    await expect(page.getByRole('columnheader', { name: 'time' })).toHaveAttribute('aria-sort', 'ascending');
    await page.keyboard.press('s');
    await page.keyboard.press('s');
    await expect(page.getByRole('columnheader', { name: 'no.' })).toHaveAttribute('aria-sort', 'ascending');
  });
  test('newest first, streaming: the newest stays on top until the reader scrolls, and then what is read stays where it is', async ({
    page,
  }) => {
    await open(page, 'theme=light');
    await page.evaluate(`unsettledPrepare(30000)`);
    await page.evaluate(`unsettled.settings.sort.value = '-sequence'; unsettled.settings.fold.value = false`);
    await page.evaluate(`void unsettledStream(300)`);
    await expect.poll(() => rowCount(page)).toBeGreaterThan(200);
    const top = (): Promise<number> => page.locator('.grid').evaluate((element) => element.scrollTop);
    expect(await top()).toBe(0);
    await page.locator('.grid').hover();
    await page.mouse.wheel(0, 900);
    await expect(page.getByRole('button', { name: 'Follow the newest' })).toBeVisible();
    /** The row at the upper edge: which record, and how far from the edge. */
    const edge = (): Promise<string> =>
      page.locator('.grid').evaluate((grid) => {
        const at = grid.getBoundingClientRect().y + 20;
        const rows = [...grid.querySelectorAll('.rows .row')].map((row) => ({ row, y: row.getBoundingClientRect().y - at }));
        const first = rows.filter(({ y }) => y > -20).sort((a, b) => a.y - b.y)[0]!;
        return `${first.row.querySelector('.c-seq')?.textContent} ${Math.round(first.y)}`;
      });
    const before = await edge();
    const rows = await rowCount(page);
    await expect.poll(() => rowCount(page)).toBeGreaterThan(rows + 200);
    expect(await edge()).toBe(before);
    await page.getByRole('button', { name: 'Follow the newest' }).click();
    await expect.poll(top).toBe(0);
  });
});

test.describe('a filter that can find nothing says why, and what is possible', () => {
  for (const [typed, english, chinese] of [
    [
      'voice:nobody',
      'No such value: voice:nobody. Possible: lifecycle, user, assistant, reasoning, progress, tool, interaction, log, terminal, unrecognised',
      '没有这个值：voice:nobody。可用：lifecycle, user, assistant, reasoning, progress, tool, interaction, log, terminal, unrecognised',
    ],
    [
      'foo:bar',
      'No such field: foo:bar. Possible: type, voice, standing, id, run, text, size, gap',
      '没有这个字段：foo:bar。可用：type, voice, standing, id, run, text, size, gap',
    ],
    [
      '/verif(y',
      'Not a valid expression: /verif(y. Possible: /like this/i, or text in quotes',
      '正则无效：/verif(y。可用：/如此/i，或加引号作为文本',
    ],
    ['/(/', 'Not a valid expression: /(/. Possible: /like this/i, or text in quotes', '正则无效：/(/。可用：/如此/i，或加引号作为文本'],
  ] as const)
    test(typed, async ({ page }) => {
      for (const [lang, said] of [
        ['en', english],
        ['zh', chinese],
      ] as const) {
        await open(page, `${SAMPLE}&lang=${lang}`);
        await page.fill('#search', '');
        const places = (): Promise<unknown> =>
          page.evaluate(() =>
            ['.toolbar', '.filters', '.search', '.table', '.timeline', '.runs', '.details'].map((name) =>
              document.querySelector(name)!.getBoundingClientRect().toJSON(),
            ),
          );
        // A filter that finds something, and its button to show all again, are there before.
        await page.fill('#search', 'migration');
        await expect(state(page)).toHaveText(/^\d+ /u);
        const before = await places();
        const shown = await rowCount(page);
        await page.fill('#search', typed);
        await expect(page.locator('#search')).toHaveAccessibleDescription(
          new RegExp(`${said.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')}$`, 'u'),
        );
        // An error hides nothing; what is looked for as text and nowhere found says it in the table, too.
        if ((await page.locator('#search').getAttribute('aria-invalid')) === 'true') expect(await rowCount(page)).toBeGreaterThan(shown);
        else await expect(page.locator('.table .empty')).toContainText(said);
        await page.fill('#search', `migration ${typed.startsWith('voice') ? '' : '-'}${typed}`);
        await expect(state(page)).toHaveText(/^\d+ |：|: /u);
        expect(await places()).toEqual(before);
      }
      expect(await violations(page)).toEqual([]);
    });
});

test.describe('filters with a name', () => {
  test('saved, applied and deleted by keyboard; kept, and used only where they are right', async ({ page }) => {
    await open(page);
    const menu = page.getByRole('menu', { name: 'Saved filters' });
    const sheet = page.getByRole('dialog', { name: 'Saved filters' });
    await page.keyboard.press('v');
    await expect(menu).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(sheet).toContainText('Nothing is filtered now.');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await page.keyboard.press('Shift+Digit8');
    await page.keyboard.press('/');
    await page.keyboard.type('type:run.tool');
    await page.keyboard.press('Enter');
    await page.keyboard.press('v');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await sheet.getByLabel('Name').focus();
    await page.keyboard.type('Tools only');
    await page.keyboard.press('Enter');
    await expect(sheet.locator('li')).toContainText('Tools only');
    await expect(sheet.locator('li')).toContainText('no Log');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(state(page)).toHaveText('');
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('unsettled.panel') ?? ''))
      .toContain('"query":"","filterSets":[{"name":"Tools only"');
    // A stored set that is none is left out.
    await page.evaluate(() => {
      const stored = JSON.parse(localStorage.getItem('unsettled.panel')!) as { filterSets: unknown[] };
      stored.filterSets.push({ name: 'Broken', query: 7 }, 'nothing');
      localStorage.setItem('unsettled.panel', JSON.stringify(stored));
    });
    await page.reload();
    await expect(page.locator('.findings-pill')).toHaveText('3');
    await page.keyboard.press('v');
    await expect(menu.getByRole('menuitemcheckbox')).toHaveText(['Tools only']);
    await expect(menu.getByRole('menuitemcheckbox')).toHaveAttribute('aria-checked', 'false');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect(page.locator('#search')).toHaveValue('type:run.tool');
    await expect(page.getByRole('button', { name: /^Log/u })).toHaveAttribute('aria-pressed', 'false');
    await page.keyboard.press('v');
    await expect(menu.getByRole('menuitemcheckbox')).toHaveAttribute('aria-checked', 'true');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await sheet.getByRole('button', { name: 'Delete' }).focus();
    await page.keyboard.press('Enter');
    await expect(sheet).toContainText('None yet.');
  });
  test('the menu is whole in a narrow panel', async ({ page }) => {
    await open(page, SAMPLE, 320, 640);
    await page.keyboard.press('v');
    const box = (await page.getByRole('menu', { name: 'Saved filters' }).boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(320);
    // The button that opened it closes it.
    await page.locator('.filter-sets .icon-button').click();
    await expect(page.getByRole('menu')).toHaveCount(0);
  });
});

test('settings: colours, memory, saving', async ({ page }) => {
  await open(page);
  const colour = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--reasoning'));
  const safe = await colour();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const sheet = page.getByRole('dialog', { name: 'Settings' });
  await sheet.getByLabel('Voice colours').selectOption({ label: 'More vivid' });
  await expect.poll(colour).not.toBe(safe);
  expect(await violations(page)).toEqual([]);
  await sheet.getByLabel('The panel holds').selectOption({ label: '100 MB' });
  await sheet.getByLabel('What may leave').selectOption({ label: 'Scrambled' });
  await sheet.getByLabel('Also take out, one a line').fill('Kestrel\n\n  kestrel-api \nKestrel');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('unsettled.panel') ?? ''))
    .toContain('"redactWords":["Kestrel","kestrel-api"]');
  await page.reload();
  await expect(failing(page)).toHaveText('3');
  await expect(page.locator('html')).toHaveAttribute('data-colours', 'vivid');
  await page.emulateMedia({ forcedColors: 'active' });
  expect((await colour()).trim()).toBe('CanvasText');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('radio', { name: /^Scrambled/u })).toBeChecked();
});

for (const [width, height] of [
  [1380, 800],
  [550, 820],
] as const)
  test(`nothing moves while a stream runs: ${width} px`, async ({ page }) => {
    await open(page, 'theme=light', width, height);
    await page.evaluate(`void unsettledStream(60)`);
    // The regions are there from the first run on; on a busy machine the second may have come meanwhile.
    await expect(page.locator('.run .ending').first()).toBeVisible();
    await expect(page.locator('.rows .row').first()).toBeVisible();
    await page.evaluate(() => {
      const shifts: string[] = [];
      // What a run's details say changes with the run; the regions, their bars and what one reads in them stay.
      const STAYS =
        '.toolbar, .filters, .chip, .runs, .run, .timeline, canvas, .table, .grid, .rows .row, .details, .tabs, .status, .splitter';
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[] }[])
          for (const { node, previousRect: from, currentRect: to } of entry.sources)
            if (node instanceof Element && node.matches(STAYS) && from.width > 0 && to.width > 0)
              shifts.push(`${node.className} ${from.x},${from.y} → ${to.x},${to.y}`);
      }).observe({ type: 'layout-shift' });
      Object.assign(globalThis, { shifts });
    });
    await expect(page.locator('.run .ending')).toHaveText(['completed', 'waiting · input', 'severed'], { timeout: 30_000 });
    await expect(failing(page)).toHaveText('3');
    expect(await page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts)).toEqual([]);
  });

test('sites that were switched on are switched off again in the settings', async ({ page }) => {
  await open(page, 'theme=dark', 550, 820);
  // The panel in the developer tools asks its background; here the shell stands in for it.
  await page.evaluate(() => {
    const on = new Set(['https://chat.example/*', 'https://*.wide.example/*']);
    const { unsettledShell } = globalThis as unknown as { unsettledShell: { sites: unknown } };
    unsettledShell.sites = { list: async () => [...on], off: async (site: string) => void on.delete(site) };
  });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const sheet = page.getByRole('dialog', { name: 'Settings' });
  await expect(sheet.getByText('https://chat.example/*')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Switch off' }).first().focus();
  await page.keyboard.press('Enter');
  await expect(sheet.getByText('https://chat.example/*')).toHaveCount(0);
  await expect(sheet.getByText('https://*.wide.example/*')).toBeVisible();
});
