/**
 * `npm test`: every check of the project, in the order in which they fail fastest. Streams what each prints, then one
 * line per stage and, as the last line, `N passed, N failed`, where single tests count one each and a stage without
 * single tests counts as one. A later stage still runs when an earlier one failed, unless it needs the build and there is
 * none. A stage that ran no test at all has failed: silence is not success.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { adviceFor, type BrowserName, findBrowser } from './browsers.mjs';

const root = join(import.meta.dirname, '..');
const reports = join(root, 'test-results/reports');

interface Tally {
  readonly passed: number;
  readonly failed: number;
}

interface Stage {
  readonly name: string;
  /** Arguments for the Node that runs this script. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly needs?: string;
  /** Without it the stage has failed, and the summary says why. */
  readonly browser?: BrowserName;
  /** Reads the stage's report; absent where the exit code is all there is. */
  readonly tally?: () => Tally;
}

const bin = (path: string): string => join(root, 'node_modules', path);
const json = (name: string): unknown => JSON.parse(readFileSync(join(reports, name), 'utf8'));

/** Vitest's JSON report. Skipped and to-do tests count as failed: this project has none. */
const vitest = (name: string) => (): Tally => {
  const report = json(name) as { numTotalTests: number; numPassedTests: number; numFailedTestSuites: number };
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numTotalTests - report.numPassedTests, report.numFailedTestSuites > 0 ? 1 : 0),
  };
};

/** Playwright's JSON report. A test that passed only on a second try counts as failed. */
const playwright = (name: string) => (): Tally => {
  const { stats } = json(name) as { stats: { expected: number; unexpected: number; flaky: number; skipped: number } };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped };
};

const e2e = (project: string): Stage => ({
  name: `e2e ${project}`,
  browser: project.endsWith('firefox') ? 'firefox' : 'chromium',
  needs: 'build',
  command: [bin('@playwright/test/cli.js'), 'test', '--config', 'e2e/playwright.config.ts', '--project', project],
  env: { UNSETTLED_REPORT: join(reports, `${project}.json`) },
  tally: playwright(`${project}.json`),
});

const stages: readonly Stage[] = [
  { name: 'types', command: [bin('typescript/bin/tsc'), '--build'] },
  { name: 'lint', command: [bin('@biomejs/biome/bin/biome'), 'check', '.'] },
  {
    name: 'unit',
    command: [bin('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, 'unit.json')}`],
    tally: vitest('unit.json'),
  },
  { name: 'build', command: [bin('tsx/dist/cli.mjs'), 'scripts/build.ts'] },
  {
    name: 'package',
    needs: 'build',
    command: [
      bin('vitest/vitest.mjs'),
      'run',
      '--config',
      'e2e/package/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(reports, 'package.json')}`,
    ],
    tally: vitest('package.json'),
  },
  e2e('fixture'),
  e2e('page-contract'),
  e2e('witness'),
  e2e('panel'),
  e2e('chromium'),
  e2e('page-contract-firefox'),
  e2e('firefox'),
];

const run = (stage: Stage): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, stage.command, { cwd: root, stdio: 'inherit', env: { ...process.env, ...stage.env } });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const rows: { readonly name: string; readonly tally: Tally; readonly seconds: number; readonly note: string }[] = [];
const failedStages = new Set<string>();
for (const stage of stages) {
  console.log(`\n== ${stage.name}`);
  const started = performance.now();
  let tally: Tally = { passed: 0, failed: 1 };
  let note = '';
  if (stage.needs !== undefined && failedStages.has(stage.needs)) note = `not run: ${stage.needs} failed`;
  else if (stage.browser !== undefined && findBrowser(stage.browser) === null)
    note = `not run: no ${stage.browser} found. ${adviceFor(stage.browser)}`;
  else {
    const code = await run(stage);
    if (stage.tally === undefined) tally = code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
    else {
      try {
        tally = stage.tally();
      } catch {
        note = `no report (exit code ${code})`;
      }
      if (tally.passed + tally.failed === 0) note = 'ran no test';
      // Errors outside any test (a failed hook, an unhandled rejection) show in the exit code alone.
      if (tally.failed === 0 && (code !== 0 || tally.passed === 0)) tally = { passed: tally.passed, failed: 1 };
    }
  }
  if (tally.failed > 0) failedStages.add(stage.name);
  rows.push({ name: stage.name, tally, seconds: (performance.now() - started) / 1000, note });
}

console.log('\n== summary');
for (const { name, tally, seconds, note } of rows)
  console.log(
    `${tally.failed === 0 ? 'pass' : 'FAIL'}  ${name.padEnd(26)} ${String(tally.passed).padStart(5)} passed ${String(tally.failed).padStart(4)} failed  ${seconds.toFixed(1).padStart(6)} s  ${note}`.trimEnd(),
  );
const total = (key: keyof Tally): number => rows.reduce((sum, row) => sum + row.tally[key], 0);
if (existsSync(join(root, 'artifacts'))) console.log('screenshots: artifacts/');
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;
