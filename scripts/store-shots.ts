/**
 * `npm run shots -- --store`: the pictures for the extension stores, in the size that both take (1280 × 800, JPEG), into
 * docs/store. The page beside the panel is the demo's, in the real developer tools of Chromium; the others are the panel alone.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { launchChromium } from '../e2e/drivers/chromium.ts';
import { until } from '../e2e/drivers/driver.ts';
import { playScenario } from '../e2e/extension/play.ts';
import { startViewer } from '../e2e/panel/viewer.ts';
import { startDemoServer } from '../src/demo/server.ts';

const root = join(import.meta.dirname, '..');
const WIDTH = 1280;
const HEIGHT = 800;

/** The picture of a whole window: the careless page, and the finding open beside it. */
const docked = async (theme: 'light' | 'dark', path: string, height = HEIGHT): Promise<void> => {
  const server = await startDemoServer({ port: 0, pages: [join(root, 'dist/demo')] });
  const driver = await launchChromium({ extension: join(root, 'dist/chrome'), docked: true, width: WIDTH, height, theme });
  try {
    const tab = await driver.openTab();
    await playScenario(tab, server.origin, 'careless', 'cut-after-reasoning');
    const panel = await tab.openPanel();
    await driver.setTheme(theme);
    await panel.evaluate(`(() => {
      unsettled.openFinding(unsettled.findings.value.find(({ rule }) => rule === 'reasoning-as-answer'));
      unsettled.settings.runsOpen.value = false;
      return true;
    })()`);
    await until('the finding is open', () => panel.evaluate<boolean>(`document.querySelector('.details .finding') !== null`));
    await driver.screenshot(tab, path);
  } finally {
    await driver.close();
    await server.close();
  }
};

/** Width and height of a PNG, from its header. */
const sizeOf = (path: string): readonly [number, number] => {
  const bytes = readFileSync(path);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

const PANELS: readonly { readonly name: string; readonly theme: string; readonly reach: (page: Page) => Promise<unknown> }[] = [
  {
    name: 'as-of',
    theme: 'light',
    async reach(page) {
      for (let i = 0; i < 20; i++) await page.keyboard.press('[');
      if ((await page.getByRole('tab', { name: 'Transcript' }).count()) === 0) await page.keyboard.press('3');
      await page.getByRole('tab', { name: 'Transcript' }).click();
    },
  },
  {
    name: 'compare',
    theme: 'dark',
    async reach(page) {
      await page.keyboard.press('c');
      await page.locator('.pair').first().waitFor();
    },
  },
];

export const storeShots = async (executablePath: string): Promise<void> => {
  const built = spawnSync(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'scripts/build.ts')], {
    stdio: 'inherit',
  });
  if (built.status !== 0) throw new Error('the build failed');
  const scratch = mkdtempSync(join(tmpdir(), 'unsettled-shots-'));
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  const viewer = await startViewer();
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, reducedMotion: 'reduce' });
    const keep = async (name: string): Promise<void> => {
      await page.screenshot({ path: join(root, 'docs/store', `${name}.jpg`), type: 'jpeg', quality: 90 });
      console.log(`docs/store/${name}.jpg`);
    };
    for (const theme of ['light', 'dark'] as const) {
      const path = join(scratch, `${theme}.png`);
      await docked(theme, path);
      // The window's own bars take room: once more, higher by as much.
      const missing = HEIGHT - sizeOf(path)[1];
      if (missing !== 0) await docked(theme, path, HEIGHT + missing);
      const [width, height] = sizeOf(path);
      if (width !== WIDTH || height !== HEIGHT) throw new Error(`the window's picture is ${width} × ${height}`);
      await page.setContent(
        `<style>*{margin:0}</style><img style="display:block" src="data:image/png;base64,${readFileSync(path).toString('base64')}">`,
      );
      await page.evaluate(() => document.images[0]!.decode());
      await keep(`finding-${theme}`);
    }
    for (const { name, theme, reach } of PANELS) {
      await page.goto(`${viewer.url}?theme=${theme}&lang=en&sample=kestrel-cut`);
      await page.locator('.findings-pill').getByText('3').waitFor();
      await reach(page);
      await page.evaluate(() => document.fonts.ready);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await keep(name);
    }
  } finally {
    await viewer.close();
    await browser.close();
    rmSync(scratch, { recursive: true, force: true });
  }
};
