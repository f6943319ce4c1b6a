/**
 * The panel as an ordinary page, in a real browser: everything that needs layout, focus or painting. The same panel in the
 * developer tools is driven in e2e/extension.
 */
import { expect, type Page } from '@playwright/test';
import { ON_DEMAND } from '../../src/core/dialects/on-demand.ts';
import { scene } from '../../src/core/scenes/scene.ts';
import { failing, open, SAMPLE, test, viewerUrl, violations, withViewer } from './scene.ts';

withViewer();

test('the sample shows the bug, from the list to the evidence', async ({ page }) => {
  await open(page);
  await expect(page.locator('.run-list [role=treeitem]')).toHaveCount(4);
  await expect(page.locator('.run .ending')).toHaveText(['completed', 'waiting · input', 'severed']);
  await expect(failing(page)).toHaveText('3');
  await failing(page).click();
  await expect(page.locator('.finding').first()).toContainText('I should verify the migration.');
  await expect(page.locator('.finding', { hasText: 'Shown as final, and never settled' })).toContainText('never');
  await expect(page.locator('.row.cut')).toContainText('nothing settled this run');
  await page
    .locator('.finding')
    .first()
    .getByRole('button', { name: /^event #/u })
    .click();
  await expect(page.locator('.rows .row.selected')).toHaveCount(1);
});

/** Every view of the panel, each reached from the sample as it opens. */
const VIEWS: readonly (readonly [name: string, reach: (page: Page) => Promise<unknown>])[] = [
  ['runs, timeline, events and findings', (page) => page.keyboard.press('n')],
  [
    'event',
    async (page) => {
      await page.locator('.rows .row').nth(6).click();
      await page.getByRole('button', { name: 'Copy JSON' }).waitFor();
    },
  ],
  [
    'raw',
    async (page) => {
      await page.locator('.rows .row').nth(6).click();
      await page.getByRole('tab', { name: 'Raw' }).click();
    },
  ],
  ['shown', (page) => page.getByRole('tab', { name: 'Shown' }).click()],
  ['transcript', (page) => page.getByRole('tab', { name: 'Transcript' }).click()],
  ['as of a moment', (page) => page.keyboard.press('[')],
  [
    'all runs with a filter',
    async (page) => {
      await page.locator('.run.all').click();
      await page.fill('#search', 'migration');
    },
  ],
  [
    'only a stretch of time, the newest first',
    async (page) => {
      await page.keyboard.press('t');
      await page.keyboard.press('Home');
      for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('i');
      await page.locator('.stretch-chip').waitFor({ timeout: 10_000 });
      await page.keyboard.press('g');
      await page.keyboard.press('s');
    },
  ],
  [
    'saved filters',
    async (page) => {
      await page.fill('#search', 'migration');
      await page.keyboard.press('Enter');
      await page.keyboard.press('v');
      await page.getByRole('menuitem', { name: 'Save or delete a filter…' }).click();
      await page.getByLabel('Name').fill('x');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').locator('li').waitFor();
    },
  ],
  ['everything filtered out', (page) => page.fill('#search', 'no such words')],
  [
    'menu',
    async (page) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menu').waitFor();
    },
  ],
  [
    'comparison of two runs',
    async (page) => {
      // The key has a meaning once the newest run is chosen, which is a moment after its findings are counted.
      await expect(async () => {
        if ((await page.locator('.compare').count()) === 0) await page.keyboard.press('c');
        await expect(page.locator('.pair').first()).toBeVisible({ timeout: 1_000 });
      }).toPass();
    },
  ],
  [
    'menu of a row',
    async (page) => {
      await page.locator('.rows .row').nth(6).click({ button: 'right' });
      await page.getByRole('menu').waitFor();
    },
  ],
  [
    'kept sessions',
    async (page) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Kept sessions' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'mappings',
    async (page) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Mappings…' }).click();
      await page.getByRole('dialog', { name: 'Mappings' }).waitFor();
    },
  ],
  [
    'shortcut sheet',
    async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'save sheet',
    async (page) => {
      await page.keyboard.press('Control+s');
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'settings',
    async (page) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Settings' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
];

/** The theme as the settings choose it, under a view that stays as it is. Resolves once nothing changes its colour any more. */
const setTheme = async (page: Page, theme: 'light' | 'dark'): Promise<void> => {
  await page.evaluate(`unsettled.settings.theme.value = '${theme}'`);
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  await page.waitForFunction(() => document.getAnimations().every((one) => !(one instanceof CSSTransition)));
};

/** The dialogs and menus that are open, and the chosen tabs. */
const openThings = (page: Page): Promise<readonly string[]> =>
  page
    .locator('[role=dialog], dialog[open], [role=menu], [role=tab][aria-selected=true]')
    .evaluateAll((all) => all.map((one) => `${one.getAttribute('role') ?? one.tagName} ${one.id} ${one.getAttribute('aria-label') ?? ''}`));

for (const width of [1380, 550])
  test(`axe finds nothing in any view, light and dark: ${width} px`, async ({ page }) => {
    test.setTimeout(300_000);
    const found: string[] = [];
    // What the last view left behind is forgotten.
    await page.addInitScript(() => {
      if (location.protocol.startsWith('http')) localStorage.clear();
    });
    for (const [name, reach] of VIEWS) {
      await page.goto('about:blank');
      await open(page, `${SAMPLE}&theme=light`, width);
      await reach(page);
      const opened = await openThings(page);
      for (const theme of ['light', 'dark'] as const) {
        await setTheme(page, theme);
        for (const each of await violations(page)) found.push(`${name}, ${theme}: ${each}`);
      }
      // The dark one was this view too: nothing had closed.
      expect(await openThings(page), name).toEqual(opened);
    }
    expect(found).toEqual([]);
  });

test('axe: nothing captured, 320 px', async ({ page }) => {
  await open(page, 'theme=light', 320);
  await expect(page.getByRole('heading', { name: 'Open a capture' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

/** Every reason for there being nothing, as the shell tells it, and the fix that goes with it. */
const REASONS: readonly (readonly [link: object, title: string, fix: string])[] = [
  [{ state: 'none' }, 'Open a capture', 'Open the sample run'],
  [{ state: 'connecting' }, 'Connecting…', 'Open the sample run'],
  [{ state: 'blocked', url: 'https://x.example/' }, 'Not enabled on this site', 'Enable on this site and reload'],
  [{ state: 'revoked', url: 'https://x.example/' }, 'The permission for this site was taken back', 'Ask for it again and reload'],
  [{ state: 'late', url: 'http://localhost/' }, 'This page was loaded before the extension', 'Reload the page'],
  [{ state: 'restricted' }, 'This page cannot be watched', 'Open the sample run'],
  [{ state: 'gone' }, 'The extension is gone', 'Open the sample run'],
  [{ state: 'connected', url: 'http://localhost/' }, 'Ready', 'Open the sample run'],
];

test('never empty without its reason and a fix', async ({ page }) => {
  await open(page, 'theme=dark', 320, 640);
  const table = page.locator('.table');
  for (const [link, title, fix] of REASONS) {
    await page.evaluate((change) => {
      const { unsettled } = globalThis as unknown as { unsettled: { link: { value: object } } };
      unsettled.link.value = { ...unsettled.link.value, ...change };
    }, link);
    await expect(table.getByRole('heading')).toHaveText(title);
    await expect(table.getByRole('button', { name: fix })).toBeVisible();
    expect(await violations(page), title).toEqual([]);
  }
  // Capture stopped.
  await page.evaluate(`unsettled.capturing.value = false`);
  await expect(table.getByRole('heading')).toHaveText('Capture is stopped');
  await expect(table.getByRole('button', { name: 'Capture' })).toBeVisible();
  await page.evaluate(`unsettled.capturing.value = true`);
  // A stream that is nobody's.
  const stream = `unsettled.liveEntries([
    { at: 0, type: 'flow.opened', flow: 'f', document: 'd', transport: 'fetch', method: 'GET', url: 'http://localhost/x', requestHeaders: {}, requestBody: null },
    { at: 1, type: 'flow.head', flow: 'f', status: 200, headers: { 'content-type': 'text/plain' } },
  ])`;
  await page.evaluate(stream);
  await expect(table.getByRole('heading')).toHaveText('No agent stream yet');
  // The page broke built-ins before its streams began.
  await page.evaluate(`unsettled.liveEntries([{ at: 2, type: 'gap', flow: null, reason: 'fault', lost: 1 }])`);
  await expect(table.getByRole('heading')).toHaveText('Streams could not be recorded');
  await expect(table.getByRole('button', { name: 'Reload the page' })).toBeVisible();
  await expect(page.locator('.notice.warn')).toContainText('changed built-in functions');
  // The background died and came back; entries were lost meanwhile.
  await page.evaluate(`unsettled.link.value = { ...unsettled.link.value, reconnects: 2, lost: 7 }`);
  await expect(page.locator('.status')).toContainText('2 reconnects');
  await expect(page.locator('.notice.warn').first()).toContainText('7 entries were lost');
});

test('a session loads the dialects of its streams and no others', async ({ page }) => {
  await open(page);
  const files = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  const loaded = ON_DEMAND.filter(({ id }) => files.some((file) => file.split('/').at(-1)?.startsWith(`${id}-`)));
  expect(loaded.map(({ id }) => id)).toEqual(['kestrel-runner']);
});

test('a dialect that cannot be loaded is said, and nothing is lost when it can', async ({ page }) => {
  await page.route(/\/kestrel-runner-/u, (route) => route.abort());
  await page.goto(`${viewerUrl()}?${SAMPLE}`);
  const notice = page.locator('.notice.bad', { hasText: 'could not be loaded' });
  await expect(notice).toBeVisible();
  await expect(page.locator('.run-list .run')).toHaveCount(0);
  await page.unroute(/\/kestrel-runner-/u);
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(failing(page)).toHaveText('3');
  await expect(page.locator('.run .ending')).toHaveText(['completed', 'waiting · input', 'severed']);
  await expect(notice).toHaveCount(0);
});

test('a view that cannot be loaded says so', async ({ page }) => {
  await page.route(/seldom-tabs/u, (route) => route.abort());
  await open(page);
  await page.getByRole('tab', { name: 'Transcript' }).click();
  await expect(page.locator('#tab-panel')).toHaveText('The extension was reloaded or removed. Close and open the developer tools.');
});

test('forced colours keep badges, marks and the red stretch legible', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page);
  await expect(page.locator('.row.cut')).toBeVisible();
  const badge = page.locator('.rows .badge').first();
  const [back, fore] = await badge.evaluate((element) => {
    const style = getComputedStyle(element);
    return [style.backgroundColor, style.color];
  });
  expect(back).not.toBe(fore);
});

test('two runs are compared: from the list, by keyboard, and back to a piece in its run', async ({ page }) => {
  await open(page, SAMPLE, 550, 820);
  await page.keyboard.press('r');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('c');
  const compare = page.getByRole('region', { name: 'Compare' });
  await expect(compare).toBeFocused();
  // The one before it to the same place.
  await expect(compare.getByLabel('First run')).toHaveValue('flow-1#1');
  await expect(compare.getByLabel('Second run')).toHaveValue('flow-2#2');
  await expect(compare.getByRole('row', { name: /ending/u })).toContainText(/completed.*waiting/u);
  await expect(compare.locator('.pair.text').first().locator('del').first()).toBeVisible();
  await expect(compare.locator('.pair.text').first().locator('ins').first()).toBeVisible();
  await expect(compare.locator('.pair.a', { hasText: 'fs.read_text' })).toContainText('not in this run');
  await compare.getByLabel('Second run').selectOption({ label: '#1 completed · /api/copilot/stream' });
  await expect(compare).toContainText('No difference in words, order or ending.');
  await compare.getByLabel('Only what differs').check();
  await expect(compare.locator('.pair')).toHaveCount(0);
  await compare.getByLabel('Only what differs').uncheck();
  await compare.locator('.pair', { hasText: 'fs.read_text' }).getByRole('button').first().click();
  await expect(compare).toHaveCount(0);
  await expect(page.locator('.run.selected')).toContainText('completed');
  await expect(page.locator('.rows .row.selected')).toContainText('run.tool.started');
  await page.keyboard.press('c');
  await expect(compare).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(compare).toHaveCount(0);
  await expect(page.locator('.run-list')).toBeFocused();
});

const menuItem = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name }).click();
};

test('sessions are kept only when wished, come back after a reload, and are gone when deleted', async ({ page }) => {
  await open(page, 'theme=light');
  await page.evaluate(`void unsettledStream(4000)`);
  await expect(page.locator('.run .ending')).toHaveCount(3);
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  await menuItem(page, 'Kept sessions');
  const sheet = page.getByRole('dialog', { name: 'Kept sessions' });
  await expect(sheet).toContainText('None. Sessions are not kept.');
  await sheet.getByLabel('Keep sessions in this browser').check();
  await expect(sheet.locator('li')).toContainText('3 runs');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.locator('.notice')).toContainText('The last session was kept');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.locator('.run .ending')).toHaveText(['completed', 'waiting · input', 'severed']);
  await expect(failing(page)).toHaveText('3');
  await menuItem(page, 'Kept sessions');
  const saving = page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'Save as a file' }).click();
  expect((await saving).suggestedFilename()).toMatch(/^session-.*\.unsettled\.jsonl$/u);
  await sheet.getByRole('button', { name: 'Delete all…' }).click();
  await sheet.getByRole('button', { name: 'Delete all of them' }).click();
  await expect(sheet.locator('li')).toHaveCount(0);
  await expect(sheet).toContainText('0.0 MB of 50 MB');
});

test('a row is copied in every form, and shows or hides its like', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await page.keyboard.press('g');
  await page.keyboard.press('Home');
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  const choose = async (name: string): Promise<void> => {
    await page.keyboard.press('Shift+F10');
    const item = page.getByRole('menuitem', { name });
    await expect(page.getByRole('menu')).toBeVisible();
    while (!(await item.evaluate((element) => element === document.activeElement))) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(page.locator('.grid')).toBeFocused();
  };
  await choose('Copy JSON');
  await expect.poll(clipboard).toContain('"type": "run.opened"');
  await choose('Copy raw');
  await expect.poll(clipboard).toContain('"type":"run.started"');
  await choose('Copy as curl');
  await expect.poll(clipboard).toContain("curl --no-buffer --header 'accept: text/event-stream'");
  await choose('Copy as test');
  await expect.poll(clipboard).toContain("from 'unsettled/playwright'");
  await choose('Hide run.started');
  await expect(page.locator('#search')).toHaveValue('-type:"run.started"');
  await expect(page.locator('.rows .row').first()).not.toContainText('run.started');
});

test('a shown moment: the table and transcript know only what had come', async ({ page }) => {
  await open(page);
  await page.keyboard.press('n');
  const finding = page.locator('.finding').filter({ hasText: 'Reasoning shown as the answer' });
  await finding.getByRole('button', { name: 'Show the moment' }).click();
  await page.getByRole('tab', { name: 'Transcript' }).click();
  await expect(page.locator('.transcript-head')).toContainText('As of');
  await expect(page.locator('.part').last()).toContainText('I should verify the migration.');
  // Back over the pieces of the last thought, one event at a time.
  for (let i = 0; i < 30; i++) await page.keyboard.press('[');
  await expect(page.locator('.transcript-head')).toContainText('live');
  await expect(page.locator('.part').first()).toContainText('The user wants');
  for (const part of await page.locator('.part').all()) await expect(part).not.toContainText('I should verify the migration.');
  await page.keyboard.press('Escape');
  await expect(page.locator('.transcript-head')).toContainText('severed');
});

test('text from a page stays text', async ({ page }) => {
  await open(page, 'theme=light');
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const capture = scene(`https://x.example/${hostile}`)
    .open(hostile, { method: hostile, url: `https://x.example/${hostile}`, body: hostile })
    .sayOn(
      hostile,
      { type: 'start', messageId: hostile },
      { type: 'text-start', id: hostile },
      { type: 'text-delta', id: hostile, delta: hostile },
      { type: hostile },
    );
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file' }).click();
  await (await choosing).setFiles({
    name: `${hostile}.jsonl`,
    mimeType: 'application/jsonl',
    buffer: Buffer.from(capture.text()),
  });
  await expect(page.locator('.run-list')).toContainText('<img');
  for (const tab of ['Run', 'Event', 'Raw', 'Shown', 'Why', 'Transcript']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.locator('.rows .row').last().click();
    await page.getByRole('tab', { name: tab }).click();
  }
  expect(await page.locator('#panel img, #panel script').count()).toBe(0);
  expect(await page.title()).toBe('Unsettled');
});

test('a private protocol is mapped by example, and its runs appear at once', async ({ page }) => {
  await open(page, 'theme=light');
  const body = [
    { kind: 'think', d: { t: 'I should look first.' } },
    { kind: 'say', d: { t: 'It is safe.' } },
    { kind: 'end', how: 'ok' },
  ];
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file' }).click();
  await (await choosing).setFiles({
    name: 'private.sse',
    mimeType: 'text/event-stream',
    buffer: Buffer.from(body.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('')),
  });
  await expect(page.locator('.run.stranger')).toContainText('not recognised');
  const map = async (row: number, meaning: string): Promise<void> => {
    await page.locator('.rows .row').nth(row).click();
    await page.getByRole('tab', { name: 'Raw' }).click();
    await page.getByRole('button', { name: 'Map this event' }).click();
    await page.getByRole('combobox', { name: /means/u }).selectOption({ label: meaning });
    await page.getByRole('button', { name: 'Put into the file' }).click();
  };
  await map(0, 'a piece of reasoning');
  await expect(page.locator('#mapping-problems')).toHaveText('No errors.');
  await page.getByRole('dialog').locator('textarea').fill('{ "unsettledMapping": 1 }');
  await expect(page.locator('#mapping-problems')).toContainText('id: is missing');
  await page.getByRole('dialog').locator('textarea').fill('');
  await page.getByRole('button', { name: 'Put into the file' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect(page.locator('.run .ending')).toHaveText('unattested');
  await map(2, 'the run ends well');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect(page.locator('.run .ending')).toHaveText('completed');
});

test('the table follows the newest row until the reader scrolls away', async ({ page }) => {
  await open(page, 'theme=light');
  await page.evaluate(`unsettledOpenSample('large-10k')`);
  const grid = page.locator('.grid');
  const atEnd = (): Promise<boolean> => grid.evaluate((element) => element.scrollTop + element.clientHeight >= element.scrollHeight - 4);
  await expect.poll(atEnd).toBe(true);
  await grid.hover();
  await page.mouse.wheel(0, -400);
  await expect(page.getByRole('button', { name: 'Follow the newest' })).toBeVisible();
  expect(await atEnd()).toBe(false);
  await page.getByRole('button', { name: 'Follow the newest' }).click();
  await expect.poll(atEnd).toBe(true);
});

test('only the rows in view are in the document', async ({ page }) => {
  await open(page, 'theme=light');
  await page.evaluate(`unsettledOpenSample('large-10k')`);
  await page.keyboard.press('u');
  await expect.poll(async () => Number(await page.locator('.grid').getAttribute('aria-rowcount'))).toBeGreaterThan(9_000);
  expect(await page.locator('.rows .row').count()).toBeLessThan(80);
});

test('while rows pour in at the tail, those in the document are rewritten, not made anew', async ({ page }) => {
  await open(page, 'theme=light');
  await page.evaluate(`unsettledPrepare(200000)`);
  await page.keyboard.press('u');
  await page.evaluate(`void unsettledStream(2000)`);
  const count = async (): Promise<number> => Number(await page.locator('.grid').getAttribute('aria-rowcount'));
  await expect.poll(count).toBeGreaterThan(2_000);
  await page.evaluate(() => {
    const made = { rows: 0 };
    Object.assign(globalThis, { made });
    new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes) made.rows += addedNodes.length + removedNodes.length;
    }).observe(document.querySelector('.rows')!, { childList: true });
  });
  const before = await count();
  await expect.poll(count).toBeGreaterThan(before + 2_000);
  // Where the page stood still for a moment, those beyond the view come and go once.
  expect(await page.evaluate('made.rows')).toBeLessThan(60);
  // The newest is in view, and whatever is in view is drawn.
  const bare = await page.evaluate(() => {
    const box = document.querySelector('.grid')!.getBoundingClientRect();
    let none = 0;
    for (let y = box.top + 30; y < box.bottom - 1; y += 20)
      if (document.elementFromPoint(box.left + 40, y)?.closest('.row') == null) none++;
    return none;
  });
  expect(bare).toBe(0);
});

for (const [width, height] of [
  [320, 640],
  [320, 720],
  [550, 720],
  [820, 720],
  [1600, 720],
] as const)
  test(`nothing runs over the edge at ${width} × ${height} px`, async ({ page }) => {
    await open(page, SAMPLE, width, height);
    await page.keyboard.press('n');
    const over = await page.evaluate(() => {
      const wide: string[] = [];
      for (const element of document.querySelectorAll(
        '.app > *:not(.sr), .work > *, .toolbar > *, .timeline, .grid, .tab-panel, .status',
      )) {
        const box = element.getBoundingClientRect();
        if (box.right > innerWidth + 0.5 || box.left < -0.5 || box.bottom > innerHeight + 0.5) wide.push(element.className.toString());
      }
      return wide;
    });
    expect(over).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nor is there anything to scroll to').toBe(width);
    expect(await page.locator('.grid').evaluate((element) => element.clientHeight)).toBeGreaterThan(59);
  });

test('the run that is shown is in view in the list, however low that is', async ({ page }) => {
  await open(page, SAMPLE, 320, 640);
  const inView = (): Promise<boolean> =>
    page.locator('.run.selected').evaluate((run) => {
      const [row, list] = [run.getBoundingClientRect(), run.closest('.runs')!.getBoundingClientRect()];
      return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
    });
  await expect(page.locator('.run.selected')).toContainText('severed');
  await expect.poll(inView).toBe(true);
  await page.keyboard.press('r');
  await page.keyboard.press('Home');
  await expect.poll(inView).toBe(true);
});

test('nothing runs over the edge at 200 % zoom, and nothing moves where that is not wished', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 690, height: 400 }, deviceScaleFactor: 2, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${viewerUrl()}?${SAMPLE}`);
  await expect(failing(page)).toHaveText('3');
  await page.keyboard.press('n');
  const state = await page.evaluate(() => ({
    wide: [...document.querySelectorAll('.app > *:not(.sr), .work > *, .toolbar > *, .timeline, .grid, .tab-panel, .status')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
      .map((element) => element.className),
    low: (document.querySelector('.status')?.getBoundingClientRect().bottom ?? 0) > innerHeight + 0.5,
    table: document.querySelector('.grid')?.clientHeight ?? 0,
    moving: document.getAnimations().length,
  }));
  expect(state).toMatchObject({ wide: [], low: false, moving: 0 });
  expect(state.table).toBeGreaterThan(59);
  await context.close();
});

test('the language is the reader’s', async ({ page }) => {
  await open(page, `${SAMPLE}&lang=zh`);
  await expect(page.getByRole('tab', { name: '文字稿' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.locator('.finding').first()).toContainText('提供方的推理');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans');
  // The texts of sheets come with the first of them, and follow the language from then on.
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('下一个发现');
  await page.evaluate(`unsettled.settings.language.value = 'en'`);
  await expect(page.getByRole('dialog')).toContainText('Next finding');
});

test('filters and sizes are remembered', async ({ page }) => {
  await open(page);
  await page.fill('#search', 'migration');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('unsettled.panel') ?? '')).toContain('migration');
  await page.reload();
  await expect(page.locator('#search')).toHaveValue('migration');
});
