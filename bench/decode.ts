/**
 * Decode and ledger against the least that any reader must do: eventsource-parser (or splitting lines) and JSON.parse on
 * the same bytes. Per dialect: one long run, made of the recording with the most deltas in its fixtures, each measured in a
 * process of its own (`decode-row.ts`).
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECTS } from '../src/core/dialects/index.ts';
import { bundle } from './bundle.ts';
import type { Row } from './decode-row.ts';
import { lengthen, recordingsOf } from './long-run.ts';
import type { Measured } from './run.ts';

/** Rows that are shown and not judged, with the reason. */
const BESIDE: Readonly<Record<string, string>> = {
  'bedrock-eventstream': 'binary frames with checksums, in base64: no like reader to compare with',
  'ai-sdk-text': 'bare text: a reader has nothing to parse',
};

/** Deltas of the long run that each dialect reads. */
const DELTAS = 10_000;

const rowOf = (program: string, dialect: string, file: string): Promise<Row> =>
  new Promise((done, fail) => {
    const child = fork(program, [dialect, file, String(DELTAS)], { execArgv: [] });
    child.once('message', (row) => done(row as Row));
    child.once('exit', (code) => fail(new Error(`the bench of ${dialect} ended with ${code} and no numbers`)));
  });

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** `wanted`: some dialects only; all where there are none. */
export const bench = async (wanted: readonly string[] = []): Promise<Measured> => {
  const lines = [`${''.padEnd(26)}   events/s    µs/event   ratio   with collection of garbage`];
  const ratios: number[] = [];
  const program = await bundle('decode-row.ts');
  for (const { id } of DIALECTS) {
    if (wanted.length > 0 && !wanted.includes(id)) continue;
    const records = lengthen(recordingsOf(id), DELTAS);
    if (records === null) {
      lines.push(`${id.padEnd(26)} no deltas in its recordings`);
      continue;
    }
    const file = join(program.directory, 'records.json');
    writeFileSync(file, JSON.stringify(records));
    const row = await rowOf(program.path, id, file);
    const { events, ours, theirs } = row;
    const ratio = ours.quickest / theirs.quickest;
    const beside = BESIDE[id];
    if (beside === undefined) ratios.push(ratio);
    const rate = Math.round((events / ours.quickest) * 1e6).toLocaleString('en');
    lines.push(
      `${id.padEnd(26)} ${rate.padStart(10)} ${(ours.quickest / events).toFixed(2).padStart(11)} ${
        beside === undefined ? `${ratio.toFixed(2).padStart(7)} ${(ours.all / theirs.all).toFixed(2).padStart(7)}` : `       (${beside})`
      }`,
    );
  }
  program.remove();
  const over = ratios.filter((ratio) => ratio > 3).length;
  lines.push(`median ratio ${median(ratios).toFixed(2)}, worst ${Math.max(...ratios).toFixed(2)}; ${over} of ${ratios.length} over 3`);
  return { name: 'Decode and ledger against eventsource-parser + JSON.parse', lines };
};
