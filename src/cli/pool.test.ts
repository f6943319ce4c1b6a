import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileReport } from '../core/report';
import { judgeAll } from './pool';

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'unsettled-pool-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('many files', () => {
  // With one processor there are no workers.
  it.skipIf(availableParallelism() < 2)('are all reported, in order, also where some bring their worker down', async () => {
    const worker = join(dir, 'worker.mjs');
    // Stands for the program: answers with the name, and falls over some files.
    writeFileSync(
      worker,
      `import { parentPort } from 'node:worker_threads';
parentPort.on('message', (file) => {
  if (/bad/.test(file)) throw Object.assign(new Error('fell'), /memory/.test(file) ? { code: 'ERR_WORKER_OUT_OF_MEMORY' } : {});
  parentPort.postMessage({ file, unjudged: null });
});`,
    );
    const files = Array.from({ length: 60 }, (_, i) => (i % 13 === 5 ? `bad-${i}` : i === 40 ? 'bad-memory' : `file-${i}`));
    let done = 0;
    const reports: readonly FileReport[] = await judgeAll(files, {
      muted: [],
      allowEmpty: false,
      mappings: [],
      entry: pathToFileURL(worker),
      async *stdin() {},
      onDone: (count) => {
        done = count;
      },
    });
    expect(reports.map((report) => report.file)).toEqual(files);
    expect(done).toBe(60);
    for (const report of reports)
      if (report.file.startsWith('bad'))
        expect(report.unjudged).toMatch(report.file === 'bad-memory' ? /more memory/u : /failed \(fell\)/u);
      else expect(report.unjudged).toBeNull();
  });
});
