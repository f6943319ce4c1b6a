/** Folders that cannot be read. Tests may run as a user whom permissions do not stop, so the reader of folders fails instead. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Report } from '../core/report';
import { ran } from './ran';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    readdir: (path: string, ...more: unknown[]) => {
      const code = { locked: 'EACCES', broken: 'EIO' }[basename(path)];
      if (code !== undefined) return Promise.reject(Object.assign(new Error(`${code}: scandir`), { code }));
      return (real.readdir as (...all: unknown[]) => unknown)(path, ...more);
    },
  };
});

const RUN = ['run.started', 'run.completed']
  .map((type) => {
    const payload =
      type === 'run.started' ? {} : { result: { output: { runId: 'r', status: 'COMPLETED', errors: [] }, assistantText: 'Hi.' } };
    return `event: ${type}\ndata: ${JSON.stringify({ id: type, type, ts: '2026-01-01T00:00:00.000Z', runId: 'r', sessionId: 's', payload })}\n\n`;
  })
  .join('');

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'unsettled-folders-'));
  for (const path of ['some/a', 'some/deep/locked/b', 'all/locked/c', 'bad/broken/d', 'clean/e']) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, `${path}.unsettled.jsonl`), RUN);
  }
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const unsettled = (...argv: string[]) => ran(argv);
const judged = async (...argv: string[]): Promise<Report & { code: number }> => {
  const { code, out } = await unsettled('check', '-f', 'json', ...argv);
  return { ...(JSON.parse(out) as Report), code };
};

it('a subfolder that may not be read is named with its reason, and the rest is judged', async () => {
  const report = await judged(join(dir, 'some'));
  expect(report.files.map(({ file }) => file)).toEqual([join(dir, 'some/a.unsettled.jsonl'), join(dir, 'some/deep/locked')]);
  expect(report.files[0]!.unjudged).toBeNull();
  expect(report.files[1]!.unjudged).toContain('may not be read');
  expect(report.files[1]!.unjudged).toContain('permissions');
  expect(report.code).toBe(2);
  const { out } = await unsettled('check', join(dir, 'some'));
  expect(out).toContain('locked');
  expect(out).toContain('permissions');
});

it.each(['all/locked', 'all'])('a folder of which nothing can be read (%s) is not called empty', async (name) => {
  const { code, out, err } = await unsettled('check', join(dir, name));
  expect(code).toBe(2);
  expect(out).toContain('permissions');
  expect(out + err).not.toContain('holds no');
});

it('other reasons are said as they are', async () => {
  const report = await judged(join(dir, 'bad'));
  expect(report.files[0]!.unjudged).toContain('EIO: scandir');
  expect(report.code).toBe(2);
});

it('a pattern tells of the folders that it reaches, and of no others', async () => {
  expect(await judged(join(dir, 'some/**/*.jsonl'))).toMatchObject({ code: 2, summary: { files: 2, unjudged: 1 } });
  expect(await judged(join(dir, 'some/*.jsonl'))).toMatchObject({ code: 0, summary: { files: 1, unjudged: 0 } });
  expect(await judged(join(dir, '*/*/*.jsonl'))).toMatchObject({ code: 2, summary: { unjudged: 2 } });
});

it('each shard has its share of them', async () => {
  const shards = await Promise.all([1, 2].map((i) => judged(join(dir, 'some'), '--shard', `${i}/2`)));
  expect(shards.map(({ code }) => code).sort()).toEqual([0, 2]);
  expect(shards.flatMap(({ files }) => files)).toHaveLength(2);
});

it('show names them and shows the rest; commands of one file refuse', async () => {
  const shown = await unsettled('show', join(dir, 'some'));
  expect(shown).toMatchObject({ code: 2, err: expect.stringContaining('permissions'), out: expect.stringContaining('Hi.') });
  for (const command of ['redact', 'import'])
    expect(await unsettled(command, join(dir, 'some'))).toMatchObject({ code: 2, out: '', err: expect.stringContaining('permissions') });
});
