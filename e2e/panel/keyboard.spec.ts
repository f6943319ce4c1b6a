/** Everything in the panel can be reached and done by keyboard, and focus never gets lost. */
import { expect } from '@playwright/test';
import { failing, open, SAMPLE, test, withViewer } from './scene.ts';

withViewer();

test.describe('by keyboard alone', () => {
  test('to the finding, its event, its frame, and back', async ({ page }) => {
    await open(page);
    await page.keyboard.press('n');
    await expect(page.getByRole('tab', { name: 'Why' })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('g');
    await expect(page.locator('.grid')).toBeFocused();
    await page.keyboard.press('Home');
    await expect(page.locator('.grid')).toHaveAttribute('aria-activedescendant', 'row-0');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('.grid')).toHaveAttribute('aria-activedescendant', 'row-2');
    await page.keyboard.press('d');
    await expect(page.getByRole('tab', { name: 'Why' })).toBeFocused();
    await page.keyboard.press('Home');
    await expect(page.getByRole('tab', { name: 'Run' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Event' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('.tab-panel pre')).toContainText('"type":"run.progress"');
  });
  test('a fold opens and closes, and its events are reached', async ({ page }) => {
    await open(page);
    await page.keyboard.press('g');
    await page.keyboard.press('Home');
    const fold = page.locator('.rows .row[aria-expanded]').first();
    const at = Number((await fold.getAttribute('id'))!.slice(4));
    for (let i = 0; i < at; i++) await page.keyboard.press('ArrowDown');
    await expect(fold).toHaveAttribute('aria-selected', 'true');
    const rows = Number(await page.locator('.grid').getAttribute('aria-rowcount'));
    await page.keyboard.press('ArrowRight');
    await expect(fold).toHaveAttribute('aria-expanded', 'true');
    await expect(page.locator('.grid')).not.toHaveAttribute('aria-rowcount', String(rows));
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('.grid')).toHaveAttribute('aria-activedescendant', `row-${at + 1}`);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect(page.locator('.grid')).toHaveAttribute('aria-rowcount', String(rows));
  });
  test('runs are chosen, searched and told apart', async ({ page }) => {
    await open(page);
    await page.keyboard.press('r');
    await page.keyboard.press('ArrowUp');
    await expect(page.locator('.run.selected')).toContainText('waiting');
    await page.keyboard.press('Home');
    await expect(page.locator('.run.selected')).toContainText('All runs');
    await page.keyboard.press('/');
    await page.keyboard.type('verify the migration');
    await expect(page.locator('.hits')).toHaveText(['0 hits', '0 hits', /^[1-9]\d* hits$/u]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.locator('.hits')).toHaveCount(0);
  });
  test('time is stepped back and forth', async ({ page }) => {
    await open(page);
    await page.keyboard.press('t');
    const slider = page.getByRole('slider');
    await expect(slider).toBeFocused();
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuetext', 'As of 0.000 s');
    await page.keyboard.press('ArrowRight');
    await expect(slider).not.toHaveAttribute('aria-valuetext', 'As of 0.000 s');
    await expect(page.locator('.row.future').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(slider).toHaveAttribute('aria-valuetext', 'As of now');
    await expect(page.locator('.row.future')).toHaveCount(0);
  });
  test('voices, regions and the sheet have keys', async ({ page }) => {
    await open(page);
    await page.keyboard.press('Shift+Digit4');
    await expect(page.getByRole('button', { name: /^Reasoning/u })).toHaveAttribute('aria-pressed', 'false');
    await expect(page.locator('#search-state')).toHaveText(/of/u);
    await page.keyboard.press('Shift+Digit4');
    for (const [key, region] of [
      ['1', '.runs'],
      ['2', '.timeline'],
      ['3', '.details'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.locator(region)).toHaveCount(0);
      await page.keyboard.press(key);
      await expect(page.locator(region)).toHaveCount(1);
    }
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  test('from nothing to the sample; settings, kept sessions, saving and muting; every sheet gives the focus back', async ({ page }) => {
    /** Tab until the focus is on what has this name. */
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press('Tab');
        const here = await page.evaluate(() => {
          const element = document.activeElement as HTMLElement | null;
          return element?.getAttribute('aria-label') ?? element?.closest('label')?.textContent ?? element?.textContent ?? '';
        });
        if (name.test(here)) return;
      }
      throw new Error(`Tab never comes to ${name}`);
    };
    const choose = async (name: string): Promise<void> => {
      await tabTo(/^More$/u);
      await page.keyboard.press('Enter');
      const item = page.getByRole('menuitem', { name });
      await expect(page.getByRole('menu')).toBeVisible();
      while (!(await item.evaluate((element) => element === document.activeElement))) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog')).toBeVisible();
    };
    const leave = async (): Promise<void> => {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    };
    await open(page, '');
    await tabTo(/^Open the sample run$/u);
    await page.keyboard.press('Enter');
    await expect(failing(page)).toHaveText('3');
    await choose('Settings');
    await tabTo(/^Theme/u);
    await page.keyboard.press('End');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await leave();
    await expect(page.getByRole('button', { name: 'More' })).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await choose('Kept sessions');
    await tabTo(/^Keep sessions in this browser$/u);
    await page.keyboard.press('Space');
    await expect(page.getByRole('dialog').getByRole('checkbox')).toBeChecked();
    await page.keyboard.press('Space');
    await leave();
    await page.keyboard.press('Control+s');
    await expect(page.locator('.preview')).toContainText('No secrets were found.');
    const saved = page.waitForEvent('download');
    await tabTo(/^Save$/u);
    await page.keyboard.press('Enter');
    await saved;
    await page.keyboard.press('n');
    await tabTo(/^Mute here$/u);
    await page.keyboard.press('Enter');
    await expect(failing(page)).toHaveText('2');
    await tabTo(/^Unmute$/u);
    await page.keyboard.press('Enter');
    await expect(failing(page)).toHaveText('3');
    await tabTo(/^Size of the timeline$/u);
    const height = await page.locator('.timeline').evaluate((element) => element.clientHeight);
    await page.keyboard.press('End');
    await expect.poll(() => page.locator('.timeline').evaluate((element) => element.clientHeight)).toBeGreaterThan(height);
  });
  test('every region is reached by Tab, and none keeps the focus', async ({ page }) => {
    await open(page, SAMPLE, 550);
    const reached = new Set<string>();
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => {
          const element = document.activeElement;
          return element?.closest('.toolbar, .filters, .runs, .timeline, .table, .details')?.classList[0] ?? element?.tagName ?? '';
        }),
      );
    }
    expect([...reached]).toEqual(expect.arrayContaining(['toolbar', 'filters', 'runs', 'timeline', 'table', 'details']));
  });
});
