/**
 * Where the time of one dialect goes: `npx tsx bench/profile-one.ts ag-ui` reads its long run under Node's profiler, bundled as
 * it is shipped, and prints the functions by their own share of the time, and then by what they allocate: an event costs some
 * hundred nanoseconds, and collecting what it leaves behind is easily half of that.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { lengthen, recordingsOf } from './long-run.ts';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly lineNumber: number; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const program = await bundle('read-over.ts');
const file = join(program.directory, 'records.json');
writeFileSync(file, JSON.stringify(lengthen(recordingsOf(process.argv[2] ?? 'ag-ui'), 10_000)));
spawnSync(process.execPath, ['--cpu-prof', '--cpu-prof-interval', '200', '--cpu-prof-dir', program.directory, program.path, file], {
  stdio: 'inherit',
});
const name = readdirSync(program.directory).find((one) => one.endsWith('.cpuprofile')) ?? '';
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(program.directory, name), 'utf8')) as Profile;
const source = readFileSync(program.path, 'utf8').split('\n');
const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
const own = new Map<string, number>();
let total = 0;
for (const [i, sample] of samples.entries()) {
  const { functionName, lineNumber, url } = byId.get(sample)!;
  const line = url.endsWith('.mjs') ? `${lineNumber + 1}: ${source[lineNumber]?.trim().slice(0, 70)}` : url;
  const key = `${functionName.padEnd(26)} ${line}`;
  own.set(key, (own.get(key) ?? 0) + timeDeltas[i]!);
  total += timeDeltas[i]!;
}
for (const [key, time] of [...own].sort((a, b) => b[1] - a[1]).slice(0, 30))
  console.log(`${((time / total) * 100).toFixed(1).padStart(5)} %  ${key}`);
console.log('\nallocated for each event');
spawnSync(process.execPath, [program.path, file, 'memory'], { stdio: 'inherit' });
program.remove();
