/**
 * `unsettled check` on a capture of a million events, as a process of its own, against reading the same file and parsing
 * each of its lines. Also the memory it takes for a quarter and for all of the events: it must not grow with the file.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scene } from '../src/core/scenes/scene.ts';
import type { Measured } from './run.ts';

const ROOT = join(import.meta.dirname, '..');
export const CLI = join(ROOT, 'dist/cli/unsettled.js');
const EVENTS = 1_000_000;
const PER_RUN = 1000;
export const LIMITS = { seconds: 10, ratio: 4, growth: 2 };

/** `secrets`: an e-mail address now and then. A capture of chats, each a flow of its own with reasoning, text and a finish, one event a chunk. */
export const write = async (path: string, events: number, secrets = false): Promise<void> => {
  const out = createWriteStream(path);
  const send = async (text: string): Promise<void> => {
    if (!out.write(text)) await new Promise((resolve) => out.once('drain', resolve));
  };
  const page = scene();
  await send(page.header());
  for (let run = 0; run * PER_RUN < events; run++) {
    const flow = `f${run}`;
    const say = (data: object): unknown => page.wait(1).sayOn(flow, data);
    page.wait(1).open(flow);
    say({ type: 'start', messageId: `m${run}` });
    say({ type: 'start-step' });
    say({ type: 'reasoning-start', id: 'r' });
    for (let i = 0; i < 200; i++) say({ type: 'reasoning-delta', id: 'r', delta: `thought ${i} ` });
    say({ type: 'reasoning-end', id: 'r' });
    say({ type: 'text-start', id: 't' });
    for (let i = 0; i < PER_RUN - 208; i++)
      say({ type: 'text-delta', id: 't', delta: secrets && i % 300 === 0 ? `person${run}.${i}@example.org ` : `word ${i} ` });
    say({ type: 'text-end', id: 't' });
    say({ type: 'finish-step' });
    say({ type: 'finish', finishReason: 'stop' });
    page.wait(1).end('eof', flow);
    await send(page.more());
  }
  await new Promise<void>((resolve) => out.end(resolve));
};

/** What anything must do at least: read the lines and parse them. */
const BASELINE = `
const { createReadStream } = require('node:fs');
const { createInterface } = require('node:readline');
(async () => {
  let lines = 0, rest = '';
  for await (const piece of createReadStream(process.argv[1], { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const all = (rest + piece).split('\\n');
    rest = all.pop();
    for (const line of all) { JSON.parse(line); lines++; }
  }
  console.log(lines);
})();`;

export interface Run {
  readonly seconds: number;
  /** Processor time of all its threads; tells more than the clock on a busy machine. */
  readonly cpu: number;
  /** Largest resident memory, in MB. */
  readonly peak: number;
  readonly out: string;
}

/** Runs a process and watches its memory and processor time from the outside. */
export const run = (argv: readonly string[]): Promise<Run> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    let peak = 0;
    let cpu = 0;
    const watch = setInterval(() => {
      readFile(`/proc/${child.pid}/status`, 'utf8').then(
        (status) => {
          peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024);
        },
        () => {},
      );
      readFile(`/proc/${child.pid}/stat`, 'utf8').then(
        (stat) => {
          const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          cpu = Math.max(cpu, (Number(fields[11]) + Number(fields[12])) / TICKS);
        },
        () => {},
      );
    }, 20);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.on('error', reject);
    child.on('close', () => {
      clearInterval(watch);
      resolve({ seconds: (performance.now() - started) / 1000, cpu, peak, out });
    });
  });

/** Clock ticks a second in /proc, on every Linux there is. */
const TICKS = 100;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Builds the command line tool where it was not built yet. */
export const buildCli = (): void => {
  if (existsSync(CLI)) return;
  const built = spawnSync(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--config', 'vite.cli.config.ts'], {
    cwd: ROOT,
  });
  if (built.status !== 0) throw new Error('the command line tool cannot be built');
};

export const bench = async (): Promise<Measured> => {
  buildCli();
  const dir = mkdtempSync(join(tmpdir(), 'unsettled-bench-'));
  try {
    const [small, large] = [join(dir, 'small.unsettled.jsonl'), join(dir, 'large.unsettled.jsonl')];
    await write(small, EVENTS / 4);
    await write(large, EVENTS);
    const ours: Run[] = [];
    const theirs: Run[] = [];
    for (let i = 0; i < 3; i++) {
      theirs.push(await run(['-e', BASELINE, large]));
      ours.push(await run([CLI, 'check', '--format', 'json', large]));
    }
    const quarter = await run([CLI, 'check', '--format', 'json', small]);
    const report = JSON.parse(ours[0]!.out) as {
      summary: { runs: number; findings: Record<string, number> };
      files: { flows: { events: number }[] }[];
    };
    const events = report.files[0]!.flows.reduce((sum, flow) => sum + flow.events, 0);
    const seconds = median(ours.map((one) => one.seconds));
    const cpu = median(ours.map((one) => one.cpu));
    const ratio = cpu / median(theirs.map((one) => one.cpu));
    const peak = median(ours.map((one) => one.peak));
    const verdict = (good: boolean): string => (good ? 'within' : 'OVER');
    return {
      name: 'check on a million events',
      lines: [
        `${events} events in ${report.summary.runs} runs, ${(statSync(large).size / 1e6).toFixed(0)} MB: ${seconds.toFixed(1)} s (${verdict(seconds <= LIMITS.seconds)} ${LIMITS.seconds} s)`,
        `${cpu.toFixed(1)} s of processor time, ${ratio.toFixed(1)} times that of reading the file and parsing its lines (${verdict(ratio <= LIMITS.ratio)} ${LIMITS.ratio})`,
        `memory at most ${peak.toFixed(0)} MB; for a quarter of the events ${quarter.peak.toFixed(0)} MB (${verdict(peak <= quarter.peak * LIMITS.growth)} ${LIMITS.growth} times that)`,
      ],
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};
