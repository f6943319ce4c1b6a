/**
 * `npm test`: every check of the project, in the order in which they fail fastest; the suites that drive browsers, which
 * mostly wait, in two lanes side by side on four processors or more. Streams what each prints, then one line per stage, with the names of what failed,
 * and, as the last line, `N passed, N failed`, where single tests count one each and a stage without single tests counts
 * as one. A later stage still runs when an earlier one failed, unless it needs the build and there is none. A stage that
 * ran no test at all has failed: silence is not success.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { adviceFor, type BrowserName, findBrowser } from './browsers.mjs';
import { type PlaywrightReport, playwrightTally, type Tally, type VitestReport, vitestTally } from './reports';

const root = join(import.meta.dirname, '..');
const reports = join(root, 'test-results/reports');

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
const read = (name: string, reader: (report: unknown) => Tally) => (): Tally =>
  reader(JSON.parse(readFileSync(join(reports, name), 'utf8')));
const vitest = (name: string) => read(name, (report) => vitestTally(report as VitestReport, root));
const playwright = (name: string) => read(name, (report) => playwrightTally(report as PlaywrightReport));

/** `workers`: how many files, or cases that say so, at a time; more than one only where they wait far longer than they work. */
const e2e = (project: string, workers = 1): Stage => ({
  name: `e2e ${project}`,
  browser: project.endsWith('firefox') ? 'firefox' : 'chromium',
  needs: 'build',
  command: [
    bin('@playwright/test/cli.js'),
    'test',
    '--config',
    'e2e/playwright.config.ts',
    '--project',
    project,
    `--workers=${workers}`,
    // Each run empties its folder first: side by side, each needs its own.
    '--output',
    join(root, 'test-results/e2e', project),
  ],
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
];

/**
 * What drives browsers waits more than it works, so two lanes run side by side, about as long as each other, where there are
 * processors for both: a browser with developer tools open keeps two of them busy at times.
 */
const lanes: readonly (readonly Stage[])[] = [
  [e2e('panel'), e2e('chromium'), e2e('firefox')],
  [e2e('page-contract'), e2e('witness'), e2e('verdicts', 3), e2e('page-contract-firefox'), e2e('fixture')],
];

/** `prefix`: begins each line where two stages print at once. */
const run = (stage: Stage, prefix: string): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, stage.command, {
      cwd: root,
      stdio: prefix === '' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...stage.env },
    });
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => console.log(`${prefix}${line}`));
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

interface Row {
  readonly name: string;
  readonly tally: Tally;
  readonly seconds: number;
  readonly note: string;
}

const failedStages = new Set<string>();
const rowOf = async (stage: Stage, prefix: string): Promise<Row> => {
  console.log(`\n== ${stage.name}`);
  const started = performance.now();
  let tally: Tally = { passed: 0, failed: 1 };
  let note = '';
  if (stage.needs !== undefined && failedStages.has(stage.needs)) note = `not run: ${stage.needs} failed`;
  else if (stage.browser !== undefined && findBrowser(stage.browser) === null)
    note = `not run: no ${stage.browser} found. ${adviceFor(stage.browser)}`;
  else {
    const code = await run(stage, prefix);
    if (stage.tally === undefined) tally = code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
    else {
      try {
        tally = stage.tally();
      } catch {
        note = `no report (exit code ${code})`;
      }
      if (tally.passed + tally.failed === 0) note = 'ran no test';
      // Errors outside any test (a failed hook, an unhandled rejection) show in the exit code alone.
      if (tally.failed === 0 && (code !== 0 || tally.passed === 0)) tally = { ...tally, failed: 1 };
    }
  }
  if (tally.failed > 0) failedStages.add(stage.name);
  return { name: stage.name, tally, seconds: (performance.now() - started) / 1000, note };
};

const inTurn = async (lane: readonly Stage[], prefixed: boolean): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const stage of lane) rows.push(await rowOf(stage, prefixed ? `${stage.name.replace('e2e ', '')} | ` : ''));
  return rows;
};

const rows = await inTurn(stages, false);
if (availableParallelism() < 4) rows.push(...(await inTurn(lanes.flat(), false)));
else rows.push(...(await Promise.all(lanes.map((lane) => inTurn(lane, true)))).flat());

console.log('\n== summary');
for (const { name, tally, seconds, note } of rows) {
  console.log(
    `${tally.failed === 0 ? 'pass' : 'FAIL'}  ${name.padEnd(26)} ${String(tally.passed).padStart(5)} passed ${String(tally.failed).padStart(4)} failed  ${seconds.toFixed(1).padStart(6)} s  ${note}`.trimEnd(),
  );
  for (const failed of tally.names ?? []) console.log(`        ${failed}`);
}
const total = (key: 'passed' | 'failed'): number => rows.reduce((sum, row) => sum + row.tally[key], 0);
if (existsSync(join(root, 'artifacts'))) console.log('screenshots: artifacts/');
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;
