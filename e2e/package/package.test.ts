/**
 * What is packed, installed into a folder that holds nothing else, as a user would: the library loads and its types check, the
 * command line runs, linters of packages have nothing to say, and the example project passes with it. Offline throughout.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireBrowser } from '../../scripts/browsers.mjs';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

let dir = '';
let tarball = '';

interface Ran {
  readonly code: number;
  readonly output: string;
}
const node = async (cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> => {
  try {
    const { stdout, stderr } = await run(process.execPath, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
};
const bin = (path: string): string => join(ROOT, 'node_modules', path);
const npm = (cwd: string, ...args: readonly string[]): Promise<{ stdout: string }> =>
  run('npm', args, { cwd, maxBuffer: 1 << 26, shell: process.platform === 'win32' });

const file = (name: string, text: string): void => writeFileSync(join(dir, name), text);

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'unsettled-package-'));
  const { stdout } = await npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', dir);
  const answer: unknown = JSON.parse(stdout);
  const [packed] = (Array.isArray(answer) ? answer : Object.values(answer as object)) as { filename: string }[];
  tarball = join(dir, packed!.filename);
  file('package.json', JSON.stringify({ name: 'fresh', private: true, type: 'module' }));
  await npm(dir, 'install', '--offline', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', tarball);
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const installed = (...path: readonly string[]): string => join(dir, 'node_modules/unsettled', ...path);

test('brings nothing with it, and nothing that is not for its users', () => {
  expect(readdirSync(join(dir, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['unsettled']);
  const names = readdirSync(installed(), { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => /\.test\.|fixtures|\.tsx?$/u.test(name) && !name.endsWith('.d.ts'))).toEqual([]);
  expect(names.filter((name) => /^(?:src|e2e|scripts|bench)\//u.test(name))).toEqual([]);
  const about = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as { dependencies?: object; private?: boolean };
  expect(about.dependencies ?? {}).toEqual({});
  // Nobody publishes it by mistake.
  expect(about.private).toBe(true);
});

test('the library loads without a DOM and judges', async () => {
  file(
    'use.mjs',
    `import { createDecoder, createSession, readCapture, redactText, serialiseCapture } from 'unsettled';
     const stream = 'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\\n\\ndata: [DONE]\\n\\n';
     const { capture } = readCapture(new TextEncoder().encode(stream));
     const session = createSession();
     session.ingest(capture.entries);
     const again = readCapture(new TextEncoder().encode([...serialiseCapture(capture)].join('')));
     console.log(session.runs[0].settlement.outcome, again.capture.entries.length === capture.entries.length, typeof createDecoder, redactText('mail a.b@example.org'));`,
  );
  const { code, output } = await node(dir, ['use.mjs']);
  expect(output).toMatch(/^completed true function mail /u);
  expect(output).not.toContain('a.b@example.org');
  expect(code).toBe(0);
});

test('its types check, by both ways to resolve them', async () => {
  mkdirSync(join(dir, 'node_modules/@playwright'), { recursive: true });
  for (const name of ['@playwright/test', 'playwright', 'playwright-core', '@types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name), 'junction');
  file(
    'use.ts',
    `import { createSession, type Finding, readCapture, type Run, type Session } from 'unsettled';
     import { expect, test } from 'unsettled/playwright';
     const session: Session = createSession();
     const runs: readonly Run[] = session.runs;
     const findings: readonly Finding[] = session.findings;
     test.use({ unsettled: { mute: ['severed-stream'], failOn: 'serious' } });
     test('x', async ({ page }) => {
       await expect(page).toHaveSettled({ outcome: ['completed', 'waiting'] });
       await expect(page).toHaveNoFindings({ lookOn: 10 });
       await expect(page).toShowNothingFinalBefore({ event: 'run.completed', voice: 'terminal' });
       await expect(page).toHaveTitle('still there');
       // @ts-expect-error no such outcome
       await expect(page).toHaveSettled({ outcome: 'done' });
     });
     console.log(runs, findings, readCapture(new Uint8Array()).capture.entries.length.toFixed());`,
  );
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--types', 'node', '--skipLibCheck', 'false'];
  const check = (module: string, resolution: string): Promise<Ran> =>
    node(dir, [bin('typescript/bin/tsc'), ...flags, '--module', module, '--moduleResolution', resolution, 'use.ts']);
  for (const { output } of await Promise.all([check('nodenext', 'nodenext'), check('esnext', 'bundler')]))
    expect(output.split('\n').filter((line) => /unsettled|use\.ts/u.test(line))).toEqual([]);
}, 60_000);

test('bundlers leave out what is not used', async () => {
  const sizeOf = async (code: string): Promise<number> => {
    file('entry.js', code);
    const result = await build({
      root: dir,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, minify: true, lib: { entry: join(dir, 'entry.js'), formats: ['es'], fileName: 'x' } },
    });
    const [first] = Array.isArray(result) ? result : [result];
    if (first === undefined || !('output' in first)) throw new Error('no bundle');
    return first.output[0].code.length;
  };
  expect(await sizeOf(`import 'unsettled'; export const nothing = 1;`)).toBeLessThan(200);
  const redaction = await sizeOf(`export { redactText } from 'unsettled';`);
  const everything = await sizeOf(`export * from 'unsettled';`);
  expect(redaction).toBeLessThan(everything / 4);
});

test('what a test imports is one file: each worker loads it', () => {
  const code = readFileSync(installed('dist/lib/fixture/playwright.js'), 'utf8');
  const from = [...code.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gmu)].map(
    ([, whole, late]) => whole ?? late!,
  );
  expect(from).toContain('@playwright/test');
  expect(from.filter((name) => name !== '@playwright/test' && !name.startsWith('node:'))).toEqual([]);
});

test('linters of packages have nothing to say', async () => {
  const lint = await node(dir, [bin('publint/src/cli.js'), tarball, '--strict']);
  expect(lint.output).toMatch(/All good/u);
  expect(lint.code).toBe(0);
  const types = await node(dir, [
    bin('@arethetypeswrong/cli/dist/index.js'),
    tarball,
    '--profile',
    'esm-only',
    '--no-definitely-typed',
    '--no-emoji',
    // One line an answer, however wide the terminal is.
    '--format',
    'ascii',
  ]);
  expect(types.output.match(/node16 \(from ESM\): OK|bundler: OK/gu)).toHaveLength(6);
  expect(types.code).toBe(0);
}, 60_000);

test('the command line runs, and says what to do where Playwright is not installed', async () => {
  file(
    'run.sse',
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  );
  const cli = installed('dist/cli/unsettled.js');
  const checked = await node(dir, [cli, 'check', 'run.sse']);
  expect(checked.output).toContain('completed');
  expect(checked.code).toBe(0);
  expect(statSync(cli).size).toBeGreaterThan(10_000);
});

test('many files are judged by workers, and shards join to the same report', async () => {
  const cli = installed('dist/cli/unsettled.js');
  const captures = join(dir, 'captures');
  mkdirSync(captures);
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  const header = {
    format: 'unsettled-capture',
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    producer: { name: 't', version: '0', browser: null },
  };
  const opening = {
    type: 'flow.opened',
    flow: 'f',
    document: 'd',
    transport: 'fetch',
    method: 'POST',
    url: '/c',
    requestHeaders: {},
    requestBody: null,
  };
  const text =
    line({ ...header, documents: [], redaction: null }) +
    line({ seq: 0, at: 0, ...opening }) +
    line({ seq: 1, at: 1, type: 'flow.head', flow: 'f', status: 200, headers: { 'content-type': 'text/event-stream' } }) +
    line({
      seq: 2,
      at: 2,
      type: 'flow.chunk',
      flow: 'f',
      direction: 'received',
      text: readFileSync(join(dir, 'run.sse'), 'utf8'),
      encoding: 'text',
      event: null,
      id: null,
    }) +
    line({ seq: 3, at: 3, type: 'flow.ended', flow: 'f', how: 'eof', code: null, detail: null });
  for (let i = 0; i < 400; i++) writeFileSync(join(captures, `${i}.unsettled.jsonl`), i === 7 ? text.slice(0, -20) : text);
  const whole = await node(dir, [cli, 'check', '--format', 'json', 'captures']);
  // One is damaged, and the others say nothing worse.
  expect(whole.code).toBe(2);
  const all = JSON.parse(whole.output) as { summary: object; files: { file: string }[] };
  expect(all.summary).toMatchObject({ files: 400, unjudged: 1, runs: 400 });
  const parts: string[] = [];
  for (const i of [1, 2, 3]) {
    file(`shard-${i}.json`, (await node(dir, [cli, 'check', '--format', 'json', '--shard', `${i}/3`, 'captures'])).output);
    parts.push(`shard-${i}.json`);
  }
  const merged = await node(dir, [cli, 'merge', '--format', 'json', ...parts]);
  expect(merged.code).toBe(2);
  const joined = JSON.parse(merged.output) as typeof all;
  expect(joined.summary).toEqual(all.summary);
  expect(joined.files.map((one) => one.file).sort()).toEqual(all.files.map((one) => one.file).sort());
}, 60_000);

test('the example project passes with it', async () => {
  const example = join(dir, 'example');
  cpSync(join(ROOT, 'examples/playwright'), example, {
    recursive: true,
    filter: (path) => !/node_modules|test-results/u.test(path.slice(ROOT.length)),
  });
  const ran = await node(example, [bin('@playwright/test/cli.js'), 'test'], { CHROMIUM: requireBrowser('chromium') });
  expect(ran.output).toContain('3 passed');
  expect(ran.code).toBe(0);
}, 120_000);
