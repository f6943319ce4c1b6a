/** Decodes one dialect's long run over and over, for a profiler: `node --cpu-prof … bench/profile-one.ts ag-ui`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSession } from '../src/core/session.ts';
import { lengthen } from './decode.ts';
import { openCapture } from './recordings.ts';

const id = process.argv[2] ?? 'ag-ui';
const dir = join(import.meta.dirname, `../src/core/dialects/${id}.fixtures`);
const files = readdirSync(dir).filter((name) => /\.(?:jsonl|sse|ndjson)$/u.test(name) && name !== 'expected.jsonl');
const records = lengthen(
  files.map((name) => openCapture(readFileSync(join(dir, name)))),
  20_000,
);
for (let i = 0; i < 20; i++) {
  const started = performance.now();
  createSession({ rules: [] }).ingest(records ?? []);
  console.log(Math.round(performance.now() - started));
}
