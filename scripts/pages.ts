/**
 * `npm run pages [-- PAGE [CASE…]]`: plays the real pages in Chromium with the built extension, holds what the panel tells
 * against the labels, and prints precision, recall, and the evidence of each miss and false alarm. Ends with 1 where a
 * whole run is below the target, or a part has a miss or a false alarm.
 *
 * `--shots` writes pictures to artifacts/pages for whoever labels; `--build` builds pages and extension anew;
 * `--at-once=N` pages at a time; `--extension=DIR` an extension built elsewhere. Captures of all cases are left in
 * test-results/pages, to be judged again with `--again`, which needs no browser.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rejudge } from '../e2e/pages/again';
import { launchPages, type Pages } from '../e2e/pages/browser';
import { BY_NAME, PAGES } from '../e2e/pages/list';
import { builtOf, folderOf, nameOf, type Play, type RealPage, ROOT, runCommand } from '../e2e/pages/page';
import { type Played, playOne } from '../e2e/pages/play';
import { type CaseScore, LabelError, type Labels, percent, readLabels, scoreCase, shortcomings, total } from '../e2e/pages/score';
import { contactSheet } from '../e2e/pages/sheet';
import { RULES } from '../src/core/findings';

const { flags, words } = (() => {
  const given = process.argv.slice(2);
  return {
    flags: new Map(
      given.filter((one) => one.startsWith('--')).map((one): [string, string] => [one.slice(2).split('=')[0]!, one.split('=')[1] ?? '']),
    ),
    words: given.filter((one) => !one.startsWith('--')),
  };
})();
const KNOWN = ['shots', 'build', 'at-once', 'extension', 'again', 'report'];

const fail = (message: string): never => {
  console.error(`pages: ${message}`);
  process.exit(2);
};

for (const flag of flags.keys())
  if (!KNOWN.includes(flag)) fail(`unknown option --${flag}; there are ${KNOWN.map((one) => `--${one}`).join(', ')}`);
const [wantedPage, ...wantedCases] = words;
const known = [...PAGES, ...BY_NAME];
if (wantedPage !== undefined && !known.includes(wantedPage)) fail(`there is no page "${wantedPage}"; there are ${known.join(', ')}`);
const withShots = flags.has('shots');
const whole = wantedPage === undefined;
const atOnce = Number(flags.get('at-once') ?? (wantedPage !== undefined && BY_NAME.includes(wantedPage) ? 1 : 10));
if (!Number.isInteger(atOnce) || atOnce < 1) fail('--at-once wants a whole number of at least 1');
const extension = flags.get('extension') ?? join(ROOT, 'dist/chrome');
const captures = join(ROOT, 'test-results/pages');
const pictures = join(ROOT, 'artifacts/pages');

const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(0)} s`;

/** Installs what the page's own package.json asks for, and builds the page, where that was not done before. */
const prepare = async (name: string): Promise<RealPage> => {
  const folder = folderOf(name);
  const byPnpm = existsSync(join(folder, 'pnpm-lock.yaml'));
  if (
    existsSync(join(folder, 'package.json')) &&
    !existsSync(join(folder, `node_modules/${byPnpm ? '.modules.yaml' : '.package-lock.json'}`))
  ) {
    const from = performance.now();
    if (byPnpm) await runCommand('npx', ['--yes', 'pnpm@9', 'install', '--frozen-lockfile'], folder);
    else await runCommand('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
    console.log(`pages: installed the packages of ${name} (${seconds(from)})`);
  }
  const { page } = (await import(new URL('page.ts', `file://${folder}/`).href)) as { page: RealPage };
  if (!flags.has('again') && (flags.has('build') || !existsSync(builtOf(name)))) {
    const from = performance.now();
    await page.build();
    console.log(`pages: built ${name} (${seconds(from)})`);
  }
  return page;
};

const ids = new Set(RULES.map((rule) => rule.id));
const labelsOf = (page: RealPage): Labels => {
  const file = join(folderOf(page.name), 'labels.json');
  return readLabels(page.name, existsSync(file) ? readFileSync(file, 'utf8') : '{}', ids, page.plays.map(nameOf));
};

const isWanted = (play: Play): boolean =>
  wantedCases.length === 0 || wantedCases.some((one) => one === play.scenario || one === nameOf(play));

interface Task {
  readonly page: RealPage;
  readonly play: Play;
  readonly origin: string;
}

const captureOf = ({ page, play }: Pick<Task, 'page' | 'play'>): string => join(captures, `${page.name}.${nameOf(play)}.jsonl`);

/** Several at a time; a case that could not be played is a fault, and the others go on. */
const playAll = async (pages: Pages, tasks: readonly Task[]): Promise<readonly Played[]> => {
  const done: Played[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) {
      try {
        const played = await playOne(pages, task.page, task.play, task.origin, withShots);
        writeFileSync(captureOf(task), played.capture);
        done.push(played);
      } catch (error) {
        broken.push(`${task.page.name} ${nameOf(task.play)}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done;
};

const broken: string[] = [];
const started = performance.now();
const loaded: RealPage[] = [];
for (const name of whole ? PAGES : [wantedPage]) loaded.push(await prepare(name));
const labels = new Map<string, Labels>();
try {
  for (const page of loaded) labels.set(page.name, labelsOf(page));
} catch (error) {
  if (error instanceof LabelError) fail(error.message);
  throw error;
}
mkdirSync(captures, { recursive: true });

let played: readonly Played[];
if (flags.has('again')) {
  played = loaded.flatMap((page) =>
    page.plays
      .filter((play) => isWanted(play) && existsSync(captureOf({ page, play })))
      .map((play) => rejudge(page.name, play, captureOf({ page, play }))),
  );
} else {
  if (!existsSync(join(extension, 'manifest.json'))) fail(`no extension in ${extension}: run \`npm run build\` first`);
  const served = await Promise.all(loaded.map((page) => page.serve()));
  const tasks = loaded.flatMap((page, at) =>
    page.plays
      .filter((play) => isWanted(play) && (!whole || page.everyday?.(play) !== false))
      .map((play) => ({ page, play, origin: served[at]!.origin })),
  );
  if (tasks.length === 0) fail(`no such case; there are ${loaded.flatMap((page) => page.plays.map(nameOf)).join(', ')}`);
  const pages = await launchPages(extension);
  try {
    played = await playAll(pages, tasks);
    broken.push(...pages.errors.map((error) => `error in the extension: ${error}`));
    if (withShots) {
      mkdirSync(pictures, { recursive: true });
      for (const page of loaded) {
        const mine = page.plays.flatMap((play) => played.filter((one) => one.page === page.name && one.play === play));
        for (const sheet of await contactSheet(pages, page.name, mine)) writeFileSync(join(pictures, sheet.name), sheet.png);
      }
      console.log(`pages: pictures in ${pictures}`);
    }
  } finally {
    await pages.close();
    await Promise.all(served.map((one) => one.close()));
  }
}

const scores: CaseScore[] = [];
const unlabelled: string[] = [];
const row = (name: string, list: readonly CaseScore[]): string => {
  const sum = total(list);
  return `${name.padEnd(24)} ${String(sum.cases).padStart(4)} cases ${String(sum.honest).padStart(4)} honest ${String(sum.labelled).padStart(4)} true ${String(sum.missed).padStart(4)} missed ${String(sum.falseAlarms).padStart(4)} false   precision ${percent(sum.precision).padStart(7)}   recall ${percent(sum.recall).padStart(7)}`;
};

for (const page of loaded)
  for (const play of page.plays) {
    const one = played.find((each) => each.page === page.name && each.play === play);
    if (one === undefined) continue;
    const name = nameOf(play);
    for (const fault of one.faults) broken.push(`${page.name} ${name}: ${fault}`);
    const label = labels.get(page.name)![name];
    const told = one.told.map(({ rule }) => rule);
    if (label === undefined) {
      unlabelled.push(`${page.name} ${name}: outcome ${one.outcomes.join(', ')}; told ${told.join(', ') || 'nothing'}`);
      continue;
    }
    const score = scoreCase(page.name, name, label, told);
    scores.push(score);
    if (score.missed.length === 0 && score.falseAlarms.length === 0) continue;
    console.log(`\n${page.name} ${name} (${one.dialects.join(', ')}; ${one.outcomes.join(', ')})\n  seen: ${label.seen}`);
    for (const id of score.falseAlarms)
      for (const { message, text, cue, at } of one.told.filter(({ rule }) => rule === id))
        console.log(
          `  FALSE ${id} at ${at.toFixed(0)} ms: ${message}${cue === '' ? '' : `\n        cue: ${cue}`}${text === '' ? '' : `\n        words: ${text.slice(0, 160)}`}`,
        );
    for (const id of score.missed) {
      const doubt = one.doubts.find(({ rule }) => rule === id);
      console.log(`  MISS  ${id}${doubt === undefined ? '' : `; inconclusive: ${doubt.message}`}`);
    }
  }

console.log('');
for (const page of loaded)
  console.log(
    row(
      page.name,
      scores.filter((score) => score.page === page.name),
    ),
  );
if (loaded.length > 1) console.log(row('all', scores));
for (const line of unlabelled) console.log(`not labelled: ${line}`);
for (const line of broken) console.log(`broken: ${line}`);

const reached = total(scores);
const wants = whole && !flags.has('again') ? shortcomings(reached) : [];
for (const line of wants) console.log(`below the target: ${line}`);
console.log(`${reached.cases} cases in ${seconds(started)}`);
const report = flags.get('report');
if (report !== undefined) {
  const failing = scores.filter((score) => score.missed.length > 0 || score.falseAlarms.length > 0).length;
  writeFileSync(report, JSON.stringify({ ...reached, failing, unlabelled: unlabelled.length, broken: broken.length, short: wants.length }));
}
const partIsWrong = !whole && (reached.missed > 0 || reached.falseAlarms > 0);
process.exitCode = wants.length > 0 || unlabelled.length > 0 || broken.length > 0 || partIsWrong ? 1 : 0;
