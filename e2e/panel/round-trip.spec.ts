/**
 * A finding that travels, through the real panel: what it shows is saved, without secrets and scrambled, judged by the command
 * line, and opened again, with the same runs, settlements and findings each time. Many captures go the same way without a
 * panel in src/cli/round-trip.test.ts.
 */
import { expect, type Page } from '@playwright/test';
import { judgeFile } from '../../src/cli/judge';
import { open, test, withViewer } from './scene.ts';

withViewer();

const save = async (page: Page, how: RegExp, path: string): Promise<void> => {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Save' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('radio', { name: 'The whole session' }).check();
  await sheet.getByRole('radio', { name: how }).check();
  // What was replaced is said once it is ready.
  await expect(sheet.locator('.preview')).not.toBeEmpty();
  const downloading = page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await (await downloading).saveAs(path);
};

const openFile = async (page: Page, path: string): Promise<void> => {
  await page.getByRole('button', { name: 'More' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Open a file' }).click();
  await (await choosing).setFiles(path);
};

/** What the command line says of a file. */
const judged = async (path: string): Promise<unknown> => {
  const report = await judgeFile(path, { muted: [], mappings: [], allowEmpty: false }, async function* () {});
  expect(report.unjudged).toBeNull();
  return {
    runs: report.runs.map((run) => [run.key, run.dialect, run.outcome, run.evidence, run.waitingFor, run.settledMs]),
    findings: report.findings.map((finding) => [
      finding.rule,
      finding.verdict,
      finding.severity,
      finding.run,
      finding.atMs,
      finding.untilMs,
    ]),
  };
};

const ENDINGS = ['completed', 'waiting · input', 'severed'];

test('saved, without secrets, scrambled, judged and opened again, a session says the same', async ({ page }, info) => {
  await open(page);
  const expectSame = async (): Promise<void> => {
    await expect(page.locator('.run .ending')).toHaveText(ENDINGS);
    await expect(page.locator('.findings-pill')).toHaveText('3');
  };
  await expectSame();
  let first: unknown = null;
  for (const [step, how] of [/^As it is/u, /^Without secrets/u, /^Scrambled/u].entries()) {
    const path = info.outputPath(`step-${step}.unsettled.jsonl`);
    await save(page, how, path);
    const said = await judged(path);
    first ??= said;
    expect(said).toEqual(first);
    await openFile(page, path);
    await expect(page.locator('.notice')).toContainText(`step-${step}.unsettled.jsonl`);
    await expectSame();
  }
});
