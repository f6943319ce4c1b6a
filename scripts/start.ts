/**
 * `npm start`: builds, starts the demo's agent and page, and opens a browser on it with the extension loaded and the
 * developer tools on the Unsettled panel. Without a display it plays every scenario on both pages instead, prints what the
 * panel concluded, and leaves a picture in artifacts/. `--browser firefox` for Firefox, `--headless` to force the second way.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../e2e/drivers/chromium';
import { type Driver, type LaunchOptions, until } from '../e2e/drivers/driver';
import { launchFirefox } from '../e2e/drivers/firefox';
import { playScenario } from '../e2e/extension/play';
import { SCENARIOS } from '../src/demo/scenarios';
import { startDemoServer } from '../src/demo/server';

const root = join(import.meta.dirname, '..');
const PORT = 4747;

const { browser: wanted, headless: forced } = (() => {
  try {
    return parseArgs({ options: { browser: { type: 'string', default: 'chromium' }, headless: { type: 'boolean', default: false } } })
      .values;
  } catch (error) {
    console.error(`start: ${(error as Error).message.split('. ')[0]}. There are --browser chromium, --browser firefox and --headless.`);
    process.exit(2);
  }
})();
if (wanted !== 'chromium' && wanted !== 'firefox') {
  console.error(`start: unknown browser "${wanted}": chromium or firefox`);
  process.exit(2);
}
const prepared = spawnSync(process.execPath, [join(root, 'scripts/prepare.mjs'), `--browser=${wanted}`], { stdio: 'inherit' });
if (prepared.status !== 0) process.exit(1);

const hasDisplay =
  process.platform === 'darwin' || process.platform === 'win32' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);
const headless = forced || !hasDisplay;

const built = spawnSync(
  process.execPath,
  [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'scripts/build.ts'), `--for=${wanted === 'firefox' ? 'firefox' : 'chrome'}`],
  {
    stdio: 'inherit',
  },
);
if (built.status !== 0) process.exit(1);

const serve = async () => {
  const pages = [join(root, 'dist/demo')];
  try {
    return await startDemoServer({ port: PORT, pages });
  } catch {
    return await startDemoServer({ port: 0, pages }); // the usual port is taken
  }
};
const server = await serve();
console.log(`start: demo page at ${server.origin}`);

const launch: (options: LaunchOptions) => Promise<Driver> = wanted === 'firefox' ? launchFirefox : launchChromium;
const extension = join(root, 'dist', wanted === 'firefox' ? 'firefox' : 'chrome');
const builtAt = statSync(join(extension, 'manifest.json')).mtimeMs;
/** Somebody builds in this checkout while the browser has it open. */
const rebuilt = (): boolean => {
  try {
    return statSync(join(extension, 'manifest.json')).mtimeMs !== builtAt;
  } catch {
    return true;
  }
};
const address = (variant: string, scenario: string): string => `${server.origin}/?variant=${variant}&scenario=${scenario}`;

const pictures: string[] = [];
/** Plays everything and prints the verdicts. */
const show = async (driver: Driver): Promise<void> => {
  const artifacts = join(root, 'artifacts');
  mkdirSync(artifacts, { recursive: true });
  for (const variant of ['careful', 'careless'] as const) {
    console.log(`\n${variant} page`);
    for (const scenario of SCENARIOS) {
      const tab = await driver.openTab();
      const reading = await playScenario(tab, server.origin, variant, scenario.id);
      const outcomes = reading.runs.map((run) => run.outcome ?? 'open').join(', ');
      const found = reading.findings.filter(({ verdict }) => verdict === 'fail');
      console.log(`  ${scenario.id.padEnd(20)} ${outcomes.padEnd(12)} ${found.length === 0 ? 'nothing to report' : ''}`.trimEnd());
      for (const { rule, severity, message } of found) console.log(`    ${severity.padEnd(8)} ${rule}: ${message}`);
      if (variant === 'careless' && scenario.id === 'cut-after-reasoning') {
        const panel = await tab.openPanel();
        await panel.evaluate('(unsettled.openFinding(unsettled.findings.value[0]), true)');
        await until('the finding is open', () => panel.evaluate<boolean>(`document.querySelector('.details .finding') !== null`));
        const path = join(artifacts, `start-${driver.browser}.png`);
        await driver.screenshot(tab, path);
        pictures.push(path);
      }
      await tab.close();
    }
  }
};

/** What went wrong, for a person: with what can have caused it, and without the way through our code. */
const complain = (error: unknown): void => {
  const { message } = error as Error;
  console.error(`start: ${message ?? String(error)}`);
  if (rebuilt())
    console.error('start: dist/ was built anew or taken away meanwhile, and the browser had the files of before. Start again.');
  process.exitCode = 1;
};

let driver: Driver | null = null;
try {
  driver = await launch({ extension, docked: true, headless });
  if (headless) {
    console.log(
      `start: ${hasDisplay ? 'asked to be headless' : 'no display'}, so ${driver.browser} ${driver.version} plays the scenarios by itself`,
    );
    await show(driver);
    console.log('\nstart: both pages got the same streams. What is told of the careful page is what the streams themselves did;');
    console.log('start: what is told of the careless page besides is what that page showed and nothing had settled.');
    for (const path of pictures) console.log(`start: the panel, with the first of those findings open: ${path}`);
  } else {
    const tab = await driver.openTab();
    await tab.goto(address('careless', 'cut-after-reasoning'));
    await tab.openPanel();
    console.log(`start: ${driver.browser} ${driver.version} is open. Press Send on the page and watch the panel.`);
    console.log('start: change page and scenario at the top of the page. Close the browser to end.');
    await driver.closed;
  }
} catch (error) {
  complain(error);
} finally {
  // A browser that the person closed, or that went with Ctrl-C, is closed already.
  await driver?.close().catch(() => {});
  await server.close();
}
